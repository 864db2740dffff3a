"""Columns of HDF5 files that are packed some chunks at a time, by several threads.

What they write is, byte for byte, what the HDF5 library writes of a whole column at once.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterator
from tempfile import SpooledTemporaryFile
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import DTypeLike, NDArray

from phasemark.model import Counts
from phasemark.progress import Progress
from phasemark.threads import in_order

#: Elements that are packed together.
CHUNK = 2**14

#: How a column is packed, as h5py says it.
FILTERS: dict[str, Any] = {"compression": "gzip", "compression_opts": 1, "shuffle": True}

#: Bytes of packed counts that wait in memory; more wait in a file.
_IN_MEMORY = 64 << 20


class _Pair(NamedTuple):
    """The same entries of both columns of a matrix."""

    indices: Any
    data: Any


def put_entries(group: Any, counts: Counts, progress: Progress | None = None) -> None:
    """Write the columns `indices` and `data` of a sparse matrix, going through its rows once.

    Memory is bounded where the rows are streamed: packed counts wait until all indices are written.

    Args:
        group: to write to.
        counts: the matrix.
        progress: called with the entries written, and of how many.
    """
    entries = int(counts.indptr[-1])
    kinds = _Pair(np.min_scalar_type(counts.columns), np.min_scalar_type(counts.largest()))
    indices, sizes, done = _Column(group, "indices", kinds.indices, entries), [], 0
    with SpooledTemporaryFile(_IN_MEMORY) as waiting:
        for packed in in_order(_pack, _chunks(counts, kinds)):
            indices.append(packed.indices)
            waiting.write(packed.data)
            sizes.append(len(packed.data))
            done = min(done + CHUNK, entries)
            if progress is not None:
                progress(done, entries)
        data = _Column(group, "data", kinds.data, entries)
        waiting.seek(0)
        for size in sizes:
            data.append(waiting.read(size))


def _chunks(counts: Counts, kinds: _Pair) -> Iterator[_Pair]:
    """Both columns in chunks, wherever rows end; the last is filled up with zeros."""
    left = _Pair(np.empty(0, kinds.indices), np.empty(0, kinds.data))
    for part in counts.rows():
        at = 0
        while at < len(part.data):
            upto = at + CHUNK - len(left.data)
            taken = slice(at, upto)
            left = _Pair(_joined(left.indices, part.indices[taken]), _joined(left.data, part.data[taken]))
            at = upto
            if len(left.data) == CHUNK:
                yield left
                left = _Pair(left.indices[:0], left.data[:0])
    if len(left.data):
        size = min(int(counts.indptr[-1]), CHUNK)
        yield _Pair(*(np.concatenate([c, np.zeros(size - len(c), c.dtype)]) for c in left))


def _joined(left: NDArray[Any], more: NDArray[Any]) -> NDArray[Any]:
    return np.concatenate([left, more.astype(left.dtype)])


def _pack(chunk: _Pair) -> _Pair:
    return _Pair(*(zlib.compress(_shuffled(column), 1) for column in chunk))


def _shuffled(column: NDArray[Any]) -> bytes:
    """The first byte of every element, the second of every one ..."""
    return column.view(np.uint8).reshape(-1, column.itemsize).T.tobytes()


class _Column:
    """A column that is written chunk by chunk."""

    def __init__(self, group: Any, name: str, kind: DTypeLike, length: int) -> None:
        more = {"chunks": (min(length, CHUNK),), **FILTERS} if length else {}
        self._column = group.create_dataset(name, shape=(length,), dtype=kind, **more)
        self._at = 0

    def append(self, packed: bytes) -> None:
        self._column.id.write_direct_chunk((self._at,), packed)
        self._at += CHUNK
