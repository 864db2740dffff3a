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
        leaving: where the model learnt how long its states last, s x n doubles: the probability that a state
            is left after 1, 2, ... n intervals in it; the last one holds from there on. None: a state is left
            with the same probability whenever, as `transitions` has it.

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
    leaving: NDArray[np.float64] | None = None

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
        if self.leaving is not None:
            self._check_leaving(self.leaving)
        put(self, "indptr", column("indptr", self.indptr, np.int64, len(self) + 1))
        put(self, "indices", column("indices", self.indices, np.int32))
        put(self, "blocks", column("blocks", self.blocks, np.float64, len(self.indices)))
        self._check_blocks()

    def _check_leaving(self, given: NDArray[np.float64]) -> None:
        if self.transitions is None:
            raise DataError("durations of a mixture's states, which do not follow one another")
        leaving = matrix("the table of durations", given, len(self))
        if not leaving.shape[1]:
            raise DataError("a table of durations without a column")
        good = np.asarray(((leaving >= 0) & (leaving <= 1)).all(axis=1))
        require(good, "a probability to leave a state is none")
        put(self, "leaving", leaving)

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

        inf of a state that is never left.

        Raises:
            UsageError: a mixture's states, of which nobody knows.
        """
        return mean_durations(self._leaving())

    def lasting(self, most: int = 128) -> NDArray[np.float64]:
        """How probable it is that a state lasts 1, 2, ... intervals, the last one: `most` or more; s x most.

        Raises:
            UsageError: as `durations`; or `most` is below 1.
        """
        leaving = self._leaving()
        if most < 1:
            raise UsageError(f"durations of up to {most:,} intervals", hint="ask for at least 1")
        beyond = np.repeat(leaving[:, -1:], max(most - leaving.shape[1], 0), axis=1)
        leaving = np.hstack([leaving[:, :most], beyond])
        lasts = _survival(leaving)
        return np.hstack([lasts[:, :-1] * leaving[:, :-1], lasts[:, -1:]])

    def after(self, state: int, intervals: int = 1, *, lasted: int = 1) -> NDArray[np.float64]:
        """The probability of each state so many intervals after one in `state`: s doubles.

        Args:
            state: where the run is.
            intervals: how many further on.
            lasted: for how many intervals it has been there; matters only where durations were learnt.

        Raises:
            UsageError: a mixture's states; there is no such state; fewer than 0 intervals, or than 1 lasted.
        """
        moves = self._moves()
        if not 0 <= state < len(self) or intervals < 0 or lasted < 1:
            raise UsageError(
                f"state {state} for {lasted:,}, {intervals:,} intervals on",
                hint=f"there are states 0 to {len(self) - 1}, and each lasts an interval at least",
            )
        if self.leaving is None:
            return np.asarray(np.linalg.matrix_power(moves, intervals)[state], np.float64)
        return self._after(state, intervals, min(lasted, self.leaving.shape[1]))

    def _after(self, state: int, intervals: int, lasted: int) -> NDArray[np.float64]:
        leaving = self._leaving()
        others = self._moves() * (1 - np.eye(len(self)))
        to = np.divide(others, others.sum(axis=1, keepdims=True), out=others, where=others > 0)
        known = np.zeros_like(leaving)
        known[state, lasted - 1] = 1
        for _ in range(intervals):
            left, stay = (known * leaving).sum(axis=1), known * (1 - leaving)
            known = np.zeros_like(stay)
            known[:, 1:] = stay[:, :-1]
            known[:, -1] += stay[:, -1]
            known[:, 0] += left @ to
        return np.asarray(known.sum(axis=1), np.float64)

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

    def _leaving(self) -> NDArray[np.float64]:
        if self.leaving is not None:
            return self.leaving
        return 1 - np.minimum(np.diag(self._moves()), 1.0)[:, None]

    def _moves(self) -> NDArray[np.float64]:
        if self.transitions is None:
            raise UsageError("a mixture does not say what follows what", hint="find phases with model hmm")
        return self.transitions


def mean_durations(leaving: NDArray[np.float64]) -> NDArray[np.float64]:
    """How long states last on average: s doubles from 1; inf of one that is never left.

    Args:
        leaving: s x n: the probability to leave a state after 1, 2, ... n intervals, the last from there on.
    """
    lasts, last = _survival(leaving), leaving[:, -1]
    with np.errstate(divide="ignore", invalid="ignore"):
        tail = np.where(lasts[:, -1] > 0, lasts[:, -1] * (1 - last) / last, 0.0)
    return np.asarray(lasts.sum(axis=1) + tail, np.float64)


def _survival(leaving: NDArray[np.float64]) -> NDArray[np.float64]:
    """The probability to last 1, 2, ... n intervals at least."""
    stays = np.cumprod(1 - leaving[:, :-1], axis=1)
    return np.hstack([np.ones((len(leaving), 1)), stays])


def _require_distributions(name: str, rows: NDArray[np.float64]) -> None:
    require(np.asarray((rows >= 0).all(axis=1)), f"{name} holds a negative probability, or no number")
    require(np.abs(rows.sum(axis=1) - 1) <= _ROUNDING, f"probabilities of {name} do not sum to 1")
