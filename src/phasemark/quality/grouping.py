"""Grouping: a metric's values by phase, missing values left out and counted."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from phasemark.errors import DataError
from phasemark.model import given
from phasemark.model.given import LabelsLike, WeightsLike
from phasemark.quality.measured import Measured

#: Values of a metric, one an interval.
ValuesLike: TypeAlias = ArrayLike | Measured

#: Tables have a row a phase: labels may skip numbers, but not ask for any amount of memory.
_MOST_PHASES = 2**20


@dataclass(frozen=True, eq=False)
class Grouped:
    """The rows of a classification that have a value.

    Attributes:
        values, labels, weights: of these rows; the weights sum to 1.
        k: number of phases, those without a row among them.
        missing: share of the weight that has no value.
    """

    values: NDArray[np.float64]
    labels: NDArray[np.int64]
    weights: NDArray[np.float64]
    k: int
    missing: float

    @classmethod
    def of(cls, values: ValuesLike, labels: LabelsLike, weights: WeightsLike | None = None) -> Grouped:
        """Check the rows and leave out those without a value.

        Raises:
            UsageError: something that cannot be values, labels or weights.
            DataError: numbers of rows that differ, an infinite value, a label that is negative or far
                larger than the number of rows, a weight that is negative or not a number.
        """
        value = values.values if isinstance(values, Measured) else given.numbers(values, "values")
        label = given.labels(labels)
        weight = np.ones(len(value)) if weights is None else given.weights(weights)
        if not value.shape == label.shape == weight.shape:
            raise DataError(
                f"{value.size} values, {label.size} labels and {weight.size} weights",
                hint="give one of each for every interval",
            )
        _require(~np.isinf(value), "a value is infinite")
        _require(np.isfinite(weight) & (weight >= 0), "a weight is negative or not a number")
        _require(
            label < max(len(label), _MOST_PHASES),
            "a label is far larger than the number of intervals",
            hint="number the phases from 0: numpy.unique(labels, return_inverse=True)[1]",
        )
        there = ~np.isnan(value) & (weight > 0)
        whole, kept = float(weight.sum()), float(weight[there].sum())
        scaled = weight[there] / kept if kept else weight[there]
        missing = float(weight[np.isnan(value)].sum()) / whole if whole else 0.0
        return cls(value[there], label[there], scaled, int(label.max(initial=-1)) + 1, missing)

    def as_one(self) -> Grouped:
        """The same rows in a single phase."""
        return Grouped(self.values, np.zeros_like(self.labels), self.weights, 1, self.missing)

    @property
    def shares(self) -> NDArray[np.float64]:
        """Weight of each phase, k doubles that sum to 1."""
        return np.asarray(np.bincount(self.labels, self.weights, self.k), np.float64)

    def moments(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Weighted mean and deviation (ddof 0) of each phase; NaN for a phase without a row."""
        return _moments(self.values, self.labels, self.weights, self.k)

    def whole(self) -> tuple[float, float]:
        """Weighted mean and deviation (ddof 0) of all rows as one phase; NaN where there are none."""
        mean, deviation = _moments(self.values, np.zeros_like(self.labels), self.weights, 1)
        return float(mean[0]), float(deviation[0])


def _moments(
    values: NDArray[np.float64], labels: NDArray[np.int64], weights: NDArray[np.float64], k: int
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """In two passes, about each phase's first value: equal values then have no deviation at all."""
    reference = np.zeros(k)
    reference[labels[::-1]] = values[::-1]
    share = np.bincount(labels, weights, k)
    with np.errstate(invalid="ignore"):
        offset = np.bincount(labels, weights * (values - reference[labels]), k) / share
        squares = np.bincount(labels, weights * (values - reference[labels] - offset[labels]) ** 2, k)
        return reference + offset, np.sqrt(squares / share)


def _require(good: NDArray[np.bool_], message: str, hint: str = "") -> None:
    if not good.all():
        raise DataError(message, row=int(np.argmin(good)), hint=hint)
