"""Several profiles of a program -> one, whose runs they are."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from phasemark import symbols
from phasemark.errors import UsageError, shown
from phasemark.model import OF_CORES, Blocks, Counts, Intervals, Markers, Profile, Reuse, Threads
from phasemark.model.intervals import concatenate
from phasemark.model.provenance import INSTRUCTIONS
from phasemark.model.streamed import as_counts
from phasemark.parallel.agreeing import is_of_functions, require_alike
from phasemark.parallel.origins import origin_of_all, runs_of
from phasemark.parallel.renamed import builds_of, moved, renamed
from phasemark.parallel.uniting import Pieces, by_name, recounted, united

#: What tells that code of one run is code of another.
BY = ("block", "function")


def join(profiles: Sequence[Profile], *, by: str = "block", names: Sequence[str] = ()) -> Profile:
    """One profile with the rows of several, which become its runs 0, 1, 2 ...

    Runs with different numbers of threads, or inputs, are clustered together that way: "Detecting Phases in
    Parallel Applications on Shared Memory Architectures", section 6. Loops, calls and returns are left out.

    Args:
        profiles: at least one, in the order of their runs; one of several runs keeps these.
        by: `block`: code is the same at the same place of the same build of a module, wherever that lies;
            blocks are split where a block of any run starts. `function`: functions of the same name in
            modules of the same file name are the same, which is all that two builds of a program have in
            common; a module that run 0 has under another name is found by its functions.
        names: what errors call each profile; unless given, `run 0`, `runs 1 to 3` ...

    Raises:
        UsageError: no profile, or no such `by`.
        DataError: profiles of other units, of blocks of no known place, or (by block) of other kinds of
            blocks or other builds of a module; says which, and what can be done.
    """
    if by not in BY:
        raise UsageError(f"by is {shown(by)}", hint=f"use one of {', '.join(BY)}")
    if not profiles:
        raise UsageError("no profile to join")
    require_alike(profiles, by, names)
    executed = [profile.vectors.column_sums() for profile in profiles]
    if by == "function":
        tables = [_named(profile) for profile in profiles]
        others = renamed(tables, executed)
        blocks, pieces = by_name(tables, others)
    else:
        others = moved(profiles)
        tables = [_placed(one.block_table, known) for one, known in zip(profiles, others, strict=True)]
        # Samples say nothing of how often the rest of a block was executed.
        blocks, pieces = united(tables, split=profiles[0].provenance.unit == INSTRUCTIONS)
    shared = _in_common(executed, pieces)
    firsts = np.cumsum([0, *map(runs_of, profiles)])[:-1].tolist()
    clock = _clock(profiles)
    rows = [_clocked(profile.interval_table, clock) for profile in profiles]
    intervals = concatenate([_renumbered(t, first) for t, first in zip(rows, firsts, strict=True)])
    return Profile(
        blocks,
        intervals,
        _vectors([profile.vectors for profile in profiles], pieces, len(blocks)),
        origin_of_all(profiles, by, clock, others, shared),
        markers=_markers(profiles, pieces) if by == "block" else None,
        threads=_threads(profiles, firsts),
        reuse=Reuse.of_all([profile.reuse for profile in profiles]),
    )


def common_ground(profiles: Sequence[Profile]) -> str:
    """What profiles have in common, for `join`: `block` of one build, `function` of several.

    Builds are several if the build-ids of a module differ, or one lies at a place of its own and shares
    functions with another's module.
    """
    if any(map(is_of_functions, profiles)):
        return "function"
    known: dict[str, str] = {}
    for profile in profiles:
        for module, build in builds_of(profile).items():
            if known.setdefault(module, build) != build:
                return "function"
    places = moved(profiles)
    tables = [_placed(one.block_table, known) for one, known in zip(profiles, places, strict=True)]
    if all(set(table.modules) == set(tables[0].modules) for table in tables):
        return "block"
    tables = [replace(_named(one), modules=t.modules) for one, t in zip(profiles, tables, strict=True)]
    weights = [one.vectors.column_sums() for one in profiles]
    return "function" if any(renamed(tables, weights, key=str)) else "block"


def threads_of(profile: Profile) -> Threads:
    """Where the threads of a profile come from; of one that does not say, they are of one process."""
    if profile.threads is not None:
        return profile.threads
    table = profile.interval_table
    rows = np.flatnonzero(table.first_of_thread())
    n = len(rows)
    program = profile.provenance.command[0].rpartition("/")[2] if profile.provenance.command else ""
    return Threads(table.run[rows], table.thread[rows], np.ones(n, np.int32), (program,) * n, np.full(n, -1))


def _named(profile: Profile) -> Blocks:
    if profile.block_table.function is not None:
        return profile.block_table
    return symbols.annotate(profile.block_table, build_ids=builds_of(profile) or None, lines=False)


def _placed(table: Blocks, known: dict[str, str]) -> Blocks:
    return replace(table, modules=tuple(known.get(m, m) for m in table.modules)) if known else table


def _in_common(executed: Sequence[NDArray[np.int64]], pieces: Sequence[Pieces]) -> list[float]:
    """Share of each run's instructions in code that the first one executes, too."""
    there = np.zeros(pieces[0].columns, np.bool_)
    shares: list[float] = []
    for weight, of in zip(executed, pieces, strict=True):
        many = np.diff(of.indptr)
        if not shares:
            there[of.column[np.repeat(weight > 0, many)]] = True
        # A block is in common by as many of its pieces as are.
        part = np.bincount(np.repeat(np.arange(len(many)), many), there[of.column] * of.size, len(many))
        whole = np.bincount(np.repeat(np.arange(len(many)), many), of.size, len(many))
        shares.append(float((weight * part / np.maximum(whole, 1)).sum() / max(weight.sum(), 1)))
    return shares


