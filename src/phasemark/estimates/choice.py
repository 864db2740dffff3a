"""The choice of points: how many of each phase, by which method, as options say."""

from __future__ import annotations

import dataclasses
import itertools
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from phasemark import points
from phasemark.errors import UsageError, shown
from phasemark.estimates import calibration, planning, strata, telling
from phasemark.estimates.earlier import Earlier
from phasemark.model import Intervals, Metrics, Phases, Points, Signatures, given, shares
from phasemark.model.given import IntervalsLike, MetricsLike, PhasesLike
from phasemark.model.options import require_given, require_real, require_whole
from phasemark.model.points import TYPICAL, WHOLE_RUN
from phasemark.points.cold import EACH
from phasemark.points.nearest import largest
from phasemark.points.population import VectorsLike, given_vectors
from phasemark.points.spread import spread_of
from phasemark.points.warmup import check_number
from phasemark.quality.confidence import require_confidence
from phasemark.quality.measured import rows_of
from phasemark.signatures import kind_of

#: Of a target error, points that tell how many it needs: few where few will do (docs/estimate.md).
_PILOT, _SMALL_PILOT, _LARGE_TARGET = 40, 20, 0.04


#: What random points for a budget or a target error are drawn from.
STRATA = ("own", "phases")


@dataclass(frozen=True)
class PointOptions:
    """How points are picked; see points.select and quality.planning.

    At most one of per_phase, budget and target_error says how many; without any, one of each phase.
    Without a method, one of each phase is the nearest, several are random (stratified). Without
    tail_points no interval that was cut short is a point. Without use_pilot, budget and target_error go by
    distances alone, whatever was measured. Points for these are drawn from `strata`: "own", found for as many
    points, or "phases", as with per_phase. So many random intervals `guard` points that are typical of their
    phases: they tell how far those are off (points.add_guards). With `warmup_check`, so many draws say which
    points are simulated again with a longer warm-up (points.with_checks).
    """

    coverage: float = 1.0
    early: bool = False
    warmup: int = 0
    method: str | None = None
    per_phase: int | None = None
    budget: int | None = None
    target_error: float | None = None
    confidence: float = 0.95
    seed: int = 1
    tail_points: bool = True
    use_pilot: bool = True
    strata: str = "own"
    guard: int | None = None
    warmup_check: int | None = None

    def check(self) -> None:
        """See that the options make sense.

        Raises:
            UsageError: one does not, or two contradict each other.
        """
        require_whole(per_phase=self.per_phase, budget=self.budget, seed=self.seed)
        require_real(target_error=self.target_error)
        require_given(seed=self.seed)
        points.check(coverage=self.coverage, warmup=self.warmup)
        points.check_method(self.chosen_method, self.coverage)
        asked = {
            "per_phase": self.per_phase,
            "budget": self.budget,
            "target_error": self.target_error,
        }
        given = {name: value for name, value in asked.items() if value is not None}
        if len(given) > 1:
            raise UsageError(f"{' and '.join(given)} each say how many points", hint="give one of them")
        for name, value in given.items():
            if not value > 0:
                raise UsageError(f"{name} is {value:g}", hint="it must be above 0")
        if self.target_error is not None:
            planning.require_target(self.target_error)
        require_confidence(self.confidence)
        if self.strata not in STRATA:
            raise UsageError(
                f"there are no strata called {shown(str(self.strata))}", hint=f"one of: {', '.join(STRATA)}"
            )
        if self.early and (self.chosen_method != "nearest" or self.count_each != 1):
            raise UsageError("early takes one near interval of each phase", hint="leave it out")
        if self.guard is not None:
            points.check_guards(self.guard, self.chosen_method)
        if self.warmup_check is not None:
            check_number(self.warmup_check)
        if self.target_error is not None and self.chosen_method != "stratified":
            raise UsageError(
                f"target_error samples phases at random, not by method {self.method}",
                hint="leave the method out",
            )

    @property
    def chosen_method(self) -> str:
        """The method asked for, or the better one for so many points (docs/estimate.md)."""
        return self.method or ("nearest" if self.count_each == 1 else "stratified")

    @property
    def draws_from_own_strata(self) -> bool:
        """Whether points are drawn from strata that are not the phases."""
        own = self.strata == "own" and self.coverage == 1
        return own and self.count_each is None and self.chosen_method == "stratified"

    @property
    def count_each(self) -> int | None:
        """Points of each phase, where they are equally many."""
        return (self.per_phase or 1) if self.budget is None and self.target_error is None else None


