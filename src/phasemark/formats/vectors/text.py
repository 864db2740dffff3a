"""Writing vectors as text, one line an interval, one file a thread."""

from __future__ import annotations

import gzip
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import BinaryIO

import numpy as np
from numpy.typing import NDArray

from phasemark.model import Profile
from phasemark.store.atomic import replacing

__all__ = ["Trailer", "block_ids", "write_threads"]

#: The trailer of a thread's file, from thread, intervals, interval length and instructions.
Trailer = Callable[[int, int, int, int], str]


def write_threads(
    profile: Profile, path: Path, *, separator: str, trailer: Trailer | None = None
) -> tuple[Path, ...]:
    """Write the vectors; several threads get a file each: name, name.2, name.3 (before .gz).

    Blocks keep their ids, or are numbered from 1 where an id is 0 or used twice.

    Raises:
        WorkError: a file cannot be written.
    """
    ids = block_ids(profile)
    table = profile.interval_table
    starts = np.flatnonzero(table.first_of_thread()).tolist()
    written = []
    for number, (first, last) in enumerate(zip(starts, [*starts[1:], len(table)], strict=True), 1):
        name = path if number == 1 else _numbered(path, number)
        end = ""
        if trailer is not None:
            lengths = table.length[first:last]
            interval = profile.provenance.interval or int(lengths.max())
            end = trailer(number - 1, last - first, interval, int(lengths.sum()))
        _write(name, _lines(profile, ids, range(first, last), separator), end)
        written.append(name)
    return tuple(written)


def block_ids(profile: Profile) -> NDArray[np.uint64]:
    """The ids that files of vectors name the blocks by: uint64, from 1, each once."""
    ids = profile.block_table.id
    if len(ids) and (int(ids.min()) == 0 or len(np.unique(ids)) != len(ids)):
        return np.arange(1, len(ids) + 1, dtype=np.uint64)
    return ids


def _numbered(path: Path, number: int) -> Path:
    return path.with_name(f"{path.name.removesuffix('.gz')}.{number}" + ".gz" * path.name.endswith(".gz"))


def _lines(profile: Profile, ids: NDArray[np.uint64], rows: range, separator: str) -> Iterator[str]:
    vectors = profile.vectors
    for row in rows:
        entries = slice(int(vectors.indptr[row]), int(vectors.indptr[row + 1]))
        named = ids[vectors.indices[entries]].tolist()
        counts = vectors.data[entries].tolist()
        yield "T" + "".join(f":{i}:{n}{separator}" for i, n in zip(named, counts, strict=True)) + "\n"


def _write(path: Path, lines: Iterator[str], end: str) -> None:
    with replacing(path) as temporary, temporary.open("wb") as file:
        if path.name.endswith(".gz"):
            # No name and no time in the header: equal vectors give equal bytes.
            with gzip.GzipFile(filename="", mode="wb", compresslevel=6, fileobj=file, mtime=0) as packed:
                _put(packed, lines, end)
        else:
            _put(file, lines, end)


def _put(file: BinaryIO | gzip.GzipFile, lines: Iterator[str], end: str) -> None:
    for line in lines:
        file.write(line.encode("ascii"))
    file.write(end.encode("ascii"))
