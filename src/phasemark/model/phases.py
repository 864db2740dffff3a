"""Phases: a label for every interval, and how it came about."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from phasemark.errors import DataError, counted
from phasemark.model import _show
from phasemark.model._check import Value, column, matrix, put, require
from phasemark.model._frames import beside
from phasemark.model.states import StateMachine

if TYPE_CHECKING:
    import pandas as pd

    from phasemark.model.intervals import Intervals

#: By how much the posterior of an interval may differ from 1 in sum.
_ROUNDING = 1e-6


@dataclass(frozen=True, eq=False, repr=False)
class Phases(Value):
    """A classification of intervals, found by any model of phases.

    Attributes:
        labels: n int32, 0 to k-1; phasemark's models number phases by first appearance.
        centers: k x d doubles: the phases' (weighted) centroids; None of a model that has none.
        distances: n doubles from 0: how untypical each interval is of its phase, on a scale of which the
            model takes squares and means. Of SimPoint: Euclidean distance to the phase's centroid.
        scores: k -> how good that number of phases is, for every k that was evaluated: more is better. Of
            SimPoint: BIC.
        inertia: k -> weighted squared error x n (SimPoint's distortion); empty of a model without.
        model: the model's name (`method`) and its parameters, seed included, and its notes: values that
            JSON can hold.
        k: number of phases. 0, when the value is made: as many as there are centres, else labels.
        posterior: n x k doubles, the probability of each phase for each interval; None of a model that
            knows no probabilities. A phase need not be the most probable one: a model may label a sequence.
        undivided: n doubles from 0: the distances if all intervals were one phase; None: the centres tell.
        states: what a mixture or a hidden Markov model knows of its states; None of other models.

    Raises:
        DataError: a label out of range, a phase without an interval, a distance that is negative or no
            number, a posterior whose rows do not sum to 1, or shapes that differ, or more phases than states.
    """

    labels: NDArray[np.int32]
    centers: NDArray[np.float64] | None
    distances: NDArray[np.float64]
    scores: dict[int, float] = field(default_factory=dict)
    inertia: dict[int, float] = field(default_factory=dict)
    model: dict[str, Any] = field(default_factory=dict)
    k: int = 0
    posterior: NDArray[np.float64] | None = None
    undivided: NDArray[np.float64] | None = None
    states: StateMachine | None = None

    def __post_init__(self) -> None:
        put(self, "labels", column("labels", self.labels, np.int32))
        if self.centers is not None:
            put(self, "centers", matrix("the table of centroids", self.centers))
        put(self, "k", self._number())
        self._check_labels()
        put(self, "distances", _distances("distances", self.distances, len(self)))
        if self.undivided is not None:
            put(self, "undivided", _distances("undivided", self.undivided, len(self)))
        if self.posterior is not None:
            put(self, "posterior", matrix("the posterior", self.posterior, len(self)))
            self._check_posterior(self.posterior)
        if self.states is not None and len(self.states) < self.k:
            raise DataError(f"{counted(self.k, 'phase')} of {counted(len(self.states), 'state')}")

    def _number(self) -> int:
        if self.centers is None:
            return int(self.k or int(self.labels.max(initial=-1)) + 1)
        if self.k not in (0, len(self.centers)):
            raise DataError(f"{counted(self.k, 'phase')} with {counted(len(self.centers), 'centroid')}")
        return len(self.centers)

    def _check_labels(self) -> None:
        require((self.labels >= 0) & (self.labels < self.k), "an interval's phase is not among the phases")
        # The first comparison spares a table of as many rows as a label is large.
        if len(self) and (self.k > len(self) or not np.bincount(self.labels, minlength=self.k).all()):
            raise DataError("a phase has no interval", hint="number the phases from 0, without gaps")

    def _check_posterior(self, posterior: NDArray[np.float64]) -> None:
        if posterior.shape[1] != self.k:
            raise DataError(f"a posterior of {posterior.shape[1]} phases instead of {self.k}")
        require(np.asarray((posterior >= 0).all(axis=1)), "the posterior holds a negative number")
        sums = posterior.sum(axis=1)
        require(np.abs(sums - 1) <= _ROUNDING, "the posterior of an interval does not sum to 1")

    def __len__(self) -> int:
        return len(self.labels)

    def __repr__(self) -> str:
        return _show.line(self, k=self.k, intervals=len(self), method=self.model.get("method"))

    def _repr_html_(self) -> str:
        """One row a phase."""
        import pandas as pd

        counts = np.bincount(self.labels, minlength=self.k)
        means = np.bincount(self.labels, self.distances, self.k) / np.maximum(counts, 1)
        table = pd.DataFrame({"phase": np.arange(self.k), "intervals": counts, "mean distance": means})
        return _show.table(self, table)

    def shares(self, weights: NDArray[np.float64]) -> NDArray[np.float64]:
        """Weight of each phase: k doubles that sum as the weights do."""
        return np.asarray(np.bincount(self.labels, weights=weights, minlength=self.k), np.float64)

    @property
    def transition(self) -> int | None:
        """Of online phases the one of intervals that are of none; None: there is none."""
        found = self.model.get("transition")
        return found if type(found) is int and 0 <= found < self.k else None

    @property
    def names(self) -> tuple[str, ...]:
        """What phases are called: their numbers, and `transition`."""
        return tuple("transition" if phase == self.transition else str(phase) for phase in range(self.k))

    @property
    def titles(self) -> tuple[str, ...]:
        """The same in a sentence: `phase 3`, and `transition`."""
        return tuple(
            "transition" if phase == self.transition else f"phase {phase}" for phase in range(self.k)
        )

    def frame(self, intervals: Intervals | None = None) -> pd.DataFrame:
        """A table with columns phase and distance, one row an interval; columns of phases.csv.

        Args:
            intervals: those that have these phases, whose columns then come first.

        Raises:
            DataError: the number of intervals differs.
        """
        import pandas as pd

        table = pd.DataFrame({"phase": self.labels, "distance": self.distances})
        return beside(intervals, table)


def _distances(name: str, values: NDArray[np.float64], n: int) -> NDArray[np.float64]:
    distances = column(name, values, np.float64, n)
    require(np.isfinite(distances) & (distances >= 0), f"a value of {name} is negative or not a number")
    return distances
