"""Several profiles of a program -> one, whose runs they are."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from phasemark import symbols
from phasemark.errors import DataError, UsageError, shown
from phasemark.model import OF_CORES, Blocks, Counts, Intervals, Markers, Profile, Provenance, Threads
from phasemark.model.intervals import concatenate
from phasemark.model.provenance import INSTRUCTIONS
from phasemark.model.streamed import as_counts
from phasemark.parallel.renamed import builds_of, moved, renamed
from phasemark.parallel.uniting import Pieces, by_name, recounted, united

#: What tells that code of one run is code of another.
BY = ("block", "function")

#: Runs of one program execute most of their instructions in the same code, whatever their input.
IN_COMMON = 0.5


def join(profiles: Sequence[Profile], *, by: str = "block") -> Profile:
    """One profile with the rows of several, which become its runs 0, 1, 2 ...

    Runs with different numbers of threads, or inputs, are clustered together that way: "Detecting Phases in
    Parallel Applications on Shared Memory Architectures", section 6. Loops, calls and returns are left out.

    Args:
        profiles: at least one, in the order of their runs; one of several runs keeps these.
        by: `block`: code is the same at the same place of the same build of a module, wherever that lies;
            blocks are split where a block of any run starts. `function`: functions of the same name in
            modules of the same file name are the same, which is all that two builds of a program have in
            common; a module that run 0 has under another name is found by its functions.

    Raises:
        UsageError: no profile, or no such `by`.
        DataError: profiles of other units or kinds of blocks, or (by block) of other builds of a module; says
            which, and what can be done.
    """
    if by not in BY:
        raise UsageError(f"by is {shown(by)}", hint=f"use one of {', '.join(BY)}")
    if not profiles:
        raise UsageError("no profile to join")
    _require_alike(profiles, by)
    executed = [profile.vectors.column_sums() for profile in profiles]
    if by == "function":
        tables = [_named(profile) for profile in profiles]
        names = renamed(tables, executed)
        blocks, pieces = by_name(tables, names)
    else:
        names = moved(profiles)
        tables = [_placed(one.block_table, known) for one, known in zip(profiles, names, strict=True)]
        # Samples say nothing of how often the rest of a block was executed.
        blocks, pieces = united(tables, split=profiles[0].provenance.unit == INSTRUCTIONS)
    shared = _in_common(executed, pieces)
    firsts = np.cumsum([0, *(_runs(profile) for profile in profiles)])[:-1].tolist()
    clock = _clock(profiles)
    rows = [_clocked(profile.interval_table, clock) for profile in profiles]
    intervals = concatenate([_renumbered(t, first) for t, first in zip(rows, firsts, strict=True)])
    return Profile(
        blocks,
        intervals,
        _vectors([profile.vectors for profile in profiles], pieces, len(blocks)),
        _provenance(profiles, by, clock, names, shared),
        markers=_markers(profiles, pieces) if by == "block" else None,
        threads=_threads(profiles, firsts),
    )


def common_ground(profiles: Sequence[Profile]) -> str:
    """What profiles have in common, for `join`: `block` of one build, `function` of several.

    Builds are several if the build-ids of a module differ, or one lies at a place of its own and shares
    functions with another's module.
    """
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


def _require_alike(profiles: Sequence[Profile], by: str) -> None:
    first = profiles[0].provenance
    for number, profile in enumerate(profiles[1:], 1):
        other = profile.provenance
        for what, one, two in (
            ("in", first.unit, other.unit),
            ("over blocks that are each a", first.block_definition, other.block_definition),
        ):
            if one != two:
                raise DataError(
                    f"run {number} was counted {what} {two or 'nobody says what'}, run 0 {what} "
                    f"{one or 'nobody says what'}",
                    hint="record both with the same collector",
                )
    if by == "block":
        _require_places(profiles)
        _require_builds(profiles)


def _require_places(profiles: Sequence[Profile]) -> None:
    """Where nothing says where a block is, its id may mean other code in each run."""
    for number, profile in enumerate(profiles):
        if len(profiles) > 1 and "" in profile.block_table.modules:
            raise DataError(
                f"of run {number} it is not known where its blocks are, only their ids",
                hint="import them together as runs: phasemark import --as-runs FILE FILE -o DIR",
            )


def _require_builds(profiles: Sequence[Profile]) -> None:
    known: dict[str, tuple[str, int]] = {}
    for number, profile in enumerate(profiles):
        used = {profile.block_table.modules[m] for m in np.unique(profile.block_table.module).tolist()}
        for module, build in sorted(builds_of(profile).items()):
            if module not in used:
                continue
            before, run = known.setdefault(module, (build, number))
            if before != build:
                raise DataError(
                    f"{module} is another build in run {number} ({build[:12]}) than in run {run} "
                    f"({before[:12]})",
                    hint='join them by function (--by function, by="function"), or record one build',
                )


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


def _runs(profile: Profile) -> int:
    return int(profile.interval_table.run.max(initial=-1)) + 1


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


def _provenance(
    profiles: Sequence[Profile],
    by: str,
    clock: str,
    names: Sequence[dict[str, str]],
    shared: Sequence[float],
) -> Provenance:
    given = [profile.provenance for profile in profiles]
    if len(given) == 1 and by == "block":
        return given[0]
    first = given[0]
    intervals = {one.interval for one in given}
    warnings = list(dict.fromkeys(warning for one in given for warning in one.warnings))
    if len(intervals) > 1:
        said = ", ".join(f"{one:,}" if one else "unknown" for one in sorted(intervals, key=lambda i: i or 0))
        warnings.append(f"runs were cut into intervals of different lengths ({said} instructions)")
    warnings += _told(names, by)
    warnings += [
        f"run {run} executes {share:.1%} of its instructions in code that run 0 executes, too: are they of "
        "one program?"
        for run, share in enumerate(shared)
        if share < IN_COMMON and profiles[run].instructions
    ]
    runs = [
        {**_described(profile), "in_common": share, "renamed": known}
        for profile, share, known in zip(profiles, shared, names, strict=True)
    ]
    details: dict[str, Any] = {"joined_by": by, "runs": runs}
    if clock:
        details["clock"] = clock
    if by == "block":
        details["build_ids"] = {k: v for profile in reversed(profiles) for k, v in builds_of(profile).items()}
    return Provenance(
        tool=first.tool if len({one.tool for one in given}) == 1 else "several",
        tool_version=first.tool_version if len({one.tool_version for one in given}) == 1 else "",
        phasemark=first.phasemark,
        command=first.command,
        unit=first.unit,
        block_definition="function" if by == "function" else first.block_definition,
        interval=first.interval if len(intervals) == 1 else None,
        complete=all(one.complete for one in given),
        warnings=tuple(warnings),
        details=details,
    )


def _told(names: Sequence[dict[str, str]], by: str) -> list[str]:
    """Which modules were taken for others; that one build lies at two places needs no word."""
    if by == "block":
        return []
    return [
        f"{module} of run {run} is taken for {other} of run 0, by the names of its functions"
        for run, known in enumerate(names)
        for module, other in known.items()
    ]


def _described(profile: Profile) -> dict[str, Any]:
    table, provenance = profile.interval_table, profile.provenance
    return {
        "command": list(provenance.command),
        "tool": f"{provenance.tool} {provenance.tool_version}".strip(),
        "interval": provenance.interval,
        "threads": int(table.first_of_thread().sum()),
        "instructions": profile.instructions,
        "complete": provenance.complete,
        "build_ids": builds_of(profile),
    }
