"""Leaves: the shortest intervals of a hierarchy, from what recurs in a trace."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from phasemark.errors import UsageError, shown
from phasemark.intervals.grammar import sequitur
from phasemark.intervals.occurrences import of_start
from phasemark.model import KINDS, Events, Intervals
from phasemark.model.options import require_given, require_real, require_whole

DEFAULT_COVERAGE = 0.9
DEFAULT_SHORTEST = 10_000

_VARIABLE, _TRANSITION, _TAIL = (KINDS.index(kind) for kind in ("variable", "transition", "tail"))


def leaves(events: Events, coverage: float = DEFAULT_COVERAGE, shortest: int = DEFAULT_SHORTEST) -> Intervals:
    """Cut a thread where the largest repetitions of its trace begin and end.

    "Variable-length intervals", section 8.1.3: the symbols of S, the start rule of the grammar that Sequitur
    finds in the trace, are taken from the longest on, in instructions, the earlier of two that are alike,
    until they cover `coverage` of the instructions, or the next is shorter than `shortest`. Each is an
    interval, and so is each stretch of what is left between them: a transition.

    Args:
        events: of one thread.
        coverage: share of the thread's instructions, 0 to 1.
        shortest: instructions.

    Returns:
        Intervals that tile the thread. Instructions after the last event belong to the transition that it
        ends; where it ends another interval, they are one of kind `tail`. A thread without an event is one
        transition, one without an instruction has no interval.

    Raises:
        UsageError: coverage is not between 0 and 1, shortest below 1, or events are not of one thread.
        WorkError: the grammar is too large.
    """
    check(coverage, shortest)
    if not isinstance(events, Events):
        raise UsageError(f"{shown(events)} is no trace of a thread", hint="give Events, as of `prune`")
    return LeavesOfThread(events, coverage, shortest).intervals


def check(coverage: float, shortest: int) -> None:
    """See that the parameters make sense.

    Raises:
        UsageError: one does not.
    """
    require_given(coverage=coverage, shortest=shortest)
    require_real(coverage=coverage)
    require_whole(shortest=shortest)
    if not 0 <= coverage <= 1:
        raise UsageError(f"a coverage of {coverage}", hint="give a share from 0 to 1, as 0.9 for 90%")
    if shortest < 1:
        raise UsageError(f"leaves of at least {shortest:,} instructions", hint="give at least 1")


class LeavesOfThread:
    """The leaves of one thread, with what they consist of.

    Attributes:
        events, grammar: of the thread.
        bounds: instructions at which events lie, from 0; the last is the thread's end where no tail is cut
            off. Terminals [i, j) of the grammar are instructions [bounds[i], bounds[j]).
        top: the symbols of S.
        first: the symbol of S with which each leaf begins, int64; a tail, which has none, is not among them.
        intervals: the leaves.
    """

    def __init__(self, events: Events, coverage: float, shortest: int) -> None:
        self.events = events
        self.shortest = shortest
        self.grammar = sequitur(events.symbol)
        self.bounds = np.concatenate(([0], events.position))
        self.top = of_start(self.grammar)
        lengths = self.bounds[self.top.end] - self.bounds[self.top.first]
        taken = _taken(lengths, coverage * events.instructions, shortest)
        self.first = np.flatnonzero(taken | np.concatenate(([True], taken[:-1]))[: len(taken)])
        self.kind = np.where(taken[self.first], _VARIABLE, _TRANSITION).astype(np.int8)
        self._end_thread(events.instructions)

    def _end_thread(self, instructions: int) -> None:
        starts = self.bounds[self.top.first[self.first]]
        kind = self.kind
        if len(kind) and kind[-1] == _TRANSITION:
            self.bounds[-1] = instructions
        elif not len(kind) and instructions:
            starts, kind = np.zeros(1, np.int64), np.full(1, _TRANSITION, np.int8)
        elif self.bounds[-1] < instructions:
            starts, kind = np.append(starts, self.bounds[-1]), np.append(kind, np.int8(_TAIL))
        lengths = np.diff(np.append(starts, instructions if len(starts) else starts[:0]))
        of = np.zeros(len(starts), np.int32)
        run, thread = of + self.events.run, of + self.events.thread
        self.intervals = Intervals(run, thread, np.arange(len(starts)), starts, lengths, kind)


def _taken(lengths: NDArray[np.int64], enough: float, shortest: int) -> NDArray[np.bool_]:
    """The longest, the earlier first, until they are enough or too short."""
    order = np.argsort(-lengths, kind="stable")
    long_enough = lengths[order] >= shortest
    ahead = np.cumsum(lengths[order]) - lengths[order]
    taken = np.zeros(len(lengths), np.bool_)
    taken[order[long_enough & (ahead < enough)]] = True
    return taken
