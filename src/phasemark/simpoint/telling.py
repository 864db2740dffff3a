"""What the drop-in says on the way, as SimPoint 3.2 does."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from pathlib import Path

from phasemark.errors import UsageError
from phasemark.simpoint.flags import Flags

__all__ = ["Evaluation", "examine", "tell", "tell_written"]

#: k, score, distortion.
Evaluation = tuple[int, float, float]


def examine(flags: Flags, warnings: Iterable[str], intervals: int, largest: int) -> None:
    """Pass on warnings, and see that the vectors are of the size that was announced.

    Raises:
        UsageError: they are not.
    """
    for warning in warnings:
        print(f"phasemark: {warning}", file=sys.stderr)
    if flags.numFVs is not None and (intervals, largest) != (flags.numFVs, flags.FVDim):
        raise UsageError(
            f"{intervals:,} vectors of {largest:,} dimensions, not -numFVs {flags.numFVs} -FVDim "
            f"{flags.FVDim}",
            hint="leave both flags out; sizes are counted anyway",
        )


def tell(flags: Flags, evaluations: Iterable[Evaluation], notes: Iterable[str], k: int) -> None:
    """Say what was evaluations for each k, and which was taken."""
    for evaluated, score, distortion in evaluations:
        print(f"k = {evaluated}: BIC score {score:.6g}, distortion {distortion:.6g}")
    for note in notes:
        print(f"phasemark: {note}", file=sys.stderr)
    print(f"best clustering for the BIC threshold {flags.bicThreshold:g}: k = {k}")


def tell_written(path: Path) -> None:
    """Name a file that was written."""
    print(f"wrote {path}")
