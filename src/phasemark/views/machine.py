"""Machine: the states that a model found, how long they last and what follows what, as a picture.

A program's hidden Markov model as a finite state machine ("Probabilistic generative models", figure 1).
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from phasemark.model import Phases, StateMachine
from phasemark.views import machine_arrows, machine_layout, machine_names
from phasemark.views.analysis import Analysis
from phasemark.views.machine_layout import Label, Spot
from phasemark.views.machine_names import Apart
from phasemark.views.threads import Thread, threads

#: Moves with a smaller share of a state's departures are neither drawn nor kept.
TRACE = 0.005
#: Arrows are drawn from one of these shares of a state's departures on, until more are asked for: from the
#: first, unless that is more than _CROWD arrows a state.
STRONG, STRONG_OF_MANY = 0.1, 0.25
_CROWD = 2
#: More states than these have one line each, and fewer arrows at first.
MANY = 16
#: So many arrows are laid out with regard to each other; those beyond, the weakest, have a rule.
_LAID_OUT = 32


@dataclass(frozen=True)
class State:
    """A state that some interval is in.

    Attributes:
        number: of the state and of its phase.
        share: of the run's instructions.
        name, of, hot: its hottest function, what that belongs to, and its share of the state's instructions.
        alone: whether no other state has this hottest function.
        apart: where it differs from the rest of the run most; None where it does not.
        intervals: how many it lasts on average; inf where longer than the run, None of a mixture.
        instructions: the same, in instructions.
        visits: how often the run was in it, stretches of intervals.
        start: the probability that the run begins in it.
        followed: (state, times): what the run changed to from it, the most frequent first.
    """

    number: int
    share: float
    name: str
    of: str
    hot: float
    alone: bool
    apart: Apart | None
    intervals: float | None
    instructions: float | None
    visits: int
    start: float
    followed: tuple[tuple[int, int], ...]

    @property
    def left(self) -> int:
        """How often the run changed from it to another."""
        return sum(times for _, times in self.followed)

    @property
    def short(self) -> str:
        """Its hottest function's name, without what a picture has no room for."""
        return machine_names.short(self.name)

    @property
    def label(self) -> str:
        """The same in a picture's room."""
        return machine_names.fitted(self.short, machine_names.ROOM)

    @property
    def title(self) -> str:
        """What it is called: its hottest function, and where others share that, what sets it apart."""
        if self.alone or self.apart is None:
            return self.short
        return f"{self.short} {'with' if self.apart.function else 'around'} {self.apart.short}"


@dataclass(frozen=True)
class Arrow:
    """From a state to another.

    Attributes:
        source, target: places in `Machine.states`.
        share: of the source's departures that lead to the target, 0 to 1.
        x, y: the control point of the quadratic curve that it is drawn as.
        at: where its number stands.
        first: whether none from its source, or none to its target, is stronger: it is always drawn.
    """

    source: int
    target: int
    share: float
    x: float
    y: float
    at: tuple[float, float]
    first: bool


@dataclass(frozen=True)
class Machine:
    """The states and where they stand in a picture of `width` x `height`, y downwards.

    Attributes:
        states: by number.
        spots: a circle each.
        labels: where the text beside each circle stands.
        around: the states in the order of the ring, clockwise from the top.
        arrows: the strongest last, so that they lie on top; of a mixture none.
        strong: the share from which on arrows are drawn at first; see `drawn`.
        unused: states of the model that no interval is in.
        ordered: whether the model knows what follows what.
        starts: the states that threads begin in.
        course: of a run of one thread its stretches: the state, and for how many instructions; else empty.
    """

    states: list[State]
    spots: list[Spot]
    labels: list[Label]
    around: list[int]
    arrows: list[Arrow]
    strong: float
    unused: int
    ordered: bool
    starts: list[int]
    course: list[tuple[int, int]]
    width: float
    height: float

    @property
    def many(self) -> bool:
        """Whether there are too many states for more than a line each."""
        return len(self.states) > MANY

    def drawn(self, least: float) -> list[Arrow]:
        """The arrows from a share on, and the strongest from and to each state."""
        return [arrow for arrow in self.arrows if arrow.first or arrow.share >= least]

    def moves(self, state: int, least: float = TRACE) -> list[Arrow]:
        """The arrows from a state, the strongest first."""
        found = [arrow for arrow in self.arrows if arrow.source == state and arrow.share >= least]
        return sorted(found, key=lambda arrow: (-arrow.share, arrow.target))


def machine(analysis: Analysis) -> Machine | None:
    """The states of a run's model; None of a model without, or of a run without an interval.

    Args:
        analysis: of a run, whose blocks should carry their functions and lines.
    """
    phases = analysis.phases
    if phases.states is None or not len(phases):
        return None
    leaving = _leaving(phases.states, phases)
    states = _states(analysis, phases.states)
    every = threads(analysis.profile)
    around = machine_layout.around(leaving, int(phases.labels[0]))
    spots, labels, height = machine_layout.placed(
        np.array([state.share for state in states]), around, many=len(states) > MANY
    )
    strong = _strong(leaving)
    return Machine(
        states,
        spots,
        labels,
        around,
        _arrows(leaving, strong, spots, around, height),
        strong,
        len(phases.states) - phases.k,
        phases.states.transitions is not None,
        sorted({int(phases.labels[thread.rows.start]) for thread in every}),
        _course(analysis, every[0]) if len(every) == 1 else [],
        machine_layout.WIDTH,
        height,
    )