@dataclass(frozen=True, eq=False, repr=False)
class Choice(Points):
    """The points, and why so many.

    Attributes:
        notes: for the user.
        details: of a choice for a budget or a target error, as JSON holds them: where the deviations are
            from, the half-width of the error bar that is expected, the error that is not to be exceeded, how
            many measured points are kept, and how many are new.
    """

    notes: tuple[str, ...] = ()
    details: dict[str, Any] = dataclasses.field(default_factory=dict)

    @classmethod
    def of(cls, points: Points, notes: tuple[str, ...] = (), details: dict[str, Any] | None = None) -> Choice:
        """Points with what is to be said of them."""
        return cls(**_columns(points), notes=notes, details=details or {})

    @property
    def points(self) -> Points:
        """The points alone."""
        return Points(**_columns(self))

    def __repr__(self) -> str:
        return f"<Choice: {len(self):,} points, method {self.method}>"


def _columns(points: Points) -> dict[str, Any]:
    return {field.name: getattr(points, field.name) for field in dataclasses.fields(Points)}


def choose(
    intervals: IntervalsLike,
    phases: PhasesLike,
    options: PointOptions | None = None,
    pilot: MetricsLike | None = None,
    before: Points | None = None,
    *,
    vectors: VectorsLike | None = None,
    signatures: Signatures | None = None,
    **more: Any,
) -> Choice:
    """Choose the points of a run.

    For a budget or a target error, random points are drawn from strata of their own, found in the signatures:
    for a budget as many strata as allow two points in each, and the first interval of each thread by itself
    (phasemark.estimates.strata). Of many such samples the one is taken whose signatures are nearest to the
    run's (phasemark.points.balance). The phases say nothing there but in which each point lies.

    Args:
        intervals, phases: of the run; its profile in place of the intervals, a fitted model in place of the
            phases, and frames are as good.
        options: how many, and by which method; None: the interval nearest to each phase's centre.
        pilot: what was measured so far, for budget and target_error; None: nothing.
        before: points chosen before in the same way; those that the pilot measured are kept.
        vectors: what the intervals execute, for a method that compares it, see points.select.
        signatures: of the intervals, where strata are looked for; None: a profile's, of code and, where that
            was recorded, of behaviour. Without either, or where phases are left out (coverage), the strata
            are the phases. Of points that are typical of their phases, what these were found in: their error
            bar goes by it.
        more: options by name, as `budget=40`, in place of those in `options`.

    Raises:
        UsageError: options that make no sense, something that is no intervals, phases or metrics, or a
            method that needs vectors or probabilities that are not there.
        DataError: no interval can be a point, or the pilot lacks what CPI is made of.
    """
    options = _with(options or PointOptions(), more)
    options.check()
    # A fitted model knows more than its phases do, and a profile more than its intervals.
    vectors, model, phases = given_vectors(vectors, intervals), phases, given.phases(phases)
    own = options.draws_from_own_strata
    places = strata.signatures_for(signatures, intervals, phases) if own else None
    intervals = given.intervals(intervals)
    if options.early:
        how: dict[str, Any] = {"coverage": options.coverage, "tail_points": options.tail_points}
        early = points.nearest(intervals, phases, early=True, warmup=options.warmup, **how)
        early = dataclasses.replace(early, signature=_of_phases(signatures, options).signature)
        return _told(early, intervals, phases, options)
    population = points.Population.of(intervals, model, tail_points=options.tail_points, vectors=vectors)
    found = _of_phases(signatures, options)
    measured = given.metrics(pilot) if pilot is not None and options.use_pilot else None
    if own:
        population, found = _in_own_strata(population, places, options, measured, before)
    counts, notes, details = _counts(population, options, measured, before, found)
    chosen = points.select_from(
        population,
        counts,
        method=options.chosen_method,
        coverage=options.coverage,
        warmup=options.warmup,
        seed=options.seed,
    )
    if own:
        chosen = strata.drawn(chosen, intervals, phases)
    chosen = dataclasses.replace(chosen, signature=found.signature, balanced=found.balanced(counts))
    return _told(chosen, intervals, phases, options, notes=notes, details=details)


