"""Table: the quality of a classification for several metrics, per phase and in all."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import astuple, dataclass, fields

import numpy as np

from phasemark.model import Intervals, Metrics, Phases
from phasemark.quality.confidence import cim
from phasemark.quality.grouping import Grouped
from phasemark.quality.homogeneity import cov, deviation_reduction
from phasemark.quality.measured import Measured, measured

#: In the column `phase`: the whole run as one phase, and the classification.
FULL, ALL = "full", "all"


@dataclass(frozen=True)
class Row:
    """One metric of one phase, of the whole run as one phase (`full`), or of the classification (`all`).

    Attributes:
        metric, phase: whose.
        share: of the instructions.
        intervals: that have a value.
        missing: share of its instructions that were not measured.
        mean, deviation: weighted (see Measured.weights), ddof 0; of `all` within phases, on average.
        cov: coefficient of variation, a share; of `all` CoV_wa.
        cim: percent, with its part of the sample.
        deviation_reduction: against `full`.
        sample: intervals of the sample.
    """

    metric: str
    phase: str
    share: float
    intervals: int
    missing: float
    mean: float
    deviation: float
    cov: float
    cim: float
    deviation_reduction: float
    sample: float


def table(
    metrics: Metrics,
    intervals: Intervals,
    phases: Phases,
    names: Sequence[str],
    *,
    n: float = 100,
    confidence: float = 0.95,
    plan: bool = False,
) -> list[Row]:
    """Measure every metric: `full`, `all`, then one row a phase.

    Args:
        metrics, intervals, phases: of one run.
        names: of the metrics, see `measured`.
        n, confidence, plan: see `cim`.

    Raises:
        DataError: a metric was not measured, or metrics of other intervals than the profile's.
        UsageError: n or confidence makes no sense.
    """
    found: list[Row] = []
    for name in names:
        found += _rows(measured(metrics, intervals, name), phases, n, confidence, plan)
    return found


def columns(rows: Sequence[Row]) -> dict[str, list[object]]:
    """Column -> values, for a file; what is not defined is None."""
    values = zip(*map(astuple, rows), strict=True)
    return {
        field.name: [None if isinstance(v, float) and math.isnan(v) else v for v in column]
        for field, column in zip(fields(Row), values, strict=True)
    }


def _rows(one: Measured, phases: Phases, n: float, confidence: float, plan: bool) -> list[Row]:
    labels = phases.labels
    grouped = Grouped.of(one.values, labels, one.weights)
    spread = cov(one.values, labels, one.weights)
    mean, deviation = grouped.moments()
    whole_mean, whole = grouped.whole()
    interval = cim(one.values, labels, n, confidence, plan=plan)
    reduction = deviation_reduction(one.values, labels, one.weights)
    shares = np.bincount(labels, one.lengths, phases.k) / (float(one.lengths.sum()) or 1.0)
    size, taken = len(grouped.values), float(interval.sample.sum())
    within = whole * (1 - reduction)
    full = (1.0, size, one.missing, whole_mean, whole, spread.before, interval.before, 0.0, taken)
    every = (1.0, size, one.missing, whole_mean, within, spread.total, interval.percent, reduction, taken)
    columns = (
        shares,
        np.bincount(grouped.labels, minlength=phases.k),
        one.missing_of(labels, phases.k),
        mean,
        deviation,
        spread.per_phase,
        interval.per_phase,
        np.array([_reduction(whole, own) for own in deviation.tolist()]),
        interval.sample,
    )
    each = zip(*(column.tolist() for column in columns), strict=True)
    return [
        Row(one.name, FULL, *full),
        Row(one.name, ALL, *every),
        *(Row(one.name, str(phase), *values) for phase, values in enumerate(each)),
    ]


def _reduction(whole: float, own: float) -> float:
    return (whole - own) / whole if whole else (0.0 if own == 0 else math.nan)
