"""The similarity matrix as the paper says it: one pair after the other."""

from __future__ import annotations

from itertools import pairwise


def manhattan(counts: list[list[int]], bounds: list[int]) -> list[list[float]]:
    """Manhattan distances between the bins' normalised vectors.

    Args:
        counts: instructions, intervals x blocks.
        bounds: the bins' first intervals and, last, the number of intervals.
    """
    sums = [[sum(column) for column in zip(*counts[a:b], strict=True)] for a, b in pairwise(bounds)]
    vectors = [[x / sum(row) if sum(row) else 0.0 for x in row] for row in sums]
    return [[sum(abs(p - q) for p, q in zip(x, y, strict=True)) for y in vectors] for x in vectors]
