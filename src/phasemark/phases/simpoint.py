"""SimPoint: weighted k-means for many k, scored by BIC."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

import phasemark._core as core
from phasemark.errors import DataError, UsageError, shown
from phasemark.model import Phases, Signatures
from phasemark.model.options import require_given, require_real, require_whole
from phasemark.phases import sampling, search, selection
from phasemark.phases.clustering import Clustering, Kernel, score_n, search_binary
from phasemark.phases.estimator import Estimator
from phasemark.phases.fitting import require_sequences
from phasemark.phases.numbering import by_appearance
from phasemark.phases.observations import Observations, matrix
from phasemark.phases.protocol import Input
from phasemark.progress import Progress
from phasemark.threads import thread_count

DEFAULT_SEED = 1

_INITS = ("incremental", "kmeans++", "furthest", "sample")


class SimPoint(Estimator):
    """Phases by weighted k-means, k chosen by the Bayesian information criterion (BIC).

    "Discovering and exploiting program phases" and, for the weights, "Variable-length intervals",
    section 7. A `phasemark.phases.protocol.PhaseModel`. What is found for a k is a function of points,
    weights, seed and k alone: not of the other k asked for, nor of the number of threads.

    Args:
        max_k: largest number of phases to try; with n intervals no more than (n - 1) // 2 are tried.
        k: the number of phases, or several to choose among; None searches up to max_k.
        search: "all" evaluates every k, a number s every s-th, "binary" about log2(max_k) of them.
        restarts: independent runs for a k, or half the candidates of each kind ("incremental"); the one
            with the lowest squared error counts. See docs/phases.md.
        threshold: the smallest k is taken whose BIC reaches min + threshold x (max - min).
        seed: any whole number. It is what other estimators call random_state, but never None nor a
            generator, which is used up: equal parameters give equal phases.
        init: "incremental" (each k from the one before), or for independent runs "kmeans++", "furthest"
            (furthest first), "sample" (random points), or k x d initial centres, from which a single run
            starts.
        max_iter: most iterations of a run; None: until nothing changes.
        sample_size: cluster a sample of this size when there are more intervals; None: never sample.
        sample_seed: of the sample; None: seed.
        sample_weighting: what a sampled interval weighs: "design", weight / inclusion probability, or
            "literal", its weight.
        effective_n: score with Kish's effective number of intervals instead of their number.
        select: which of the evaluated k is taken: a name in `phasemark.phases.selection.CRITERIA`.
        keep_data: keep the points that were clustered: `phases_of` then gives the phases of every k
            evaluated, and there is `evidence_`. They take 8 d bytes a point, and go into a pickle.

    Attributes:
        phases_: the phases found, as a value.
        labels_: n int32, 0 to k-1 in order of first appearance. Intervals of weight 0 have a label too,
            but no influence.
        k_: number of phases found.
        chosen_k_: the k that was taken from scores_; k_, unless intervals share a place by rounding.
        scores_: k -> BIC, for every k evaluated, in order of evaluation.
        inertia_: k -> weighted squared error x n (SimPoint's distortion).
        cluster_centers_: k_ x d.
        distances_: n doubles, Euclidean distance to the phase's centre.
        clusterings_: k -> Clustering.
        evidence_: what k was chosen from, for any criterion of `phasemark.phases.selection`; only with
            keep_data.
        notes_: sentences a user should read.
        n_features_in_: d.
    """

    name: ClassVar[str] = "simpoint"
    input: ClassVar[Input] = "signatures"
    ordered: ClassVar[bool] = False
    options: ClassVar[tuple[str, ...]] = (
        *("max_k", "k", "search", "restarts", "threshold", "seed", "init", "sample_size", "select"),
    )

    def __init__(
        self,
        max_k: int = 30,
        k: int | Sequence[int] | None = None,
        *,
        search: str | int = "all",
        restarts: int = 5,
        threshold: float = 0.9,
        seed: int = DEFAULT_SEED,
        init: str | ArrayLike = "incremental",
        max_iter: int | None = 100,
        sample_size: int | None = 100_000,
        sample_seed: int | None = None,
        sample_weighting: str = "design",
        effective_n: bool = False,
        select: str = selection.DEFAULT,
        keep_data: bool = False,
    ) -> None:
        self.max_k = max_k
        self.k = k
        self.search = search
        self.restarts = restarts
        self.threshold = threshold
        self.seed = seed
        self.init = init
        self.max_iter = max_iter
        self.sample_size = sample_size
        self.sample_seed = sample_seed
        self.sample_weighting = sample_weighting
        self.effective_n = effective_n
        self.select = select
        self.keep_data = keep_data

    def fit(
        self,
        X: ArrayLike | Signatures,
        y: object = None,
        sample_weight: ArrayLike | None = None,
        *,
        sequences: ArrayLike | None = None,
        progress: Progress | None = None,
    ) -> Self:
        """Find the phases.

        Args:
            X: n x d points, or Signatures, which bring their weights.
            y: not used; here by scikit-learn's convention.
            sample_weight: n weights from 0, in any unit; None: those of Signatures, else all equal.
            sequences: numbers of points that sum to n; without influence: what is found for a k does not
                depend on the order of the points.
            progress: told how many k are done, of how many.

        Raises:
            UsageError: a parameter makes no sense.
            DataError: a value is not finite or a weight negative; names the row.
        """
        self.check()
        _warn_of_y(y)
        everything = Observations.of(X, sample_weight)
        require_sequences(sequences, len(everything))
        weighty = everything.weights > 0
        clustered = everything if weighty.all() else everything.rows(weighty)
        self.notes_: list[str] = []
        self.n_features_in_ = everything.x.shape[1]
        drawn = self._sample(clustered)
        self.clusterings_ = self._evaluate(drawn, progress)
        self.scores_ = {k: clustering.score for k, clustering in self.clusterings_.items()}
        self.inertia_ = {k: clustering.inertia for k, clustering in self.clusterings_.items()}
        evidence = self._evidence(drawn)
        self.chosen_k_ = selection.choose(self.select, evidence)
        data = _Data(everything, sampled=drawn is not clustered)
        self._take(self._phases_of(self.chosen_k_, data))
        self._keep(data, evidence)
        return self

    def predict(self, X: ArrayLike | Signatures, *, sequences: ArrayLike | None = None) -> NDArray[np.int32]:
        """The phase with the nearest centre for each of n x d points: n int32.

        Raises:
            UsageError: the model is not fitted.
            DataError: a value is not finite, or d differs from the fitted one.
        """
        self._require_fitted()
        x = matrix(X)
        if x.shape[1] != self.n_features_in_:
            raise DataError(
                f"X has {x.shape[1]} features, but SimPoint is expecting {self.n_features_in_} features as "
                "input",
                hint="project both with the same number of dimensions and the same seed",
            )
        require_sequences(sequences, len(x))
        labels, _ = core.assign(x, self.cluster_centers_, thread_count())
        return labels

    def fit_predict(
        self, X: ArrayLike | Signatures, y: object = None, sample_weight: ArrayLike | None = None
    ) -> NDArray[np.int32]:
        """Fit, and the phase of each point: n int32."""
        return self.fit(X, y, sample_weight).labels_

    def phases_of(self, k: int) -> Phases:
        """The phases for any of the k evaluated, as a value; for others than `chosen_k_` with keep_data.

        Raises:
            UsageError: the model is not fitted, k was not evaluated, or the data were not kept.
        """
        self._require_fitted()
        if k == self.chosen_k_:
            return self.phases_
        if k not in self.clusterings_:
            raise UsageError(
                f"no clustering of {k} phases", hint=f"take one of {', '.join(map(str, self.clusterings_))}"
            )
        if self._data is None:
            raise UsageError(
                f"the phases of k = {k} need the data, which were not kept",
                hint=f"fit SimPoint(..., keep_data=True), or SimPoint(k={k})",
            )
        return self._phases_of(k, self._data)

    def phases_by_k(
        self,
        ks: Sequence[int],
        X: ArrayLike | Signatures,
        sample_weight: ArrayLike | None = None,
        *,
        sequences: ArrayLike | None = None,
        progress: Progress | None = None,
    ) -> dict[int, Phases]:
        """The phases for several numbers of phases, all other parameters being equal.

        Args:
            ks: numbers of phases; those beyond the number of different points are left out.
            X, sample_weight, sequences, progress: see `fit`.

        Raises:
            UsageError: a parameter makes no sense, or initial centres are given, which are those of one k.
            DataError: as `fit`.
        """
        if not isinstance(self.init, str):
            raise UsageError(
                "initial centres were given, which are those of one number of phases",
                hint=f"set init to {' or '.join(_INITS)}",
            )
        changed = {"k": list(ks), "select": selection.DEFAULT, "keep_data": True}
        model = type(self)(**{**self.get_params(), **changed})
        model.fit(X, sample_weight=sample_weight, sequences=sequences, progress=progress)
        return {k: model.phases_of(k) for k in sorted(model.clusterings_)}

    @classmethod
    def for_variable(cls, n: int) -> dict[str, Any]:
        """Parameters that suit n intervals of variable length better than the defaults."""
        return {"max_k": search.most_variable(n, cls().max_k), "select": selection.FOR_VARIABLE}

    def check(self) -> None:
        """See that the parameters make sense, as `fit` does first.

        Raises:
            UsageError: one does not; names it, and what it must be.
        """
        require_given(max_k=self.max_k, restarts=self.restarts, threshold=self.threshold, seed=self.seed)
        require_whole(
            max_k=self.max_k,
            restarts=self.restarts,
            seed=self.seed,
            max_iter=self.max_iter,
            sample_size=self.sample_size,
            sample_seed=self.sample_seed,
            **{"k": self.k} if np.ndim(self.k) == 0 else {f"k[{i}]": k for i, k in enumerate(self.k)},  # type: ignore[arg-type]
        )
        require_real(threshold=self.threshold)
        wrong = [
            (name, value, need)
            for name, value, good, need in (
                ("max_k", self.max_k, self.max_k >= 1, "at least 1"),
                ("k", self.k, self.k is None or min(self._wanted(), default=0) >= 1, "at least 1"),
                ("search", self.search, _is_search(self.search), "all, binary, or a step from 1"),
                ("restarts", self.restarts, self.restarts >= 1, "at least 1"),
                ("threshold", self.threshold, 0 <= self.threshold <= 1, "from 0 to 1, as 0.9 for 90%"),
                ("init", self.init, self._given() is not None or self.init in _INITS, " or ".join(_INITS)),
                ("max_iter", self.max_iter, _none_or_positive(self.max_iter), "at least 1"),
                ("sample_size", self.sample_size, _none_or_positive(self.sample_size), "at least 1"),
                (
                    "sample_weighting",
                    self.sample_weighting,
                    self.sample_weighting in ("design", "literal"),
                    "design or literal",
                ),
                ("select", self.select, self.select in selection.CRITERIA, ", ".join(selection.CRITERIA)),
            )
            if not good
        ]
        for name, value, need in wrong:
            raise UsageError(f"{name} is {shown(value)}", hint=f"it must be {need}")

    def _wanted(self) -> list[int]:
        return [self.k] if isinstance(self.k, int | np.integer) else list(self.k or ())

    def _given(self) -> NDArray[np.float64] | None:
        return None if isinstance(self.init, str) else matrix(self.init)

    def _sample(self, observations: Observations) -> Observations:
        if self.sample_size is None or len(observations) <= self.sample_size:
            return observations
        seed = self.seed if self.sample_seed is None else self.sample_seed
        sample = sampling.draw(
            observations.weights, self.sample_size, seed, literal=self.sample_weighting == "literal"
        )
        self.notes_.append(f"clustered a sample of {len(sample.rows):,} of {len(observations):,} intervals")
        return Observations(np.ascontiguousarray(observations.x[sample.rows]), sample.weights)

    def _evaluate(self, observations: Observations, progress: Progress | None) -> dict[int, Clustering]:
        kernel = Kernel(self, observations)
        given = self._given()
        if given is not None:
            if given.shape[1] != self.n_features_in_:
                raise DataError(
                    f"initial centres of {given.shape[1]} dimensions, points of {self.n_features_in_}"
                )
            return {len(given): kernel.run_from(given)}
        ks = self._attainable(observations)
        if self.k is None and self.search == "binary":
            return search_binary(kernel, ks[-1], self.threshold, progress)
        return kernel.run(ks, progress and (lambda done: progress(done, len(ks))))

    def _evidence(self, observations: Observations) -> selection.Evidence:
        ks = sorted(self.clusterings_)
        return selection.Evidence(
            ks=np.array(ks, np.int64),
            errors=np.array([self.inertia_[k] for k in ks]) / len(observations),
            scores=np.array([self.scores_[k] for k in ks]),
            score_n=score_n(self, observations),
            observations=observations,
            centers={k: clustering.centers for k, clustering in self.clusterings_.items()},
            threshold=self.threshold,
        )

    def _attainable(self, observations: Observations) -> list[int]:
        """The k to evaluate (or, for a binary search, up to which), given how many points differ."""
        if self.k is not None:
            asked = self._wanted()
        else:
            top = min(self.max_k, search.most_phases(len(observations)))
            asked = search.every(top, self.search if isinstance(self.search, int) else 1)
        ks, notes = search.attainable(asked, observations.distinct)
        self.notes_ += notes
        return ks

    def _phases_of(self, k: int, data: _Data) -> Phases:
        everything = data.observations
        centers = self.clusterings_[k].centers
        labels, squared = core.assign(everything.x, centers, thread_count())
        if data.sampled:
            centers = _weighted_means(everything, labels, centers)
            squared = np.square(everything.x - centers[labels]).sum(axis=1)
        labels, order = by_appearance(labels)
        distances, scores, inertia = np.sqrt(squared), dict(self.scores_), dict(self.inertia_)
        return Phases(labels, centers[order], distances, scores, inertia, self._description())

    def _take(self, phases: Phases) -> None:
        self.phases_ = phases
        self.labels_ = phases.labels
        self.cluster_centers_: NDArray[np.float64] = _centers(phases)
        self.distances_ = phases.distances
        self.k_ = phases.k

    def _keep(self, data: _Data, evidence: selection.Evidence) -> None:
        vars(self).pop("evidence_", None)
        self._data = data if self.keep_data else None
        if self.keep_data:
            self.evidence_ = evidence

    def _require_fitted(self) -> None:
        if not hasattr(self, "phases_"):
            raise UsageError("this SimPoint is not fitted yet", hint="call fit first")

    def _description(self) -> dict[str, Any]:
        changed: dict[str, Any] = {}
        if not isinstance(self.init, str):
            changed["init"] = "given"
        if self.k is not None:
            changed["k"] = self._wanted()
        described = self.described(self.notes_, **changed)
        del described["keep_data"]  # has no part in what is found
        return described


@dataclass(frozen=True)
class _Data:
    """What a model was fitted to, and whether only a sample of it was clustered."""

    observations: Observations
    sampled: bool


def _warn_of_y(y: object) -> None:
    """The second positional argument is no weight, though one might think so: say it."""
    if y is not None:
        warnings.warn("y is not used; weights are given as sample_weight=...", UserWarning, stacklevel=3)


def _centers(phases: Phases) -> NDArray[np.float64]:
    assert phases.centers is not None
    return phases.centers


def _weighted_means(
    observations: Observations, labels: NDArray[np.int32], centers: NDArray[np.float64]
) -> NDArray[np.float64]:
    k = len(centers)
    total = np.bincount(labels, observations.weights, k)[:, None]
    sums = np.stack(
        [np.bincount(labels, observations.weights * column, k) for column in observations.x.T], axis=1
    )
    return np.where(total > 0, sums / np.where(total > 0, total, 1.0), centers)


def _none_or_positive(value: int | None) -> bool:
    return value is None or value >= 1


def _is_search(value: object) -> bool:
    return value in ("all", "binary") or (isinstance(value, int) and value >= 1)
