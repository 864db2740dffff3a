"""What a criterion may look at when it chooses k."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

import phasemark._core as core
from phasemark.phases.observations import Observations
from phasemark.threads import thread_count


@dataclass(frozen=True)
class Evidence:
    """The clusterings among which to choose, and what they are clusterings of.

    Attributes:
        ks: m whole numbers, ascending: the k evaluated.
        errors: m doubles from 0: the weighted squared error of each, weights summing to 1.
        scores: m doubles: the BIC of each.
        score_n: the number of observations that the scores count.
        observations: what was clustered, in order of time: n points and weights.
        centers: k -> k x d centres.
        threshold: of the rule by BIC.
    """

    ks: NDArray[np.int64]
    errors: NDArray[np.float64]
    scores: NDArray[np.float64]
    score_n: float
    observations: Observations
    centers: Mapping[int, NDArray[np.float64]]
    threshold: float = 0.9

    def up_to(self, k: int) -> Evidence:
        """The same without the clusterings of more than k phases."""
        kept = self.ks <= k
        return replace(self, ks=self.ks[kept], errors=self.errors[kept], scores=self.scores[kept])

    @property
    def dims(self) -> int:
        """d"""
        return int(self.observations.x.shape[1])

    @property
    def whole_error(self) -> float:
        """The weighted squared error of a single phase, whether or not it was evaluated."""
        x, weights = self.observations.x, self.observations.weights
        return float(np.square(x - weights @ x).sum(axis=1) @ weights)

    @property
    def least_error(self) -> float:
        """Errors up to this one are rounding."""
        return self.observations.variance_floor() * self.dims

    def nearest(self, k: int) -> tuple[NDArray[np.int32], NDArray[np.float64]]:
        """Labels and squared distances to the centres: n each."""
        return core.assign(self.observations.x, self.centers[k], thread_count())
