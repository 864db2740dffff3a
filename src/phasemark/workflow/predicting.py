"""What comes next: the phases that follow, how long phases last, and how well that is foretold."""

from __future__ import annotations

import dataclasses
import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from phasemark import phases, signatures
from phasemark.errors import DataError
from phasemark.model import Intervals, Phases
from phasemark.model.states import mean_durations
from phasemark.online import guesses
from phasemark.phases.predictors import count_moves
from phasemark.store.folder import Folder
from phasemark.workflow.alone import alone
from phasemark.workflow.phases import read_phases
from phasemark.workflow.reading import read
from phasemark.workflow.result import Result

if TYPE_CHECKING:
    import pandas as pd

#: Of how long a phase still lasts.
QUANTILES = (0.1, 0.5, 0.9)

#: Longer durations of states that learnt theirs are not told apart; more than such a model learns.
_LONGEST = 20_000


guesses.register()


@dataclass(frozen=True)
class Outlook:
    """What comes after an interval of a phase.

    Attributes:
        phase: of the interval.
        following: k doubles: the probability of each phase for the next interval.
        mean: intervals until another phase begins, on average; inf of a phase that is never left.
        quantiles: so many intervals with a probability of 10, 50 and 90%: the least number by which the
            phase has changed with that probability.
    """

    phase: int
    following: tuple[float, ...]
    mean: float
    quantiles: tuple[float, ...]

    @classmethod
    def of(cls, phase: int, following: NDArray[np.float64]) -> Outlook:
        """That of a phase that lasts geometrically long, as of a plain chain of states."""
        stay = min(float(following[phase]), 1.0)
        mean = 1 / (1 - stay) if stay < 1 else math.inf
        return cls(phase, tuple(following.tolist()), mean, tuple(_quantile(stay, q) for q in QUANTILES))


@dataclass(frozen=True)
class AtEnd:
    """What comes after the last interval of a thread: the thread's key, and the outlook from there."""

    run: int
    thread: int
    outlook: Outlook


@dataclass(frozen=True, repr=False)
class PredictionResult(Result):
    """What comes next in a run.

    Attributes:
        model: that found the phases.
        by: `model`: probabilities are those of its states; `moves`: counted among the intervals.
        ends: one a thread.
        outlooks: one a phase.
        accuracy: of predictors on the ends of threads that no fit saw; None where that was not asked for, or
            no thread has two intervals.
        notes: what the user should know, one sentence each.
        transition: of online phases the one of intervals that are of none, see Phases.
    """

    model: str
    by: str
    ends: tuple[AtEnd, ...]
    outlooks: tuple[Outlook, ...]
    accuracy: phases.Prediction | None
    notes: tuple[str, ...] = ()
    transition: int | None = None

    def frame(self) -> pd.DataFrame:
        """One row a phase: mean, the quantiles as q10 ..., and the phases that follow as to_0 ..."""
        import pandas as pd

        rows = []
        for one in self.outlooks:
            row = {"phase": one.phase, "mean": one.mean}
            row |= {f"q{q:.0%}".rstrip("%"): v for q, v in zip(QUANTILES, one.quantiles, strict=True)}
            rows.append(row | {f"to_{phase}": p for phase, p in enumerate(one.following)})
        return pd.DataFrame(rows)


