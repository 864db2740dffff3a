"""Phases: a label for every interval, and how it came about."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from phasemark.errors import DataError
from phasemark.model._check import column, matrix, put, require


@dataclass(frozen=True, eq=False)
class Phases:
    """A classification of intervals.

    Attributes:
        labels: n int32, 0 to k-1, numbered by first appearance.
        centers: k x d doubles: the phases' (weighted) centroids.
        distances: n doubles: Euclidean distance of each interval to its phase's centroid.
        scores: k -> BIC, for every k that was evaluated.
        inertia: k -> weighted squared error x n (SimPoint's distortion).
        model: the fitting method and its parameters, seed included: values that JSON can hold.

    Raises:
        DataError: a label out of range, or shapes that differ.
    """

    labels: NDArray[np.int32]
    centers: NDArray[np.float64]
    distances: NDArray[np.float64]
    scores: dict[int, float] = field(default_factory=dict)
    inertia: dict[int, float] = field(default_factory=dict)
    model: dict[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        put(self, "labels", column("labels", self.labels, np.int32))
        put(self, "centers", matrix("the table of centroids", self.centers))
        put(self, "distances", column("distances", self.distances, np.float64, len(self.labels)))
        require((self.labels >= 0) & (self.labels < self.k), "an interval's phase is not among the phases")
        if len(self.labels) and not np.bincount(self.labels, minlength=self.k).all():
            raise DataError("a phase has no interval")

    @property
    def k(self) -> int:
        """Number of phases."""
        return len(self.centers)

    def __len__(self) -> int:
        return len(self.labels)

    def shares(self, weights: NDArray[np.float64]) -> NDArray[np.float64]:
        """Weight of each phase: k doubles that sum as the weights do."""
        return np.asarray(np.bincount(self.labels, weights=weights, minlength=self.k), np.float64)
