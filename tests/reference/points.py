"""Points in plain Python (algorithms: SimPoint, step 9)."""

from __future__ import annotations

from collections.abc import Sequence


def nearest(
    labels: Sequence[int], distances: Sequence[float], lengths: Sequence[int], ties: str = "spread"
) -> dict[int, int]:
    """Phase -> its point: the nearest interval that has instructions; of equals the middle or the first."""
    points: dict[int, int] = {}
    for phase in set(labels):
        rows = [i for i, label in enumerate(labels) if label == phase and lengths[i]]
        near = [i for i in rows if distances[i] == min(distances[j] for j in rows)]
        if near:
            points[phase] = near[len(near) // 2 if ties == "spread" else 0]
    return points


def largest(shares: Sequence[float], coverage: float) -> list[int]:
    """The largest phases until their shares reach the coverage."""
    chosen: list[int] = []
    for phase in sorted(range(len(shares)), key=lambda p: (-shares[p], p)):
        if sum(shares[p] for p in chosen) >= coverage - 1e-12 or not shares[phase]:
            break
        chosen.append(phase)
    return sorted(chosen)


def most_balanced(
    draws: Sequence[Sequence[Sequence[int]]],
    labels: Sequence[int],
    lengths: Sequence[int],
    vectors: Sequence[Sequence[float]],
) -> tuple[int, list[float]]:
    """Which of the samples, given as rows of each phase, has the mean nearest to the run's, and how near.

    Each phase's points stand for its instructions, in proportion to their own.
    """
    total = sum(lengths)
    dims = range(len(vectors[0]))
    every = [sum(n * v[d] for n, v in zip(lengths, vectors, strict=True)) / total for d in dims]
    distances = []
    for draw in draws:
        mean = [0.0 for _ in dims]
        for phase, rows in enumerate(draw):
            of_phase = sum(n for n, label in zip(lengths, labels, strict=True) if label == phase) / total
            taken = sum(lengths[row] for row in rows)
            for row in rows:
                for d in dims:
                    mean[d] += of_phase * lengths[row] / taken * vectors[row][d]
        distances.append(sum((m - e) ** 2 for m, e in zip(mean, every, strict=True)))
    return distances.index(min(distances)), distances
