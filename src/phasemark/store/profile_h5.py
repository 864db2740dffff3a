"""profile.h5: a Profile in HDF5.

/                attributes: format, format_version, provenance (JSON)
/modules         names of the modules
/blocks/         module, offset, instructions, size, id [, function, file, line]
/intervals/      run, thread, index, start, length, kind [, began]
/counts/         indptr, indices, data (CSR, intervals x blocks)
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import h5py
import numpy as np
from numpy.typing import NDArray

from phasemark.errors import DataError
from phasemark.model import Blocks, Counts, Intervals, Profile, Provenance
from phasemark.reading import opened
from phasemark.store import hdf5
from phasemark.store.stored import Group

FORMAT = "phasemark-profile"
FORMAT_VERSION = 1

_BLOCKS = ("module", "offset", "instructions", "size", "id")
_NAMES = ("function", "file")
_INTERVALS = ("run", "thread", "index", "start", "length", "kind")
_COUNTS = ("indptr", "indices", "data")

#: Elements that are packed together.
_CHUNK = 2**14


def write(path: str | Path, profile: Profile) -> str:
    """Write `profile`, whole or not at all; equal profiles give equal bytes.

    Returns:
        The file's seal.

    Raises:
        WorkError: the file cannot be written.
    """

    def fill(file: Any) -> None:
        file.attrs["format"] = FORMAT
        file.attrs["format_version"] = FORMAT_VERSION
        file.attrs["provenance"] = profile.provenance.to_json()
        _put_names(file, "modules", profile.block_table.modules)
        _put_columns(file.create_group("blocks"), profile.block_table, _BLOCKS)
        _put_symbols(file["blocks"], profile.block_table)
        _put_columns(file.create_group("intervals"), profile.interval_table, _INTERVALS)
        if profile.interval_table.began is not None:
            _put(file["intervals"], "began", profile.interval_table.began)
        _put_counts(file.create_group("counts"), profile.vectors)

    return hdf5.write(path, fill)


def read(path: str | Path) -> Profile:
    """Read a profile.

    Raises:
        DataError: not a profile, of a newer format, damaged, or breaking an invariant; names the file.
    """
    with _reading(path) as file:
        return _profile(file)


def read_unsealed(path: str | Path) -> Profile:
    """As `read`, of a file without its digest: only in a process that may be stopped (`store.resealing`).

    Raises:
        DataError: as `read`.
    """
    with _reading(path, sealed=False) as file:
        return _profile(file)


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
    hint = "profile or import the run again"
    with hdf5.reading(path, "a profile", hint=hint, sealed=sealed) as file:
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


def _profile(file: Group) -> Profile:
    group, vectors = file.group("blocks"), file.group("counts")
    symbols: dict[str, Any] = {name: group.names(name) for name in _NAMES if name in group}
    if "line" in group:
        symbols["line"] = group.integers("line")
    columns: dict[str, Any] = {n: group.integers(n) for n in _BLOCKS}
    blocks = Blocks(file.names("modules"), **columns, **symbols)
    counts = Counts(**{n: vectors.integers(n) for n in _COUNTS}, columns=len(blocks))
    return Profile(blocks, _intervals(file), counts, Provenance.from_json(file.text("provenance")))


def _intervals(file: Group) -> Intervals:
    group = file.group("intervals")
    names = (*_INTERVALS, "began") if "began" in group else _INTERVALS
    return Intervals(**{name: group.integers(name) for name in names})


def _put_columns(group: Any, value: object, names: tuple[str, ...]) -> None:
    for name in names:
        _put(group, name, getattr(value, name))


def _put_counts(group: Any, counts: Counts) -> None:
    _put(group, "indptr", counts.indptr)
    _put(group, "indices", _narrow(counts.indices, counts.columns))
    _put(group, "data", _narrow(counts.data, int(counts.data.max(initial=0))))


def _put(group: Any, name: str, data: NDArray[Any]) -> None:
    if not len(data):
        group.create_dataset(name, data=data)
        return
    chunks = (min(len(data), _CHUNK),)
    group.create_dataset(name, data=data, chunks=chunks, compression="gzip", compression_opts=1, shuffle=True)


def _narrow(data: NDArray[Any], largest: int) -> NDArray[Any]:
    """Whole numbers from 0 in the fewest bytes: reading a profile is for the most part unpacking these."""
    return data.astype(np.min_scalar_type(largest))


def _put_symbols(group: Any, blocks: Blocks) -> None:
    for name in _NAMES:
        if (value := getattr(blocks, name)) is not None:
            _put_names(group, name, value)
    if blocks.line is not None:
        group.create_dataset("line", data=blocks.line)


def _put_names(group: Any, name: str, values: tuple[str, ...]) -> None:
    data = np.array([v.encode("utf-8", "surrogateescape") for v in values], dtype=object)
    group.create_dataset(name, data=data, dtype=h5py.string_dtype("utf-8"), shape=(len(values),))