@alone("predict")
def predict(folder: Folder, held_out: float = 0.2) -> PredictionResult:
    """Say what comes next in a run, by its phases; nothing is written.

    Args:
        folder: a run's folder with profile.h5 and model.h5.
        held_out: share of each thread's intervals that a second fit does not see, to tell how well they are
            foretold; 0: no such fit.

    Raises:
        DataError: phases were not found yet, or a file is damaged.
        UsageError: a share that is none.
    """
    projected, found = read_phases(folder)
    profile = read(folder.path)
    intervals = profile.interval_table
    if len(found) != len(intervals):
        raise DataError(
            f"has phases of {len(found):,} intervals, the profile has {len(intervals):,}",
            path=folder.model,
            hint="run `phasemark phases` again",
        )
    chain, by = _chain(found, intervals)
    lengths = phases.sequences(intervals)
    ends = np.cumsum(lengths)
    at_end = [
        AtEnd(
            int(intervals.run[end - 1]), int(intervals.thread[end - 1]), _from_end(found, chain, first, end)
        )
        for first, end in zip((ends - lengths).tolist(), ends.tolist(), strict=True)
    ]
    accuracy, notes = None, []
    if held_out and not (lengths > 1).any():
        notes.append("no thread has two intervals, of which one could be held out")
    elif held_out:
        model = phases.recorded(found)
        kind = "loops" if projected.recipe.key == "site" else "blocks"
        data = phases.data_for(model, projected, lambda: signatures.counts(profile, kind))
        accuracy = phases.held_out(model, data, projected.weights, sequences=lengths, share=held_out)
    outlooks = tuple(_outlook(found, chain, phase) for phase in range(found.k))
    name = str(found.model.get("method", "given"))
    return PredictionResult(name, by, tuple(at_end), outlooks, accuracy, tuple(notes), found.transition)


def _chain(found: Phases, intervals: Intervals) -> tuple[NDArray[np.float64], str]:
    """The probability that an interval of a phase (row) is followed by one of each: k x k, and whence."""
    if found.states is not None and found.states.transitions is not None:
        chain = found.states.transitions[: found.k, : found.k]
        return chain / chain.sum(axis=1, keepdims=True), "model"
    counted = count_moves(found.labels.astype(np.int64), ~intervals.first_of_thread(), found.k).astype(
        np.float64
    )
    # Of a phase that was never followed by anything, nothing else is known than that it is there.
    never = counted.sum(axis=1) == 0
    counted[never, never.nonzero()[0]] = 1.0
    return counted / counted.sum(axis=1, keepdims=True), "moves"


def _outlook(found: Phases, chain: NDArray[np.float64], phase: int, lasted: int = 1) -> Outlook:
    """Of a phase that has lasted so many intervals; where the model learnt how long states last, by that."""
    one, states = Outlook.of(phase, chain[phase]), found.states
    if states is None or states.leaving is None:
        return one
    leaving = states.leaving[[phase], min(lasted, states.leaving.shape[1]) - 1 :]
    beyond = np.repeat(leaving[:, -1:], _LONGEST - leaving.shape[1], axis=1)
    left = 1.0 - np.cumprod(1.0 - np.hstack([leaving, beyond])[0])
    by = [int(np.searchsorted(left, share - 1e-9)) + 1 for share in QUANTILES]
    quantiles = tuple(float(n) if n <= _LONGEST else math.inf for n in by)
    return dataclasses.replace(one, mean=float(mean_durations(leaving)[0]), quantiles=quantiles)


def _from_end(found: Phases, chain: NDArray[np.float64], first: int, end: int) -> Outlook:
    """After the last of a thread's intervals, rows `first` to `end`."""
    labels, states = found.labels[first:end], found.states
    phase = int(labels[-1])
    others = np.flatnonzero(labels != phase)
    lasted = len(labels) - (int(others[-1]) + 1 if len(others) else 0)
    one = _outlook(found, chain, phase, lasted)
    if states is not None and states.leaving is not None:
        following = states.after(phase, lasted=lasted)[: found.k]
        following = following / following.sum()
    elif found.posterior is not None:
        following = found.posterior[end - 1] @ chain
    else:
        following = chain[phase]
    return dataclasses.replace(one, following=tuple(following.tolist()))


def _quantile(stay: float, share: float) -> float:
    """The least number of intervals by which a phase is left with a probability of `share`."""
    if stay <= 0:
        return 1.0
    if stay >= 1:
        return math.inf
    return float(max(math.ceil(math.log1p(-share) / math.log(stay) - 1e-9), 1))
