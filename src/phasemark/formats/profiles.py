"""Vector files of other tools -> one Profile."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

from phasemark._version import __version__
from phasemark.errors import DataError, UsageError
from phasemark.formats import exp_bbv, lengths, registry, threads
from phasemark.formats.dialect import BlockFacts, Dialect, Facts
from phasemark.formats.source import Progress
from phasemark.formats.vectors import Outline, Vectors, scan, scan_projected
from phasemark.model import Blocks, Counts, Intervals, Profile, Provenance
from phasemark.model.intervals import concatenate

AnyVectors = TypeVar("AnyVectors", bound=Outline)


@dataclass(frozen=True)
class _Part(Generic[AnyVectors]):
    """One file: a thread of a run."""

    vectors: AnyVectors
    facts: Facts
    run: int
    thread: int


@dataclass(frozen=True, eq=False)
class Projected:
    """What `read` and `signatures.project` make of one file, without its counts.

    Attributes:
        matrix: n x d doubles.
        intervals: the n intervals.
        blocks: uint64, the distinct ids in ascending order.
        provenance: as of the profile.
    """

    matrix: NDArray[np.float64]
    intervals: Intervals
    blocks: NDArray[np.uint64]
    provenance: Provenance


def read(
    paths: Sequence[str | Path],
    *,
    as_runs: bool = False,
    dialect: str | None = None,
    interval: int | None = None,
    instructions: int | None = None,
    progress: Progress | None = None,
) -> Profile:
    """Read vector files as one profile.

    Args:
        paths: the vectors of the threads of one run, plain or gzip, in any order; for exp-bbv its
            `pc.out` file too; `-` for standard input.
        as_runs: the files are runs 0, 1, 2 ... of one program instead.
        dialect: name of the dialect, where content misleads; None: told by content.
        interval: instructions per interval that were asked for; None: as the files say, or guessed.
        instructions: that the program ran in all; None: as the files say. What the vectors lack of it is
            reported in the provenance.
        progress: told bytes read and bytes in the file, for one file after the other.

    Returns:
        A profile whose blocks have the empty module and their id as offset.

    Raises:
        DataError: a malformed file, one without an interval, or files of unlike blocks.
        UsageError: files that do not belong together, or fewer `instructions` than the vectors hold.
    """
    if not paths:
        raise UsageError("no file is named", mend="name one or more vector files")
    files, functions = _split_off_functions([scan(path, progress) for path in paths])
    spoken = _dialect(files, dialect)
    if functions and spoken is not exp_bbv.DIALECT:
        raise UsageError(
            "a pc.out file belongs to exp-bbv's vectors, and these are of another tool", mend="leave it out"
        )
    parts = list(_parts(files, spoken, as_runs))
    return _profile(parts, spoken, functions, interval, instructions)


def read_projected(path: str | Path, *, dims: int, seed: int) -> Projected:
    """Read one file as `read` does and project it as `phasemark.signatures.project` does, in one pass.

    The same numbers to the last bit, without the counts in memory.

    Args:
        path: the vectors, plain or gzip; `-` for standard input.
        dims: number of dimensions d.
        seed: of the projection.

    Raises:
        DataError: a malformed file, or one without an interval.
        UsageError: a file that holds no vectors at all.
    """
    files, _ = _split_off_functions([scan_projected(path, dims, seed)])
    spoken = _dialect(files, None)
    parts = list(_parts(files, spoken, as_runs=False))
    vectors = parts[0].vectors
    _require_blocks(vectors.blocks, parts)
    interval = _interval(parts)
    return Projected(
        vectors.matrix,
        _intervals(parts[0], interval),
        vectors.blocks,
        _provenance(parts, spoken, interval, None),
    )


def _dialect(files: Sequence[Outline], name: str | None) -> Dialect:
    spoken = registry.named(name) if name else _common_dialect(files)
    for vectors in files:
        registry.require_known_lines(vectors, spoken)
    return spoken


def _split_off_functions(
    scanned: Sequence[AnyVectors],
) -> tuple[list[AnyVectors], dict[int, BlockFacts]]:
    pc_files = [vectors for vectors in scanned if exp_bbv.is_pc_file(vectors)]
    files = [vectors for vectors in scanned if vectors not in pc_files]
    if len(pc_files) > 1:
        raise UsageError("two pc.out files are named", mend="import the runs one by one")
    if not files:
        raise UsageError(
            f"{pc_files[0].path} maps blocks to functions and holds no vectors",
            mend="name its bb.out file too",
        )
    return files, exp_bbv.read_pc_file(pc_files[0]) if pc_files else {}


def _common_dialect(files: Sequence[Outline]) -> Dialect:
    found = [registry.recognise(vectors) for vectors in files]
    for vectors, dialect in zip(files, found, strict=True):
        if dialect is not found[0]:
            raise DataError(
                f"its blocks are those of {dialect.tool}, those of {files[0].path} of {found[0].tool}",
                path=vectors.path,
                mend="import them one by one, or name the tool with --dialect if content misleads",
            )
    return found[0]


def _parts(files: Sequence[AnyVectors], dialect: Dialect, as_runs: bool) -> Iterator[_Part[AnyVectors]]:
    facts = [dialect.read(vectors) for vectors in files]
    order = range(len(files)) if as_runs else threads.order([vectors.path for vectors in files], facts)
    for number, i in enumerate(order):
        if not len(files[i]):
            raise _no_interval(files[i], facts[i])
        if np.any(np.cumsum(files[i].lengths) < 0):
            raise DataError(
                "its intervals sum to 2^63 instructions or more",
                path=files[i].path,
                mend="a counter ran over; record again, with shorter intervals",
            )
        run, thread = (number, 0) if as_runs else (0, number)
        yield _Part(files[i], facts[i], run, thread)


def _no_interval(vectors: Outline, facts: Facts) -> DataError:
    if facts.instructions:
        return DataError(
            f"holds no interval: {facts.instructions:,} instructions ran, less than one interval",
            path=vectors.path,
            mend=f"record with intervals of {max(1, facts.instructions // 1000):,}: that gives about 1000",
        )
    return DataError(
        "holds no interval" if vectors.notes else "is empty",
        path=vectors.path,
        mend="record with shorter intervals; the program may have ended before its first was complete",
    )


def _profile(
    parts: Sequence[_Part[Vectors]],
    dialect: Dialect,
    functions: Mapping[int, BlockFacts],
    interval: int | None,
    instructions: int | None,
) -> Profile:
    interval = interval or _interval(parts)
    known = {block: fact for part in parts for block, fact in part.facts.blocks.items()} | dict(functions)
    ids = np.unique(np.concatenate([part.vectors.blocks for part in parts]))
    _require_blocks(ids, parts)
    return Profile(
        _blocks(ids, known),
        concatenate([_intervals(part, interval) for part in parts]),
        _counts(parts, ids),
        _provenance(parts, dialect, interval, instructions),
    )


def _require_blocks(ids: NDArray[np.uint64], parts: Sequence[_Part[AnyVectors]]) -> None:
    if not len(ids):
        raise DataError(
            "no interval holds an instruction",
            path=parts[0].vectors.path,
            mend="see that the tool counted the program that was meant",
        )


def _interval(parts: Sequence[_Part[AnyVectors]]) -> int | None:
    said = (part.facts.interval for part in parts if part.facts.interval)
    longest = max(parts, key=lambda part: len(part.vectors))
    return next(said, None) or lengths.nominal(longest.vectors.lengths)


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


def _intervals(part: _Part[AnyVectors], interval: int | None) -> Intervals:
    length = part.vectors.lengths
    n = len(length)
    return Intervals(
        np.full(n, part.run),
        np.full(n, part.thread),
        np.arange(n),
        np.cumsum(length) - length,
        length,
        lengths.kinds(length, interval),
    )


def _counts(parts: Sequence[_Part[Vectors]], ids: NDArray[np.uint64]) -> Counts:
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
    parts: Sequence[_Part[AnyVectors]], dialect: Dialect, interval: int | None, instructions: int | None
) -> Provenance:
    held = sum(int(part.vectors.lengths.sum()) for part in parts)
    ran = instructions if instructions is not None else _said(parts)
    if instructions is not None and instructions < held:
        raise UsageError(
            f"the vectors hold {held:,} instructions, more than the {instructions:,} that the program ran",
            mend="see that the number and the vectors are of one run",
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
        warnings=tuple(_warnings(parts, dialect, interval, held, ran)),
        details=details,
    )


def _said(parts: Sequence[_Part[AnyVectors]]) -> int | None:
    said = [part.facts.instructions for part in parts]
    return None if None in said else sum(n for n in said if n is not None)


def _warnings(
    parts: Sequence[_Part[AnyVectors]], dialect: Dialect, interval: int | None, held: int, ran: int | None
) -> Iterator[str]:
    yield from _missing(dialect, interval, held, ran)
    if parts[-1].run > 0:
        yield "blocks of the runs are matched by their ids: that holds only where each run numbers them alike"
    for part in parts:
        who = f"{part.vectors.path.name}: " if len(parts) > 1 else ""
        for sentence in (*part.facts.warnings, *_oddities(part.vectors)):
            yield who + sentence


def _missing(dialect: Dialect, interval: int | None, held: int, ran: int | None) -> Iterator[str]:
    why = f": {dialect.tool} drops the last partial interval" if dialect.drops_tail else ""
    if ran is None and dialect.drops_tail:
        most = f"up to {interval:,} instructions" if interval else "up to an interval of instructions"
        yield f"{most} at the end are in no vector{why}; `phasemark import --instructions N` tells exactly"
    elif ran is not None and ran > held:
        missing = ran - held
        yield f"{missing:,} of {ran:,} instructions ({missing / ran:.2%}) are in no vector{why}"
    elif ran is not None and ran < held:
        yield f"the vectors hold {held:,} instructions, more than the {ran:,} that the file says ran"


def _oddities(vectors: Outline) -> Iterator[str]:
    if len(vectors.blocks) and int(vectors.blocks[0]) == 0:
        yield "block ids start at 0, where SimPoint's own start at 1"
    if repeated := vectors.layout.repeated_entries:
        yield f"entries that repeat an id of their line, summed: {repeated:,}"
    if empty := int(np.count_nonzero(vectors.lengths == 0)):
        yield f"empty intervals, kept with length 0: {empty:,} of {len(vectors):,}"
