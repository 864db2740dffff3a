"""One fitted number of multinomial states, and what it says of rows."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

import phasemark._core as core
from phasemark.model.states import mean_durations
from phasemark.phases.evidence import Doubles, Evidence


@dataclass(frozen=True, eq=False)
class StateModel:
    """One fitted number of states.

    Attributes:
        start: of each state, the probability to begin a sequence; of a mixture, of an interval.
        moves: states x states, from row to column; none of a mixture; of states whose durations are learnt,
            where one that is left goes.
        theta: states x blocks, the shares in which each state executes them.
        log_likelihoods: before the first step of expectation maximisation and after each.
        restarts: the final log likelihood of each restart.
        converged: whether the best one stopped growing.
        leaving: states x longest: the probability to leave a state after 1, 2, ... longest intervals in it,
            the last one from there on; states x 0 where durations are not learnt.
        score: log likelihood less the penalty of the Bayesian information criterion.
    """

    start: Doubles
    moves: Doubles
    theta: Doubles
    log_likelihoods: Doubles
    restarts: Doubles
    converged: bool
    leaving: Doubles
    score: float = field(default=0.0)

    @classmethod
    def of(cls, found: core.MultinomialFit, restarts: Doubles) -> StateModel:
        """What the kernel found."""
        return cls(
            found["start"],
            found["moves"],
            found["theta"],
            found["log_likelihoods"],
            restarts,
            found["converged"],
            found["leaving"],
        )

    def ordered_as(self, order: NDArray[np.int64]) -> StateModel:
        """The same with its states in another order."""
        return replace(
            self,
            start=self.start[order],
            moves=self.moves[np.ix_(order, order)] if len(self.moves) else self.moves,
            theta=self.theta[order],
            leaving=self.leaving[order],
        )

    def for_unseen(self, smoothing: float) -> StateModel:
        """The same, to which a block that the fit never saw is equally unlikely in every state."""
        unseen = np.asarray(self.theta.max(axis=0) <= 0)
        if not unseen.any():
            return self
        share = max(smoothing, np.finfo(np.float64).eps) / len(unseen)
        return replace(self, theta=np.where(unseen, share, self.theta))

    def for_impossible(self) -> StateModel:
        """The same, to which every block, move and beginning is possible, if hardly."""
        least = np.finfo(np.float64).eps
        moves = np.maximum(self.moves, least)
        if self.leaving.size:
            np.fill_diagonal(moves, 0.0)
        return replace(
            self,
            start=np.maximum(self.start, least),
            moves=moves,
            theta=np.maximum(self.theta, least / self.theta.shape[1]),
            leaving=np.clip(self.leaving, least, 1 - least),
        )

    def infer(self, evidence: Evidence, lengths: NDArray[np.int64]) -> Inferred:
        """What it says of rows, given all of them; `lengths` of the sequences that they are."""
        log_likelihood, posteriors, path, likelihoods = core.infer_multinomial(
            evidence.indptr,
            evidence.indices,
            evidence.values,
            lengths,
            self.start,
            self.moves,
            self.leaving,
            self.theta,
            len(self.moves) > 0,
        )
        return Inferred(evidence, log_likelihood, posteriors, path, likelihoods)

    def foretell(self, evidence: Evidence, lengths: NDArray[np.int64]) -> tuple[Doubles, Doubles]:
        """What it says after each row: the next state's probabilities, and the median time to a change."""
        return core.foretell_states(
            evidence.indptr,
            evidence.indices,
            evidence.values,
            lengths,
            self.start,
            self.moves,
            self.leaving,
            self.theta,
        )

    def drawn(self, n: int, random: np.random.Generator) -> NDArray[np.int32]:
        """n states, one after the other, as the model has them follow one another."""
        states = np.empty(n, np.int32)
        lasted = 0
        for t in range(n):
            if t == 0 or not len(self.moves):
                p = self.start
            elif self.leaving.size:
                leave = self.leaving[states[t - 1], min(lasted, self.leaving.shape[1]) - 1]
                p = self.moves[states[t - 1]] * leave
                p[states[t - 1]] = 1 - leave
            else:
                p = self.moves[states[t - 1]]
            states[t] = random.choice(len(p), p=p / p.sum())
            lasted = lasted + 1 if t and states[t] == states[t - 1] else 1
        return states

    def transitions(self) -> Doubles:
        """From state to state, whatever the time in it: states x states, rows that sum to 1."""
        if not self.leaving.size:
            return stochastic(self.moves)
        # A visit ends once: of all intervals in a state, one in so many as it lasts is left.
        leave = 1.0 / mean_durations(self.leaving)
        moves = self.moves * leave[:, None]
        np.fill_diagonal(moves, 1.0 - moves.sum(axis=1))
        return stochastic(np.maximum(moves, 0.0))


@dataclass(frozen=True, eq=False)
class Inferred:
    """What a model says of rows."""

    evidence: Evidence
    log_likelihood: float
    posteriors: Doubles
    path: NDArray[np.int32]
    likelihoods: Doubles


def stochastic(rows: Doubles) -> Doubles:
    """Rows that sum to 1 but for rounding, so that they do."""
    return np.asarray(rows / rows.sum(axis=1, keepdims=True), np.float64)
