"""Arrows of a machine: which way each bows, and where it says how often, so that none covers another.

Each arrow may bow in so many ways; from a rule's first guess on, each in turn takes the way that is least in
the way of circles, of the others and of the edge. Nothing is drawn at random, and rounds are few.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from phasemark.views.machine_layout import Spot, ends

Doubles = NDArray[np.float64]

#: By how much of its length an arrow may bow out, to its left or to its right.
_BOWS = tuple(side * bow for bow in (0.08, 0.16, 0.26, 0.38, 0.52) for side in (1, -1))
#: Points of a curve that are looked at.
_SAMPLES = 18
#: Curves that are closer are hard to tell apart; so close may one pass a circle.
_NEAR, _CLEAR = 10.0, 8.0
#: Between the circle that an arrow leads to and its tip, with room for the ring of a first one.
_GAP = 10.0
#: Half the width and height of a number on an arrow.
_HALF_WIDE, _HALF_TALL = 16.0, 8.0
#: Places on an arrow for its number, the best first: near the state that it leaves.
_PLACES = (0.4, 0.34, 0.46, 0.28, 0.52, 0.58, 0.22, 0.64, 0.7, 0.76)
#: Rounds in which each arrow may change.
_ROUNDS = 6
#: What is worse than what: to cross a circle, to leave the picture, to bow by all of one's length.
_OF_CIRCLES, _OF_EDGES, _OF_BOWS = 12.0, 4.0, 18.0


def controls(
    pairs: Sequence[tuple[int, int]], first: int, spots: Sequence[Spot], room: tuple[float, float, float]
) -> list[tuple[float, float]]:
    """The control point of the quadratic curve of each arrow.

    Args:
        pairs: source and target, the most important first.
        first: so many of them do not make way for the others, which are not always drawn.
        spots: the circles.
        room: between which x arrows should stay, and the height of the picture.
    """
    if not pairs:
        return []
    ways = [[_control(spots[source], spots[target], bow) for bow in _BOWS] for source, target in pairs]
    curves = np.array(
        [
            [_curve(spots[source], spots[target], way) for way in of]
            for (source, target), of in zip(pairs, ways, strict=True)
        ]
    )
    alone = np.array(
        [[_alone(curve, pair, spots, room) for curve in of] for pair, of in zip(pairs, curves, strict=True)]
    )
    alone += _OF_BOWS * np.square(_BOWS)
    between = _between(curves)
    n, first = len(pairs), min(first, len(pairs))
    taken = np.argmin(alone, axis=1)
    for round_ in range(_ROUNDS):
        before = taken.copy()
        for arrow in range(n):
            # At first the most important ones have the choice; then all others are there.
            end = arrow if not round_ else first if arrow < first else n
            others = [other for other in range(end) if other != arrow]
            costs = alone[arrow] + between[arrow][:, others, taken[others]].sum(axis=1)
            taken[arrow] = int(np.argmin(np.round(costs, 6)))
        if round_ and (before == taken).all():
            break
    return [ways[arrow][way] for arrow, way in enumerate(taken.tolist())]


def places(
    pairs: Sequence[tuple[int, int]], curved: Sequence[tuple[float, float]], spots: Sequence[Spot], most: int
) -> list[tuple[float, float]]:
    """Where each arrow's number stands: on the arrow, on no circle, number or, if it can be, other arrow.

    Args:
        pairs: source and target, the most important first.
        curved: their control points.
        spots: the circles.
        most: arrows that are looked at; a number on another stands where it would if that were alone.
    """
    curves = [
        _curve(spots[s], spots[t], way) for (s, t), way in zip(pairs[:most], curved[:most], strict=True)
    ]
    found: list[tuple[float, float]] = []
    for arrow, (source, target) in enumerate(pairs):
        x0, y0, x1, y1 = ends(spots[source], spots[target], *curved[arrow], _GAP)
        at = [on_curve((x0, y0), curved[arrow], (x1, y1), t) for t in _PLACES]
        if arrow >= most:
            found.append(at[0])
            continue
        others = np.concatenate([np.empty((0, 2)), *(c for i, c in enumerate(curves) if i != arrow)])
        costs = [_crowd(place, others, found, spots) + 0.1 * rank for rank, place in enumerate(at)]
        found.append(at[int(np.argmin(costs))])
    return [(round(x, 1), round(y, 1)) for x, y in found]


def on_curve(
    begin: tuple[float, float], control: tuple[float, float], end: tuple[float, float], t: float
) -> tuple[float, float]:
    """A point of a quadratic curve, t from 0 (its beginning) to 1."""
    parts = (1 - t) ** 2, 2 * t * (1 - t), t**2
    x, y = (sum(part * p[at] for part, p in zip(parts, (begin, control, end), strict=True)) for at in (0, 1))
    return x, y


def _control(source: Spot, target: Spot, bow: float) -> tuple[float, float]:
    """Half of what a control point is off the straight line is what the curve is."""
    dx, dy = target.x - source.x, target.y - source.y
    x, y = (source.x + target.x) / 2 + 2 * bow * dy, (source.y + target.y) / 2 - 2 * bow * dx
    return round(x, 1), round(y, 1)


def _curve(source: Spot, target: Spot, control: tuple[float, float]) -> Doubles:
    """Points of an arrow, from circle to circle."""
    x0, y0, x1, y1 = ends(source, target, *control, _GAP)
    t = np.linspace(0, 1, _SAMPLES)[:, None]
    line = (1 - t) ** 2 * (x0, y0) + 2 * t * (1 - t) * np.array(control) + t**2 * (x1, y1)
    return np.asarray(line)


def _alone(
    curve: Doubles, pair: tuple[int, int], spots: Sequence[Spot], room: tuple[float, float, float]
) -> float:
    """How much an arrow is in the way of circles and edges."""
    cost = 0.0
    for state, spot in enumerate(spots):
        far = np.hypot(curve[:, 0] - spot.x, curve[:, 1] - spot.y)
        # Its own circles it may touch where it begins and ends.
        own = spot.radius - 1 if state in pair else spot.radius + _CLEAR
        cost += _OF_CIRCLES * float(np.clip(own - far, 0, None).sum()) / 10
    left, right, height = room
    beyond = np.clip(left - curve[:, 0], 0, None) + np.clip(curve[:, 0] - right, 0, None)
    beyond += np.clip(8 - curve[:, 1], 0, None) + np.clip(curve[:, 1] - height + 8, 0, None)
    return cost + _OF_EDGES * float(beyond.sum()) / 10


def _between(curves: Doubles) -> Doubles:
    """How much each way of each arrow is in the way of each way of each other: arrow, way, arrow, way."""
    n, ways = curves.shape[:2]
    points = curves.reshape(n, ways * _SAMPLES, 2)
    found = np.zeros((n, ways, n, ways))
    for one in range(n):
        for other in range(one):
            apart = np.square(points[one, :, None, 0] - points[other, None, :, 0])
            apart += np.square(points[one, :, None, 1] - points[other, None, :, 1])
            if apart.min() >= _NEAR**2:
                continue
            near = np.maximum(1 - np.sqrt(apart) / _NEAR, 0).reshape(ways, _SAMPLES, ways, _SAMPLES)
            # Of each point how near the other comes, from both sides.
            cost = near.max(axis=3).sum(axis=1) + near.max(axis=1).sum(axis=2)
            found[one, :, other], found[other, :, one] = cost, cost.T
    return found


def _crowd(
    place: tuple[float, float], others: Doubles, numbers: list[tuple[float, float]], spots: Sequence[Spot]
) -> float:
    """How much stands where a number would stand."""
    x, y = place
    cost = 0.0
    for a, b in numbers:
        cost += 20.0 * (abs(a - x) < 2 * _HALF_WIDE and abs(b - y) < 2 * _HALF_TALL)
    for spot in spots:
        off = math.hypot(max(0.0, abs(spot.x - x) - _HALF_WIDE), max(0.0, abs(spot.y - y) - _HALF_TALL))
        cost += 10.0 * (off < spot.radius + 4)
    inside = (np.abs(others[:, 0] - x) < _HALF_WIDE) & (np.abs(others[:, 1] - y) < _HALF_TALL)
    return cost + float(inside.sum())
