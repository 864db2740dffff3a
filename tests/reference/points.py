"""Points in plain Python (algorithms: SimPoint, step 9)."""

from __future__ import annotations

from collections.abc import Sequence


def nearest(labels: Sequence[int], distances: Sequence[float], lengths: Sequence[int]) -> dict[int, int]:
    """Phase -> its point: the nearest interval that has instructions, the earliest on ties."""
    points: dict[int, int] = {}
    for i, (label, distance) in enumerate(zip(labels, distances, strict=True)):
        if lengths[i] and (label not in points or distance < distances[points[label]]):
            points[label] = i
    return points


def largest(shares: Sequence[float], coverage: float) -> list[int]:
    """The largest phases until their shares reach the coverage."""
    chosen: list[int] = []
    for phase in sorted(range(len(shares)), key=lambda p: (-shares[p], p)):
        if sum(shares[p] for p in chosen) >= coverage - 1e-12 or not shares[phase]:
            break
        chosen.append(phase)
    return sorted(chosen)
