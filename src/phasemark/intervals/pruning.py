"""Prune: a trace without the events that recur too often for an interval to begin at each."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from phasemark.errors import UsageError
from phasemark.model import Events
from phasemark.model.options import require_given, require_whole
from phasemark.model.trace import EventColumns, Trace

#: A site that recurs more often than once per so many instructions is pruned.
DEFAULT_EVERY = 10_000

#: Where nothing was kept for so many instructions, an event of a pruned site is.
DEFAULT_SILENCE = 100_000

#: Events of a trace that are kept, at most: a grammar and a hierarchy of so many take about 1.5 GB.
DEFAULT_MOST = 1 << 24

_EMPTY: EventColumns = (np.empty(0, np.int32), np.empty(0, np.int64), np.empty(0, np.int64))


def prune(
    trace: Trace,
    every: int = DEFAULT_EVERY,
    silence: int = DEFAULT_SILENCE,
    most: int = DEFAULT_MOST,
) -> Events:
    """The events of sites that recur, on average over the thread, at most once per `every` instructions.

    So that no stretch is without a place to cut, pruned sites are thinned where they alone are active: when
    nothing was kept for `silence` instructions, the next event is kept of that pruned site which happens
    least often in the whole thread, of those active in the following `silence` instructions: the outermost
    loop or call, mostly.

    In a program of much code no single site recurs that often, and together they do every few instructions.
    Where more than `most` events would be kept, `every` is raised until they are not.

    The trace is read twice, a stretch at a time. Memory is that of the events kept, and of the events of
    2 `silence` instructions.

    Args:
        trace: of one thread.
        every: instructions; 0: nothing is pruned.
        silence: instructions; 0: pruned sites are left out altogether.
        most: events, without those that break a silence.

    Returns:
        The events, their `pruned` sites, `silence`, and `every`, as it was raised. Events that follow one
        another stay apart, also when they are of one site.

    Raises:
        UsageError: every, silence or most is negative.
    """
    require_given(every=every, silence=silence, most=most)
    require_whole(every=every, silence=silence, most=most)
    for name, value in (("every", every), ("silence", silence), ("most", most)):
        if value < 0:
            raise UsageError(f"{name} is {value:,}", hint="give 0 or more")
    count = _counts(trace)
    every = _raised(every, count, trace.instructions, most)
    kept = count <= (trace.instructions / every if every else np.inf)
    pieces = [_EMPTY, *_kept(trace, kept, count, silence)]
    symbol, repeats, position = (np.concatenate(parts) for parts in zip(*pieces, strict=True))
    return Events(
        *(trace.sites, symbol, repeats, position, trace.instructions),
        run=trace.run,
        thread=trace.thread,
        pruned=np.flatnonzero(~kept),
        every=every,
        silence=silence,
    )


def _counts(trace: Trace) -> NDArray[np.float64]:
    """How often each site happens: whole numbers, exact up to 2^53."""
    count = np.zeros(len(trace.sites))
    for symbol, repeats, _ in trace.chunks():
        count += np.bincount(symbol, repeats, len(count))
    return count


def _raised(every: int, count: NDArray[np.float64], instructions: int, most: int) -> int:
    """The smallest number from `every` on with which no more than `most` events are kept; 0 stays 0."""
    if not every:
        return 0
    rarest = np.sort(count[(count > 0) & (count <= instructions / every)])
    fit = int(np.searchsorted(np.cumsum(rarest), most, side="right"))
    # Sites that recur equally often go together: the first that is too much leaves out all like it.
    return every if fit == len(rarest) else max(every, int(instructions // rarest[fit]) + 1)


def _kept(
    trace: Trace, kept: NDArray[np.bool_], count: NDArray[np.float64], silence: int
) -> Iterator[EventColumns]:
    if not silence or kept.all():
        for columns in trace.chunks():
            yield _some(columns, kept[columns[0]])
        return
    last, rest = 0, _EMPTY
    for columns in trace.chunks():
        seen = _joined(rest, columns)
        taken, last, decided = _thinned(seen, kept, count, silence, last, ends=False)
        yield _some(seen, taken)
        rest = _some(seen, slice(decided, None))
    taken, _, _ = _thinned(rest, kept, count, silence, last, ends=True)
    yield _some(rest, taken)


def _thinned(
    seen: EventColumns,
    kept: NDArray[np.bool_],
    count: NDArray[np.float64],
    silence: int,
    last: int,
    *,
    ends: bool,
) -> tuple[NDArray[np.bool_], int, int]:
    """Which events are taken, the position of the last one, and up to which event that is decided.

    Args:
        seen: events in a row.
        kept: whether all events of a site are taken.
        count: how often each site happens.
        silence: see `prune`.
        last: position of the last event taken before.
        ends: no event follows those seen.
    """
    symbol, _, position = seen
    taken = kept[symbol]
    at = np.flatnonzero(taken)
    before = np.concatenate(([last], position[at]))
    stops = np.append(at, len(symbol))
    after = np.append(position[at], position[-1:] + 1 if len(position) else last)
    last = int(before[-1])
    for gap in np.flatnonzero(after - before > silence).tolist():
        stop, here = int(stops[gap]), int(before[gap])
        while (low := int(np.searchsorted(position, here + silence))) < stop:
            high = min(max(int(np.searchsorted(position, here + 2 * silence)), low + 1), stop)
            if high == len(symbol) and not ends:
                return taken, here, low  # an event of a rarer site may follow
            row = low + int(np.argmin(count[symbol[low:high]]))
            taken[row], here = True, int(position[row])
        last = max(last, here)
    return taken, last, len(symbol)


def _some(columns: EventColumns, which: NDArray[np.bool_] | slice) -> EventColumns:
    symbol, repeats, position = columns
    return symbol[which], repeats[which], position[which]


def _joined(one: EventColumns, other: EventColumns) -> EventColumns:
    if not len(one[0]):
        return other
    return (
        np.concatenate((one[0], other[0])),
        np.concatenate((one[1], other[1])),
        np.concatenate((one[2], other[2])),
    )
