"""Accumulated: code executed up to each interval, in two dimensions (variable-length-intervals, figure 3)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from phasemark.views.analysis import Analysis
from phasemark.views.path import principal
from phasemark.views.threads import Thread

#: Instructions that a window has on either side, a share of the thread's.
WINDOW = 0.01


@dataclass(frozen=True, eq=False)
class Accumulated:
    """A thread as a line in a plane: straight where its code stays the same, bent where it changes.

    Attributes:
        from_start: the sum of the vectors of all intervals so far, (n + 1) x 2 doubles, of which the first
            is that before the first interval; in instructions, as projected.
        window: the mean vector of the instructions around each interval's middle, n x 2 doubles.
        reach: instructions that the window has on either side.
    """

    from_start: NDArray[np.float64]
    window: NDArray[np.float64]
    reach: int


def accumulated(analysis: Analysis, thread: Thread, window: float = WINDOW) -> Accumulated:
    """The code that a thread has executed, along the two principal axes of each line.

    The paper projects at random; see `path.trajectory`.

    Args:
        analysis: of a run.
        thread: of it.
        window: share of the thread's instructions on either side of an interval's middle.
    """
    intervals, rows = analysis.profile.interval_table, thread.rows
    start, length = intervals.start[rows].astype(np.float64), intervals.length[rows].astype(np.float64)
    counted = analysis.signatures.matrix[rows] * length[:, None]
    sums = np.concatenate([np.zeros((1, counted.shape[1])), np.cumsum(counted, axis=0)])
    reach = max(1, round(window * thread.instructions))
    edges = np.append(start, start[-1:] + length[-1:])
    low, high = (np.clip(start + length / 2 + side * reach, 0, edges[-1:].max(initial=0)) for side in (-1, 1))
    within = np.stack(
        [np.interp(high, edges, column) - np.interp(low, edges, column) for column in sums.T], axis=1
    )
    width = np.maximum(1.0, high - low)
    means = within / width[:, None]
    line = _plane(sums, np.append(0.0, length))
    line = line - line[:1]
    line[:, 0] *= -1 if line[-1, 0] < 0 else 1  # to the right
    return Accumulated(line, _plane(means, length), reach)


def _plane(points: NDArray[np.float64], weights: NDArray[np.float64]) -> NDArray[np.float64]:
    """Along the two axes on which they are widest."""
    share = weights / (weights.sum() or 1)
    mean, axes, _ = principal(points, share)
    plane = np.zeros((len(points), 2))
    found = axes[:, :2]
    plane[:, : found.shape[1]] = np.einsum("ij,jk->ik", points - mean, found)
    return plane
