"""Where the states of a machine stand: on a ring, neighbours being states that follow each other.

Lengths are those of a picture `WIDTH` wide, as pixels of a screen; y runs downwards.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

WIDTH = 920.0
#: Room for text left and right of the ring; from the ring's box to it.
_SIDE, _GAP = 258.0, 12.0
#: Between these arrows stay clear of text.
LEFT, RIGHT = _SIDE, WIDTH - _SIDE
#: Half the ring's box; the radius of a state that is the whole run; the least, of few states and of many.
_HALF, _LARGEST, _LEAST, _LEAST_OF_MANY = 190.0, 50.0, 10.0, 5.0
#: Between circles.
_APART = 6.0
#: The height of a label: three lines, or one.
_TALL, _LINE = 54.0, 15.0
#: By how much of its length an arrow bows out.
_BOW = 0.2
#: By how much of the way to the middle the control point of an arrow across the ring lies.
_PULL = 0.6
#: Rounds of exchanges when states are put around the ring.
_ROUNDS = 4
#: Ties that are weaker do not matter then.
_TIED = 0.05


@dataclass(frozen=True)
class Spot:
    """A circle."""

    x: float
    y: float
    radius: float


@dataclass(frozen=True)
class Label:
    """Text beside a circle: its middle's height, where it begins (right of the ring) or ends (left of it)."""

    x: float
    y: float
    left: bool


def around(leaving: NDArray[np.float64], first: int) -> list[int]:
    """States in the order of a ring: those that follow each other are neighbours as far as can be.

    From the first on always the state that is most tied to the last; then stretches are turned as long as
    that brings tied states closer. Clockwise is the way that most moves go.

    Args:
        leaving: k x k, what follows each state once it is left.
        first: the state to begin with.
    """
    ties = leaving + leaving.T
    order, left = [first], [state for state in range(len(leaving)) if state != first]
    while left:
        order.append(max(left, key=lambda state: (ties[order[-1], state], -state)))
        left.remove(order[-1])
    order = _untangled(order, ties)
    ahead, back = (sum(leaving[a, b] for a, b in _pairs(way)) for way in (order, order[::-1]))
    if back > ahead:
        order = [order[0], *order[:0:-1]]
    return order


def _pairs(order: list[int]) -> list[tuple[int, int]]:
    return list(zip(order, [*order[1:], order[0]], strict=True))


def _untangled(order: list[int], ties: NDArray[np.float64]) -> list[int]:
    """Stretches of a ring turned while that shortens the ties; the first state stays where it is."""
    n = len(order)
    one, other = np.nonzero(np.triu(ties, 1) >= _TIED)
    weights = ties[one, other]

    def length(ring: list[int]) -> float:
        place = np.empty(n, np.int64)
        place[ring] = np.arange(n)
        apart = np.abs(place[one] - place[other])
        return float(weights @ np.minimum(apart, n - apart))

    best = length(order)
    for _ in range(_ROUNDS):
        before = best
        for a in range(1, n - 1):
            for b in range(a + 2, n + 1):
                turned = [*order[:a], *order[a:b][::-1], *order[b:]]
                now = length(turned)
                if now < best - 1e-9:
                    order, best = turned, now
        if best == before:
            break
    return order


def placed(
    shares: NDArray[np.float64], order: list[int], many: bool
) -> tuple[list[Spot], list[Label], float]:
    """Circles whose areas are as shares, in an order clockwise from the top; their labels; the height.

    Args:
        shares: of each state, 0 to 1; the smallest circles can still be seen.
        order: the states around the ring.
        many: whether labels are of one line.
    """
    radii = np.maximum(_LARGEST * np.sqrt(shares), _LEAST_OF_MANY if many else _LEAST)
    ring = 0.0 if len(order) < 2 else _HALF - float(radii.max())
    slots = 2 * radii[order] + _APART
    slots += max(0.0, 2 * math.pi * ring - float(slots.sum())) / len(order)
    # More circles than have room touch, and become smaller.
    if ring and slots.sum() > 2 * math.pi * ring:
        factor = 2 * math.pi * ring / float(slots.sum())
        radii, slots = radii * factor, slots * factor
    middles = np.cumsum(slots) - slots / 2 - slots[0] / 2
    turns = middles / slots.sum() * 2 * math.pi
    at = dict(zip(order, turns.tolist(), strict=True))
    rooms = (_LINE if many else _TALL) * max(_sides(at).values())
    height = round(max(2 * _HALF, rooms) + 2 * _GAP, 1)
    spots = [
        Spot(
            round(WIDTH / 2 + ring * math.sin(at[state]), 1),
            round(height / 2 - ring * math.cos(at[state]), 1),
            round(float(radii[state]), 1),
        )
        for state in range(len(radii))
    ]
    return spots, _labels(spots, at, height, _LINE if many else _TALL), height


def _is_left(turn: float) -> bool:
    return math.sin(turn) < -1e-9


def _sides(at: dict[int, float]) -> dict[bool, int]:
    """How many labels stand right and left."""
    left = sum(map(_is_left, at.values()))
    return {True: left, False: len(at) - left}


def _labels(spots: list[Spot], at: dict[int, float], height: float, tall: float) -> list[Label]:
    """Each at its circle's height, as far as those above and below leave room."""
    found: dict[int, Label] = {}
    for left in (False, True):
        own = sorted((s for s in at if _is_left(at[s]) == left), key=lambda s: (spots[s].y, s))
        ys = _spread([spots[s].y for s in own], tall, height)
        x = _SIDE - _GAP if left else WIDTH - _SIDE + _GAP
        found |= {s: Label(x, round(y, 1), left) for s, y in zip(own, ys, strict=True)}
    return [found[state] for state in range(len(spots))]


def _spread(wished: list[float], tall: float, height: float) -> list[float]:
    """Ascending heights moved apart, to `tall` at least, within the picture."""
    ys: list[float] = []
    for y in wished:
        ys.append(max(y, ys[-1] + tall if ys else tall / 2))
    limit = height - tall / 2
    for at in range(len(ys) - 1, -1, -1):
        ys[at] = min(ys[at], limit)
        limit = ys[at] - tall
    return ys


def bent(source: Spot, target: Spot, height: float, neighbours: bool) -> tuple[float, float]:
    """The control point of an arrow, which bows out to its left: there and back again do not meet.

    Those between states that are no neighbours on the ring are drawn to its middle, past the others' circles.

    Args:
        source, target: from where to where.
        height: of the picture.
        neighbours: whether they stand beside each other.
    """
    dx, dy = target.x - source.x, target.y - source.y
    bow, pull = (2 * _BOW, 0.0) if neighbours else (_BOW / 2, _PULL)
    x, y = (source.x + target.x) / 2, (source.y + target.y) / 2
    x, y = x + pull * (WIDTH / 2 - x), y + pull * (height / 2 - y)
    return round(x + bow * dy, 1), round(y - bow * dx, 1)


def ends(source: Spot, target: Spot, x: float, y: float, gap: float) -> tuple[float, float, float, float]:
    """Where an arrow with this control point leaves a circle, and where it ends before another."""
    return (*_towards(source, x, y, source.radius), *_towards(target, x, y, target.radius + gap))


def _towards(spot: Spot, x: float, y: float, by: float) -> tuple[float, float]:
    far = math.hypot(x - spot.x, y - spot.y) or 1.0
    return spot.x + (x - spot.x) / far * by, spot.y + (y - spot.y) / far * by