class _FoundIn(NamedTuple):
    """What strata, or phases, were found in.

    Attributes:
        signature: its kind; None: nobody knows, or it tells nothing of such points.
        first: how many points of each stratum are balanced in it, k int64; None: none.
    """

    signature: str | None = None
    first: NDArray[np.int64] | None = None

    def balanced(self, counts: NDArray[np.int64] | int) -> int:
        """How many points are balanced, of so many of each stratum."""
        return 0 if self.first is None else int(np.minimum(self.first, counts).sum())


def _of_phases(signatures: Signatures | None, options: PointOptions) -> _FoundIn:
    """Of points that are typical of their phases: what these were found in."""
    if signatures is None or options.chosen_method not in TYPICAL:
        return _FoundIn()
    return _FoundIn(kind_of(signatures.recipe))


def _in_own_strata(
    population: points.Population,
    places: Signatures | None,
    options: PointOptions,
    pilot: Metrics | None,
    before: Points | None,
) -> tuple[points.Population, _FoundIn]:
    """The same intervals in strata for as many points, with where a balanced sample of them begins.

    Where points of a target error were measured, the strata are those that these were drawn from: a pilot for
    another target may have been larger or smaller.
    """
    made = _strata_for(options.budget or pilot_size(options), population, places, options)
    if options.target_error is None or pilot is None or before is None:
        return made
    other = _PILOT if pilot_size(options) == _SMALL_PILOT else _SMALL_PILOT
    if Earlier.of(made[0], before, pilot, options.seed).continues:
        return made
    instead = _strata_for(other, population, places, options)
    return instead if Earlier.of(instead[0], before, pilot, options.seed).continues else made


def _strata_for(
    n: int, population: points.Population, places: Signatures | None, options: PointOptions
) -> tuple[points.Population, _FoundIn]:
    """The intervals in strata for n points, with where a balanced sample of them begins."""
    of_own = strata.strata_of(population, places, n, options.seed)
    population = dataclasses.replace(population, phases=of_own)
    if places is None:
        return population, _FoundIn()
    found = _FoundIn(kind_of(places.recipe))
    first = _at_first(population, options, found)
    begin = points.balanced(population, first, places.matrix, options.seed)
    return dataclasses.replace(population, begin=begin), found._replace(first=first)


def _counts(
    population: points.Population,
    options: PointOptions,
    pilot: Metrics | None,
    before: Points | None,
    found: _FoundIn,
) -> tuple[NDArray[np.int64] | int, tuple[str, ...], dict[str, Any]]:
    """How many points of each phase, and why."""
    if options.count_each is not None:
        return min(options.count_each, len(population.intervals)), (), {}
    return _planned(population, options, pilot, before, found)


def _told(
    chosen: Points,
    intervals: Intervals,
    phases: Phases,
    options: PointOptions,
    *,
    notes: tuple[str, ...] = (),
    details: dict[str, Any] | None = None,
) -> Choice:
    """The points with what is simulated beside them, and what is to be said of them."""
    chosen = _beside(chosen, intervals, phases, options)
    more = (
        telling.capped(chosen, options.budget),
        telling.bias(chosen),
        telling.checked(chosen),
        telling.tails(chosen, intervals),
    )
    return Choice.of(chosen, (*notes, *itertools.chain(*more)), details)


def _beside(chosen: Points, intervals: Intervals, phases: Phases, options: PointOptions) -> Points:
    """The points, beside them as many guards as were asked for, and which of them are checked."""
    if options.guard is not None:
        how: dict[str, Any] = {"warmup": options.warmup, "tail_points": options.tail_points}
        chosen = points.add_guards(chosen, intervals, phases, options.guard, options.seed, **how)
    if options.warmup_check is not None:
        chosen = points.with_checks(chosen, options.warmup_check, options.seed)
    return chosen


