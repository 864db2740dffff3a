"""The JSON that XiangShan's scripts take points from.

{"workload": {"insts": "9115640", "points": {"<interval>": "<weight>"}}}; values are strings, also numbers.
A file may hold many workloads. In some, points are told by the instruction they start at, not by the number
of the interval: which it is follows from the intervals.
"""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

from phasemark.errors import DataError, UsageError, shown
from phasemark.formats.points.chosen import Chosen, ChosenPoint
from phasemark.formats.points.fields import number, whole
from phasemark.formats.source import content
from phasemark.model import Points
from phasemark.reading import RECORD
from phasemark.store.atomic import write_text

__all__ = ["read", "read_all", "write"]

_FORM = 'it reads {"workload": {"insts": "...", "points": {"<interval>": "<weight>"}}}'


def read(path: Path, workload: str | None = None) -> Chosen:
    """Read the points of a workload.

    Args:
        path: the file.
        workload: its name; None: the only one.

    Raises:
        DataError: malformed; names the file.
        UsageError: there are several workloads and none is named, or none of that name.
    """
    known = read_all(path)
    names = ", ".join(list(known)[:20]) + (" ..." if len(known) > 20 else "")
    if workload is None and len(known) > 1:
        raise UsageError(f"{path} holds {len(known)} workloads", hint=f"name one with --workload: {names}")
    if workload is not None and workload not in known:
        raise UsageError(f"{path} holds no workload {shown(workload)}", hint=f"it holds: {names}")
    return known[workload or next(iter(known))]


def read_all(path: Path) -> dict[str, Chosen]:
    """Read the points of every workload.

    Raises:
        DataError: malformed; names the file.
    """
    held = content(path, RECORD)
    try:
        summary = json.loads(held, object_pairs_hook=_once)
    except (ValueError, RecursionError) as error:
        raise DataError(
            f"is no summary of XiangShan's ({shown(str(error), 200)})", path=path, hint=_FORM
        ) from error
    if not isinstance(summary, dict) or not summary:
        raise DataError("holds no workload", path=path, hint=_FORM)
    return {str(name): _workload(str(name), of, path) for name, of in summary.items()}


def _workload(name: str, of: Any, path: Path) -> Chosen:
    points = of.get("points") if isinstance(of, dict) else None
    if not isinstance(points, dict) or not points:
        raise DataError(f"the workload {shown(name)} has no points", path=path, hint=_FORM)
    insts = of.get("insts")
    return Chosen(
        tuple(
            ChosenPoint(weight=number(_text(weight), path), path=path, row=row, interval=whole(at, path))
            for row, (at, weight) in enumerate(points.items())
        ),
        (path,),
        instructions=None if insts is None else whole(_text(insts), path),
        may_be_starts=True,
    )


def _text(value: object) -> str:
    return str(value) if isinstance(value, str | int | float) and not isinstance(value, bool) else repr(value)


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """An object; a name that stands twice would lose a point in silence."""
    known = dict(pairs)
    if len(known) < len(pairs):
        counted = Counter(name for name, _ in pairs)
        raise ValueError(f"{shown(next(name for name, times in counted.items() if times > 1))} stands twice")
    return known


def write(path: str | Path, points: Points, *, workload: str, instructions: int) -> None:
    """Write the points of one thread.

    Args:
        path: the file.
        points: to write.
        workload: its name.
        instructions: of the whole run.

    Raises:
        UsageError: points of several threads, which the file cannot say.
        WorkError: the file cannot be written.
    """
    if len(points) and (points.thread.min() != points.thread.max() or points.run.min() != points.run.max()):
        raise UsageError(
            "XiangShan's file knows no threads, and these points are of several", hint="export to pinpoints"
        )
    pairs = zip(points.interval.tolist(), points.weight.tolist(), strict=True)
    summary = {
        workload: {
            "insts": str(instructions),
            "points": {str(interval): f"{weight:g}" for interval, weight in pairs},
        }
    }
    write_text(path, json.dumps(summary, indent=2) + "\n")
