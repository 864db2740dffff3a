"""How often each event happens in each interval."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.intervals.traces import Chunked, events, rows, traces
from tests.reference import intervals as reference

from phasemark.errors import DataError
from phasemark.intervals import count_events
from phasemark.model import Events, Intervals


def cut(lengths: list[int], gaps: list[int], thread: int = 0) -> Intervals:
    ends = np.cumsum(np.array(lengths) + gaps)
    of = np.zeros(len(lengths), np.int32)
    return Intervals(of, of + thread, np.arange(len(of)), ends - lengths, lengths, of)  # type: ignore[arg-type]


def matrix(trace: Events | list[Events], intervals: Intervals) -> list[list[int]]:
    return count_events(trace, intervals).to_scipy().toarray().tolist()  # type: ignore[no-any-return]


def test_an_event_belongs_to_the_interval_that_its_branch_ends() -> None:
    trace = events([0, 1, 0, 2], 10)
    assert matrix(trace, cut([20, 20], [0, 0])) == [[1, 1, 0], [1, 0, 1]]
    assert matrix(trace, cut([19, 21], [0, 0])) == [[1, 0, 0], [1, 1, 1]]
    assert matrix(trace, cut([21, 19], [0, 0])) == [[1, 1, 0], [1, 0, 1]]


def test_repeats_count_and_are_spread_over_what_they_took() -> None:
    trace = events([0, 1], [10, 100], repeats=[1, 10])
    assert matrix(trace, cut([10, 100], [0, 0])) == [[1, 0], [0, 10]]
    assert matrix(trace, cut([35, 50, 25], [0, 0, 0])) == [[1, 2], [0, 5], [0, 3]]


def test_what_lies_in_no_interval_is_not_counted() -> None:
    trace = events([0, 1, 0, 2], 10)
    assert matrix(trace, cut([5, 10], [10, 10])) == [[0, 0, 0], [1, 0, 0]]
    assert matrix(trace, cut([5, 10], [6, 4])) == [[1, 0, 0], [0, 1, 0]]


def test_threads_each_have_their_own() -> None:
    traces = [events([0, 1], 10), events([1, 1], 5, thread=2, count=2)]
    both = Intervals([0, 0, 0], [0, 0, 2], [0, 1, 0], [0, 10, 0], [10, 10, 10], [1, 1, 1])  # type: ignore[arg-type]
    assert matrix(traces[::-1], both) == [[1, 0], [0, 1], [0, 2]]
    with pytest.raises(DataError, match="row 2: no trace of thread 2 of run 0"):
        matrix(traces[:1], both)
    with pytest.raises(DataError, match="two traces of thread 0 of run 0"):
        matrix([traces[0], traces[0]], both)
    with pytest.raises(DataError, match="thread 0 of run 0 and thread 2 of run 0 have different sites"):
        matrix([traces[0], events([2], 10, thread=2)], both)


def test_no_interval_and_no_event() -> None:
    assert len(count_events(events([0]), cut([], []))) == 0
    assert matrix(events([], tail=5, count=2), cut([2, 3], [0, 0])) == [[0, 0], [0, 0]]


@given(trace=traces(), size=st.integers(1, 9), data=st.data())
def test_it_is_what_was_said_however_the_trace_is_read(trace: Events, size: int, data: st.DataObject) -> None:
    lengths = data.draw(st.lists(st.integers(0, 30), max_size=8))
    gaps = data.draw(st.lists(st.integers(0, 8), min_size=len(lengths), max_size=len(lengths)))
    intervals = cut(lengths, gaps)
    stretches = list(
        zip(intervals.start.tolist(), (intervals.start + intervals.length).tolist(), strict=True)
    )
    expected = reference.count(rows(trace), stretches, len(trace.sites))
    assert matrix(trace, intervals) == expected
    assert matrix(Chunked(trace, size), intervals) == expected  # type: ignore[arg-type]
