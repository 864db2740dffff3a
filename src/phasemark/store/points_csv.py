"""points.csv: Points as one table; method, coverage and signature stand in its comment."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, TypeVar

import numpy as np

from phasemark.errors import DataError, shown
from phasemark.model import Points
from phasemark.model.points import OPTIONAL
from phasemark.reading import reading_as
from phasemark.store import tables
from phasemark.store.atomic import write_text

T = TypeVar("T", int, float)

_TYPES = {
    "run": int,
    "thread": int,
    "interval": int,
    "phase": int,
    "start": int,
    "end": int,
    "warmup": int,
    "weight": float,
}

#: Columns that tables of other origin need not have.
_MORE: dict[str, type] = {
    "population": int,
    "spread": tables.Optional,
    "strata": int,
    "guard": float,
    "check": int,
}


def write(path: str | Path, points: Points, *, made_by: Mapping[str, object] | None = None) -> None:
    """Write points.csv (start, end and warm-up in instructions of the thread).

    Raises:
        WorkError: the file cannot be written.
    """
    write_text(path, _text(points, made_by or {}))


def holds(path: str | Path, points: Points) -> bool:
    """Whether a table has these points, whoever wrote it.

    Raises:
        DataError: as `read`.
    """
    return _text(read(path), {}) == _text(points, {})


def _text(points: Points, made_by: Mapping[str, object]) -> str:
    entries: dict[str, object] = {
        **made_by,
        "method": points.method,
        "unit": "instructions",
        "coverage": repr(float(points.coverage)),
    }
    if points.signature is not None:
        entries |= {"signature": points.signature, "balanced": points.balanced}
    if np.isfinite(points.spread).any():
        entries["spread"] = "proxy from distances"
    columns: dict[str, Any] = {name: getattr(points, name) for name in _TYPES}
    columns["population"] = points.population
    columns["spread"] = tables.blank(points.spread.tolist())
    columns |= {name: getattr(points, name) for name in OPTIONAL if getattr(points, name) is not None}
    return tables.text(columns, made_by=entries)


def read(path: str | Path) -> Points:
    """Read points.csv; population, spread, strata, guard and check may be missing.

    Raises:
        DataError: malformed, or breaking an invariant; names file and line or row.
    """
    there = {name: kind for name, kind in _MORE.items() if name in tables.header(path)}
    columns: dict[str, Any] = tables.read(path, {**_TYPES, **there})
    comment = tables.comment(path)
    coverage = _number(comment, "coverage", float, 1.0, path)
    balanced = _number(comment, "balanced", int, 0, path)
    with reading_as(path, "points", hint="run `phasemark points` again"):
        columns |= {"method": comment.get("method", "nearest"), "signature": comment.get("signature")}
        return Points(**columns, coverage=coverage, balanced=balanced)


def _number(
    comment: Mapping[str, str], name: str, kind: Callable[[str], T], otherwise: T, path: str | Path
) -> T:
    try:
        return kind(comment[name]) if name in comment else otherwise
    except ValueError:
        what = "a whole number" if kind is int else "a number"
        said = f"its comment says that {name} is {shown(comment[name])}, not {what}"
        raise DataError(said, path=path, line=1) from None
