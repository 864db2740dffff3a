"""Small helpers: a table's columns, and the row that is wrong."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from phasemark.errors import DataError
from phasemark.store import tables

__all__ = ["read_phases", "require_rows"]


def read_phases(path: Path) -> dict[str, list[Any]]:
    """The columns of a phases.csv.

    Raises:
        DataError: malformed; names file and line.
    """
    kinds: dict[str, type] = dict.fromkeys(("run", "thread", "index", "start", "length"), int)
    return tables.read(path, {**kinds, "kind": str, "phase": int, "distance": float})


def require_rows(good: NDArray[np.bool_], message: str, path: Path, hint: str) -> None:
    """Raise a DataError that names file and first row where `good` is false."""
    if not good.all():
        raise DataError(message, path=path, row=int(np.argmin(good)), hint=hint)
