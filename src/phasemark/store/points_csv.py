"""points.csv: Points as one table; the coverage stands in its comment."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

from phasemark.errors import DataError
from phasemark.model import Points
from phasemark.store import tables

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


def write(path: str | Path, points: Points, *, made_by: Mapping[str, object]) -> None:
    """Write points.csv (start, end and warm-up in instructions of the thread).

    Raises:
        WorkError: the file cannot be written.
    """
    said = {**made_by, "unit": "instructions", "coverage": repr(float(points.coverage))}
    tables.write(path, {name: getattr(points, name) for name in _TYPES}, made_by=said)


def read(path: str | Path) -> Points:
    """Read points.csv.

    Raises:
        DataError: malformed, or breaking an invariant; names file and line or row.
    """
    columns = tables.read(path, _TYPES)
    with Path(path).open(encoding="utf-8", errors="replace") as file:
        said = re.search(r"coverage: ([^;\s]+)", file.readline())
    try:
        coverage = float(said[1]) if said else 1.0
    except ValueError:
        raise DataError("its comment gives a coverage that is no number", path=path, line=1) from None
    try:
        return Points(**columns, coverage=coverage)  # type: ignore[arg-type]
    except DataError as error:
        raise error.at(path) from error
