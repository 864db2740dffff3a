"""A hidden Markov model of multinomial states: phases, and how they follow one another."""

from __future__ import annotations

from typing import ClassVar

from phasemark.phases.evidence import Doubles
from phasemark.phases.multinomial import Multinomial


class MultinomialHMM(Multinomial):
    """Phases by a hidden Markov model whose states are multinomial distributions over blocks (HMM).

    "Discovering the Runtime Structure of Software with Probabilistic Generative Models", section 1.1. A
    `phasemark.phases.protocol.PhaseModel`. Fitted by expectation maximisation on sparse counts, posteriors by
    forward and backward recursion in logarithms, phases by Viterbi's path; each sequence (a thread of a run)
    stands alone. The restart with the highest log likelihood counts, which never falls from step to step.

    Args:
        n_components: number of states; of several, one by `select`.
        representation: what states are distributions over: "full", the blocks; "reweight" or "random",
            projections that are counts too (the paper's PROJREWEIGHT and PROJRAND).
        dims: of a projection; None: 15 to 100, by the number of blocks, as in the paper.
        restarts: independent fits from random intervals.
        seed: of the restarts and of a projection; any whole number.
        tempering: how many independent instructions an interval of mean weight counts for, at most as many
            as it has; None: all, which makes posteriors certain, and more states always better.
        smoothing: share of the whole run in what a state executes, and of chance in what follows it: no
            block and no move is impossible.
        tol: a fit that grows by a smaller share of its log likelihood has converged.
        max_iter: most steps of a fit.
        select: of several numbers of states, "bic" takes the one with the best Bayesian information
            criterion; "held-out" the fewest that tell intervals which a fit did not see about as well as any
            do, by five more fits of each number (docs/choosing-k.md).

    Attributes:
        phases_, labels_, k_: the phases found: states that intervals are in, by first appearance.
        startprob_: probability that a sequence begins in each state, the used ones first.
        transmat_: states x states: probability that the state of a row is followed by that of a column.
        emissionprob_: states x blocks, or x dims of a projection.
        log_likelihood_: of the fit, without the multinomial coefficients.
        restarts_: that of every restart.
        n_iter_, converged_: steps of the best one, and whether it had settled.
        scores_: number of states -> log likelihood less BIC's penalty; of "held-out", log likelihood of what
            was left out, in nats per instruction of evidence.
        evidence_: instructions that a mean interval counts for.
        notes_: sentences a user should read.
    """

    name: ClassVar[str] = "hmm"
    ordered: ClassVar[bool] = True

    @property
    def startprob_(self) -> Doubles:
        """Probability that a sequence begins in each state."""
        self._require_fitted()
        return self._start()

    @property
    def transmat_(self) -> Doubles:
        """Probability that the state of a row is followed by that of a column."""
        self._require_fitted()
        return self._model.moves
