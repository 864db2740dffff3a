"""PinPoints' region files: one line a point, with its instruction counts.

    comment,thread-id,region-id,simulation-region-start-icount,simulation-region-end-icount,region-weight
    # Region = 1 Slice = 88 Icount = 308000214 Length = 3500002 Weight = 0.5432
    cluster 0 from slice 88,0,1,308000214,311500216,0.543210

Regions are numbered from 1, by start within a thread; the end is exclusive. Lines with `#` are comments.
"""

from __future__ import annotations

from pathlib import Path

from phasemark.errors import UsageError
from phasemark.model import Points
from phasemark.store.atomic import write_text

__all__ = ["write"]

_HEADER = (
    "comment,thread-id,region-id,simulation-region-start-icount,simulation-region-end-icount,region-weight"
)


def write(path: str | Path, points: Points) -> None:
    """Write a region file; warm-up is not part of a region.

    Raises:
        UsageError: points of several runs, which the file cannot say.
        WorkError: the file cannot be written.
    """
    if len(points) and points.run.min() != points.run.max():
        raise UsageError(
            "a PinPoints file holds one run, and these points are of several", hint="take points.csv"
        )
    lines = ["# Regions chosen by phasemark", _HEADER]
    for row in range(len(points)):
        start, end, slice_ = int(points.start[row]), int(points.end[row]), int(points.interval[row])
        weight, region = float(points.weight[row]), row + 1
        lines.append(
            f"# Region = {region} Slice = {slice_} Icount = {start} Length = {end - start} "
            f"Weight = {weight:.6f}"
        )
        lines.append(
            f"cluster {points.phase[row]} from slice {slice_},{points.thread[row]},{region},{start},{end},"
            f"{weight:.6f}"
        )
    write_text(path, "\n".join(lines) + "\n")
