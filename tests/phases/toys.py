"""Two models of phases that a person can check, unlike SimPoint in all that the protocol leaves open."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar, Self

import numpy as np

from phasemark.errors import DataError, UsageError
from phasemark.model import Counts, Phases
from phasemark.phases.estimator import Estimator
from phasemark.phases.fitting import require_sequences
from phasemark.phases.numbering import by_appearance
from phasemark.phases.observations import Observations, matrix
from phasemark.phases.protocol import Input


class EachThread(Estimator):
    """Each sequence is a phase: no centres, no chance, no k to ask for; order is all that matters."""

    name: ClassVar[str] = "each-thread"
    input: ClassVar[Input] = "signatures"
    ordered: ClassVar[bool] = True
    options: ClassVar[tuple[str, ...]] = ()

    def check(self) -> None:
        pass

    def fit(self, X, y=None, sample_weight=None, *, sequences=None, progress=None) -> Self:
        points = Observations.of(X, sample_weight)
        labels = self.predict(points.x, sequences=sequences)
        k = int(labels.max()) + 1
        centers = np.stack([points.x[labels == phase].mean(axis=0) for phase in range(k)])
        if progress:
            progress(1, 1)
        self.phases_ = Phases(
            labels,
            None,
            np.linalg.norm(points.x - centers[labels], axis=1),
            model=self.described(["a phase is a thread"]),
            k=k,
            posterior=np.eye(k)[labels],
            undivided=np.linalg.norm(points.x - points.weights @ points.x, axis=1),
        )
        return self

    def predict(self, X, *, sequences=None):
        lengths = require_sequences(sequences, len(matrix(X)))
        return np.repeat(np.arange(len(lengths), dtype=np.int32), lengths)

    def phases_by_k(self, ks, X, sample_weight=None, *, sequences=None, progress=None) -> dict[int, Phases]:
        raise UsageError("there are as many phases as threads", hint="find phases with another model")


class HottestBlock(Estimator):
    """An interval is of the phase of the block, among the k most executed, that it spends most time in."""

    name: ClassVar[str] = "hottest-block"
    input: ClassVar[Input] = "counts"
    ordered: ClassVar[bool] = False
    options: ClassVar[tuple[str, ...]] = ("k",)

    def __init__(self, k: int = 3, seed: int = 1) -> None:
        self.k = k
        self.seed = seed

    def check(self) -> None:
        if self.k < 1:
            raise UsageError(f"k is {self.k}", hint="it must be at least 1")

    def fit(self, X, y=None, sample_weight=None, *, sequences=None, progress=None) -> Self:
        self.check()
        shares = _shares(X)
        require_sequences(sequences, len(shares))
        self.blocks_ = np.argsort(-_weights(X, sample_weight) @ shares, kind="stable")[: self.k]
        labels, order = by_appearance(shares[:, self.blocks_].argmax(axis=1))
        self.blocks_ = self.blocks_[order]
        of_phases = shares[:, self.blocks_] + 1e-9
        if progress:
            progress(1, 1)
        self.phases_ = Phases(
            labels,
            None,
            1 - shares[np.arange(len(shares)), self.blocks_[labels]],
            {self.k: float(of_phases.sum())},
            model=self.described([]),
            k=len(order),
            posterior=of_phases / of_phases.sum(axis=1, keepdims=True),
            undivided=1 - shares[:, self.blocks_[0]],
        )
        return self

    def predict(self, X, *, sequences=None):
        if not hasattr(self, "blocks_"):
            raise UsageError("not fitted")
        shares = _shares(X)
        require_sequences(sequences, len(shares))
        return shares[:, self.blocks_].argmax(axis=1).astype(np.int32)

    def phases_by_k(
        self, ks: Sequence[int], X, sample_weight=None, *, sequences=None, progress=None
    ) -> dict[int, Phases]:
        parameters: dict[str, Any] = self.get_params()
        models = {k: type(self)(**{**parameters, "k": k}) for k in ks}
        return {k: m.fit(X, None, sample_weight, sequences=sequences).phases_ for k, m in models.items()}


TOYS = {toy.name: toy for toy in (EachThread, HottestBlock)}


def _shares(X: Counts) -> np.ndarray:
    if not isinstance(X, Counts):
        raise DataError(f"counts are asked for, not {type(X).__name__}")
    dense = X.to_scipy().toarray().astype(np.float64)
    return dense / np.maximum(dense.sum(axis=1, keepdims=True), 1)


def _weights(X: Counts, sample_weight) -> np.ndarray:
    weights = X.row_sums() if sample_weight is None else np.asarray(sample_weight, np.float64)
    if len(weights) != len(X) or not (weights >= 0).all():
        bad = int(np.argmin(weights >= 0))
        raise DataError("a weight is negative or not a number", row=bad)
    return weights / weights.sum()
