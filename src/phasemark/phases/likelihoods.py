"""How well phases describe a run, whoever found them: one likelihood for all models and representations.

Phases are taken as the states of a hidden Markov model over all blocks: what the intervals of a phase execute
is what its state does, and moves are those that were counted. That model can be made of SimPoint's phases as
of those of a projection, and says how likely the run is in the same unit (docs/adr/0042).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

import phasemark._core as core
from phasemark.errors import DataError
from phasemark.model import Phases
from phasemark.model.options import require_real
from phasemark.phases.evidence import Doubles, Evidence
from phasemark.phases.fitting import require_sequences

#: Share of the run, and of all blocks alike, in what a phase executes: no block is impossible.
SMOOTHING = 1e-6


@dataclass(frozen=True)
class Likelihood:
    """Log likelihoods in nats, per instruction that counts as evidence; the nearer to 0 the better.

    Attributes:
        of_run: of all intervals.
        bic: the same less the penalty of the Bayesian information criterion.
        evidence: instructions that all intervals together count for.
    """

    of_run: float
    bic: float
    evidence: float


def likelihood(
    phases: Phases, X: Any, *, sequences: ArrayLike | None = None, tempering: float | None = 1_000.0
) -> Likelihood:
    """How well phases describe the intervals they were found in.

    Args:
        phases: of n intervals, by any model.
        X: their counts: model.Counts, a scipy.sparse matrix, or n x d numbers from 0.
        sequences: numbers of rows that sum to n: each a sequence in time of its own; None: all are one.
        tempering: how many independent instructions a mean interval counts for, at most as many as it has;
            None: all.

    Raises:
        DataError: malformed counts, or of other intervals.
        UsageError: a tempering that is no number.
    """
    chain = Chain.of(phases, X, sequences=sequences, tempering=tempering)
    evidence = chain.evidence(X)
    reached = chain.log_likelihood(X, sequences=sequences)
    penalty = chain.parameters / 2 * math.log(chain.rows)
    return Likelihood(reached / evidence, (reached - penalty) / evidence, evidence)


@dataclass(frozen=True, eq=False)
class Chain:
    """Phases as the states of a hidden Markov model.

    Attributes:
        start: k doubles: the share of sequences that begin in each phase, each phase having been seen 1/k
            times more.
        moves: k x k doubles: the same of the phases that follow one.
        theta: k x blocks doubles: what each phase executes, smoothed.
        scale: an instruction counts for so many.
        rows: intervals that have instructions.
        parameters: free ones, of blocks that are executed.
    """

    start: Doubles
    moves: Doubles
    theta: Doubles
    scale: float
    rows: int
    parameters: int

    @classmethod
    def of(
        cls, phases: Phases, X: Any, *, sequences: ArrayLike | None = None, tempering: float | None = 1_000.0
    ) -> Chain:
        """That of some phases; arguments and errors as of `likelihood`."""
        require_real(tempering=tempering)
        counts = Evidence.of(X)
        if len(counts) != len(phases):
            raise DataError(f"counts of {len(counts):,} intervals, but phases of {len(phases):,}")
        lengths = require_sequences(sequences, len(counts))
        k, labels = phases.k, phases.labels.astype(np.int64)
        filled = counts.sums > 0
        mean = float(counts.sums[filled].mean())
        background = counts.background()
        smooth = (background + 1 / counts.columns) / 2
        start, moves = _counted(labels, lengths, k)
        blocks = int((background > 0).sum())
        return cls(
            start,
            moves,
            (1 - SMOOTHING) * _executed(counts, phases, background) + SMOOTHING * smooth,
            1.0 if tempering is None else min(float(tempering) / mean, 1.0),
            int(filled.sum()),
            k * (blocks - 1) + (k - 1) + k * (k - 1),
        )

    def evidence(self, X: Any) -> float:
        """Instructions that these intervals count for."""
        return float(Evidence.of(X).sums.sum() * self.scale)

    def log_likelihood(self, X: Any, *, sequences: ArrayLike | None = None) -> float:
        """Of intervals over the same blocks, without multinomial coefficients, in nats.

        Raises:
            DataError: malformed counts.
        """
        counts = Evidence.of(X)
        lengths = require_sequences(sequences, len(counts))
        scaled = counts.scaled(np.full(len(counts), self.scale))
        geometric = np.zeros((len(self.start), 0))
        found, *_ = core.infer_multinomial(
            scaled.indptr,
            scaled.indices,
            scaled.values,
            lengths,
            self.start,
            self.moves,
            geometric,
            self.theta,
            True,
        )
        return float(found)


def _executed(counts: Evidence, phases: Phases, background: Doubles) -> Doubles:
    """What the intervals of each phase execute: k x blocks; of a phase without instructions, what all do."""
    executed = counts.by_label(phases.labels, phases.k)
    nothing = executed.sum(axis=1) == 0
    executed[nothing] = background
    return executed


def _counted(labels: NDArray[np.int64], lengths: NDArray[np.int64], k: int) -> tuple[Doubles, Doubles]:
    """How sequences begin, and what follows what."""
    first = np.zeros(len(labels), np.bool_)
    first[np.cumsum(lengths) - lengths] = True
    start = (np.bincount(labels[first], minlength=k) + 1 / k) / (len(lengths) + 1)
    after = np.flatnonzero(~first)
    moves = np.full((k, k), 1 / k)
    np.add.at(moves, (labels[after - 1], labels[after]), 1.0)
    return start, moves / moves.sum(axis=1, keepdims=True)


def held_out_likelihood(
    phases: Phases,
    seen: Any,
    everything: Any,
    *,
    seen_sequences: ArrayLike,
    sequences: ArrayLike,
    tempering: float | None = 1_000.0,
) -> float:
    """How well phases that were found in the beginnings of sequences describe the rest of them.

    Args:
        phases: of the beginnings.
        seen, everything: counts of the beginnings, and of the whole sequences.
        seen_sequences, sequences: numbers of rows of each.
        tempering: as of `likelihood`.

    Returns:
        The log likelihood of the rest, given the beginnings, in nats per instruction that counts as evidence;
        NaN where there is no instruction in it.

    Raises:
        DataError, UsageError: as `likelihood`.
    """
    chain = Chain.of(phases, seen, sequences=seen_sequences, tempering=tempering)
    evidence = chain.evidence(everything) - chain.evidence(seen)
    if evidence <= 1e-9 * chain.evidence(seen):
        return math.nan
    rest = chain.log_likelihood(everything, sequences=sequences)
    return (rest - chain.log_likelihood(seen, sequences=seen_sequences)) / evidence
