"""Columns in HDF5 files: numbers packed in chunks, names, sparse counts, sites."""

from __future__ import annotations

from typing import Any

import h5py
import numpy as np
from numpy.typing import NDArray

from phasemark.model import Counts, Sites
from phasemark.store.stored import Group

__all__ = ["counts", "put", "put_counts", "put_each", "put_names", "put_sites", "sites"]

#: Elements that are packed together.
_CHUNK = 2**14

_COUNTS = ("indptr", "indices", "data")
_SITES = ("module", "offset", "kind", "target_module", "target")
_NAMES = ("function", "file", "callee")


def put(group: Any, name: str, data: NDArray[Any]) -> None:
    """Write numbers, packed."""
    if not len(data):
        group.create_dataset(name, data=data)
        return
    chunks = (min(len(data), _CHUNK),)
    group.create_dataset(name, data=data, chunks=chunks, compression="gzip", compression_opts=1, shuffle=True)


def put_each(group: Any, value: object, names: tuple[str, ...]) -> None:
    """Write the columns of a value."""
    for name in names:
        put(group, name, getattr(value, name))


def put_names(group: Any, name: str, values: tuple[str, ...]) -> None:
    """Write texts."""
    data = np.array([v.encode("utf-8", "surrogateescape") for v in values], dtype=object)
    group.create_dataset(name, data=data, dtype=h5py.string_dtype("utf-8"), shape=(len(values),))


def put_counts(group: Any, counts: Counts) -> None:
    """Write a sparse matrix."""
    put(group, "indptr", counts.indptr)
    put(group, "indices", _narrow(counts.indices, counts.columns))
    put(group, "data", _narrow(counts.data, int(counts.data.max(initial=0))))


def counts(group: Group, columns: int) -> Counts:
    """Read a sparse matrix.

    Raises:
        DataError: it is none.
    """
    return Counts(**{name: group.integers(name) for name in _COUNTS}, columns=columns)


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


def _narrow(data: NDArray[Any], largest: int) -> NDArray[Any]:
    """Whole numbers from 0 in the fewest bytes: reading a profile is for the most part unpacking these."""
    return data.astype(np.min_scalar_type(largest))
