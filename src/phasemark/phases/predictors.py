"""Guesses of the next phase from those before it; a new one is a function, and its name in PREDICTORS."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True, eq=False)
class Past:
    """The phases of intervals in time, of which the ends of sequences are to be foretold.

    Attributes:
        labels: n phases, sequence after sequence.
        foretold: n bools: intervals to foretell; the first of a sequence is none of them.
        follows: n bools: whether the row before is of the same sequence.
    """

    labels: NDArray[np.int64]
    foretold: NDArray[np.bool_]
    follows: NDArray[np.bool_]

    @property
    def before(self) -> NDArray[np.int64]:
        """The phase before each interval to foretell."""
        return self.labels[np.flatnonzero(self.foretold) - 1]

    @property
    def k(self) -> int:
        """Number of phases."""
        return int(self.labels.max()) + 1


class Predictor(Protocol):
    """A way to guess."""

    def __call__(self, past: Past) -> NDArray[np.int64]:
        """A phase for each interval to foretell, in order.

        Each from what came before it: the intervals that are not to be foretold, to learn from, and those of
        its sequence before it.
        """
        ...


def last(past: Past) -> NDArray[np.int64]:
    """The phase stays."""
    return past.before


def frequency(past: Past) -> NDArray[np.int64]:
    """The most frequent phase so far."""
    seen = np.bincount(past.labels[~past.foretold], minlength=past.k)
    return np.full(len(past.before), seen.argmax(), np.int64)


def moves(past: Past) -> NDArray[np.int64]:
    """What most often followed the phase before; what was never left, or never seen, stays."""
    counted = count_moves(past.labels, ~past.foretold & past.follows, past.k)
    after = np.where(counted.any(axis=1), counted.argmax(axis=1), np.arange(past.k))
    return np.asarray(after[past.before], np.int64)


def count_moves(labels: NDArray[np.int64], to: NDArray[np.bool_], k: int) -> NDArray[np.int64]:
    """How often each phase (row) was followed by each (column), at the chosen intervals: k x k."""
    at = np.flatnonzero(to)
    counted = np.zeros((k, k), np.int64)
    np.add.at(counted, (labels[at - 1], labels[at]), 1)
    return counted


#: Name -> guess.
PREDICTORS: dict[str, Predictor] = {"last": last, "frequency": frequency, "moves": moves}
