"""Points -> the whole run's metrics, with honest error bars.

A ratio (CPI, a miss rate, events per 1000 instructions) is estimated from its numerator and denominator:
the combined ratio estimator of stratified sampling (Cochran, Sampling Techniques, section 6.11), whose
standard error comes from the residuals numerator - ratio x denominator. IPC is 1/CPI.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from phasemark.errors import DataError, UsageError, counted, named, shown
from phasemark.estimates import guards, states, unseen, variance, warmup
from phasemark.estimates.one import TOLD, One, half_width, interval_of
from phasemark.estimates.rates import is_part, most_events, rates, rows_of, weights_of
from phasemark.estimates.variance import Sample, Within
from phasemark.model import Estimate, Metrics, Points, Ratio, given, shares
from phasemark.model.bias import GUARDS
from phasemark.model.given import IntervalsLike, MetricsLike, PhasesLike, PointsLike
from phasemark.quality.confidence import require_confidence

IPC = "ipc"

#: What no point may have seen.
_EVENT, _NO_EVENT = "event", "access without an event"


_POSTERIOR_NOTE = "the probabilities of phases are taken as they are: no error bar tells how sure they are"


def estimate(
    points: PointsLike,
    metrics: MetricsLike,
    *,
    names: str | Sequence[str] | None = None,
    confidence: float = 0.95,
    estimator: str = "weights",
    intervals: IntervalsLike | None = None,
    phases: PhasesLike | None = None,
    warmed: MetricsLike | None = None,
) -> Estimate:
    """Estimate the whole run's ratios from those of its points.

    The counters of a point are taken per instruction and weighed with the point's weight, so that an
    interval of another length counts as it should. What no measured point stands for (a coverage below 1,
    points that are missing) is never rescaled away: it is taken to differ from the rest by the deviation
    among the points, which widens the interval. Of events that no point saw, the interval ends at an upper
    bound (phasemark.estimates.unseen), and there is no standard error.

    Args:
        points: their weights, method and population decide value and variance. Their `frame()` will do.
        metrics: of the points, and perhaps of further intervals, by (run, thread, index); a counter that
            is NaN, or a row that is not there, is a missing point. Without a counter `instructions`, the
            intervals' lengths are taken. A frame of the same columns will do.
        names: the ratios to estimate, `ipc` among them; None: all that were measured.
        confidence: of the intervals (Student's t; degrees of freedom after Satterthwaite).
        estimator: weights: each point has its weight. epm1: each interval that was not simulated is as the
            points of its phase ("Probabilistic generative models", section 1.3): the same but for points
            that lie in another phase than they stand for. epm2: as the points of all phases, by the
            probability of each phase.
        intervals, phases: of the run; of need for epm1 and epm2.
        warmed: of the points whose warm-up is checked (points.with_checks), what was measured with the longer
            one: what is cold is then taken off (phasemark.estimates.warmup).

    Raises:
        UsageError: a confidence not in (0, 1), a table that is none of points or metrics, an estimator that
            there is not, or that needs what was not given: the run's phases, points of phases, and
            probabilities for epm2.
        DataError: no points, a metric that was not measured, rows of other intervals than the points', or
            points of other intervals than the run's.
    """
    require_confidence(confidence)
    states.check_estimator(estimator)
    points, metrics = given.points(points), given.metrics(metrics)
    if not len(metrics):
        raise DataError("nothing was measured", hint="give metrics of the points")
    if not len(points):
        raise DataError("there are no points", hint="run `phasemark points` first")
    metrics = metrics.with_instructions()
    if estimator != "weights":
        if points.guard is not None:
            raise UsageError(
                f"guards tell how far the points' weights are off, and {estimator} goes by others",
                hint="estimate by weights",
            )
        if intervals is None or phases is None:
            raise UsageError(
                f"{estimator} goes by the phase of each interval", hint="give the run's intervals and phases"
            )
        points = states.reweighted(points, intervals, phases, estimator)
    longer = None if warmed is None or points.check is None else given.metrics(warmed).with_instructions()
    wanted = None if names is None else given.names(names)
    found = combined(points, metrics, wanted, confidence, warmed=longer)
    return found if estimator != "epm2" else dataclasses.replace(found, notes=(*found.notes, _POSTERIOR_NOTE))


def combined(
    points: Points,
    metrics: Metrics,
    names: Sequence[str] | None,
    confidence: float,
    *,
    within: Within | None = None,
    warmed: Metrics | None = None,
) -> Estimate:
    """As `estimate`, by the points' own weights; `within` says of which part of the run they are to tell.

    Args:
        metrics, warmed: with the counter `instructions`.

    Raises:
        DataError: as `estimate`.
    """
    rows = rows_of(points, metrics)
    ones: dict[str, One] = {}
    for name in _wanted(metrics, names):
        ratio = metrics.ratios()["cpi" if name == IPC else name]
        one = _of_points(points, metrics, rows, ratio, confidence=confidence, within=within)
        if warmed is not None:
            one = warmup.corrected(one, points, metrics, warmed, ratio, confidence=confidence)
        ones[name] = one.inverse() if name == IPC else one
    return Estimate(
        **{field: {name: getattr(one, field) for name, one in ones.items()} for field in TOLD},
        confidence=confidence,
        notes=tuple(_notes(points, ones, confidence)),
        biases={name: one.biases for name, one in ones.items() if one.biases},
    )


def reconstruct(
    points: PointsLike,
    metrics: MetricsLike,
    intervals: IntervalsLike,
    phases: PhasesLike,
    name: str = "cpi",
    *,
    estimator: str = "epm1",
) -> NDArray[np.float64]:
    """A ratio of every interval, from those of the points: the curve that a full run would give.

    An interval that was simulated keeps its own. `interval_error` says how far the curve is off.

    Args:
        points, metrics: as for `estimate`.
        intervals, phases: of the run.
        name: of the ratio; `ipc` is 1/CPI.
        estimator: epm1 or epm2, see `estimate`.

    Returns:
        n doubles; NaN of intervals without instructions, and of those that are in phases that have a
        measured point with a probability below a half.

    Raises:
        UsageError, DataError: as `estimate`.
    """
    if estimator == "weights":
        raise UsageError("weights say nothing of single intervals", hint="take epm1 or epm2")
    of = states.States.of(intervals, phases, estimator)
    points = given.points(points).without_guards()
    metrics = given.metrics(metrics).with_instructions()
    ratio = _known(metrics, "cpi" if name == IPC else name)
    rows = rows_of(points, metrics)
    counters = [metrics.counters[counter] for counter in (ratio.numerator, ratio.denominator)]
    measured = tuple(np.where(rows >= 0, counter[rows], np.nan) for counter in counters)
    values: NDArray[np.float64] = ratio.of(*states.spread_out(of, points, measured))
    if name != IPC:
        return values
    inverse: NDArray[np.float64] = np.divide(1.0, values, out=np.full(len(values), np.nan), where=values > 0)
    return inverse


def full_value(metrics: MetricsLike, name: str) -> float:
    """A ratio of all rows together: numerators and denominators added up; NaN where one is missing.

    Raises:
        DataError: it was not measured.
    """
    metrics = given.metrics(metrics)
    if name == IPC:
        cpi = full_value(metrics, "cpi")
        return 1 / cpi if cpi else math.nan
    metrics = metrics.with_instructions()
    ratio = _known(metrics, name)
    totals = [np.array([metrics.counters[c].sum()]) for c in (ratio.numerator, ratio.denominator)]
    return float(ratio.of(*totals)[0])


def _wanted(metrics: Metrics, names: Sequence[str] | None) -> list[str]:
    if names is None:
        ratios = list(metrics.ratios())
        if not ratios:
            raise DataError(
                f"no ratio can be made of the counters {named(metrics.counters, 8)}", hint="add `cycles`"
            )
        return [*ratios[:1], IPC, *ratios[1:]] if ratios[0] == "cpi" else ratios
    for name in names:
        _known(metrics, "cpi" if name == IPC else name)
    return list(names)


def _known(metrics: Metrics, name: str) -> Ratio:
    ratio = metrics.ratios().get(name)
    if ratio is None:
        known = named([*metrics.ratios(), *([IPC] if "cpi" in metrics.ratios() else [])])
        raise DataError(f"no metric {shown(name)} was measured", hint=f"choose one of: {known}")
    return ratio


def _of_points(
    points: Points,
    metrics: Metrics,
    rows: NDArray[np.int64],
    ratio: Ratio,
    *,
    confidence: float,
    within: Within | None,
) -> One:
    """The estimate of a ratio: by the points, and by what their guards say of them."""
    guard = points.is_guard
    alone = points.without_guards()
    one = _ratio(alone, metrics, rows[~guard], ratio, confidence=confidence, within=within)
    if points.guard is None:
        return one
    top, bottom = rates(points, metrics, rows, ratio)
    lacking = np.flatnonzero(~(np.isfinite(top) & np.isfinite(bottom)))
    one = dataclasses.replace(one, missing=tuple(lacking.tolist()))
    return guards.corrected(one, points, metrics, rows, ratio, confidence=confidence)


def _ratio(
    points: Points,
    metrics: Metrics,
    rows: NDArray[np.int64],
    ratio: Ratio,
    *,
    confidence: float,
    within: Within | None,
) -> One:
    """The combined ratio estimator and its linearised standard error."""
    top, bottom = rates(points, metrics, rows, ratio)
    there = np.isfinite(top) & np.isfinite(bottom)
    missing = tuple(np.flatnonzero(~there).tolist())
    covered = shares.whole(points.coverage * float(points.weight[there].sum()))
    unknown = One(math.nan, math.nan, (0.0, math.inf), 0.0, covered, missing)
    if not there.any():
        return unknown
    weight = weights_of(points, there)
    denominator = float(weight @ bottom[there])
    if not denominator > 0:
        return unknown
    value = float(weight @ top[there]) / denominator
    residual = (top[there] - value * bottom[there]) / denominator
    sample = Sample.of(points, there, weight, residual, within)
    covered = min(covered, 1.0)
    uncovered = 1 - covered
    none, only = not top[there].any(), is_part(ratio) and np.array_equal(top[there], bottom[there])
    if (none or only) and (share := unseen.share_of_run(sample, confidence, uncovered)):
        reach = share * most_events(metrics, rows[there], ratio) / denominator
        interval = unseen.interval_of(ratio, reach, none=none)
        what = _EVENT if none else _NO_EVENT
        return One(value * ratio.scale, math.nan, interval, 0.0, covered, missing, what)
    sides = variance.of(sample, uncovered=uncovered)
    error, degrees = sides.standard_error * ratio.scale, sides.degrees_of_freedom
    reaches = [ratio.scale * half_width(*side, confidence) for side in (sides.below, sides.above)]
    interval = interval_of(value * ratio.scale, *reaches)
    drawn = unseen.drawn(sample)
    if drawn.any() and not top[there][drawn].any():
        # Seen where all was measured, as in a cold start, but by none of the points that stand for others.
        reach = unseen.share_of_run(sample, confidence, uncovered)
        reach *= most_events(metrics, rows[there][drawn], ratio) / denominator if reach else 0.0
        interval = (interval[0], interval[1] + reach * ratio.scale)
    if is_part(ratio) and value <= 1 and math.isfinite(error):
        interval = (interval[0], min(interval[1], ratio.scale))  # no more events than accesses
    return One(value * ratio.scale, error, interval, degrees, covered, missing)


def _notes(points: Points, ones: dict[str, One], confidence: float) -> list[str]:
    notes = _missing_notes(points, ones)
    for what in (_EVENT, _NO_EVENT):
        if names := [name for name, one in ones.items() if one.unseen == what]:
            notes.append(
                f"no point saw an {what} of {', '.join(names)}: the interval ends where as many intervals "
                f"are full of them as all points miss with a probability of {1 - confidence:.2g}"
            )
    if points.coverage < 1:
        notes.append(
            f"the points stand for {shares.written(points.coverage)} of the run; the rest is taken to differ "
            "from them as they differ among themselves, which is too little where rare phases are costly ones"
        )
    of_guards = guards.notes(points, ones)
    told = any(bias.source == GUARDS for one in ones.values() for bias in one.biases)
    return [
        *notes,
        *of_guards,
        *warmup.notes(points, ones),
        *([] if told else variance.notes(points.without_guards())),
    ]


def _missing_notes(points: Points, ones: dict[str, One]) -> list[str]:
    """Which points were not measured, and for which metrics."""
    notes, guard = [], set(np.flatnonzero(points.is_guard).tolist())
    lacking = {name: tuple(row for row in one.missing if row not in guard) for name, one in ones.items()}
    for missing in sorted({rows for rows in lacking.values() if rows}):
        names = [name for name, rows in lacking.items() if rows == missing]
        of = f"{', '.join(names[:3])}{' ...' if len(names) > 3 else ''}"
        gone = ", ".join(f"{points.interval[row]:,}" for row in missing[:5]) + " ..." * (len(missing) > 5)
        weight = float(points.weight[list(missing)].sum())
        every = counted(len(points) - len(guard), "point")
        notes.append(
            f"{len(missing):,} of {every} missing for {of}: interval {gone}; they "
            f"stand for {shares.written(weight)} of the covered instructions"
        )
    return notes
