"""Numbers of phases."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray


def by_appearance(labels: NDArray[np.int32]) -> tuple[NDArray[np.int32], NDArray[np.int64]]:
    """Labels as 0, 1, 2 ... in order of first appearance, so that equal partitions have equal labels.

    Args:
        labels: n whole numbers from 0.

    Returns:
        n int32 from 0 to k-1, and k int64: the old label of each new one. Labels that do not occur are gone.
    """
    n = len(labels)
    first = np.full(int(labels.max(initial=-1)) + 1, n)
    first[labels[::-1]] = np.arange(n)[::-1]  # of those assigned to one place, the last stays
    order = np.argsort(first, kind="stable")[: np.count_nonzero(first < n)]
    rank = np.zeros(len(first), np.int32)
    rank[order] = np.arange(len(order), dtype=np.int32)
    return rank[labels], order
