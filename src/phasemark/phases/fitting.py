"""A run's data to a model, as the model takes them."""

from __future__ import annotations

import json
from collections.abc import Callable

import numpy as np
from numpy.typing import ArrayLike, NDArray

from phasemark.errors import DataError, UsageError, shown
from phasemark.model import Counts, Intervals, Phases, Signatures
from phasemark.model.options import require_real
from phasemark.phases.protocol import PhaseModel
from phasemark.progress import Progress


def find(
    model: PhaseModel,
    intervals: Intervals,
    signatures: Signatures,
    counts: Callable[[], Counts] | None = None,
    *,
    progress: Progress | None = None,
) -> Phases:
    """Fit a model to a run: its phases.

    Args:
        model: it is fitted.
        intervals, signatures: of the run; intervals tell the sequences, signatures the weights.
        counts: gives the run's vectors; called only where the model takes them.
        progress: told how much is done, of how much.

    Raises:
        UsageError: a parameter of the model makes no sense, or it takes counts and there are none.
        DataError: the data are not what the model takes.
    """
    model.check()
    data = data_for(model, signatures, counts)
    model.fit(data, sample_weight=signatures.weights, sequences=sequences(intervals), progress=progress)
    return _whole(model, len(intervals))


def _whole(model: PhaseModel, n: int) -> Phases:
    """The phases that a model left, if they are what the rest of phasemark relies on.

    Raises:
        DataError: they are not; says what is missing.
    """
    phases = getattr(model, "phases_", None)
    who, hint = f"the model {model.name}", "see phases.PhaseModel for what `phases_` must hold"
    if not isinstance(phases, Phases):
        raise DataError(f"{who} left no phases_ of type Phases", hint=hint)
    if len(phases) != n:
        raise DataError(f"{who} gave phases to {len(phases):,} intervals, and there are {n:,}", hint=hint)
    notes = phases.model.get("notes")
    if phases.model.get("method") != model.name or not isinstance(notes, list):
        raise DataError(f"{who} does not record its name as `method` and a list of `notes`", hint=hint)
    try:
        json.dumps(phases.model)
    except (TypeError, ValueError) as error:
        raise DataError(f"{who} records what JSON cannot hold ({error})", hint=hint) from error
    return phases


def data_for(
    model: PhaseModel, signatures: Signatures, counts: Callable[[], Counts] | None = None
) -> Signatures | Counts:
    """Which of a run's data a model takes.

    Raises:
        UsageError: it takes counts and there are none.
    """
    if model.input == "signatures":
        return signatures
    if counts is None:
        raise UsageError(
            f"the model {model.name} takes counts of blocks, not projected vectors",
            hint="give it the run's profile",
        )
    return counts()


def sequences(intervals: Intervals) -> NDArray[np.int64]:
    """How many rows each thread of each run has, in order: the sequences a model of order sees."""
    first = np.flatnonzero(intervals.first_of_thread())
    return np.diff(np.append(first, len(intervals))).astype(np.int64)


def held_back(sequences: ArrayLike | None, n: int, share: float) -> NDArray[np.bool_]:
    """Which rows are the ends of sequences, held back from a fit: n bools.

    At least one of each sequence is, and one is not; a sequence of one row is not.

    Args:
        sequences: numbers of rows that sum to n; None: all rows are one.
        n: how many there are.
        share: of each sequence's rows to hold back, between 0 and 1.

    Raises:
        UsageError: a share that is none.
        DataError: malformed sequences, or none has two rows.
    """
    require_real(share=share)
    if not 0 < share < 1:
        raise UsageError(f"share is {shown(share)}", hint="it must be between 0 and 1, as 0.2")
    lengths = require_sequences(sequences, n)
    ends = np.minimum(np.maximum(np.rint(lengths * share).astype(np.int64), 1), lengths - 1)
    if not ends.any():
        raise DataError("no sequence has two intervals, of which one could be held out")
    place = np.arange(n) - np.repeat(np.cumsum(lengths) - lengths, lengths)
    return np.asarray(place >= np.repeat(lengths - ends, lengths))


def lengths_of(rows: NDArray[np.bool_], sequences: ArrayLike | None) -> NDArray[np.int64]:
    """How many of the chosen rows lie in each sequence; sequences without one are gone."""
    ends = np.cumsum(require_sequences(sequences, len(rows)))
    counts = np.diff(np.concatenate(([0], np.cumsum(rows)))[np.concatenate(([0], ends))])
    return counts[counts > 0].astype(np.int64)


def require_sequences(sequences: ArrayLike | None, n: int) -> NDArray[np.int64]:
    """The numbers of rows of sequences, checked; of a single one where none are given.

    Raises:
        DataError: they are no numbers above 0 that sum to n.
    """
    if sequences is None:
        return np.array([n], np.int64)
    lengths = np.asarray(sequences)
    if lengths.ndim != 1 or lengths.dtype.kind not in "iu" or (lengths < 1).any() or lengths.sum() != n:
        raise DataError(f"sequences that are no whole numbers above 0 with sum {n}, the number of rows")
    return lengths.astype(np.int64)
