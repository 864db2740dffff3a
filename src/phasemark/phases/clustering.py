"""Clusterings of weighted points for many k, by the compiled k-means."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

import phasemark._core as core
from phasemark.phases import search
from phasemark.phases.observations import Observations
from phasemark.progress import Progress
from phasemark.threads import thread_count

#: With more phases than this, and as many different points, every point is a phase, and nothing is searched.
_EACH_ALONE = 100


class Settings(Protocol):
    """What of a model decides how it clusters: parameters of `phasemark.phases.SimPoint`."""

    seed: int
    init: Any
    restarts: int
    max_iter: int | None
    effective_n: bool


@dataclass(frozen=True)
class Clustering:
    """The best of the runs for one k.

    Attributes:
        centers: k x d, the weighted means of their points.
        initial_centers: k x d, from which the run started.
        score: BIC.
        inertia: weighted squared error x n, weights summing to 1 (SimPoint's distortion).
    """

    centers: NDArray[np.float64]
    initial_centers: NDArray[np.float64]
    score: float
    inertia: float


class Kernel:
    """The compiled k-means with everything but k bound."""

    def __init__(self, model: Settings, observations: Observations) -> None:
        self.model = model
        self.x = observations.x
        self.weights = observations.weights
        self.n = len(observations)
        self.score_n = score_n(model, observations)
        self.floor = observations.variance_floor()
        self.max_iter = search.NO_LIMIT if model.max_iter is None else model.max_iter

    def run(self, ks: list[int], progress: Callable[[int], object] | None = None) -> dict[int, Clustering]:
        """The best of the runs for each k."""
        if max(ks) > _EACH_ALONE and self.model.init == "incremental":
            alone = self._each_alone(max(ks))
            if alone is not None:
                others = self.run(rest, progress) if (rest := [k for k in ks if k < max(ks)]) else {}
                return {k: others.get(k, alone) for k in ks}
        model = self.model
        fits = core.kmeans(
            self.x,
            self.weights,
            ks,
            model.seed % 2**64,
            _candidates(model),
            self.max_iter,
            str(model.init),
            self.score_n,
            self.floor,
            thread_count(),
            progress,
        )
        return {k: self._clustering(fit) for k, fit in zip(ks, fits, strict=True)}

    def _each_alone(self, k: int) -> Clustering | None:
        """The only clustering without an error, where there are as many different points as phases.

        To come to it by all smaller k, which is what "incremental" does, takes minutes for a thousand.
        """
        distinct, first = np.unique(self.x, axis=0, return_index=True)
        return self.run_from(self.x[np.sort(first)]) if len(distinct) == k else None

    def run_from(self, centers: NDArray[np.float64]) -> Clustering:
        """A run that starts from given centres."""
        return self._clustering(
            core.kmeans_from(self.x, self.weights, centers, self.max_iter, self.score_n, self.floor)
        )

    def _clustering(self, fit: core.KMeansFit) -> Clustering:
        return Clustering(fit["centers"], fit["initial_centers"], fit["score"], fit["error"] * self.n)


def score_n(model: Settings, observations: Observations) -> float:
    """How many points the score takes the weighted ones for."""
    return observations.effective_n() if model.effective_n else float(len(observations))


def search_binary(
    kernel: Kernel, max_k: int, threshold: float, progress: Progress | None
) -> dict[int, Clustering]:
    """The clusterings that a binary search for the smallest k that is good enough comes by."""
    clusterings: dict[int, Clustering] = {}
    expected = math.floor(math.log2(max_k)) + 3
    # The search for max_k passes every smaller k.
    known = kernel.run(search.every(max_k)) if kernel.model.init == "incremental" else {}

    def evaluate(k: int) -> float:
        clusterings[k] = known[k] if k in known else kernel.run([k])[k]
        if progress:
            progress(len(clusterings), max(expected, len(clusterings)))
        return clusterings[k].score

    search.binary(max_k, threshold, evaluate)
    return clusterings


def _candidates(model: Settings) -> int:
    return search.candidates(model.restarts) if str(model.init) == "incremental" else model.restarts
