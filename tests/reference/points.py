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
