"""Quality of a phase classification in plain Python ("Confidence interval of estimated mean").

One loop a formula, missing values (None) left out; nothing here is fast.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

Value = float | None


def neyman(n: float, sizes: Sequence[float], deviations: Sequence[float]) -> list[float]:
    """In proportion to size x deviation; what is above a phase's size goes to the others."""
    found = [0.0] * len(sizes)
    for weights in ([size * s for size, s in zip(sizes, deviations, strict=True)], list(sizes)):
        free = [i for i, w in enumerate(weights) if w > 0 and found[i] == 0]
        while free:
            left = n - sum(found[i] for i in range(len(sizes)) if i not in free)
            total = sum(weights[i] for i in free)
            over = [i for i in free if left * weights[i] / total > sizes[i]]
            if not over:
                for i in free:
                    found[i] = left * weights[i] / total
                return found
            for i in over:
                found[i] = sizes[i]
            free = [i for i in free if i not in over]
    return found


def mean(values: Sequence[float], weights: Sequence[float]) -> float:
    return sum(w * x for w, x in zip(weights, values, strict=True)) / sum(weights)


def deviation(values: Sequence[float], weights: Sequence[float]) -> float:
    """Weighted, ddof 0."""
    centre = mean(values, weights)
    return math.sqrt(mean([(x - centre) ** 2 for x in values], weights))


def sample_deviation(values: Sequence[float]) -> float:
    """Unweighted, ddof 1; of one value 0."""
    if len(values) == 1:
        return 0.0
    centre = sum(values) / len(values)
    return math.sqrt(sum((x - centre) ** 2 for x in values) / (len(values) - 1))


def phases_of(values: Sequence[Value], labels: Sequence[int]) -> dict[int, list[int]]:
    """Phase -> rows whose value is not missing."""
    found: dict[int, list[int]] = {}
    for row, (value, label) in enumerate(zip(values, labels, strict=True)):
        if value is not None:
            found.setdefault(label, []).append(row)
    return found


def cov(
    values: Sequence[Value], labels: Sequence[int], weights: Sequence[float]
) -> tuple[dict[int, float], float]:
    """CoV of each phase, and CoV_wa."""
    phases = phases_of(values, labels)
    each, total, shares = {}, 0.0, 0.0
    for phase, rows in phases.items():
        own, their = [values[i] for i in rows], [weights[i] for i in rows]
        each[phase] = deviation(own, their) / mean(own, their) if mean(own, their) else math.nan
        total += sum(their) * each[phase]
        shares += sum(their)
    return each, total / shares


def deviation_reduction(values: Sequence[Value], labels: Sequence[int], weights: Sequence[float]) -> float:
    """(sigma - sum of share x sigma of the phase) / sigma."""
    phases = phases_of(values, labels)
    rows = [i for own in phases.values() for i in own]
    whole = deviation([values[i] for i in rows], [weights[i] for i in rows])
    if whole == 0:
        return 0.0
    within = sum(
        sum(weights[i] for i in own) * deviation([values[i] for i in own], [weights[i] for i in own])
        for own in phases.values()
    ) / sum(weights[i] for i in rows)
    return (whole - within) / whole


def cim(values: Sequence[Value], labels: Sequence[int], n: float, z: float) -> tuple[float, float]:
    """CIM in percent, of the classification and of one phase, with as many intervals as were measured."""
    return cim_by_length(values, labels, [1.0] * len(values), n, z)


def cim_by_length(
    values: Sequence[Value], labels: Sequence[int], lengths: Sequence[float], n: float, z: float
) -> tuple[float, float]:
    """The same where intervals differ in length: residuals are length x (value - mean of the phase)."""
    phases = phases_of(values, labels)
    groups = [[(values[i], lengths[i]) for i in rows] for rows in phases.values()]
    everything = [pair for group in groups for pair in group]
    return _cim(groups, n, z), _cim([everything], n, z)


def _cim(groups: Sequence[Sequence[tuple[float, float]]], n: float, z: float) -> float:
    sizes = [len(group) for group in groups]
    deviations = []
    for group in groups:
        centre = mean(*zip(*group, strict=True))
        deviations.append(sample_deviation([length * (value - centre) for value, length in group]))
    total = sum(length for group in groups for _, length in group)
    centre = sum(value * length for group in groups for value, length in group) / total
    squared = 0.0
    for size, s, taken in zip(sizes, deviations, neyman(n, sizes, deviations), strict=True):
        if s > 0:
            squared += size * (size - taken) * s * s / taken
    return 100 * z * math.sqrt(squared) / total / abs(centre) if centre else math.nan
