"""Table: the quality of a classification for several metrics, per phase and in all."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import astuple, dataclass, fields
from typing import TYPE_CHECKING

import numpy as np

from phasemark.errors import counted
from phasemark.model import Phases, given
from phasemark.model.given import IntervalsLike, MetricsLike, PhasesLike
from phasemark.quality.confidence import cim
from phasemark.quality.grouping import Grouped
from phasemark.quality.homogeneity import cov, deviation_reduction
from phasemark.quality.measured import Measured, measured
from phasemark.quality.measured import names as usual_names

if TYPE_CHECKING:
    import pandas as pd

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


class Table(list[Row]):
    """The rows of one metric after another."""

    def __repr__(self) -> str:
        metrics = dict.fromkeys(row.metric for row in self)
        phases = {row.phase for row in self} - {FULL, ALL}
        return f"<Table: {', '.join(metrics) or 'no metric'} in {counted(len(phases), 'phase')}>"

    def _repr_html_(self) -> str:
        return str(self.frame().to_html(index=False))

    def frame(self) -> pd.DataFrame:
        """A table with the columns of Row."""
        import pandas as pd

        return pd.DataFrame(list(map(astuple, self)), columns=[field.name for field in fields(Row)])


def table(
    metrics: MetricsLike,
    intervals: IntervalsLike,
    phases: PhasesLike,
    names: str | Sequence[str] | None = None,
    *,
    n: float = 100,
    confidence: float = 0.95,
    plan: bool = False,
) -> Table:
    """Measure every metric: `full`, `all`, then one row a phase.

    Args:
        metrics, intervals, phases: of one run; its profile in place of the intervals, a fitted model in
            place of the phases, and frames are as good.
        names: of the metrics, see `measured`; None: all ratios, else the counters.
        n, confidence, plan: see `cim`.

    Raises:
        DataError: a metric was not measured, or metrics or phases of other intervals than the profile's.
        UsageError: n or confidence makes no sense, or something is no metrics, intervals or phases.
    """
    metrics, intervals, phases = given.metrics(metrics), given.intervals(intervals), given.phases(phases)
    wanted = usual_names(metrics) if names is None else given.names(names)
    rows = Table()
    for name in wanted:
        rows += _rows(measured(metrics, intervals, name), phases, n, confidence, plan)
    return rows


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
    interval = cim(one.values, labels, n, confidence, plan=plan, weights=one.lengths)
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
