"""Columns in HDF5 files: numbers packed in chunks, names, sparse counts, sites."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Any

import h5py
import numpy as np
from numpy.typing import NDArray

from phasemark.errors import DataError
from phasemark.model import Counts, Sites, streamed
from phasemark.model._check import require
from phasemark.progress import Progress
from phasemark.store.packing import CHUNK, FILTERS, put_entries
from phasemark.store.stored import Column, Group

__all__ = ["counts", "put", "put_counts", "put_each", "put_names", "put_sites", "sites"]

#: Counts that are read at a time, about.
_BATCH = 1 << 20

_SITES = ("module", "offset", "kind", "target_module", "target")
_NAMES = ("function", "file", "callee")


def put(group: Any, name: str, data: NDArray[Any]) -> None:
    """Write numbers, packed."""
    if not len(data):
        group.create_dataset(name, data=data)
        return
    group.create_dataset(name, data=data, chunks=(min(len(data), CHUNK),), **FILTERS)


def put_each(group: Any, value: object, names: tuple[str, ...]) -> None:
    """Write the columns of a value."""
    for name in names:
        put(group, name, getattr(value, name))


def put_names(group: Any, name: str, values: tuple[str, ...]) -> None:
    """Write texts."""
    data = np.array([v.encode("utf-8", "surrogateescape") for v in values], dtype=object)
    group.create_dataset(name, data=data, dtype=h5py.string_dtype("utf-8"), shape=(len(values),))


def put_counts(group: Any, counts: Counts, progress: Progress | None = None) -> None:
    """Write a sparse matrix; see packing.put_entries."""
    put(group, "indptr", counts.indptr)
    put_entries(group, counts, progress)


def counts(
    group: Group,
    columns: int,
    damage: Callable[[], AbstractContextManager[None]],
    lengths: NDArray[np.int64] | None = None,
) -> Counts:
    """Read a sparse matrix; a large one is read when it is asked for, each time anew.

    Args:
        group: that holds it.
        columns: of the matrix.
        damage: makes a context in which a streamed one is read, and which tells of what file it is.
        lengths: what the rows of a streamed one are to sum to, which is seen to as they come.

    Raises:
        DataError: it is none.
    """
    indptr = group.integers("indptr")
    if len(group.column("indices")) <= streamed.MOST_HELD:
        return Counts(indptr, group.integers("indices"), group.integers("data"), columns)
    kept = group.kept()
    indices, data = kept.column("indices"), kept.column("data")
    if not len(indptr) or indptr[0] != 0 or not indptr[-1] == len(indices) == len(data):
        raise DataError("row pointers do not span the counts")
    require(np.diff(indptr) >= 0, "row pointers fall")
    stored = _Streamed(indptr, columns, indices, data, lengths)

    def rows() -> Iterator[Counts]:
        with damage():
            yield from stored.rows()

    return streamed.StreamedCounts(indptr, columns, rows)


@dataclass(frozen=True, eq=False)
class _Streamed:
    """A sparse matrix in a file."""

    indptr: NDArray[np.int64]
    columns: int
    indices: Column
    data: Column
    lengths: NDArray[np.int64] | None

    def rows(self) -> Iterator[Counts]:
        """The rows, some at a time, checked."""
        first = 0
        while first < len(self.indptr) - 1:
            last = int(np.searchsorted(self.indptr, self.indptr[first] + _BATCH, side="right")) - 1
            last = max(last, first + 1)
            try:
                part = self._read(first, last)
            except DataError as error:
                row = None if error.row is None else error.row + first
                raise DataError(error.reason, row=row, hint=error.hint) from error
            yield part
            first = last

    def _read(self, first: int, last: int) -> Counts:
        begin, end = int(self.indptr[first]), int(self.indptr[last])
        where = slice(begin, end)
        indptr = self.indptr[first : last + 1] - begin
        part = Counts(indptr, self.indices.read(where), self.data.read(where), self.columns)
        if self.lengths is not None:
            part.require_sums(self.lengths[first:last])
        return part


def put_sites(group: Any, sites: Sites) -> None:
    """Write sites, with their names where they were looked up."""
    put_names(group, "modules", sites.modules)
    put_each(group, sites, _SITES)
    for name in _NAMES:
        if (value := getattr(sites, name)) is not None:
            put_names(group, name, value)
    if sites.line is not None:
        put(group, "line", sites.line)


def sites(group: Group) -> Sites:
    """Read sites.

    Raises:
        DataError: they break an invariant.
    """
    names: dict[str, Any] = {name: group.names(name) for name in _NAMES if name in group}
    if "line" in group:
        names["line"] = group.integers("line")
    static: dict[str, Any] = {name: group.integers(name) for name in _SITES}
    return Sites(group.names("modules"), **static, **names)
