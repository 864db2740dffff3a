"""Points as they were written for other tools, which phasemark does not read again."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from phasemark.errors import DataError, shown
from phasemark.formats.source import content
from phasemark.reading import RECORD
from phasemark.store import tables

__all__ = ["of_champsim", "of_pinpoints", "of_xiangshan"]

_AGAIN = "run `phasemark export` again"

#: Weights have six digits; so many of them may miss 1 by this much.
_TOLERANCE = 1e-3


def of_pinpoints(path: Path) -> str:
    """What PinPoints' file of regions holds.

    Raises:
        DataError: malformed, a region without an instruction, or weights that do not sum to 1.
    """
    start, end = "simulation-region-start-icount", "simulation-region-end-icount"
    columns = tables.read(path, {start: int, end: int, "region-weight": float})
    _require_lengths([b - a for a, b in zip(columns[start], columns[end], strict=True)], path)
    return _described("PinPoints' regions", columns["region-weight"], path)


def of_champsim(path: Path) -> str:
    """What the table for ChampSim holds.

    Raises:
        DataError: malformed, a point without an instruction, or weights that do not sum to 1.
    """
    columns = tables.read(path, {"skip": int, "warmup": int, "simulate": int, "weight": float})
    _require_lengths(columns["simulate"], path)
    return _described("ChampSim's points", columns["weight"], path)


def of_xiangshan(path: Path) -> str:
    """What XiangShan's summary holds: one workload.

    Raises:
        DataError: malformed, or weights that do not sum to 1.
    """
    held = content(path, RECORD)
    try:
        (workload,) = json.loads(held).values()
        weights = [float(weight) for weight in workload["points"].values()]
    except (ValueError, LookupError, TypeError, AttributeError, RecursionError) as error:
        raise DataError(
            f"is no summary of XiangShan's ({shown(str(error), 200)})", path=path, hint=_AGAIN
        ) from error
    return _described("XiangShan's points", weights, path)


def _require_lengths(lengths: Sequence[int], path: Path) -> None:
    for row, length in enumerate(lengths):
        if length <= 0:
            raise DataError("there is no instruction in it", path=path, row=row, hint=_AGAIN)


def _described(what: str, weights: Sequence[Any], path: Path) -> str:
    total = math.fsum(weights)
    if not abs(total - 1) <= _TOLERANCE:
        raise DataError(f"the weights sum to {total:.6g} instead of 1", path=path, hint=_AGAIN)
    return f"{what}: {len(weights):,}"
