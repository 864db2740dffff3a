"""Tracked: online phases beside the run's own, and how well they are foretold."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from phasemark.errors import DataError, counted
from phasemark.model import Phases
from phasemark.online import Accuracy, accuracy
from phasemark.phases import adjusted_rand_index, sequences
from phasemark.views.analysis import Analysis
from phasemark.views.strip import stretches
from phasemark.views.threads import Thread, longest, threads


@dataclass(frozen=True, eq=False)
class Tracked:
    """Online phases of a run.

    Attributes:
        phases: online.
        transition: the transition phase; None: there is none.
        partners: of each online phase the run's own phase that it shares most instructions with; of none in
            transition, and where the run's own phases are these, its own number.
        own: model of the run's own phases; empty where they are these.
        agreement: adjusted Rand index with those; None where they are these.
        accuracy: of each predictor.
        thread: the longest.
        lanes: one an online phase: (start, length) of its stretches in that thread.
        own_lanes: the same of the run's own phases; none where they are these.
    """

    phases: Phases
    transition: int | None
    partners: list[int | None]
    own: str
    agreement: float | None
    accuracy: tuple[Accuracy, ...]
    thread: Thread
    lanes: list[list[tuple[float, float]]]
    own_lanes: list[list[tuple[float, float]]]


def tracked(analysis: Analysis) -> Tracked:
    """What a run's online phases look like.

    Raises:
        DataError: it was not tracked, or its online phases are of other intervals.
    """
    online, own = analysis.tracked, analysis.phases
    if online is None:
        raise DataError("the run was not tracked", hint="run `phasemark track DIR` first")
    intervals = analysis.profile.interval_table
    if len(online) != len(intervals):
        raise DataError(
            f"online phases of {counted(len(online), 'interval')}, but the profile has {len(intervals):,}",
            hint="run `phasemark track` again",
        )
    same = own.k == online.k and np.array_equal(own.labels, online.labels)
    transition = online.transition
    thread = longest(threads(analysis.profile))
    return Tracked(
        online,
        transition,
        _partners(online, own, analysis.signatures.weights, transition),
        "" if same else str(own.model.get("method", "given")),
        None if same else adjusted_rand_index(online.labels, own.labels),
        accuracy(online.labels, sequences=sequences(intervals)),
        thread,
        _lanes(analysis, online, thread),
        [] if same else _lanes(analysis, own, thread),
    )


def _partners(
    online: Phases, own: Phases, weights: np.ndarray[tuple[int], np.dtype[np.float64]], transition: int | None
) -> list[int | None]:
    shared = np.zeros((online.k, own.k))
    np.add.at(shared, (online.labels, own.labels), weights)
    return [None if phase == transition else int(row.argmax()) for phase, row in enumerate(shared)]


def _lanes(analysis: Analysis, phases: Phases, thread: Thread) -> list[list[tuple[float, float]]]:
    intervals, labels = analysis.profile.interval_table, phases.labels[thread.rows]
    start, length = intervals.start[thread.rows], intervals.length[thread.rows]
    return [stretches(start, length, labels == phase) for phase in range(phases.k)]
