"""Leaves: a thread cut where the largest repetitions of its trace begin and end."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.intervals.traces import events, rows, traces
from tests.reference import intervals as reference

from phasemark.errors import UsageError
from phasemark.intervals import leaves
from phasemark.model import Events, Intervals


def stretches(of: Intervals) -> list[tuple[int, int, str]]:
    kinds = of.frame()["kind"].tolist()
    return list(zip(of.start.tolist(), (of.start + of.length).tolist(), kinds, strict=True))


def test_the_longest_symbols_of_s_are_leaves_and_the_rest_transitions() -> None:
    """S = 1 1 2 c (1 = 2 b, 2 = aa), as in the paper's example, of 3 + 3 + 2 + 1 events."""
    trace = events([0, 0, 1, 0, 0, 1, 0, 0, 2], 10)
    assert stretches(leaves(trace, 0.6, 10)) == [
        (0, 30, "variable"),
        (30, 60, "variable"),
        (60, 90, "transition"),
    ]
    assert [kind for *_, kind in stretches(leaves(trace, 1.0, 10))] == ["variable"] * 4
    assert stretches(leaves(trace, 1.0, 20))[2:] == [(60, 80, "variable"), (80, 90, "transition")]
    assert stretches(leaves(trace, 0.1, 10)) == [(0, 30, "variable"), (30, 90, "transition")]
    assert stretches(leaves(trace, 0.0, 10)) == [(0, 90, "transition")]


def test_what_follows_the_last_event_is_of_the_transition_that_it_ends_or_a_tail() -> None:
    trace = events([0, 0, 1, 0, 0, 1, 0, 0, 2], 10, tail=5)
    assert stretches(leaves(trace, 0.5, 10))[-1] == (60, 95, "transition")
    assert stretches(leaves(trace, 1.0, 10))[-2:] == [(80, 90, "variable"), (90, 95, "tail")]


def test_a_thread_without_an_event_is_one_transition_and_without_an_instruction_nothing() -> None:
    assert stretches(leaves(events([], tail=7))) == [(0, 7, "transition")]
    assert not len(leaves(events([])))


def test_a_trace_in_which_nothing_recurs_is_one_transition_unless_its_stretches_are_long() -> None:
    trace = events(range(1000), 50)
    assert stretches(leaves(trace)) == [(0, 50_000, "transition")]
    assert len(leaves(trace, shortest=50)) == 901


def test_one_symbol_very_often() -> None:
    cut = leaves(events(np.zeros(1 << 20, np.int32), 10))  # type: ignore[arg-type]
    assert cut.length.sum() == 10 << 20 and len(cut) < 40


@pytest.mark.parametrize(
    ("coverage", "shortest"), [(-0.1, 1), (1.1, 1), (float("nan"), 1), (0.9, 0), (0.9, 1.5)]
)
def test_parameters_that_make_no_sense_are_refused(coverage: float, shortest: int) -> None:
    with pytest.raises(UsageError):
        leaves(events([0]), coverage, shortest)


@given(trace=traces(), coverage=st.floats(0, 1), shortest=st.integers(1, 60))
def test_they_are_what_the_paper_says_and_tile_the_thread(
    trace: Events, coverage: float, shortest: int
) -> None:
    cut = leaves(trace, coverage, shortest)
    assert stretches(cut) == reference.leaves(rows(trace), trace.instructions, coverage, shortest)
    assert cut.length.sum() == trace.instructions and not cut.gaps().any()
    variable = cut.frame()["kind"] == "variable"
    assert (cut.length[variable] >= shortest).all()


def test_events_of_several_threads_are_refused() -> None:
    with pytest.raises(UsageError, match="is no trace of a thread"):
        leaves([events([0])])  # type: ignore[arg-type]
