"""Numbers as files of points hold them, and what is said of those that are none."""

from __future__ import annotations

import math
from pathlib import Path

from phasemark.errors import DataError, shown
from phasemark.reading import whole_number

__all__ = ["number", "whole"]


def whole(text: str, path: str | Path, line: int | None = None) -> int:
    """A whole number from 0 that 64 bits hold.

    Raises:
        DataError: the text is none; names file and line.
    """
    value = whole_number(text)
    if value is None:
        raise DataError(f"{shown(text)} is no whole number from 0", path=path, line=line)
    return value


def number(text: str, path: str | Path, line: int | None = None) -> float:
    """A finite number from 0.

    Raises:
        DataError: the text is none; names file and line.
    """
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not math.isfinite(value) or value < 0:
        raise DataError(f"{shown(text)} is no number from 0", path=path, line=line)
    return value
