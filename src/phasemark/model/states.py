"""StateMachine: the hidden states that a model found, how long they last and what follows what."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from phasemark.errors import DataError, UsageError, counted
from phasemark.model import _show
from phasemark.model._check import Value, column, matrix, put, require

if TYPE_CHECKING:
    import pandas as pd

#: By how much probabilities may differ from 1 in sum.
_ROUNDING = 1e-6


@dataclass(frozen=True, eq=False, repr=False)
class StateMachine(Value):
    """The states of a mixture or a hidden Markov model.

    State s is phase s. States from the number of phases on are the most likely ones of no interval.

    Attributes:
        start: s doubles: the probability that a sequence begins in each state; of a mixture, of an interval.
        transitions: s x s doubles: the probability that an interval in the state of a row is followed by one
            in that of a column; None of a mixture, which knows no order.
        shares: s doubles: how much of the run's weight is in each state; 0 of one that no interval is in.
        indptr, indices, blocks: sparse rows, as of Counts, a state each: the share of its instructions that
            a state spends in each block, from a millionth on.
        columns: number of blocks.
        log_likelihood: of the fit, as its evidence counts, without multinomial coefficients.
        steps: of expectation maximisation.
        converged: whether the fit had settled by then.
        evidence: independent instructions that a mean interval counts for.

    Raises:
        DataError: shapes that differ, a negative probability, or probabilities that do not sum to 1.
    """

    start: NDArray[np.float64]
    transitions: NDArray[np.float64] | None
    shares: NDArray[np.float64]
    indptr: NDArray[np.int64]
    indices: NDArray[np.int32]
    blocks: NDArray[np.float64]
    columns: int
    log_likelihood: float
    steps: int
    converged: bool
    evidence: float

    def __post_init__(self) -> None:
        put(self, "start", column("start", self.start, np.float64))
        put(self, "shares", column("shares", self.shares, np.float64, len(self)))
        _require_distributions("start", self.start[None])
        _require_distributions("shares", self.shares[None])
        if self.transitions is not None:
            put(self, "transitions", matrix("the table of transitions", self.transitions, len(self)))
            if self.transitions.shape[1] != len(self):
                raise DataError(
                    f"transitions to {self.transitions.shape[1]} of {counted(len(self), 'state')}"
                )
            _require_distributions("transitions", self.transitions)
        put(self, "indptr", column("indptr", self.indptr, np.int64, len(self) + 1))
        put(self, "indices", column("indices", self.indices, np.int32))
        put(self, "blocks", column("blocks", self.blocks, np.float64, len(self.indices)))
        self._check_blocks()

    def _check_blocks(self) -> None:
        falls = (np.diff(self.indptr) < 0).any()
        if self.indptr[0] != 0 or falls or self.indptr[-1] != len(self.indices):
            raise DataError("row pointers do not span the states' blocks")
        require(
            (self.indices >= 0) & (self.indices < self.columns), "a state names a block that is not there"
        )
        require((self.blocks >= 0) & (self.blocks <= 1 + _ROUNDING), "a block's share is no share")

    def __len__(self) -> int:
        return len(self.start)

    def __repr__(self) -> str:
        return _show.line(self, states=len(self), used=self.used, log_likelihood=self.log_likelihood)

    @property
    def used(self) -> int:
        """How many states an interval is in."""
        return int(np.count_nonzero(self.shares > 0))

    def durations(self) -> NDArray[np.float64]:
        """How many intervals each state lasts on average, once it is entered: s doubles from 1.

        1 / (1 - p) where p is the probability to stay; inf of a state that is never left.

        Raises:
            UsageError: a mixture's states, of which nobody knows.
        """
        stay = np.minimum(np.diag(self._moves()), 1.0)
        with np.errstate(divide="ignore"):
            return np.asarray(1.0 / (1.0 - stay), np.float64)

    def after(self, state: int, intervals: int = 1) -> NDArray[np.float64]:
        """The probability of each state so many intervals after one in `state`: s doubles.

        Raises:
            UsageError: a mixture's states; there is no such state; or fewer than 0 intervals.
        """
        moves = self._moves()
        if not 0 <= state < len(self) or intervals < 0:
            raise UsageError(
                f"state {state}, {intervals:,} intervals on", hint=f"there are states 0 to {len(self) - 1}"
            )
        return np.asarray(np.linalg.matrix_power(moves, intervals)[state], np.float64)

    def blocks_of(self, state: int, most: int = 10) -> tuple[NDArray[np.int32], NDArray[np.float64]]:
        """The hottest blocks of a state and the share of its instructions in each, the hottest first.

        Raises:
            UsageError: there is no such state.
        """
        if not 0 <= state < len(self):
            raise UsageError(f"state {state}", hint=f"there are states 0 to {len(self) - 1}")
        row = slice(self.indptr[state], self.indptr[state + 1])
        order = np.argsort(-self.blocks[row], kind="stable")[:most]
        return self.indices[row][order], self.blocks[row][order]

    def frame(self) -> pd.DataFrame:
        """A table with a row a state: state, share, start, and of a hidden Markov model duration, to_0 ..."""
        import pandas as pd

        columns = {"state": np.arange(len(self)), "share": self.shares, "start": self.start}
        if self.transitions is not None:
            columns["duration"] = self.durations()
            columns |= {f"to_{state}": self.transitions[:, state] for state in range(len(self))}
        return pd.DataFrame(columns)

    def _repr_html_(self) -> str:
        return _show.table(self, self.frame())

    def _moves(self) -> NDArray[np.float64]:
        if self.transitions is None:
            raise UsageError("a mixture does not say what follows what", hint="find phases with model hmm")
        return self.transitions


def _require_distributions(name: str, rows: NDArray[np.float64]) -> None:
    require(np.asarray((rows >= 0).all(axis=1)), f"{name} holds a negative probability, or no number")
    require(np.abs(rows.sum(axis=1) - 1) <= _ROUNDING, f"probabilities of {name} do not sum to 1")
