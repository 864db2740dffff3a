"""The JSON that XiangShan's scripts take points from.

{"workload": {"insts": "9115640", "points": {"<interval>": "<weight>"}}}; all values are strings.
"""

from __future__ import annotations

import json
from pathlib import Path

from phasemark.errors import UsageError
from phasemark.model import Points
from phasemark.store.atomic import write_text

__all__ = ["write"]


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
    content = {
        workload: {
            "insts": str(instructions),
            "points": {str(interval): f"{weight:g}" for interval, weight in pairs},
        }
    }
    write_text(path, json.dumps(content, indent=2) + "\n")
