"""How far typical points are off, from guards beside them: the difference estimator.

Of each guard the difference between what was measured there and what the points of its phase say is known.
Their mean, stratum by stratum, estimates by how much the points are off over the run, and points and
differences together estimate the run without that bias, with the standard error of the differences (Cochran,
Sampling Techniques, sections 7.1 and 7.9, in the strata of section 5.4). No model of the run is in it.

The estimate is corrected where the bias is significant, beyond chance in 95 of 100 cases: most points are
nearer than a few guards can tell (docs/adr/0071-guards-beside-nearest-points.md). Its interval is that of the
corrected estimate either way.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from phasemark.errors import counted
from phasemark.estimates import unseen, variance
from phasemark.estimates.one import One, half_width
from phasemark.estimates.rates import is_part, most_events, rates, standing_in, weights_of
from phasemark.estimates.variance import Sample
from phasemark.model import Metrics, Points, Ratio
from phasemark.model.bias import GUARDS, Bias
from phasemark.model.points import GIVEN

#: A bias whose interval of this confidence leaves 0 out is taken off the estimate.
SIGNIFICANT = 0.95


#: A bias that may be so many times the estimate is not told in percent.
_SAYS_LITTLE = 3.0


@dataclass(frozen=True)
class _Corrected:
    """The estimate from points and differences.

    Attributes:
        points: the ratio by the points alone; value: with the mean differences; in units of the ratio.
        denominator: per instruction.
        sample: the guards that were measured, with the residuals of their differences.
        top: numerators per instruction of these guards.
        uncovered: share of the run that neither a point nor a guard tells of.
    """

    points: float
    value: float
    denominator: float
    sample: Sample
    top: NDArray[np.float64]
    uncovered: float


def corrected(
    one: One,
    points: Points,
    metrics: Metrics,
    rows: NDArray[np.int64],
    ratio: Ratio,
    *,
    confidence: float,
) -> One:
    """An estimate by points with what their guards say of it.

    Args:
        one: the estimate by the points alone.
        points: with guards.
        metrics: of points and guards; rows: the row of each in it, -1 of those that are missing.
        ratio: which.
        confidence: of the interval.

    Returns:
        The value corrected where its bias is significant, the interval of the corrected value (and the value
        within), and the bias. As it was, where guards were not measured, or too few to know a deviation.
    """
    found = _difference(points, metrics, rows, ratio)
    if found is None:
        return one
    told = rows[_measured(points, metrics, rows, ratio) & points.is_guard]
    if one.unseen and found.value == found.points:
        return _unseen(one, found, most_events(metrics, told, ratio), ratio, confidence)
    sides = variance.of(found.sample, found.uncovered)
    error, degrees = sides.standard_error, sides.degrees_of_freedom
    if math.isnan(error):
        return one
    # Differences have no scale of their own: plain ends.
    half = half_width(error**2, degrees, confidence)
    low, high = max(found.value - half, 0.0), max(found.value, 0.0) + half
    high += _more(found, most_events(metrics, told, ratio), confidence)
    bias = found.points - found.value
    significant = abs(bias) > half_width(error**2, degrees, SIGNIFICANT)
    value = max(found.value, 0.0) if significant else found.points
    low, high = min(low, value), max(high, value)
    if is_part(ratio):
        value, high = min(value, 1.0), min(high, 1.0)
    scale = ratio.scale
    told_of = Bias(
        GUARDS,
        bias * scale,
        error * scale,
        ((found.points - high) * scale, (found.points - low) * scale),
        len(found.top),
        corrected=bool(significant),
    )
    return dataclasses.replace(
        one,
        value=value * scale,
        standard_error=error * scale,
        interval=(low * scale, high * scale),
        degrees_of_freedom=degrees,
        unseen="",
        biases=(*one.biases, told_of),
    )


def _measured(points: Points, metrics: Metrics, rows: NDArray[np.int64], ratio: Ratio) -> NDArray[np.bool_]:
    top, bottom = rates(points, metrics, rows, ratio)
    return np.asarray(np.isfinite(top) & np.isfinite(bottom), np.bool_)


def _difference(points: Points, metrics: Metrics, rows: NDArray[np.int64], ratio: Ratio) -> _Corrected | None:
    """Points and differences together; None where one of them was not measured."""
    top, bottom = rates(points, metrics, rows, ratio)
    there, guard = np.isfinite(top) & np.isfinite(bottom), points.is_guard
    typical, told = there & ~guard, there & guard
    if not typical.any() or not told.any():
        return None
    assert points.guard is not None
    alone = weights_of(points, typical)
    said = [_said(points, typical, alone, counter)[told] for counter in (top, bottom)]
    share = standing_in(points.guard, points.stratum, told)[told]
    off_top, off_bottom = top[told] - said[0], bottom[told] - said[1]
    of_points = float(alone @ top[typical]), float(alone @ bottom[typical])
    own = [_own(points, typical, alone, counter) for counter in (top, bottom)]
    denominator = of_points[1] + own[1] + float(share @ off_bottom)
    if not (denominator > 0 and of_points[1] > 0):
        return None
    value = (of_points[0] + own[0] + float(share @ off_top)) / denominator
    of_guards = float(share.sum())
    residual = (off_top - value * off_bottom) / denominator * of_guards
    drawn = dataclasses.replace(points, method="stratified")
    sample = Sample.of(drawn, told, share / of_guards, residual)
    lost = float(points.guard.sum()) - of_guards
    return _Corrected(
        of_points[0] / of_points[1],
        value,
        denominator,
        sample,
        top[told],
        max(lost, 0.0) if lost > 1e-9 else 0.0,
    )


def _said(
    points: Points, typical: NDArray[np.bool_], weight: NDArray[np.float64], counter: NDArray[np.float64]
) -> NDArray[np.float64]:
    """What the points of each row's phase say; of a phase without one what all say together.

    So do points that another tool chose from other phases: what each of those stands for is not known.
    """
    if points.method == GIVEN and not points.population[typical].all():
        return np.full(len(points), float(weight @ counter[typical]))
    k = int(points.phase.max()) + 1
    phase = points.phase[typical]
    of_phase = np.bincount(phase, weights=weight, minlength=k)
    sums = np.bincount(phase, weights=weight * counter[typical], minlength=k)
    every = float(weight @ counter[typical])
    said = np.divide(sums, of_phase, out=np.full(k, every), where=of_phase > 0)
    return np.asarray(said[points.phase], np.float64)


def _own(
    points: Points, typical: NDArray[np.bool_], weight: NDArray[np.float64], counter: NDArray[np.float64]
) -> float:
    """What the points' own intervals, of which no guard tells, are off what points say of them, in sum.

    That is 0 where a point says of its interval what was measured there.
    """
    assert points.guard is not None
    length = np.where(typical, points.end - points.start, 0.0)
    share = (1 - float(points.guard.sum())) * length / length.sum()
    off = counter - _said(points, typical, weight, counter)
    return float(share[typical] @ off[typical])


def _unseen(one: One, found: _Corrected, most: float, ratio: Ratio, confidence: float) -> One:
    """No point and no guard saw an event, or one that is none: how many there may be, the guards tell."""
    share = unseen.share_of_run(found.sample, confidence, found.uncovered)
    interval = unseen.interval_of(ratio, share * most / found.denominator, none=not found.top.any())
    return dataclasses.replace(one, interval=interval) if share else one


def _more(found: _Corrected, most: float, confidence: float) -> float:
    """What events may add that no guard saw that stands for others, though points did."""
    drawn = unseen.drawn(found.sample)
    if not drawn.any() or found.top[drawn].any():
        return 0.0
    share = unseen.share_of_run(found.sample, confidence, found.uncovered)
    return share * most / found.denominator if share else 0.0


def notes(points: Points, ones: Mapping[str, One]) -> list[str]:
    """What a reader must know of guards: how far points are off, and which estimates are corrected."""
    if points.guard is None:
        return []
    found = {name: bias for name, one in ones.items() for bias in one.biases if bias.source == GUARDS}
    if not found:
        return ["the guards were not measured: nothing tells how far the points are off"]
    n, most = int(points.is_guard.sum()), max(bias.measurements for bias in found.values())
    of = (
        counted(n, "guard")
        if most == n
        else f"{most:,} of {counted(n, 'guard')}, the others were not measured"
    )
    off = [name for name, bias in found.items() if bias.corrected]
    same = [name for name, bias in found.items() if not bias.corrected]
    said = []
    if off:
        first = _off(found[off[0]], ones[off[0]])
        more = f"; so are {', '.join(off[1:])}" if off[1:] else ""
        said.append(f"by {of}, {off[0]} of the points is {first}, and is corrected{more}")
    if same:
        by = "by them" if off else f"by {of}"
        said.append(f"{by}, the points are not off by more than chance: {', '.join(same)}")
    return said


def _off(bias: Bias, one: One) -> str:
    """How far the points are off, as a share of the corrected estimate."""
    how = "too high" if bias.value > 0 else "too low"
    if not one.value > 0:
        return how
    ends = sorted(abs(end) / one.value for end in bias.interval)
    if ends[1] > _SAYS_LITTLE:
        return how
    return f"{abs(bias.value) / one.value:.1%} {how} ({ends[0]:.1%} to {ends[1]:.1%})"
