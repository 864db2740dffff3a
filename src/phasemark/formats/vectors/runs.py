"""The files of a run: their dialect, which thread each is, and what a user should know of them.

Needs no NumPy: importing it takes longer than clustering a small file.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence, Sized
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from phasemark import _core
from phasemark._version import __version__
from phasemark.errors import DataError, UsageError
from phasemark.formats.source import STDIN
from phasemark.formats.vectors import exp_bbv, lengths, registry, threads
from phasemark.formats.vectors.dialect import BlockFacts, Dialect, Facts
from phasemark.formats.vectors.scanning import Outline, scan_projected

if TYPE_CHECKING:
    from phasemark.store.cache import Entry

__all__ = [
    "WORTH_KEEPING",
    "NoInterval",
    "Part",
    "ProjectedRun",
    "dialect_of",
    "instructions_said",
    "interval_of",
    "meant_as_vectors",
    "parts_of",
    "read_projected",
    "require_blocks",
    "split_off_functions",
    "warnings",
]

#: Smaller files are read as fast as what is kept of them.
WORTH_KEEPING = 2**23

AnyVectors = TypeVar("AnyVectors", bound=Outline)


@dataclass(frozen=True)
class Part(Generic[AnyVectors]):
    """One file: a thread of a run."""

    vectors: AnyVectors
    facts: Facts
    run: int
    thread: int


@dataclass(frozen=True, eq=False)
class ProjectedRun:
    """What is left of a file of vectors when they are projected while they are read.

    Attributes:
        matrix: n x d doubles.
        lengths: n int64, instructions of each interval.
        largest: the largest id of a block.
        interval: instructions per interval that were asked for, where known.
        warnings: what a user should know, one sentence each.
    """

    matrix: memoryview[Any]
    lengths: memoryview[Any]
    largest: int
    interval: int | None
    warnings: tuple[str, ...]


def read_projected(path: str | Path, dims: int, seed: int, *, cached: bool = False) -> ProjectedRun:
    """Read a file as `profiles.read` does and project it as `phasemark.signatures.project`, in one pass.

    The same numbers to the last bit, without the counts in memory.

    Args:
        path: the vectors, plain or gzip; `-` for standard input.
        dims: number of dimensions d.
        seed: of the projection.
        cached: take what was kept of the same file, and keep it of a large one (see `store.cache`).

    Raises:
        DataError: a malformed file, or one without an interval.
        UsageError: a file that holds no vectors at all.
    """
    key = _cache_key(path, dims, seed) if cached else None
    if key is None:
        return _read_projected(path, dims, seed)
    from phasemark.store import cache

    name = f"projected {key['path']} {dims} {seed}"
    kept = cache.load(name, key)
    if known := kept and _unpacked(kept, dims):
        return known
    read = _read_projected(path, dims, seed)
    if _cache_key(path, dims, seed) == key:
        facts = {"largest": read.largest, "interval": read.interval, "warnings": list(read.warnings)}
        cache.save(name, key, facts, (read.matrix, read.lengths))
    return read


def _unpacked(kept: Entry, dims: int) -> ProjectedRun | None:
    """What was kept; None where it is not what `read_projected` keeps."""
    try:
        matrix, lengths = kept.parts
        n, largest, interval = len(lengths) // 8, int(kept.facts["largest"]), kept.facts["interval"]
        sentences = tuple(map(str, kept.facts["warnings"]))
        shaped, numbers = matrix.cast("d", (n, dims)), lengths.cast("q")
        return ProjectedRun(shaped, numbers, largest, None if interval is None else int(interval), sentences)
    except (LookupError, TypeError, ValueError):
        return None


def _cache_key(path: str | Path, dims: int, seed: int) -> dict[str, Any] | None:
    """What a projection follows from; None where it is not worth keeping, or not safe."""
    try:
        if str(path) == STDIN or Path(path).stat().st_size < WORTH_KEEPING:
            return None
    except OSError:
        return None
    from phasemark.store import cache

    identity = cache.identity(path)
    recipe = {"phasemark": __version__, "dims": dims, "seed": seed % 2**64, "normalisation": "l1"}
    return identity and {**identity, **recipe}


def _read_projected(path: str | Path, dims: int, seed: int) -> ProjectedRun:
    with meant_as_vectors():
        files, _ = split_off_functions([scan_projected(path, dims, seed)])
        spoken = dialect_of(files, None)
    parts = list(parts_of(files, spoken, as_runs=False))
    vectors = parts[0].vectors
    require_blocks(vectors.blocks, parts)
    interval = interval_of(parts)
    held = _core.interval_ends(vectors.lengths, 0)[6]
    sentences = warnings(parts, spoken, interval, held, instructions_said(parts))
    return ProjectedRun(vectors.matrix, vectors.lengths, int(vectors.blocks[-1]), interval, tuple(sentences))


@contextmanager
def meant_as_vectors() -> Iterator[None]:
    """Say what a file is, where it holds something else than vectors."""
    try:
        yield
    except DataError as error:
        from phasemark.formats import recogniser  # loads NumPy, for a mistake alone

        raise recogniser.clearer(error) from error.__cause__


def dialect_of(files: Sequence[Outline], name: str | None) -> Dialect:
    """The dialect of a name, or the one that all files speak.

    Raises:
        DataError: files of several dialects, or a line that does not belong.
        UsageError: there is no dialect of that name.
    """
    spoken = registry.named(name) if name else _common_dialect(files)
    for vectors in files:
        registry.require_known_lines(vectors, spoken)
    return spoken


def split_off_functions(
    scanned: Sequence[AnyVectors],
) -> tuple[list[AnyVectors], list[dict[int, BlockFacts]]]:
    """Files of vectors, and what each of exp-bbv's files of functions among them says of blocks.

    Raises:
        UsageError: nothing but files of functions.
        DataError: a malformed line in one.
    """
    pc_files = [vectors for vectors in scanned if exp_bbv.is_pc_file(vectors)]
    files = [vectors for vectors in scanned if vectors not in pc_files]
    if not files:
        raise UsageError(
            f"{pc_files[0].path} maps blocks to functions and holds no vectors",
            hint="name its bb.out file too",
        )
    return files, [exp_bbv.read_pc_file(pc_file) for pc_file in pc_files]


def _common_dialect(files: Sequence[Outline]) -> Dialect:
    telling = [vectors for vectors in files if vectors.layout.filled_rows] or files
    dialects = [registry.recognise(vectors) for vectors in telling]
    for vectors, dialect in zip(telling, dialects, strict=True):
        if dialect is not dialects[0]:
            raise DataError(
                f"its blocks are those of {dialect.tool}, those of {telling[0].path} of {dialects[0].tool}",
                path=vectors.path,
                hint="import them one by one, or name the tool with --dialect if content misleads",
            )
    return dialects[0]


def parts_of(files: Sequence[AnyVectors], dialect: Dialect, as_runs: bool) -> Iterator[Part[AnyVectors]]:
    """The files in the order of their threads, or as runs.

    One without an interval, of a thread that was idle or ran for less than one, keeps its number.

    Raises:
        NoInterval: no file holds one.
        DataError: a file with too many instructions.
        UsageError: files that do not belong together.
    """
    facts = [dialect.read(vectors) for vectors in files]
    order = range(len(files)) if as_runs else threads.order([vectors.path for vectors in files], facts)
    if not any(map(len, files)):
        raise _no_interval(files[0], max(fact.instructions or 0 for fact in facts))
    for number, i in enumerate(order):
        if _core.interval_ends(files[i].lengths, 0)[5]:
            raise DataError(
                "its intervals sum to 2^63 instructions or more",
                path=files[i].path,
                hint="a counter ran over; record again, with shorter intervals",
            )
        run, thread = (number, 0) if as_runs else (0, number)
        yield Part(files[i], facts[i], run, thread)


#: The fewest instructions of an interval that tell of a phase.
_SHORTEST = 1000


class NoInterval(DataError):
    """A file of vectors, or each file of a set, holds no interval, as of a thread that was idle."""


def _no_interval(vectors: Outline, instructions: int) -> DataError:
    if 0 < instructions < 10 * _SHORTEST:
        hint = "so few have no phases worth finding: name the files of the run's other threads too"
    elif instructions:
        length = max(_SHORTEST, instructions // 1000)
        hint = f"record with intervals of {length:,}: that gives about {instructions // length:,}"
    else:
        hint = "record with shorter intervals; the program may have ended before its first was complete"
    if not vectors.notes:
        return DataError("is empty", path=vectors.path, hint=hint)
    return NoInterval(_idle(instructions), path=vectors.path, hint=hint)


def _idle(instructions: int | None) -> str:
    ran = f": {instructions:,} instructions ran, less than one interval" if instructions else ""
    return f"holds no interval{ran}"


def require_blocks(ids: Sized, parts: Sequence[Part[AnyVectors]]) -> None:
    """See that some interval names a block.

    Raises:
        DataError: none does.
    """
    if not len(ids):
        raise DataError(
            "no interval holds an instruction",
            path=parts[0].vectors.path,
            hint="see that the tool counted the program that was meant",
        )


def interval_of(parts: Sequence[Part[AnyVectors]]) -> int | None:
    """Instructions per interval that were asked for, as the files say, or guessed."""
    intervals = (part.facts.interval for part in parts if part.facts.interval)
    longest = max(parts, key=lambda part: len(part.vectors))
    return next(intervals, None) or lengths.nominal(longest.vectors.lengths)


def instructions_said(parts: Sequence[Part[AnyVectors]]) -> int | None:
    """Instructions that ran in all, where every file says it."""
    counts = [part.facts.instructions for part in parts]
    return None if None in counts else sum(n for n in counts if n is not None)


def warnings(
    parts: Sequence[Part[AnyVectors]], dialect: Dialect, interval: int | None, held: int, ran: int | None
) -> Iterator[str]:
    """What a user should know of files that hold `held` instructions of `ran`."""
    yield from _missing(dialect, interval, held, ran)
    if parts[-1].run > 0:
        yield "blocks of the runs are matched by their ids"
    for part in parts:
        who = f"{part.vectors.path.name}: " if len(parts) > 1 else ""
        for sentence in (*part.facts.warnings, *_gaps(part, interval), *_oddities(part.vectors)):
            yield who + sentence
        if not len(part.vectors):
            yield who + _idle(part.facts.instructions)


def _gaps(part: Part[AnyVectors], interval: int | None) -> Iterator[str]:
    """What lies between intervals, where the file or their lengths say where they start."""
    vectors, starts = part.vectors, part.facts.starts
    if not len(vectors):
        return
    last, held = int(vectors.lengths[-1]), _core.interval_ends(vectors.lengths, 0)[6]
    if starts is not None:
        if gap := starts[-1] + last - held:
            yield f"{gap:,} instructions lie before the first interval or between intervals, as the file says"
    elif interval is not None and lengths.leaves_out_a_block(vectors.lengths, interval):
        gap = (len(vectors) - 1) * interval + last - held
        yield (
            f"intervals are just below {interval:,}, as of a tool that leaves out the block in progress: "
            f"interval i starts at i x {interval:,}, and {gap:,} instructions lie between intervals"
        )


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
    if empty := len(vectors) - _core.interval_ends(vectors.lengths, 0)[0]:
        yield f"empty intervals, kept with length 0: {empty:,} of {len(vectors):,}"
