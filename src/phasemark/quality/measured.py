"""Measured: one metric, a value and a weight for every interval of a profile."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from phasemark.errors import DataError
from phasemark.model import Intervals, Metrics, Ratio, given
from phasemark.model.given import IntervalsLike, MetricsLike

if TYPE_CHECKING:
    import pandas as pd

#: What stands side by side where not all can: the metrics of table 1 of the paper, in its order.
_FOREMOST = ("cpi", "branch_mpki", "l1d_mpki", "l1i_mpki", "epi", "l2_mpki")

#: Averaged with cycles as weights, IPC is as additive as CPI.
IPC = Ratio("ipc", "instructions", "cycles", 1.0, "IPC")


@dataclass(frozen=True, eq=False)
class Measured:
    """A metric of the intervals of a profile.

    Attributes:
        name, title: how it is called.
        values: one double an interval; NaN where it was not measured or is not defined (a miss rate where
            nothing was referenced).
        weights: what the values are averaged with, so that the mean is that of the whole: a ratio's
            denominator (instructions for CPI), or the interval's length; 0 where there is no value.
        known: whether the interval was measured.
        lengths: instructions of the intervals.
    """

    name: str
    title: str
    values: NDArray[np.float64]
    weights: NDArray[np.float64]
    known: NDArray[np.bool_]
    lengths: NDArray[np.float64]

    def __repr__(self) -> str:
        known = np.count_nonzero(self.known)
        return f"<Measured: {self.name} of {known:,} of {len(self.values):,} intervals>"

    def frame(self) -> pd.DataFrame:
        """A table with columns value, weight, known and length, one row an interval."""
        import pandas as pd

        columns = {"value": self.values, "weight": self.weights, "known": self.known, "length": self.lengths}
        return pd.DataFrame(columns)

    @property
    def missing(self) -> float:
        """Share of the instructions that were not measured."""
        return float(self.missing_of(np.zeros(len(self.values), np.int32), 1)[0])

    def missing_of(self, labels: NDArray[np.int32], k: int) -> NDArray[np.float64]:
        """Share of each phase's instructions that were not measured, k doubles."""
        whole = np.bincount(labels, self.lengths, k)
        gone = np.bincount(labels, self.lengths * ~self.known, k)
        return np.divide(gone, whole, out=np.zeros(k), where=whole > 0)


def names(metrics: MetricsLike) -> list[str]:
    """The metrics to show where none is asked for: all ratios, else the counters."""
    metrics = given.metrics(metrics)
    return list(metrics.with_instructions().ratios()) or list(metrics.counters)


def foremost(names: Sequence[str]) -> list[str]:
    """The metrics of table 1 of "Discovering and exploiting program phases"; else as many of the first."""
    known = [name for name in _FOREMOST if name in names]
    return known if len(names) > len(_FOREMOST) and known else list(names)[: len(_FOREMOST)]


def measured(metrics: MetricsLike, intervals: IntervalsLike, name: str) -> Measured:
    """A metric by interval.

    Args:
        metrics: counters, whose rows are intervals of the profile; or their frame.
        intervals: of the profile, or the profile itself.
        name: a ratio (`cpi`, `l1d_mpki` ...), `ipc`, or a counter, which is then taken per instruction.

    Raises:
        DataError: it was not measured, or a row is of another interval than the profile's.
    """
    metrics, intervals = given.metrics(metrics).with_instructions(), given.intervals(intervals)
    rows = rows_of(metrics, intervals)
    length = intervals.length.astype(np.float64)
    ratio = {**metrics.ratios(), "ipc": IPC}.get(name)
    if ratio is None or ratio.numerator not in metrics.counters or ratio.denominator not in metrics.counters:
        top, bottom, ratio = (
            _by_interval(metrics.values(name), rows),
            length,
            Ratio(name, name, "length", 1.0, f"{name} per instruction"),
        )
    else:
        top, bottom = (
            _by_interval(metrics.counters[counter], rows) for counter in (ratio.numerator, ratio.denominator)
        )
    there = ~(np.isnan(top) | np.isnan(bottom))
    return Measured(
        name, ratio.title or name, ratio.of(top, bottom), np.where(there, bottom, 0.0), there, length
    )


def rows_of(metrics: Metrics, intervals: Intervals) -> NDArray[np.int64]:
    """The row of each interval, -1 where it has none.

    Raises:
        DataError: a row is of an interval that the profile has not, or has with another length.
    """
    rows = metrics.rows(intervals.run, intervals.thread, intervals.index)
    there = np.flatnonzero(rows >= 0)
    strange = np.ones(len(metrics), np.bool_)
    strange[rows[there]] = (metrics.start[rows[there]] != intervals.start[there]) | (
        metrics.length[rows[there]] != intervals.length[there]
    )
    if strange.any():
        row = int(np.argmax(strange))
        raise DataError(
            f"interval {metrics.index[row]:,} at {metrics.start[row]:,}, {metrics.length[row]:,} "
            "instructions long, is none of the profile's",
            row=row,
            hint=_hint(metrics, intervals),
        )
    return rows


def _by_interval(values: NDArray[np.float64], rows: NDArray[np.int64]) -> NDArray[np.float64]:
    return np.where(rows >= 0, values[rows], np.nan) if len(values) else np.full(len(rows), np.nan)


def _hint(metrics: Metrics, intervals: Intervals) -> str:
    if len(metrics) == 1 and len(intervals) > 1:
        return "it holds the whole run as one: measure every interval to see how they vary"
    return "measure the intervals of this profile, or find the phases of the run that was measured"