def _renumbered(table: Intervals, first: int) -> Intervals:
    return replace(table, run=table.run + first)


def _clock(profiles: Sequence[Profile]) -> str:
    """The clock of all runs; empty where not all have one.

    A run of one thread needs none: its instructions are as good a clock as that of cores.
    """
    clocks = set()
    for profile in profiles:
        if profile.interval_table.began is not None:
            clocks.add(str(profile.provenance.details.get("clock", "ticks")))
        elif not _of_single_threads(profile.interval_table):
            return ""
        else:
            clocks.add(OF_CORES)
    timed = any(profile.interval_table.began is not None for profile in profiles)
    return clocks.pop() if timed and len(clocks) == 1 else ""


def _of_single_threads(table: Intervals) -> bool:
    run = table.run[table.first_of_thread()]
    return len(run) == len(np.unique(run))


def _clocked(table: Intervals, clock: str) -> Intervals:
    """With when intervals began on the clock of all; without, where there is none."""
    if not clock:
        return replace(table, began=None, ended=None)
    if table.began is None:
        return replace(table, began=table.start, ended=table.start + table.length)
    return table if table.ended is not None or clock != OF_CORES else replace(table, ended=_ends(table))


def _ends(table: Intervals) -> NDArray[np.int64]:
    assert table.began is not None
    return table.began + table.length


def _vectors(vectors: Sequence[Counts], pieces: Sequence[Pieces], columns: int) -> Counts:
    def batches() -> Iterator[Counts]:
        for counts, of in zip(vectors, pieces, strict=True):
            yield from recounted(counts, of)

    lengths = [np.diff(part.indptr) for part in batches()]
    indptr = np.concatenate(([0], np.cumsum(np.concatenate(lengths)))).astype(np.int64)
    return as_counts(indptr, columns, batches)


def _markers(profiles: Sequence[Profile], pieces: Sequence[Pieces]) -> Markers | None:
    found = [profile.markers for profile in profiles]
    if any(markers is None for markers in found) or not all(len(of.column) for of in pieces):
        return None
    at = [
        np.where(m.block >= 0, of.column[of.indptr[np.maximum(m.block, 0)]], -1)
        for m, of in zip(found, pieces, strict=True)
        if m is not None
    ]
    count, total = (np.concatenate([getattr(m, name) for m in found]) for name in ("count", "total"))
    return Markers(np.concatenate(at).astype(np.int32), count, total)


def _threads(profiles: Sequence[Profile], firsts: Sequence[int]) -> Threads:
    parts = [threads_of(profile) for profile in profiles]
    run = np.concatenate([part.run + first for part, first in zip(parts, firsts, strict=True)])
    thread, process, pid = (
        np.concatenate([getattr(part, name) for part in parts]) for name in ("thread", "process", "pid")
    )
    return Threads(run, thread, process, tuple(name for part in parts for name in part.program), pid)
