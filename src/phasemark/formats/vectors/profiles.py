"""Vector files of other tools -> one Profile."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from phasemark._version import __version__
from phasemark.errors import UsageError
from phasemark.formats.vectors import exp_bbv, joining, lengths, runs
from phasemark.formats.vectors.dialect import BlockFacts, Dialect
from phasemark.formats.vectors.scanning import Vectors, scan
from phasemark.model import Blocks, Counts, Intervals, Profile, Provenance
from phasemark.model.intervals import concatenate
from phasemark.progress import Progress

__all__ = ["read"]


def read(
    paths: Sequence[str | Path],
    *,
    as_runs: bool = False,
    same_ids: bool = False,
    dialect: str | None = None,
    interval: int | None = None,
    instructions: int | None = None,
    progress: Progress | None = None,
) -> Profile:
    """Read vector files as one profile.

    Args:
        paths: the vectors of the threads of one run, plain or gzip, in any order; for exp-bbv its
            `pc.out` file too; `-` for standard input.
        as_runs: the files are runs 0, 1, 2 ... of one program instead; with a `pc.out` file of each. They
            must say where their blocks are, and mean the same place by the same id.
        same_ids: they do, though nothing in the files shows it.
        dialect: name of the dialect, where content misleads; None: told by content.
        interval: instructions per interval that were asked for; None: as the files say, or guessed.
        instructions: that the program ran in all; None: as the files say. What the vectors lack of it is
            reported in the provenance.
        progress: told bytes read and bytes in the file, for one file after the other.

    Returns:
        A profile whose blocks have the empty module and their id as offset.

    Raises:
        DataError: a malformed file, one without an interval, or files of unlike blocks.
        UsageError: files that do not belong together, runs whose blocks may be unlike, or fewer
            `instructions` than the vectors hold.
    """
    if not paths:
        raise UsageError("no file is named", hint="name one or more vector files")
    with runs.meant_as_vectors():
        files, functions = runs.split_off_functions([scan(path, progress) for path in paths])
        spoken = runs.dialect_of(files, dialect)
    if functions and spoken is not exp_bbv.DIALECT:
        raise UsageError(
            "a pc.out file belongs to exp-bbv's vectors, and these are of another tool", hint="leave it out"
        )
    if len(functions) > 1 and not as_runs:
        raise UsageError("two pc.out files are named", hint="import the runs one by one, or with --as-runs")
    parts = list(runs.parts_of(files, spoken, as_runs))
    if as_runs and not same_ids:
        joining.require_same_blocks(parts, spoken, functions)
    known = {block: fact for table in functions for block, fact in table.items()}
    return _profile(parts, spoken, known, interval, instructions)


def _profile(
    parts: Sequence[runs.Part[Vectors]],
    dialect: Dialect,
    functions: Mapping[int, BlockFacts],
    interval: int | None,
    instructions: int | None,
) -> Profile:
    interval = interval or runs.interval_of(parts)
    known = {block: fact for part in parts for block, fact in part.facts.blocks.items()} | dict(functions)
    ids = np.unique(np.concatenate([part.vectors.blocks for part in parts]))
    runs.require_blocks(ids, parts)
    return Profile(
        _blocks(ids, known),
        concatenate([_intervals(part, interval) for part in parts]),
        _counts(parts, ids),
        _provenance(parts, dialect, interval, instructions),
    )


def _blocks(ids: NDArray[np.uint64], known: Mapping[int, BlockFacts]) -> Blocks:
    n = len(ids)
    facts = [known.get(block, BlockFacts()) for block in ids.tolist()] if known else []
    return Blocks(
        ("",),
        np.zeros(n, np.int32),
        ids,
        np.array([fact.instructions for fact in facts] or np.zeros(n), np.int64),
        np.array([fact.size for fact in facts] or np.zeros(n), np.int64),
        ids,
        function=tuple(fact.function for fact in facts) if facts else None,
    )


def _intervals(part: runs.Part[Vectors], interval: int | None) -> Intervals:
    length = part.vectors.lengths
    n = len(length)
    return Intervals(
        np.full(n, part.run),
        np.full(n, part.thread),
        np.arange(n),
        _starts(part, interval),
        length,
        lengths.kinds(length, interval),
    )


def _starts(part: runs.Part[Vectors], interval: int | None) -> NDArray[np.int64]:
    """As the file says; at i x N where a block in progress was left out; else one after the other."""
    length = part.vectors.lengths
    if part.facts.starts is not None:
        return np.array(part.facts.starts, np.int64)
    fits = interval is not None and interval * len(length) < 2**63
    if interval is not None and fits and lengths.leaves_out_a_block(length, interval):
        return interval * np.arange(len(length), dtype=np.int64)
    starts: NDArray[np.int64] = np.cumsum(length) - length
    return starts


def _counts(parts: Sequence[runs.Part[Vectors]], ids: NDArray[np.uint64]) -> Counts:
    offsets = np.cumsum([0, *(part.vectors.indptr[-1] for part in parts)])
    indptr = [part.vectors.indptr[1:] + offset for part, offset in zip(parts, offsets[:-1], strict=True)]
    indices = [
        np.searchsorted(ids, part.vectors.blocks).astype(np.int32)[part.vectors.indices] for part in parts
    ]
    return Counts(
        np.concatenate([[0], *indptr]),
        np.concatenate(indices),
        np.concatenate([part.vectors.counts for part in parts]),
        len(ids),
    )


def _provenance(
    parts: Sequence[runs.Part[Vectors]], dialect: Dialect, interval: int | None, instructions: int | None
) -> Provenance:
    held = sum(int(part.vectors.lengths.sum()) for part in parts)
    ran = instructions if instructions is not None else runs.instructions_said(parts)
    if instructions is not None and instructions < held:
        raise UsageError(
            f"the vectors hold {held:,} instructions, more than the {instructions:,} that the program ran",
            hint="see that the number and the vectors are of one run",
        )
    details: dict[str, Any] = {
        "dialect": dialect.name,
        "files": [part.vectors.path.name for part in parts],
        "instructions": ran,
        "missing_instructions": None if ran is None else max(0, ran - held),
    }
    return Provenance(
        tool=dialect.tool,
        phasemark=__version__,
        command=tuple(parts[0].facts.command.split()),
        block_definition=dialect.block_definition,
        interval=interval,
        warnings=tuple(runs.warnings(parts, dialect, interval, held, ran)),
        details=details,
    )
