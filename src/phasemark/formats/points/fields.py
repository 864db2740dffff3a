"""Numbers as files of points hold them, and what is said of those that are none."""

from __future__ import annotations

import math
from pathlib import Path

from phasemark.errors import DataError, shown
from phasemark.reading import whole_number

__all__ = ["number", "stated_coverage", "whole"]


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


def stated_coverage(text: str | None, path: str | Path, line: int = 1) -> float | None:
    """The share of the run that a file says its points stand for; None: it says nothing.

    Raises:
        DataError: the text is no share; names file and line.
    """
    if text is None:
        return None
    share = number(text, path, line)
    if not 0 < share <= 1:
        raise DataError(f"a coverage of {share:g} is not above 0 and at most 1", path=path, line=line)
    return share