def _leaving(states: StateMachine, phases: Phases) -> NDArray[np.float64]:
    """What follows each used state once it is left, k x k; a row of 0 where that cannot be told."""
    k = phases.k
    if states.transitions is None:
        return np.zeros((k, k))
    moves = states.transitions[:k, :k].copy()
    np.fill_diagonal(moves, 0.0)
    moves[_endless(states, phases)] = 0.0
    sums = moves.sum(axis=1, keepdims=True)
    return np.asarray(np.divide(moves, sums, out=np.zeros_like(moves), where=sums > 0))


def _endless(states: StateMachine, phases: Phases) -> NDArray[np.bool_]:
    """Used states that last longer than the run: what would follow was never seen."""
    return np.asarray(states.durations()[: phases.k] > len(phases))


def _states(analysis: Analysis, model: StateMachine) -> list[State]:
    phases, table = analysis.phases, analysis.profile.interval_table
    k, labels, shares = phases.k, phases.labels, analysis.shares
    named = machine_names.named(analysis)
    counts = np.bincount(labels, minlength=k)
    mean = np.bincount(labels, table.length, k) / np.maximum(counts, 1)
    enters = np.append(True, labels[1:] != labels[:-1])[: len(labels)] | table.first_of_thread()
    visits = np.bincount(labels[enters], minlength=k)
    followed = _followed(labels, table.first_of_thread(), k)
    lasts: list[float | None] = [None] * k
    if model.transitions is not None:
        lasts = list(np.where(_endless(model, phases), math.inf, model.durations()[:k]).tolist())
    return [
        State(
            number,
            float(shares[number]),
            *named[number],
            lasts[number],
            None if (long := lasts[number]) is None else long * float(mean[number]),
            int(visits[number]),
            float(model.start[number]),
            followed[number],
        )
        for number in range(k)
    ]


def _followed(
    labels: NDArray[np.int32], first: NDArray[np.bool_], k: int
) -> list[tuple[tuple[int, int], ...]]:
    """Of each state the states that followed it and how often, within threads."""
    changed = np.flatnonzero((labels[1:] != labels[:-1]) & ~first[1:])
    moves = np.zeros((k, k), np.int64)
    np.add.at(moves, (labels[changed], labels[changed + 1]), 1)
    return [
        tuple((int(to), int(row[to])) for to in np.argsort(-row, kind="stable") if row[to]) for row in moves
    ]


def _course(analysis: Analysis, thread: Thread) -> list[tuple[int, int]]:
    """Stretches of a thread in one state: the state, and its instructions."""
    labels, length = analysis.phases.labels[thread.rows], analysis.profile.interval_table.length[thread.rows]
    first = np.flatnonzero(np.diff(labels, prepend=-1))
    return list(zip(labels[first].tolist(), np.add.reduceat(length, first).tolist(), strict=True))


def _strong(leaving: NDArray[np.float64]) -> float:
    """The share from which on arrows are drawn at first."""
    k = len(leaving)
    crowd = int(np.count_nonzero(leaving >= STRONG)) > _CROWD * k
    return STRONG_OF_MANY if k > MANY or crowd else STRONG


def _arrows(
    leaving: NDArray[np.float64], strong: float, spots: list[Spot], around: list[int], height: float
) -> list[Arrow]:
    """The strongest last; those that are drawn at first have the better ways."""
    found = np.argwhere(leaving >= TRACE)
    order = np.lexsort((found[:, 1], found[:, 0], leaving[found[:, 0], found[:, 1]]))
    pairs = [(source, target) for source, target in found[order].tolist()]
    # The last one is the strongest: out of a state, and into it.
    firsts = {*{pair[0]: pair for pair in pairs}.values(), *{pair[1]: pair for pair in pairs}.values()}
    drawn = [pair for pair in reversed(pairs) if pair in firsts or leaving[pair] >= strong]
    ranked = [*drawn, *(pair for pair in reversed(pairs) if pair not in drawn)]
    curved = _curved(ranked, len(drawn), spots, around, height)
    at = machine_arrows.places(ranked, curved, spots, 0 if len(around) > MANY else _LAID_OUT)
    laid = dict(zip(ranked, zip(curved, at, strict=True), strict=True))
    made = []
    for pair in pairs:
        (x, y), place = laid[pair]
        made.append(Arrow(*pair, float(leaving[pair]), x, y, place, pair in firsts))
    return made


def _curved(
    ranked: list[tuple[int, int]], first: int, spots: list[Spot], around: list[int], height: float
) -> list[tuple[float, float]]:
    """The control points of arrows, the most important of them first; of many states by a rule alone."""
    rank, n = {state: at for at, state in enumerate(around)}, len(around)
    laid = ranked[: 0 if n > MANY else _LAID_OUT]
    room = machine_layout.LEFT, machine_layout.RIGHT, height
    curved = machine_arrows.controls(laid, first, spots, room)
    for source, target in ranked[len(laid) :]:
        beside = n < 4 or (rank[target] - rank[source]) % n in (1, n - 1)
        curved.append(machine_layout.bent(spots[source], spots[target], height, beside))
    return curved
