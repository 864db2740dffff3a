"""A mixture of multinomial states: phases without regard to what comes after what."""

from __future__ import annotations

from typing import ClassVar

from phasemark.phases.evidence import Doubles
from phasemark.phases.multinomial import Multinomial


class MultinomialMixture(Multinomial):
    """Phases by a mixture of multinomial distributions over blocks (MMM).

    "Discovering the Runtime Structure of Software with Probabilistic Generative Models", section 1.1. A
    `phasemark.phases.protocol.PhaseModel`. Fitted by expectation maximisation on sparse counts; the restart
    with the highest log likelihood counts, which never falls from one step to the next.

    Args:
        n_components: number of states; of several, one by `select`.
        representation: what states are distributions over: "full", the blocks; "reweight" or "random",
            projections that are counts too (the paper's PROJREWEIGHT and PROJRAND).
        dims: of a projection; None: 15 to 100, by the number of blocks, as in the paper.
        restarts: independent fits from random intervals.
        seed: of the restarts and of a projection; any whole number.
        tempering: how many independent instructions an interval of mean weight counts for, at most as many
            as it has; None: all, which makes posteriors certain, and more states always better.
        smoothing: share of the whole run in what a state executes: no block is impossible.
        tol: a fit that grows by a smaller share of its log likelihood has converged.
        max_iter: most steps of a fit.
        select: of several numbers of states, "bic" takes the one with the best Bayesian information
            criterion; "held-out" the fewest that tell intervals which a fit did not see about as well as any
            do, by five more fits of each number (docs/choosing-k.md).

    Attributes:
        phases_, labels_, k_: the phases found: states that intervals are in, by first appearance.
        weights_: probability of each state, the used ones first; length states.
        emissionprob_: states x blocks, or x dims of a projection.
        log_likelihood_: of the fit, without the multinomial coefficients.
        restarts_: that of every restart.
        n_iter_, converged_: steps of the best one, and whether it had settled.
        scores_: number of states -> log likelihood less BIC's penalty; of "held-out", log likelihood of what
            was left out, in nats per instruction of evidence.
        evidence_: instructions that a mean interval counts for.
        notes_: sentences a user should read.
    """

    name: ClassVar[str] = "mixture"
    ordered: ClassVar[bool] = False

    @property
    def weights_(self) -> Doubles:
        """Probability of each state."""
        self._require_fitted()
        return self._start()
