"""Of a trace, what recurs too often to begin an interval each time is left out, or thinned."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.intervals.traces import Chunked, events, rows, traces
from tests.reference import intervals as reference

from phasemark.errors import UsageError
from phasemark.intervals import prune
from phasemark.model import Events


def test_what_recurs_more_often_than_once_per_so_many_instructions_is_left_out() -> None:
    trace = events([0, 1, 1, 1, 2, 0, 1, 1, 2], 10, tail=10)  # 100 instructions
    pruned = prune(trace, every=50, silence=0)
    assert pruned.symbol.tolist() == [0, 2, 0, 2]
    assert pruned.position.tolist() == [10, 50, 60, 90]
    assert (pruned.pruned.tolist(), pruned.every, pruned.silence) == ([1], 50, 0)
    assert pruned.instructions == 100


def test_repeats_count() -> None:
    trace = events([0, 1], 10, repeats=[1, 9])
    assert prune(trace, every=10, silence=0).symbol.tolist() == [0]


def test_with_0_nothing_is_pruned() -> None:
    trace = events([0, 1, 1], 1)
    assert rows(prune(trace, every=0)) == rows(trace) and not len(prune(trace, every=0).pruned)


def test_a_long_silence_is_broken_by_the_rarest_of_the_sites_left_out() -> None:
    """Site 1 recurs every 10 instructions, and each third time site 2: this is kept, not what comes next."""
    trace = events([0, *[1, 1, 2] * 20, 0], 10)
    pruned = prune(trace, every=100, silence=100)
    assert pruned.pruned.tolist() == [1, 2]
    assert pruned.symbol.tolist() == [0, 2, 2, 2, 2, 2, 0]
    assert pruned.position.tolist() == [10, 130, 250, 370, 490, 610, 620]


def test_the_rarest_is_looked_for_no_further_than_another_silence() -> None:
    trace = events([1] * 22 + [2] + [1] * 12, 10)
    assert prune(trace, every=10_000, silence=100).position.tolist() == [100, 230, 330]


def test_where_no_event_is_there_is_none() -> None:
    assert not len(prune(events([], tail=10**9)))
    pruned = prune(events([0] * 3, [5, 10**6, 5], tail=10**7), every=10**7, silence=1000)
    assert pruned.position.tolist() == [5 + 10**6]


@pytest.mark.parametrize(("every", "silence"), [(-1, 1), (1, -1), (0.5, 1)])
def test_parameters_that_make_no_sense_are_refused(every: int, silence: int) -> None:
    with pytest.raises(UsageError, match=r"every|silence|most"):
        prune(events([0]), every, silence)


def test_of_many_rare_sites_no_more_are_kept_than_a_grammar_should_hold() -> None:
    trace = events([0, 1, 2, 2, 1, 3, 2], 10, tail=30)  # 100 instructions; 2 happens three times, 1 twice
    pruned = prune(trace, every=10, silence=0, most=4)
    assert pruned.symbol.tolist() == [0, 1, 1, 3]
    assert (pruned.pruned.tolist(), pruned.every) == ([2], 34)
    assert prune(trace, every=10, silence=0, most=3).symbol.tolist() == [0, 3]
    assert prune(trace, every=10, silence=0, most=7).every == 10


@given(
    trace=traces(),
    every=st.integers(0, 40),
    silence=st.integers(0, 60),
    most=st.integers(0, 30),
    size=st.integers(1, 9),
)
def test_it_is_what_was_said_however_the_trace_is_read(
    trace: Events, every: int, silence: int, most: int, size: int
) -> None:
    expected = reference.prune(rows(trace), trace.instructions, every, silence, most)
    assert rows(prune(trace, every, silence, most)) == expected
    assert rows(prune(Chunked(trace, size), every, silence, most)) == expected
