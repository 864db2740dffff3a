"""What the intervals of each phase execute, and how far each interval is from that."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from phasemark.errors import DataError, UsageError
from phasemark.phases import representation
from phasemark.phases.evidence import Doubles, Evidence
from phasemark.points.population import Population

#: Share of the whole run in what a phase executes, and in what an interval does where it is compared with
#: that: no block is impossible, so that no distance is infinite.
SMOOTHING = 1e-6


@dataclass(frozen=True, eq=False)
class Observed:
    """Counts of intervals beside the distributions that the states of a model draw them from.

    Attributes:
        evidence: n rows, over what the model's states are distributions over.
        theta: k x columns: the shares in which each phase executes them. Above 0 for whatever weighs in.
        background: columns doubles, the same of the whole run.
    """

    evidence: Evidence
    theta: Doubles
    background: Doubles

    @classmethod
    def of(cls, population: Population, method: str) -> Observed:
        """Those of a population.

        The distributions are those of the model, where it is at hand and has some. Else a phase's is the
        mean of what its intervals execute, by weight and by their probability of being in it: what
        expectation maximisation makes of these probabilities.

        Raises:
            UsageError: nobody knows what the intervals execute.
            DataError: the counts are malformed, or of other intervals.
        """
        if population.vectors is None:
            raise UsageError(
                f"method {method} compares what the intervals execute, and that is not known",
                hint="give the profile in place of its intervals, or its vectors",
            )
        counts = Evidence.of(population.vectors())
        if len(counts) != len(population.intervals):
            raise DataError(
                f"vectors of {len(counts):,} intervals, but {len(population.intervals):,} intervals",
                hint="give those of the profile that was classified",
            )
        evidence = _represented(counts, population)
        factors = _per_count(population.weights, evidence.sums)
        weighed = evidence.scaled(factors)
        background = weighed.background()
        return cls(evidence, _theta(population, weighed, background), background)

    def log_likelihoods(self) -> Doubles:
        """log P(o | s) of each row for each phase, multinomial coefficients included: n x k.

        A row that counts nothing could come of anything, and is the least likely.
        """
        logs = np.log(np.where(self.theta > 0, self.theta, 1.0))
        found = self.evidence.times(np.ascontiguousarray(logs.T)) + self.evidence.log_coefficients()[:, None]
        found[self.evidence.sums == 0] = -np.inf
        return found

    def manhattan(self, phase: int, rows: NDArray[np.int64]) -> Doubles:
        """|n - theta|_1 of each row, n being its shares; infinite of a row that counts nothing."""
        theta, shares = self.theta[phase], self._shares(rows)
        at = theta[shares.indices]
        return self._known(rows, shares.of_entries(np.abs(shares.values - at) - at) + theta.sum())

    def euclidean(self, phase: int, rows: NDArray[np.int64]) -> Doubles:
        """|n - theta|_2, squared; as `manhattan`."""
        shares = self._shares(rows)
        return self._known(rows, _squared(shares, self.theta[phase]))

    def divergence(self, phase: int, rows: NDArray[np.int64]) -> Doubles:
        """KL(n || theta), nats; as `manhattan`."""
        return self._known(rows, self.evidence.select(rows).against(self.theta[phase]))

    def symmetric_divergence(self, phase: int, rows: NDArray[np.int64]) -> Doubles:
        """KL(n || theta) + KL(theta || n), n smoothed in the second as theta is; as `manhattan`."""
        theta, shares = self.theta[phase], self._shares(rows)
        there = (theta > 0) & (self.background > 0)
        least = np.log(np.where(there, SMOOTHING * self.background, 1.0))
        none = float(theta[there] @ (np.log(theta[there]) - least[there]))
        base, at = self.background[shares.indices], np.where(there, theta, 0.0)[shares.indices]
        smooth = (1 - SMOOTHING) * shares.values + SMOOTHING * base
        more = at * (np.log(np.where(at > 0, smooth, 1.0)) - np.where(at > 0, least[shares.indices], 0.0))
        return self.divergence(phase, rows) + (none - shares.of_entries(more))

    def from_mean(self, members: NDArray[np.int64], rows: NDArray[np.int64]) -> Doubles:
        """|o - c|_2, squared, c being the mean of the counts of the members; as `manhattan`."""
        own = self.evidence.select(members)
        mean = np.bincount(own.indices, own.values, own.columns) / len(members)
        return self._known(rows, _squared(self.evidence.select(rows), mean))

    def _shares(self, rows: NDArray[np.int64]) -> Evidence:
        some = self.evidence.select(rows)
        return some.scaled(_per_count(np.ones(len(rows)), some.sums))

    def _known(self, rows: NDArray[np.int64], distances: Doubles) -> Doubles:
        return np.where(self.evidence.sums[rows] > 0, np.maximum(distances, 0.0), np.inf)


def _represented(counts: Evidence, population: Population) -> Evidence:
    """In the representation that the phases' model was fitted in."""
    model = population.phases.model
    name, dims, seed = model.get("representation", "full"), model.get("dims"), model.get("seed", 1)
    return counts if name == "full" else representation.represented(counts, name, dims, seed)


def _theta(population: Population, weighed: Evidence, background: Doubles) -> Doubles:
    phases, given = population.phases, population.theta
    if given is not None and given.shape[1] == weighed.columns:
        theta = np.asarray(given[: phases.k], np.float64)
        return theta if (theta[:, background > 0] > 0).all() else _smoothed(theta, background)
    membership = np.eye(phases.k)[phases.labels] if phases.posterior is None else phases.posterior
    sums = weighed.sums_by(membership)
    whole = sums.sum(axis=1, keepdims=True)
    return _smoothed(np.where(whole > 0, sums / np.where(whole > 0, whole, 1.0), background), background)


def _smoothed(theta: Doubles, background: Doubles) -> Doubles:
    return (1 - SMOOTHING) * theta + SMOOTHING * background


def _squared(rows: Evidence, center: Doubles) -> Doubles:
    """Squared Euclidean distance of each row from a centre."""
    at = center[rows.indices]
    return rows.of_entries((rows.values - at) ** 2 - at**2) + float(center @ center)


def _per_count(weights: Doubles, sums: Doubles) -> Doubles:
    return np.divide(weights, sums, out=np.zeros(len(sums)), where=sums > 0)
