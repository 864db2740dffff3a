"""The methods that choose points, by the name a user gives."""

from __future__ import annotations

from typing import Protocol

import numpy as np
from numpy.typing import ArrayLike, NDArray

from phasemark.errors import UsageError, shown
from phasemark.model import Points
from phasemark.model.given import IntervalsLike, PhasesLike, WeightsLike
from phasemark.model.points import WHOLE_RUN
from phasemark.points.nearest import check, largest, nearest_rows
from phasemark.points.population import Population, VectorsLike
from phasemark.points.random import random_rows
from phasemark.points.selectors import SELECTORS
from phasemark.points.stratified import stratified_rows
from phasemark.points.stretch import skip_rows, start_rows
from phasemark.points.systematic import systematic_rows


class Method(Protocol):
    """A way to choose rows."""

    def __call__(self, population: Population, counts: NDArray[np.int64], seed: int) -> NDArray[np.int64]:
        """Rows that can be points: phase by phase, as many of each as `counts` says, each once.

        Methods of WHOLE_RUN give them in any order.

        Args:
            population: to choose from.
            counts: how many of each phase, k int64, at most its size; methods of WHOLE_RUN take as many
                in all.
            seed: of the choice, where it is random.
        """
        ...


#: Name -> method.
METHODS: dict[str, Method] = {
    "nearest": nearest_rows,
    "stratified": stratified_rows,
    "random": random_rows,
    "systematic": systematic_rows,
    "start": start_rows,
    "skip": skip_rows,
    **SELECTORS,
}


def select(
    intervals: IntervalsLike,
    phases: PhasesLike,
    counts: ArrayLike = 1,
    *,
    method: str = "stratified",
    weights: WeightsLike | None = None,
    coverage: float = 1.0,
    warmup: int = 0,
    seed: int = 1,
    tail_points: bool = True,
    vectors: VectorsLike | None = None,
) -> Points:
    """Choose points by one of the METHODS.

    Args:
        intervals: the n intervals that were classified: a Profile, Intervals, their frame, or the lengths
            of one thread's.
        phases: their classification, row by row, or the fitted model that made it.
        counts: points of each phase, one number or k; a phase with fewer intervals gives all it has.
        method: its name.
        weights: n weights from 0; None: instructions.
        coverage: take only of the largest phases that make up this share.
        warmup: instructions to warm up before each point; clipped at the start of the thread.
        seed: of random choices.
        tail_points: False: no interval that was cut short is a point, as the last of a thread mostly is.
            Points of its phase stand for it; a phase of tails alone has none.
        vectors: how many instructions each interval spent in each block, for a method that compares them:
            counts, n rows of numbers, or what gives counts when it is called; None: those of the profile.

    Raises:
        UsageError: an unknown method, a count below 0, no point at all, coverage not in (0, 1], coverage
            below 1 for a method that knows no phases, negative warm-up, or a method that needs vectors, or
            phases with probabilities, where there are none.
        DataError: phases or vectors of other intervals, or no interval that can be a point.
    """
    population = Population.of(intervals, phases, weights, tail_points=tail_points, vectors=vectors)
    return select_from(population, counts, method=method, coverage=coverage, warmup=warmup, seed=seed)


def select_from(
    population: Population,
    counts: ArrayLike,
    *,
    method: str,
    coverage: float = 1.0,
    warmup: int = 0,
    seed: int = 1,
) -> Points:
    """The same, from a population."""
    check(coverage=coverage, warmup=warmup)
    check_method(method, coverage)
    k = population.phases.k
    wanted = _wanted(counts, k)
    if (wanted < 0).any() or not wanted.any():
        raise UsageError("a number of points is below 0, or there is none", hint="ask for at least 1")
    kept = largest(np.where(population.sizes > 0, population.shares, 0.0), coverage)
    taken = np.zeros(k, np.int64)
    taken[kept] = np.minimum(wanted, population.sizes)[kept]
    whole_run = method in WHOLE_RUN
    covered = 1.0 if whole_run else float(population.shares[taken > 0].sum())
    rows = METHODS[method](population, taken, seed)
    stands_for = None if whole_run else np.repeat(np.arange(k), taken)
    return population.points(
        rows, method=method, whole_run=whole_run, coverage=covered, warmup=warmup, phase=stands_for
    )


def _wanted(counts: ArrayLike, k: int) -> NDArray[np.int64]:
    asked = np.asarray(counts)
    if asked.dtype.kind not in "iu":
        raise UsageError("a number of points is no whole number", hint="ask for 1, 2, 3 ...")
    if asked.shape not in ((), (k,)):
        raise UsageError(
            f"{asked.size} numbers of points for {k} phases", hint="give one number, or one for each phase"
        )
    return np.broadcast_to(asked.astype(np.int64), k)


def check_method(method: str, coverage: float = 1.0) -> None:
    """See that there is such a method, and that it can leave phases out if asked to.

    Raises:
        UsageError: there is none, or it cannot.
    """
    if method not in METHODS:
        raise UsageError(f"no method is called {shown(method)}", hint=f"one of: {', '.join(METHODS)}")
    if method in WHOLE_RUN and coverage < 1:
        raise UsageError(
            f"method {method} knows no phases, and cannot leave small ones out",
            hint="leave coverage at 1, or take stratified or nearest",
        )