def _with(options: PointOptions, more: dict[str, Any]) -> PointOptions:
    unknown = sorted(more.keys() - {field.name for field in dataclasses.fields(PointOptions)})
    if unknown:
        raise UsageError(f"no option is called {', '.join(unknown)}", hint="see PointOptions")
    return dataclasses.replace(options, **more)


def _at_first(population: points.Population, options: PointOptions, found: _FoundIn) -> NDArray[np.int64]:
    """Counts that nothing measured has a say in, so that what was measured stays chosen."""
    if options.budget is None:
        return np.minimum(population.sizes, EACH)
    counts, _, _ = _planned(population, options, None, None, found)
    return counts


def pilot_size(options: PointOptions) -> int:
    """Points that tell how many a target error needs."""
    return _SMALL_PILOT if (options.target_error or 0) >= _LARGE_TARGET else _PILOT


def _planned(
    population: points.Population,
    options: PointOptions,
    pilot: Metrics | None,
    before: Points | None,
    found: _FoundIn,
) -> tuple[NDArray[np.int64], tuple[str, ...], dict[str, Any]]:
    """Counts for a budget or a target error, from the pilot's deviations or the proxy's."""
    intervals = population.intervals
    sizes = population.sizes
    sizes[np.setdiff1d(np.arange(len(sizes)), largest(population.shares, options.coverage))] = 0
    spread, factors = spread_of(population.phases, intervals), calibration.of(found.signature)
    lengths = planning.Lengths.of(population.phases.labels, intervals.length, len(sizes))
    expected = planning.from_proxy(spread, lengths, factors)
    if pilot is not None:
        rows = rows_of(pilot, intervals)
        labels = population.phases.labels
        expected = planning.from_pilot(spread, labels, intervals.length, rows, pilot, factors=factors)
    expected = dataclasses.replace(expected, balanced=found.balanced(sizes))
    if options.budget is not None:
        wanted = int(min(options.budget, sizes.sum()))
        if options.chosen_method in WHOLE_RUN:
            # Such a method takes the sum alone.
            return np.diff(np.minimum(np.concatenate(([0], np.cumsum(sizes))), wanted)), (), {}
        counts = planning.for_budget(wanted, sizes, expected.per_interval)
    else:
        assert options.target_error is not None
        counts = planning.for_error(options.target_error, options.confidence, sizes, expected)
        if options.use_pilot and expected.source == "proxy":
            counts = np.minimum(counts, EACH)  # the pilot: what it tells is better than the proxy
    already = np.zeros(len(sizes), np.int64)
    if before is not None and pilot is not None:
        earlier = Earlier.of(population, before, pilot, options.seed)
        reach = np.minimum(earlier.reach, sizes)
        enough = _enough(reach, options, sizes, expected)
        counts = reach if enough else np.maximum(counts, reach)
        already = earlier.among(counts)
    kept = int(already.sum())
    off, bar = (
        width(counts, options.confidence, sizes, expected)
        for width in (planning.half_width, planning.error_bar)
    )
    more = {stratum: n for stratum, n in enumerate((counts - already).tolist()) if n > 0}
    notes = [
        telling.source(expected, options.use_pilot, again=options.target_error is not None),
        telling.forecast(off, bar, shares.confidence(options.confidence)),
    ]
    if before is not None and pilot is not None:
        least = any(counts[phase] == 2 for phase in more)
        notes += [*([telling.kept(kept)] if kept else []), telling.more(more, least=least)]
    details = {
        "deviations": expected.source,
        "expected_half_width": bar,
        "expected_error": off,
        "kept": kept,
        "more": more,
    }
    return counts, tuple(notes), details


def _enough(
    already: NDArray[np.int64], options: PointOptions, sizes: NDArray[np.int64], expected: planning.Expected
) -> bool:
    """Whether what was measured is within the target, though other counts would be with fewer points."""
    if options.target_error is None or (already < np.minimum(sizes, EACH)).any():
        return False
    return planning.half_width(already, options.confidence, sizes, expected) <= options.target_error
