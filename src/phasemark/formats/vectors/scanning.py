"""The tokenizer all vector dialects share: a file's bytes -> rows, notes and layout."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from phasemark._core import FileProjector, VectorParser, VectorProjector
from phasemark.errors import DataError
from phasemark.formats.source import STDIN, DamagedStream, chunks, plain_size, reading
from phasemark.progress import Progress
from phasemark.reading import Limit, limited, whole_number
from phasemark.threads import thread_count

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

__all__ = [
    "Column",
    "Layout",
    "Note",
    "Outline",
    "ProjectedVectors",
    "Vectors",
    "project_bytes",
    "scan",
    "scan_bytes",
    "scan_projected",
    "whole",
]


#: The most that is unzipped: so many bytes, or so many times the file. Vectors shrink to a fifth or a tenth.
_UNZIPPED = 2**28
_UNZIPPED_TIMES = 100


class Column(Protocol):
    """Numbers in a row: an array, or a memoryview, which needs no NumPy."""

    def __len__(self) -> int: ...

    def __getitem__(self, key: Any, /) -> Any: ...

    def tolist(self) -> list[Any]: ...


@dataclass(frozen=True)
class Note:
    """A line that is no vector: a comment, or what a dialect has to say besides."""

    line: int
    text: str


@dataclass(frozen=True)
class Layout:
    """How a file's lines are laid out; writers of one text format differ in it.

    Attributes:
        rows, filled_rows: intervals, and those with an entry.
        rows_with_blank_t: `T :1:20` instead of `T:1:20`.
        rows_ending_blank: a blank before the line end.
        rows_not_ascending: ids in another order than by size.
        repeated_entries: an id again in its row.
        narrowest_gap, widest_gap: blanks between entries; 0 where no row has two.
        fields: of an entry, 2 or 4; 0 where there is no entry.
    """

    rows: int
    filled_rows: int
    rows_with_blank_t: int
    rows_ending_blank: int
    rows_not_ascending: int
    repeated_entries: int
    narrowest_gap: int
    widest_gap: int
    fields: int


def whole(digits: str, path: Path, line: int) -> int:
    """The whole number of some digits.

    Raises:
        DataError: it is 2^63 or more; names file and line.
    """
    number = whole_number(digits)
    if number is None:
        raise DataError(
            f"says a number of 2^63 or more: {digits[:24]}",
            path=path,
            line=line,
            hint="the counter ran over, or the file is damaged",
        )
    return number


@dataclass(frozen=True, eq=False, kw_only=True)
class Outline:
    """What a vector file says, whatever its dialect, besides how often a block ran in an interval.

    Attributes:
        path: the file.
        lengths: int64, instructions of each of the n intervals.
        sizes: int32, how many blocks each names.
        blocks: uint64, the distinct ids in ascending order.
        first: int64, the interval that first names each of them.
        notes: the lines that are no vectors.
        layout: how the lines are laid out.
        places: id -> first and last address, as written; only where entries have four fields.
    """

    path: Path
    lengths: Column
    sizes: Column
    blocks: Column
    first: Column
    notes: tuple[Note, ...] = ()
    layout: Layout = field(default_factory=lambda: Layout(0, 0, 0, 0, 0, 0, 0, 0, 0))
    places: dict[int, str] = field(default_factory=dict)

    def __len__(self) -> int:
        return len(self.lengths)

    def search(self, pattern: re.Pattern[str]) -> re.Match[str] | None:
        """The first note that matches from its beginning."""
        return next((match for note in self.notes if (match := pattern.match(note.text))), None)

    def numbers(self, pattern: re.Pattern[str]) -> list[int]:
        """What the first group of each note that matches from its beginning says.

        Raises:
            DataError: 2^63 or more; names file and line.
        """
        matches = ((note.line, match) for note in self.notes if (match := pattern.match(note.text)))
        return [whole(match[1], self.path, line) for line, match in matches]

    def number(self, pattern: re.Pattern[str]) -> int | None:
        """What the first of them says; None where there is none.

        Raises:
            DataError: as `numbers`.
        """
        return next(iter(self.numbers(pattern)), None)


@dataclass(frozen=True, eq=False, kw_only=True)
class Vectors(Outline):
    """A vector file with its counts, in arrays.

    Attributes:
        indptr: int64, n + 1: row i is entries indptr[i] to indptr[i+1].
        indices: int32, index into `blocks`, ascending within a row.
        counts: int64, instructions, > 0.
    """

    lengths: NDArray[np.int64]
    sizes: NDArray[np.int32]
    blocks: NDArray[np.uint64]
    first: NDArray[np.int64]
    indptr: NDArray[np.int64]
    indices: NDArray[np.int32]
    counts: NDArray[np.int64]


@dataclass(frozen=True, eq=False, kw_only=True)
class ProjectedVectors(Outline):
    """A vector file with its rows normalised and projected; `places` are left out.

    Attributes:
        matrix: n x d doubles; a memoryview, as are the columns.
    """

    lengths: memoryview
    sizes: memoryview
    blocks: memoryview
    first: memoryview
    matrix: memoryview


def scan(path: str | Path, progress: Progress | None = None) -> Vectors:
    """Read a vector file of any dialect, plain or gzip.

    Args:
        path: the file, or `-` for standard input.
        progress: told bytes read and bytes in the file.

    Raises:
        DataError: a malformed line, a gzip stream cut short, no regular file; names file and line.
        WorkError: the file cannot be read.
    """
    with _stream(path, progress) as stream:
        return scan_bytes(stream, path)


def scan_bytes(stream: Iterable[bytes], path: str | Path) -> Vectors:
    """As `scan`, from chunks that are cut anywhere; `path` is what an error calls them."""
    parser = VectorParser()
    _feed(parser, stream, path)
    indptr, indices, counts, lengths, sizes, blocks, first = parser.rows()
    return Vectors(
        path=Path(path),
        lengths=lengths,
        sizes=sizes,
        blocks=blocks,
        first=first,
        notes=_notes(parser),
        layout=Layout(**parser.layout()),
        places=parser.places(),
        indptr=indptr,
        indices=indices,
        counts=counts,
    )


def scan_projected(path: str | Path, dims: int, seed: int) -> ProjectedVectors:
    """Read a vector file of any dialect, plain or gzip, and project each interval as it is read.

    The same, bit for bit, as `phasemark.signatures.project` makes of `scan`, in memory that grows with n x d
    and with the number of blocks, not with the file.

    Args:
        path: the file, or `-` for standard input.
        dims: number of dimensions d.
        seed: of the projection.

    Raises:
        DataError, WorkError: as `scan`.
    """
    if plain_size(path) is None:
        with _stream(path) as stream:
            return project_bytes(stream, path, dims, seed)
    parser = FileProjector(seed % 2**64, dims)
    with reading(path) as file:
        if not parser.read(file.fileno(), os.fstat(file.fileno()).st_size, thread_count()):
            raise _fault(path, *parser.error())
    return _projected(parser, path)


def project_bytes(stream: Iterable[bytes], path: str | Path, dims: int, seed: int) -> ProjectedVectors:
    """As `scan_projected`, from chunks that are cut anywhere; `path` is what an error calls them."""
    parser = VectorProjector(seed % 2**64, dims)
    _feed(parser, stream, path)
    return _projected(parser, path)


@contextmanager
def _stream(path: str | Path, progress: Progress | None = None) -> Iterator[Iterable[bytes]]:
    """The chunks of a file; a fault found in them is told to who reads it, who may know that it was cut."""
    with closing(chunks(path, progress)) as stream:
        try:
            yield limited(stream, path, most, zipped=True) if (most := _most_unzipped(path)) else stream
        except DataError as error:
            stream.throw(error)


def _most_unzipped(path: str | Path) -> Limit | None:
    """How much a gzip stream may hold; None where the file holds what it holds."""
    if str(path) == STDIN or plain_size(path) is not None:
        return None
    most = max(_UNZIPPED, _UNZIPPED_TIMES * Path(path).stat().st_size)
    return Limit("vectors", most, most)


def _projected(parser: VectorProjector | FileProjector, path: str | Path) -> ProjectedVectors:
    matrix, lengths, sizes, blocks, first = parser.rows()
    return ProjectedVectors(
        path=Path(path),
        lengths=lengths,
        sizes=sizes,
        blocks=blocks,
        first=first,
        notes=_notes(parser),
        layout=Layout(**parser.layout()),
        matrix=matrix,
    )


def _feed(parser: VectorParser | VectorProjector, stream: Iterable[bytes], path: str | Path) -> None:
    try:
        good = all(parser.feed(chunk) for chunk in stream) and parser.finish()
    except DamagedStream as error:
        raise DataError(error.reason, path=path, line=parser.line + 1, hint=error.hint) from None
    if not good:
        raise _fault(path, *parser.error())


def _notes(parser: VectorParser | VectorProjector | FileProjector) -> tuple[Note, ...]:
    return tuple(Note(line, text.decode("utf-8", "replace")) for line, text in parser.notes())


#: What the kernel's faults mean, in its order, and a hint.
_FAULTS = (
    ("nothing is wrong", ""),
    ("holds binary data", "name a file of vectors, plain or gzip"),
    ("an entry does not start with a colon", "an entry reads `:id:count`"),
    (
        "an entry has no number before its second colon",
        "an entry reads `:id:count`, both whole numbers from 0",
    ),
    ("an entry has no whole count", "an entry reads `:id:count`; a count below 0 is a counter that ran over"),
    ("an entry has neither two fields nor four, or not as many as the first", "an entry reads `:id:count`"),
    ("an entry has no address in its first fields", "an entry reads `:pc1:pc2:id:count`"),
    ("a block's id is 2^64 or more", "number the blocks anew"),
    ("a count is 2^63 or more", "the counter ran over; record with shorter intervals"),
    ("the counts of the interval sum to 2^63 or more", "the counter ran over; record with shorter intervals"),
    ("the line is longer than 64 MiB", "write one interval a line"),
    ("there are more than 16,777,216 intervals", "record with longer intervals, or split the file"),
    (
        "there are more than 4,194,304 intervals without a block",
        "record again; the tool counted nothing in them",
    ),
    (
        "there are more than 4,194,304 lines that are no vectors, or 256 MiB of them",
        "name a file of vectors; leave out its comments",
    ),
)


def _fault(path: str | Path, fault: int, line: int, column: int, excerpt: bytes) -> DataError:
    message, hint = _FAULTS[fault]
    shown = excerpt.decode("utf-8", "replace").encode("unicode_escape").decode("ascii")
    return DataError(f"{message} (column {column}: {shown!r})", path=path, line=line, hint=hint)
