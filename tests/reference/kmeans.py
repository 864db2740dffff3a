"""Weighted k-means as the documents define it, in plain Python. Same draws as the kernel, same results."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field

from tests.reference.random import Stream

Row = Sequence[float]

#: Up to this k, k-means++ runs three times as often, the last third from random points.
FEW_CLUSTERS = 10

#: Up to this k, fresh starts compete in the incremental search.
FRESH_STARTS = 20

#: The search looks at `search_size` points up to so many clusters, at twice as many up to twice as many.
CLUSTERS_PER_SEARCH = 32

#: After so many updates of the centres the best quarter of the candidates, at least two, goes on.
TRIAL_UPDATES = 2


@dataclass
class Fit:
    centers: list[list[float]]
    labels: list[int]
    error: float
    score: float
    errors: list[float] = field(default_factory=list)  # before each update
    initial: list[list[float]] = field(default_factory=list)
    weights: list[int] = field(default_factory=list)
    nearest: list[float] = field(default_factory=list)


def squared_distance(a: Row, b: Row) -> float:
    """Dimension j is added to part j mod 4, and the parts in pairs: as vector instructions take them."""
    parts = [0.0, 0.0, 0.0, 0.0]
    for j, (p, q) in enumerate(zip(a, b, strict=True)):
        parts[j % 4] += (p - q) * (p - q)
    return (parts[0] + parts[1]) + (parts[2] + parts[3])


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
        return [[float(value) for value in x[i]] for i in order[:k]]
    chosen = [draw(w, random.next())]
    nearest = [squared_distance(row, x[chosen[0]]) for row in x]
    while len(chosen) < k:
        if init == "furthest":
            best = nearest.index(max(nearest))
        else:
            mass = [weight * d for weight, d in zip(w, nearest, strict=True)]
            candidates = [draw(mass, random.next()) for _ in range(2 + int(math.log(len(chosen) + 1)))]
            best = min(
                candidates,
                key=lambda i: total([p * d for p, d in zip(w, lowered(x, nearest, i), strict=True)]),
            )
        nearest = lowered(x, nearest, best)
        chosen.append(best)
    return [[float(value) for value in x[i]] for i in chosen]


def lowered(x: Sequence[Row], nearest: Sequence[float], i: int) -> list[float]:
    return [min(d, squared_distance(row, x[i])) for row, d in zip(x, nearest, strict=True)]


@dataclass
class Whole:
    """Points and weights as whole numbers; a coordinate is x times `unit`."""

    x: list[list[int]]
    w: list[int]
    unit: float


def whole(x: Sequence[Row], w: Sequence[float]) -> Whole:
    largest = max(abs(value) for row in x for value in row)
    scale = min(51 - math.frexp(largest)[1], 1000)
    heaviest = max(w)
    return Whole(
        [[round(value * 2.0**scale) for value in row] for row in x],
        [max(1, round(weight / heaviest * 2.0**40)) for weight in w],
        2.0**-scale,
    )


def drawn(points: Whole, size: int, u: float) -> Whole:
    """About `size` rows: those as heavy as a step, and of the others one for each step of weight."""
    step = step_of(points.w, size)
    reached, following = 0.0, u * step
    x, w = [], []
    for row, weight in zip(points.x, points.w, strict=True):
        if weight >= step:
            x.append(row)
            w.append(weight)
            continue
        reached += weight
        if following < reached:
            x.append(row)
            w.append(max(1, round(step)))
            following += step
    return Whole(x, w, points.unit)


def step_of(weights: Sequence[int], size: int) -> float:
    """Rows as heavy as a step are taken in any case; the others share the steps that are left."""
    step = float(sum(weights)) / size
    while True:
        light = total([float(weight) for weight in weights if weight < step])
        heavy = sum(weight >= step for weight in weights)
        if heavy >= size or not light or light / (size - heavy) >= step:
            return step
        step = light / (size - heavy)


def mean(values: Sequence[int], weights: Sequence[int]) -> float:
    """The weighted mean of whole numbers; exact where it is one."""
    total_weight = sum(weights)
    weighted = sum(value * weight for value, weight in zip(values, weights, strict=True))
    quotient = abs(weighted) // total_weight * (1 if weighted >= 0 else -1)
    return float(quotient) + float(weighted - quotient * total_weight) / float(total_weight)


def lloyd(points: Whole, centers: list[list[float]], max_iter: int, floor: float, n: float) -> Fit:
    x, w, k, dims = points.x, points.w, len(centers), len(points.x[0])
    initial = [list(center) for center in centers]
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
                weights = [w[i] for i in members]
                centers[c] = [mean([x[i][j] for i in members], weights) for j in range(dims)]
        previous = labels
        iteration += 1
    all_weight = float(sum(w))
    errors = [error / all_weight * points.unit * points.unit for error in errors]
    weights = [sum(w[i] for i, label in enumerate(labels) if label == c) for c in range(k)]
    shares = [float(weight) / all_weight for weight in weights]
    score = bic(errors[-1], shares, dims, n, floor)
    return Fit(centers, labels, errors[-1], score, errors, initial, weights, nearest)


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


def join_closest(x: Sequence[Row], fit: Fit, w: Sequence[int]) -> list[list[float]]:
    """The centres after the two clusters are one whose union raises the error least."""
    pairs = [(a, b) for a in range(len(fit.centers)) for b in range(a + 1, len(fit.centers))]

    def rise(pair: tuple[int, int]) -> float:
        one, other = (float(fit.weights[c]) for c in pair)
        if not one + other:
            return math.inf
        distance = squared_distance(fit.centers[pair[0]], fit.centers[pair[1]])
        return distance * (one * other / (one + other))

    kept, gone = min(pairs, key=rise)
    members = [i for i, label in enumerate(fit.labels) if label in (kept, gone)]
    centers = [list(center) for center in fit.centers]
    centers[kept] = [mean([x[i][j] for i in members], [w[i] for i in members]) for j in range(len(x[0]))]
    centers[gone] = centers[-1]
    return centers[:-1]


def grown(points: Whole, fit: Fit, slot: tuple[int, int], random: Stream, swap: bool) -> list[list[float]]:
    """The centres of `fit`, or of it with two clusters joined, and more at points drawn where the error is.

    `slot` is the candidate's number among how many: the first draws are spread over all of the error.
    """
    k = len(fit.centers) + 1
    centers = join_closest(points.x, fit, points.w) if swap else [list(center) for center in fit.centers]
    nearest = [min(squared_distance(row, center) for center in centers) for row in points.x]
    u = (slot[0] + random.next()) / slot[1]
    while len(centers) < k:
        i = draw([weight * d for weight, d in zip(points.w, nearest, strict=True)], u)
        centers.append([float(value) for value in points.x[i]])
        nearest = lowered(points.x, nearest, i)
        u = random.next()
    return centers


@dataclass(frozen=True)
class Options:
    seed: int
    restarts: int
    max_iter: int
    floor: float
    n: float


def finalists(fits: Sequence[Fit]) -> list[int]:
    """Which go on: those of least error, the first on ties."""
    order = sorted(range(len(fits)), key=lambda index: fits[index].error)
    return sorted(order[: max(2, math.ceil(len(fits) / 4))])


def searched(points: Whole, k: int, size: int, seed: int) -> Whole:
    """The points among which k clusters are looked for."""
    while k > CLUSTERS_PER_SEARCH:
        k, size = math.ceil(k / 2), size * 2
    return drawn(points, size, Stream(seed, 0, 0).next()) if len(points.x) > size else points


def incremental(every: Whole, k: int, size: int, options: Options) -> Fit:
    """The best clustering for k from that for k - 1."""
    points = searched(every, k, size, options.seed)

    def run(centers: list[list[float]], most: int) -> Fit:
        return lloyd(points, [list(center) for center in centers], most, options.floor, options.n)

    if k == 1:
        start = seed_centers(points.x, points.w, 1, "sample", Stream(options.seed, 1, 0))
        return run(start, options.max_iter)
    smaller = incremental(every, k - 1, size, options)
    if len(points.x) > len(smaller.labels):
        smaller = run(smaller.centers, options.max_iter)
    kinds = ["add"] + ["swap"] * (k > 2) + ["anew"] * (k <= FRESH_STARTS)
    starts: list[list[list[float]]] = []
    for number, kind in ((number, kind) for kind in kinds for number in range(options.restarts)):
        if kind == "anew":
            random = Stream(options.seed, 0, 1 + number)
            starts.append(seed_centers(points.x, points.w, k, "kmeans++", random))
        else:
            random = Stream(options.seed, k, len(starts))
            starts.append(grown(points, smaller, (number, options.restarts), random, kind == "swap"))
    tried = [run(start, min(TRIAL_UPDATES, options.max_iter)) for start in starts]
    fits = [run(starts[index], options.max_iter) for index in finalists(tried)]
    return min(fits, key=lambda fit: (fit.error, -fit.score))


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
    search_size: int = 2048,
) -> Fit:
    """The best of the restarts: lowest error, then highest score, then first."""
    points, n = whole(x, w), float(len(x))
    if init == "incremental":
        fit = incremental(points, k, search_size, Options(seed, restarts, max_iter, floor, n))
        if len(fit.labels) < len(x):
            fit = lloyd(points, fit.centers, max_iter, floor, n)
    else:
        fits = []
        more = init == "kmeans++" and k <= FEW_CLUSTERS
        for restart in range(restarts * (3 if more else 1)):
            start = "sample" if more and restart >= 2 * restarts else init
            centers = seed_centers(points.x, points.w, k, start, Stream(seed, k, restart))
            fits.append(lloyd(points, centers, max_iter, floor, n))
        fit = min(fits, key=lambda fit: (fit.error, -fit.score))
    fit.centers = [[value * points.unit for value in center] for center in fit.centers]
    return fit
