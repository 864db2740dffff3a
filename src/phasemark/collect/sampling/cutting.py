"""Each thread's samples, cut into intervals by what they stand for.

A sample stands for a stretch of its thread, `period` long, that ends with it. Where the end of an interval
lies within that stretch, the sample counts in both intervals, in each for its part: so intervals have the
length asked for, whatever the period. An interval does not span a stall ("Timeline" of the paper on parallel
programs): where all other threads together went on by more than an interval between two samples of a thread,
the interval ends, shorter, and the next begins.
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from phasemark.errors import UsageError
from phasemark.model import KINDS, Intervals, Samples

Ints = NDArray[np.int64]

#: As of vectors: more are none that anybody clusters.
MOST_INTERVALS = 1 << 24

_FIXED, _TAIL = KINDS.index("fixed"), KINDS.index("tail")


@dataclass(frozen=True, eq=False)
class Cut:
    """Intervals, and the part that each sample has in each.

    Attributes:
        intervals: ordered by thread.
        row, sample, amount: of each part: the interval, the sample, and how much of its period, int64.
        stalls: how many intervals ended at one.
    """

    intervals: Intervals
    row: Ints
    sample: Ints
    amount: Ints
    stalls: int


def cut(samples: Samples, length: int, *, is_clock: bool = False) -> Cut:
    """Cut samples of one event into intervals.

    Args:
        samples: at least one.
        length: of an interval, in units of the event.
        is_clock: the event counts nanoseconds.

    Raises:
        UsageError: there would be too many intervals.
    """
    begins = _begins(samples, length)
    end = _running(samples.period, begins)
    first, last = (end - samples.period) // length, (end - 1) // length
    pieces = last - first + 1
    if (total := int(pieces.sum())) > MOST_INTERVALS:
        raise UsageError(
            f"intervals of {length:,} are too short for samples of {int(samples.period.max()):,}",
            hint="choose a longer --interval",
        )
    sample = np.repeat(np.arange(len(samples)), pieces)
    nth = np.arange(total) - np.repeat(np.cumsum(pieces) - pieces, pieces)
    number = first[sample] + nth
    amount = np.minimum(end[sample], (number + 1) * length) - np.maximum(
        end[sample] - samples.period[sample], number * length
    )
    opens = np.concatenate(([True], (np.diff(number) != 0) | begins[sample][1:] & (nth[1:] == 0)))
    row = np.cumsum(opens) - 1
    heads = np.flatnonzero(opens)
    lengths = np.add.reduceat(amount, heads)
    thread = samples.thread[sample[heads]]
    starts, index = _places(lengths, thread)
    position = number[heads] * length
    began = ended = None
    if samples.timed:
        tails = np.append(heads[1:], len(sample)) - 1
        opening, closing = sample[heads], sample[tails]
        began = _when(samples, begins, opening, end[opening] - position, is_clock=is_clock)
        ended = _when(samples, begins, closing, end[closing] - position - lengths, is_clock=is_clock)
        ended = np.maximum(ended, began)
    intervals = Intervals(
        np.zeros(len(heads), np.int32), thread, index, starts, lengths,
        np.where(lengths == length, _FIXED, _TAIL), began, ended,
    )  # fmt: skip
    stalls = int(np.count_nonzero(begins)) - len(np.unique(samples.thread))
    return Cut(intervals, row, sample, amount, stalls)


def _begins(samples: Samples, length: int) -> NDArray[np.bool_]:
    """Where a thread begins, or goes on after a stall."""
    thread = np.concatenate(([True], np.diff(samples.thread) != 0))
    if not samples.timed or not len(samples):
        return thread
    order = np.argsort(samples.time, kind="stable")
    whole = np.empty(len(samples), np.int64)
    whole[order] = np.cumsum(samples.period[order])  # of all threads, at each sample
    others = np.diff(whole, prepend=0) - samples.period
    return np.asarray(thread | (others > length))


def _running(period: Ints, begins: NDArray[np.bool_]) -> Ints:
    """Sums of periods up to each sample, anew from each beginning."""
    total = np.cumsum(period)
    before = (total - period)[begins]
    return np.asarray(total - before[np.cumsum(begins) - 1])


def _places(lengths: Ints, thread: NDArray[Any]) -> tuple[Ints, Ints]:
    """Where intervals start in their threads, and their numbers there."""
    first = np.concatenate(([True], np.diff(thread) != 0))
    rows = np.flatnonzero(first)
    of = np.cumsum(first) - 1
    start = np.cumsum(lengths) - lengths
    return start - start[rows][of], np.arange(len(lengths)) - rows[of]


def _when(samples: Samples, begins: NDArray[np.bool_], sample: Ints, left: Ints, *, is_clock: bool) -> Ints:
    """Nanoseconds at which threads came to positions: between the samples around them, in proportion.

    Args:
        samples, begins: as cut.
        sample: in whose stretch each position lies, ascending.
        left: of its period, from there to the sample itself.
        is_clock: periods are nanoseconds, which tell when a stretch began that has no sample before it.
    """
    time, thread = samples.time, samples.thread[sample]
    before = np.concatenate((time[:1], time[:-1]))
    first = samples.period if is_clock else np.zeros(len(samples), np.int64)
    length = np.where(begins, first, time - before)
    when = time[sample] - (left / samples.period[sample] * length[sample]).astype(np.int64)
    follows = np.concatenate(([False], np.diff(samples.thread) == 0))
    when = np.where(follows[sample], np.maximum(when, before[sample]), when)
    edges = np.flatnonzero(np.diff(thread)) + 1
    for start, stop in itertools.pairwise([0, *edges.tolist(), len(thread)]):
        np.maximum.accumulate(when[start:stop], out=when[start:stop])
    return np.asarray(when)
