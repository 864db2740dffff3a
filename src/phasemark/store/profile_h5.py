"""profile.h5: a Profile in HDF5.

/                attributes: format, format_version, provenance (JSON)
/modules         names of the modules
/blocks/         module, offset, instructions, size, id [, function, file, line]
/intervals/      run, thread, index, start, length, kind [, began [, ended]]
/counts/         indptr, indices, data (CSR, intervals x blocks)
[/sites/         modules, module, offset, kind, target_module, target [, function, file, line, callee]
/events/         indptr, indices, data (CSR, intervals x sites)]
[/markers/       block, count, total [, site]]
[/threads/       run, thread, process, pid, program]
[/reuse/         attributes lines, bands; data, code (intervals x bands, a row after the other);
                 surprises]
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any

from phasemark.errors import DataError
from phasemark.model import Blocks, Intervals, Markers, Profile, Provenance, Reuse, Threads, streamed
from phasemark.model.provenance import INSTRUCTIONS
from phasemark.model.reuse import TABLES as REUSE_TABLES
from phasemark.progress import Progress
from phasemark.reading import opened
from phasemark.store import columns, hdf5
from phasemark.store.stored import Group

FORMAT = "phasemark-profile"
FORMAT_VERSION = 1

_BLOCKS = ("module", "offset", "instructions", "size", "id")
_NAMES = ("function", "file")
_INTERVALS = ("run", "thread", "index", "start", "length", "kind")
_CLOCK = ("began", "ended")
_MARKERS = ("block", "count", "total")
_THREADS = ("run", "thread", "process", "pid")

_WHAT, _HINT = "a profile", "profile or import the run again"


def write(path: str | Path, profile: Profile, progress: Progress | None = None) -> str:
    """Write `profile`, whole or not at all; equal profiles give equal bytes.

    A large one is written straight into the file: memory is bounded where its counts are streamed.

    Args:
        path: the file.
        profile: what to write.
        progress: called with the counts written, and of how many.

    Returns:
        The file's seal.

    Raises:
        WorkError: the file cannot be written.
    """

    def fill(file: Any) -> None:
        file.attrs["format"] = FORMAT
        file.attrs["format_version"] = FORMAT_VERSION
        file.attrs["provenance"] = profile.provenance.to_json()
        columns.put_names(file, "modules", profile.block_table.modules)
        columns.put_each(file.create_group("blocks"), profile.block_table, _BLOCKS)
        _put_symbols(file["blocks"], profile.block_table)
        columns.put_each(file.create_group("intervals"), profile.interval_table, _INTERVALS)
        if profile.interval_table.began is not None:
            columns.put(file["intervals"], "began", profile.interval_table.began)
        if profile.interval_table.ended is not None:
            columns.put(file["intervals"], "ended", profile.interval_table.ended)
        columns.put_counts(file.create_group("counts"), profile.vectors, progress)
        if profile.sites is not None and profile.events is not None:
            columns.put_sites(file.create_group("sites"), profile.sites)
            columns.put_counts(file.create_group("events"), profile.events)
        if profile.markers is not None:
            columns.put_each(file.create_group("markers"), profile.markers, _MARKERS)
            if profile.markers.site is not None:
                columns.put(file["markers"], "site", profile.markers.site)
        if profile.threads is not None:
            columns.put_each(file.create_group("threads"), profile.threads, _THREADS)
            columns.put_names(file["threads"], "program", profile.threads.program)
        if profile.reuse is not None:
            _put_reuse(file.create_group("reuse"), profile.reuse)

    is_large = int(profile.vectors.indptr[-1]) > streamed.MOST_HELD
    return (hdf5.write_large if is_large else hdf5.write)(path, fill)


def read(path: str | Path) -> Profile:
    """Read a profile. Counts of a large one are read and checked when they are asked for, each time anew.

    Raises:
        DataError: not a profile, of a newer format, damaged, or breaking an invariant; names the file.
    """
    with _reading(path) as file:
        return _profile(file, path)


def read_unsealed(path: str | Path) -> Profile:
    """As `read`, of a file without its digest: only in a process that may be stopped (`store.resealing`).

    Raises:
        DataError: as `read`.
    """
    with _reading(path, sealed=False) as file:
        return _profile(file, path)


def read_intervals(path: str | Path) -> Intervals:
    """The intervals of a profile alone: its counts, nearly all of the file, stay packed.

    Raises:
        DataError: as `read`, but of what the counts break.
    """
    with _reading(path) as file:
        return _intervals(file)


def is_profile(path: str | Path) -> bool:
    """Whether the file is HDF5."""
    with opened(path) as file:
        return file.read(len(hdf5.SIGNATURE)) == hdf5.SIGNATURE


@contextmanager
def _reading(path: str | Path, *, sealed: bool = True) -> Iterator[Group]:
    with hdf5.reading(path, _WHAT, hint=_HINT, sealed=sealed) as file:
        _check_format(file)
        yield file


def _check_format(file: Group) -> None:
    if file.text("format", "") != FORMAT:
        raise DataError("an HDF5 file, but no phasemark profile", hint="name a profile.h5 or a run's folder")
    version = file.integer("format_version")
    if version > FORMAT_VERSION:
        raise DataError(
            f"written in profile format {version}; this phasemark reads up to {FORMAT_VERSION}",
            hint="update phasemark",
        )


def _profile(file: Group, path: str | Path) -> Profile:
    group = file.group("blocks")
    symbols: dict[str, Any] = {name: group.names(name) for name in _NAMES if name in group}
    if "line" in group:
        symbols["line"] = group.integers("line")
    static: dict[str, Any] = {n: group.integers(n) for n in _BLOCKS}
    blocks = Blocks(file.names("modules"), **static, **symbols)
    intervals, provenance = _intervals(file), Provenance.from_json(file.text("provenance"))
    damage = partial(hdf5.reading_on, path, _WHAT, hint=_HINT)
    lengths = intervals.length if provenance.unit == INSTRUCTIONS else None
    counts = columns.counts(file.group("counts"), len(blocks), damage, lengths)
    if len(counts) != len(intervals):
        raise DataError(f"{len(counts):,} vectors for {len(intervals):,} intervals")
    more: dict[str, Any] = {}
    if "sites" in file:
        sites = columns.sites(file.group("sites"))
        more = {"sites": sites, "events": columns.counts(file.group("events"), len(sites), damage)}
    if "markers" in file:
        more["markers"] = _markers(file)
    if "threads" in file:
        threads = file.group("threads")
        numbers = {name: threads.integers(name) for name in _THREADS}
        more["threads"] = Threads(**numbers, program=threads.names("program"))
    if "reuse" in file:
        more["reuse"] = _reuse(file.group("reuse"), len(intervals))
    return Profile(blocks, intervals, counts, provenance, **more)


def _intervals(file: Group) -> Intervals:
    group = file.group("intervals")
    names = (*_INTERVALS, *(name for name in _CLOCK if name in group))
    return Intervals(**{name: group.integers(name) for name in names})


def _markers(file: Group) -> Markers:
    group = file.group("markers")
    names = (*_MARKERS, "site") if "site" in group else _MARKERS
    return Markers(**{name: group.integers(name) for name in names})


def _put_reuse(group: Any, reuse: Reuse) -> None:
    group.attrs["lines"] = reuse.lines
    group.attrs["bands"] = reuse.bands
    for name in REUSE_TABLES:
        columns.put(group, name, getattr(reuse, name).reshape(-1))
    if reuse.surprises is not None:
        columns.put(group, "surprises", reuse.surprises)


def _reuse(group: Group, intervals: int) -> Reuse:
    bands, tables = group.integer("bands"), {}
    for name in REUSE_TABLES:
        counts = group.integers(name)
        if len(counts) != intervals * bands:
            raise DataError(
                f"reuse of {name} has {len(counts):,} counts, not {bands} for each of {intervals:,} intervals"
            )
        tables[name] = counts.reshape(intervals, bands)
    surprises = group.integers("surprises") if "surprises" in group else None
    return Reuse(**tables, lines=group.integer("lines"), surprises=surprises)


def _put_symbols(group: Any, blocks: Blocks) -> None:
    for name in _NAMES:
        if (value := getattr(blocks, name)) is not None:
            columns.put_names(group, name, value)
    if blocks.line is not None:
        group.create_dataset("line", data=blocks.line)
