"""A hidden semi-Markov model of multinomial states: an HMM that learns how long its states last."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

import phasemark._core as core
from phasemark.errors import UsageError, shown
from phasemark.model.options import require_given, require_whole
from phasemark.phases.evidence import Doubles, Evidence
from phasemark.phases.hmm import MultinomialHMM
from phasemark.phases.multinomial import DEFAULT_STATES, DEFAULT_TEMPERING, DEFAULT_TOLERANCE
from phasemark.phases.state_model import StateModel

#: Intervals up to which durations are told apart.
DEFAULT_LONGEST = 128

#: Visits to a state that a geometric duration counts for (docs/adr/0044).
PRIOR = 4.0


class MultinomialHSMM(MultinomialHMM):
    """Phases by a hidden semi-Markov model whose states are multinomial distributions over blocks (HSMM).

    A state of an HMM is left with the same probability however long it has lasted, which makes durations
    geometric; of loops they are not. Here that probability depends on how long it has lasted. Yu, "Hidden
    semi-Markov models" (Artificial Intelligence, 2010). Fitted as an HMM first, of which the best restart
    goes on, so that its likelihood is no lower. A `phasemark.phases.protocol.PhaseModel`.

    Args:
        n_components, representation, dims, restarts, seed, tempering, smoothing, tol, max_iter, select: as of
            MultinomialHMM; the Bayesian information criterion counts a state's durations as one parameter.
        longest: durations from so many intervals on are not told apart: what is left of them is geometric.

    Attributes:
        leaving_: states x longest: probability to leave each state after 1, 2, ... longest intervals.
        transmat_: states x states: probability that the state of a row is followed by that of a column, on
            average over the time in it.
        phases_, labels_, k_, startprob_, emissionprob_, log_likelihood_, restarts_, n_iter_, converged_,
            scores_, evidence_, notes_: as of MultinomialHMM; `restarts_` are those of the HMM.
    """

    name: ClassVar[str] = "hsmm"
    options: ClassVar[tuple[str, ...]] = (*MultinomialHMM.options, "longest")

    def __init__(
        self,
        n_components: int | Sequence[int] = DEFAULT_STATES,
        *,
        representation: str = "full",
        dims: int | None = None,
        restarts: int = 15,
        seed: int = 1,
        tempering: float | None = DEFAULT_TEMPERING,
        smoothing: float = 1e-6,
        tol: float = DEFAULT_TOLERANCE,
        max_iter: int = 200,
        select: str = "bic",
        longest: int = DEFAULT_LONGEST,
    ) -> None:
        super().__init__(
            n_components,
            representation=representation,
            dims=dims,
            restarts=restarts,
            seed=seed,
            tempering=tempering,
            smoothing=smoothing,
            tol=tol,
            max_iter=max_iter,
            select=select,
        )
        self.longest = longest

    @property
    def transmat_(self) -> Doubles:
        """Probability that the state of a row is followed by that of a column, whatever the time in it."""
        self._require_fitted()
        return self._model.transitions()

    @property
    def leaving_(self) -> Doubles:
        """Probability to leave each state after 1, 2, ... longest intervals in it."""
        self._require_fitted()
        return self._model.leaving

    def check(self) -> None:
        """See that the parameters make sense, as `fit` does first.

        Raises:
            UsageError: one does not; names it, and what it must be.
        """
        super().check()
        require_given(longest=self.longest)
        require_whole(longest=self.longest)
        if not 1 <= self.longest <= 10_000:
            raise UsageError(f"longest is {shown(self.longest)}", hint="it must be from 1 to 10000")

    def _refined(self, model: StateModel, evidence: Evidence, lengths: NDArray[np.int64]) -> StateModel:
        """From where the HMM is, go on with durations that are geometric at first."""
        leave = 1.0 - np.minimum(np.diag(model.moves), 1.0)
        moves = model.moves.copy()
        np.fill_diagonal(moves, 0.0)
        sums = moves.sum(axis=1, keepdims=True)
        moves = np.divide(moves, sums, out=np.zeros_like(moves), where=sums > 0)
        found = core.fit_multinomial_from(
            evidence.indptr,
            evidence.indices,
            evidence.values,
            lengths,
            evidence.background(),
            model.start,
            moves,
            np.repeat(leave[:, None], self.longest, axis=1),
            model.theta,
            True,
            self.smoothing,
            PRIOR,
            self.tol,
            self.max_iter,
        )
        refined = StateModel.of(found, model.restarts)
        # The first is that of the HMM, but for rounding, by which the next may then seem lower.
        further = np.maximum(refined.log_likelihoods[1:], model.log_likelihoods[-1])
        return replace(refined, log_likelihoods=np.concatenate([model.log_likelihoods, further]))
