"""Weighted k-means as the documents define it, in plain Python. Same draws as the kernel, same results."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field

from tests.reference.random import Stream

Row = Sequence[float]

#: Up to this k, k-means++ runs three times as often, the last third from random points.
FEW_CLUSTERS = 10


@dataclass
class Fit:
    centers: list[list[float]]
    labels: list[int]
    error: float
    score: float
    errors: list[float] = field(default_factory=list)  # before each update


def squared_distance(a: Row, b: Row) -> float:
    total = 0.0
    for p, q in zip(a, b, strict=True):
        total += (p - q) * (p - q)
    return total


def total(values: Sequence[float]) -> float:
    """The sum from left to right, each step rounded (sum() compensates in newer Pythons)."""
    out = 0.0
    for value in values:
        out += value
    return out


def bic(error: float, cluster_weights: Sequence[float], dims: int, n: float, floor: float) -> float:
    variance = max(error / dims, floor)
    k = sum(weight > 0 for weight in cluster_weights)
    likelihood = -dims / 2 * math.log(2 * math.pi * math.e * variance)
    for weight in cluster_weights:
        likelihood += weight * math.log(weight) if weight > 0 else 0.0
    parameters = (k - 1) + k * dims + 1
    return n * likelihood - parameters / 2 * math.log(n)


def draw(mass: Sequence[float], u: float) -> int:
    target, running, last = u * total(mass), 0.0, 0
    for i, value in enumerate(mass):
        if value <= 0:
            continue
        last = i
        running += value
        if running > target:
            break
    return last


def seed_centers(
    x: Sequence[Row], w: Sequence[float], k: int, init: str, random: Stream
) -> list[list[float]]:
    if init == "sample":
        order = list(range(len(x)))
        for c in range(k):
            other = c + int(random.next() * (len(x) - c))
            order[c], order[other] = order[other], order[c]
        return [list(x[i]) for i in order[:k]]
    chosen = [draw(w, random.next())]
    nearest = [squared_distance(row, x[chosen[0]]) for row in x]
    while len(chosen) < k:
        if init == "furthest":
            best = nearest.index(max(nearest))
        else:
            mass = [weight * d for weight, d in zip(w, nearest, strict=True)]
            candidates = [draw(mass, random.next()) for _ in range(2 + int(math.log(k)))]
            best = min(
                candidates,
                key=lambda i: total([p * d for p, d in zip(w, lowered(x, nearest, i), strict=True)]),
            )
        nearest = lowered(x, nearest, best)
        chosen.append(best)
    return [list(x[i]) for i in chosen]


def lowered(x: Sequence[Row], nearest: Sequence[float], i: int) -> list[float]:
    return [min(d, squared_distance(row, x[i])) for row, d in zip(x, nearest, strict=True)]


def lloyd(
    x: Sequence[Row], w: Sequence[float], centers: list[list[float]], max_iter: int, floor: float
) -> Fit:
    k, dims = len(centers), len(x[0])
    previous: list[int] = []
    errors: list[float] = []
    iteration = 0
    while True:
        distances = [[squared_distance(row, center) for center in centers] for row in x]
        labels = [row.index(min(row)) for row in distances]
        nearest = [min(row) for row in distances]
        errors.append(total([p * d for p, d in zip(w, nearest, strict=True)]))
        moved = fill_empty(labels, nearest, k)
        if not moved and (iteration >= max_iter or labels == previous):
            break
        for c in range(k):
            members = [i for i, label in enumerate(labels) if label == c]
            if members:
                weight = total([w[i] for i in members])
                first = x[members[0]]
                offsets = [total([w[i] * (x[i][j] - first[j]) for i in members]) for j in range(dims)]
                centers[c] = [first[j] + offsets[j] / weight for j in range(dims)]
        previous = labels
        iteration += 1
    weights = [total([w[i] for i, label in enumerate(labels) if label == c]) for c in range(k)]
    return Fit(centers, labels, errors[-1], bic(errors[-1], weights, dims, len(x), floor), errors)


def fill_empty(labels: list[int], nearest: list[float], k: int) -> bool:
    moved = False
    for c in range(k):
        if c in labels:
            continue
        able = [i for i in range(len(labels)) if nearest[i] > 0 and labels.count(labels[i]) > 1]
        if not able:
            break
        far = max(able, key=lambda i: (nearest[i], -i))
        labels[far], nearest[far], moved = c, 0.0, True
    return moved


def kmeans(
    x: Sequence[Row],
    w: Sequence[float],
    k: int,
    *,
    seed: int,
    restarts: int,
    max_iter: int,
    init: str,
    floor: float,
) -> Fit:
    """The best of the restarts: lowest error, then highest score, then first."""
    fits = []
    more = init == "kmeans++" and k <= FEW_CLUSTERS
    for restart in range(restarts * (3 if more else 1)):
        start = "sample" if more and restart >= 2 * restarts else init
        centers = seed_centers(x, w, k, start, Stream(seed, k, restart))
        fits.append(lloyd(x, w, centers, max_iter, floor))
    return min(fits, key=lambda fit: (fit.error, -fit.score))
