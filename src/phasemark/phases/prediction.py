"""How well the next phase is predicted from the intervals before it, beside two guesses that cost nothing."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from phasemark.model import Counts, Signatures
from phasemark.phases.fitting import held_back, lengths_of, require_sequences
from phasemark.phases.multinomial import Multinomial
from phasemark.phases.predictors import PREDICTORS, Past
from phasemark.phases.protocol import PhaseModel


@dataclass(frozen=True)
class Prediction:
    """How often the next interval's phase was foretold, in the ends of sequences that no fit saw.

    Attributes:
        intervals: how many were predicted.
        changes: in how many of them the phase was another than in the one before.
        accuracy: predictor -> share that it got right. `last`: the phase stays; `frequency`: the most
            frequent phase of the part that was fitted; `moves`: what most often followed the last phase
            there; `model`: of a hidden Markov model, the most probable state after all intervals so far.
        at_changes: predictor -> the same of the changes alone; NaN where there are none.
    """

    intervals: int
    changes: int
    accuracy: Mapping[str, float]
    at_changes: Mapping[str, float]


def held_out(
    model: PhaseModel,
    X: Any,
    sample_weight: ArrayLike | None = None,
    *,
    sequences: ArrayLike | None = None,
    share: float = 0.2,
) -> Prediction:
    """Fit a model to the first part of each sequence, predict each interval of the rest from those before.

    What an interval's phase is, the fitted model says of the whole sequence.

    Args:
        model: stays as it is; a copy is fitted.
        X, sample_weight, sequences: as for `fit`; see PhaseModel.
        share: of each sequence's intervals to hold out, between 0 and 1; a sequence of one is fitted.

    Raises:
        UsageError: a parameter makes no sense.
        DataError: the input is malformed, or no sequence is long enough to hold out an interval.
    """
    rows = _rows(X)
    if sample_weight is None and isinstance(X, Signatures):
        sample_weight = X.weights
    n = len(rows) if isinstance(rows, Counts) else rows.shape[0]
    lengths = require_sequences(sequences, n)
    held = held_back(lengths, n, share)
    place = np.arange(n) - np.repeat(np.cumsum(lengths) - lengths, lengths)
    weights = None if sample_weight is None else np.asarray(sample_weight, np.float64)[~held]
    fitted = type(model)(**model.get_params()).fit(
        _those(rows, ~held), sample_weight=weights, sequences=lengths_of(~held, lengths)
    )
    labels = np.asarray(fitted.predict(rows, sequences=lengths), np.int64)
    past = Past(labels, held, place > 0)
    told = {name: guess(past) for name, guess in PREDICTORS.items()}
    if isinstance(fitted, Multinomial) and fitted.ordered:
        following = fitted.predict_next(rows, sequences=lengths)
        told["model"] = np.argmax(following[np.flatnonzero(held) - 1], axis=1)
    return _scored(told, labels[held], past.before)


def _scored(
    told: Mapping[str, NDArray[np.int64]], truth: NDArray[np.int64], before: NDArray[np.int64]
) -> Prediction:
    changed = truth != before
    right = {name: guess == truth for name, guess in told.items()}
    return Prediction(
        len(truth),
        int(changed.sum()),
        {name: float(hits.mean()) for name, hits in right.items()},
        {name: float(hits[changed].mean()) if changed.any() else np.nan for name, hits in right.items()},
    )


def _rows(X: Any) -> Any:
    """Something whose rows can be chosen."""
    from scipy.sparse import issparse

    if isinstance(X, Signatures | Counts):
        return X.matrix if isinstance(X, Signatures) else X
    return X.tocsr() if issparse(X) else np.asarray(X)


def _those(rows: Any, chosen: NDArray[np.bool_]) -> Any:
    return rows.select(np.flatnonzero(chosen)) if isinstance(rows, Counts) else rows[chosen]
