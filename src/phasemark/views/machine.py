"""Machine: the states that a model found, how long they last and what follows what, as a picture.

A program's hidden Markov model as a finite state machine ("Probabilistic generative models", figure 1).
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from phasemark.model import Phases, StateMachine
from phasemark.views import machine_layout, machine_names
from phasemark.views.analysis import Analysis
from phasemark.views.machine_layout import Label, Spot
from phasemark.views.machine_names import Apart
from phasemark.views.threads import Thread, threads

#: Moves with a smaller share of a state's departures are neither drawn nor kept.
TRACE = 0.005
#: Arrows are drawn from this share of a state's departures on, until more are asked for.
STRONG, STRONG_OF_MANY = 0.1, 0.25
#: More states than these have one line each, and fewer arrows at first.
MANY = 16


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
        """Its hottest function's name for a picture."""
        return machine_names.short(self.name)

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
    """

    source: int
    target: int
    share: float
    x: float
    y: float


@dataclass(frozen=True)
class Machine:
    """The states and where they stand in a picture of `width` x `height`, y downwards.

    Attributes:
        states: by number.
        spots: a circle each.
        labels: where the text beside each circle stands.
        around: the states in the order of the ring, clockwise from the top.
        arrows: the strongest last, so that they lie on top; of a mixture none.
        strong: the share from which on arrows are drawn at first.
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
    every = threads(analysis.profile.interval_table)
    around = machine_layout.around(leaving, int(phases.labels[0]))
    spots, labels, height = machine_layout.placed(
        np.array([state.share for state in states]), around, many=len(states) > MANY
    )
    return Machine(
        states,
        spots,
        labels,
        around,
        _arrows(leaving, spots, around, height),
        STRONG_OF_MANY if len(states) > MANY else STRONG,
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


def _arrows(leaving: NDArray[np.float64], spots: list[Spot], around: list[int], height: float) -> list[Arrow]:
    found = np.argwhere(leaving >= TRACE)
    order = np.lexsort((found[:, 1], found[:, 0], leaving[found[:, 0], found[:, 1]]))
    rank, n = {state: at for at, state in enumerate(around)}, len(around)
    made = []
    for source, target in found[order].tolist():
        beside = n < 4 or (rank[target] - rank[source]) % n in (1, n - 1)
        control = machine_layout.bent(spots[source], spots[target], height, beside)
        made.append(Arrow(source, target, float(leaving[source, target]), *control))
    return made
