"""From fitted states to phases: labels of all rows, how untypical each is, and the states as a value."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from phasemark.model import Phases, StateMachine
from phasemark.phases.evidence import Doubles, Evidence, csr_of
from phasemark.phases.state_model import StateModel

#: A smaller share of a state's instructions in a block is not told.
_LEAST_SHARE = 1e-6


@dataclass(frozen=True, eq=False)
class FitData:
    """What a model is fitted on.

    Attributes:
        given: all rows, over blocks.
        everything: all rows, as the model sees them.
        scaled: those that weigh something, with as much evidence as they are to be.
        weighty: which those are.
        lengths, kept: of the sequences of all rows, and of those that weigh something.
    """

    given: Evidence
    everything: Evidence
    scaled: Evidence
    weighty: NDArray[np.int64]
    lengths: NDArray[np.int64]
    kept: NDArray[np.int64]


def phases_of(
    model: StateModel,
    data: FitData,
    labels: NDArray[np.int32],
    posteriors: Doubles,
    *,
    scores: dict[int, float],
    described: dict[str, Any],
    evidence: float,
    projected: bool,
) -> Phases:
    """The phases that a model's states are.

    Args:
        model: its states are numbered as the labels are, those that no row is in last.
        data: of the fit.
        labels: all rows' states.
        posteriors: of the rows that weigh something, a column for each state that a row is in.
        scores, described: see Phases: `scores` and `model`.
        evidence: instructions that a mean interval counts for.
        projected: the model does not see blocks.
    """
    k, everything = posteriors.shape[1], data.everything
    divergence = np.stack([everything.against(theta) for theta in model.theta[:k]], axis=1)
    posterior = np.eye(k)[labels]
    sums = posteriors.sum(axis=1)
    certain = sums > 0
    posterior[data.weighty[certain]] = posteriors[certain] / sums[certain, None]
    return Phases(
        labels,
        None,
        np.sqrt(divergence[np.arange(len(labels)), labels]),
        dict(scores),
        model=described,
        k=k,
        posterior=posterior,
        undivided=np.sqrt(everything.against(everything.background())),
        states=_machine(model, data, labels, evidence, projected),
    )


def _machine(
    model: StateModel, data: FitData, labels: NDArray[np.int32], evidence: float, projected: bool
) -> StateMachine:
    states = len(model.start)
    shares = np.bincount(labels, data.everything.weights, states)
    theta = data.given.by_label(labels, states) if projected else model.theta
    indptr, indices, blocks = csr_of(theta, _LEAST_SHARE)
    return StateMachine(
        start=model.start / model.start.sum(),
        transitions=model.transitions() if len(model.moves) else None,
        shares=shares / shares.sum(),
        indptr=indptr,
        indices=indices,
        blocks=blocks,
        columns=data.given.columns,
        log_likelihood=float(model.log_likelihoods[-1]),
        steps=len(model.log_likelihoods) - 1,
        converged=model.converged,
        evidence=evidence,
        leaving=model.leaving if model.leaving.size else None,
    )


def kept_of(lengths: NDArray[np.int64], rows: NDArray[np.int64]) -> NDArray[np.int64]:
    """How many of the rows lie in each sequence; sequences without one are gone."""
    ends = np.cumsum(lengths)
    counts = np.diff(np.searchsorted(rows, ends), prepend=0)
    return counts[counts > 0].astype(np.int64)


def label_rest(labels: NDArray[np.int32], data: FitData, theta: Doubles) -> None:
    """Rows of no weight get the state nearest to what they execute; empty ones that of the row before."""
    rest = np.flatnonzero(labels < 0)
    if not len(rest):
        return
    rows, lengths = data.everything.select(rest), data.lengths
    divergence = np.stack([rows.against(shares) for shares in theta], axis=1)
    nearest = np.where(np.isnan(divergence), np.inf, divergence).argmin(axis=1)
    filled = rows.sums > 0
    labels[rest[filled]] = nearest[filled]
    first = np.repeat(np.cumsum(lengths) - lengths, lengths)
    for row in rest[~filled]:
        known = labels[first[row] : row]
        labels[row] = known[-1] if len(known) else _next_known(labels, row)


def _next_known(labels: NDArray[np.int32], row: int) -> int:
    known = labels[row:][labels[row:] >= 0]
    return int(known[0]) if len(known) else int(labels[labels >= 0][-1])
