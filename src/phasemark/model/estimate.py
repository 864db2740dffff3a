"""Estimate: metrics of the whole run, each with its error bar."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from phasemark.errors import DataError
from phasemark.model import _show, shares
from phasemark.model._check import put
from phasemark.model.bias import Bias

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True, repr=False)
class Estimate:
    """What points say of the whole run, metric by metric.

    Attributes:
        value: metric -> estimate; NaN where nothing was measured.
        standard_error: metric -> its standard error; NaN where the points do not tell it.
        interval: metric -> (low, high), which covers the whole run's value with probability `confidence`;
            high is infinite where the points do not bound it.
        degrees_of_freedom: metric -> those of Student's t from which the interval was made.
        coverage: metric -> share of the run's instructions that measured points stand for.
        missing: metric -> rows of the points that were not measured.
        confidence: of the intervals.
        notes: what a reader must know: points missing, phases left out, variances borrowed.
        biases: metric -> what the value is, or was, off for reasons that its points do not show, as far as
            that was looked for.

    Raises:
        DataError: a metric lacks one of these, a value lies outside its interval, a standard error or the
            degrees of freedom are negative, or a coverage or the confidence is no share.
    """

    value: Mapping[str, float]
    standard_error: Mapping[str, float]
    interval: Mapping[str, tuple[float, float]]
    degrees_of_freedom: Mapping[str, float]
    coverage: Mapping[str, float]
    missing: Mapping[str, tuple[int, ...]]
    confidence: float = 0.95
    notes: tuple[str, ...] = ()
    biases: Mapping[str, tuple[Bias, ...]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for name in ("standard_error", "interval", "degrees_of_freedom", "coverage", "missing"):
            if getattr(self, name).keys() != self.value.keys():
                raise DataError(f"{name} is not given for the same metrics as the value")
        if not 0 < self.confidence < 1:
            raise DataError(f"the confidence is {self.confidence:g}", hint="it lies between 0 and 1")
        covered = {metric: shares.whole(share) for metric, share in self.coverage.items()}
        put(self, "coverage", covered)
        for metric, value in self.value.items():
            self._check(metric)
            low, high = self.interval[metric]
            if not np.isnan(value) and not low <= value <= high:
                raise DataError(f"{metric} is {value:g}, outside its interval {low:g} to {high:g}")

    def _check(self, metric: str) -> None:
        for name in ("standard_error", "degrees_of_freedom"):
            if getattr(self, name)[metric] < 0:
                raise DataError(f"{name} of {metric} is negative")
        if not 0 <= self.coverage[metric] <= 1 + 1e-9:
            raise DataError(f"the coverage of {metric} is {self.coverage[metric]:g}, not between 0 and 1")

    def covers(self, metric: str, value: float) -> bool:
        """Whether the interval of a metric covers a value, up to rounding."""
        low, high = self.interval[metric]
        slack = 1e-9 * abs(value)
        return low - slack <= value <= high + slack

    def relative_half_width(self, metric: str) -> float:
        """Half the interval's width as a share of the value; infinite where it is not bounded.

        NaN of a value of 0, of which no interval is a share, unless it has no width.
        """
        low, high = self.interval[metric]
        if high == low:
            return 0.0
        if not np.isfinite(high):
            return np.inf
        return (high - low) / 2 / self.value[metric] if self.value[metric] else np.nan

    def columns(self) -> dict[str, list[object]]:
        """What `frame` shows as plain lists, column by column."""
        names = list(self.value)
        return {
            "metric": list(names),
            "value": [self.value[name] for name in names],
            "standard_error": [self.standard_error[name] for name in names],
            "low": [self.interval[name][0] for name in names],
            "high": [self.interval[name][1] for name in names],
            "degrees_of_freedom": [self.degrees_of_freedom[name] for name in names],
            "coverage": [self.coverage[name] for name in names],
            "missing": [len(self.missing[name]) for name in names],
            **self._bias_columns(),
        }

    def _bias_columns(self) -> dict[str, list[object]]:
        """Of each source of a bias what it is, its standard error, and whether it was corrected."""
        columns: dict[str, list[object]] = {}
        found = {(bias.source, name): bias for name, biases in self.biases.items() for bias in biases}
        for source in dict.fromkeys(source for source, _ in found):
            of = [found.get((source, name)) for name in self.value]
            name = source.replace("-", "_")
            columns[f"{name}_bias"] = [np.nan if bias is None else bias.value for bias in of]
            columns[f"{name}_bias_error"] = [np.nan if bias is None else bias.standard_error for bias in of]
            columns[f"{name}_corrected"] = ["" if bias is None else int(bias.corrected) for bias in of]
        return columns

    def frame(self) -> pd.DataFrame:
        """A table, one row a metric.

        Columns: metric, value, standard_error, low, high, degrees_of_freedom, coverage, and missing: how
        many points were not measured. Where biases were looked for, three more for each source: as
        guards_bias, guards_bias_error and guards_corrected (1: taken off the value, 0: not).
        """
        import pandas as pd

        return pd.DataFrame(self.columns())

    def __repr__(self) -> str:
        first = {
            name: f"{value:.4g} [{self.interval[name][0]:.4g}, {self.interval[name][1]:.4g}]"
            for name, value in list(self.value.items())[:1]
        }
        return _show.line(self, **first, metrics=len(self.value), confidence=self.confidence)

    def _repr_html_(self) -> str:
        return _show.table(self, self.frame())
