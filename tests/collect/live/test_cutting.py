"""Samples -> intervals, counted by hand."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from phasemark.collect.live.cutting import Cutter, Stretch
from phasemark.collect.live.places import Code
from phasemark.formats.perf.piped import Batch

A, B = Code.at("/a", 1), Code.at("/b", 2)
SECOND = 10**9


def take(cutter: Cutter, *samples: tuple[int, Code | None, int]) -> list[Stretch]:
    """Samples of (time, code, period)."""
    codes = [A, B]
    n = len(samples)
    which = np.array([-1 if code is None else codes.index(code) for _, code, _ in samples])
    times = np.array([time for time, _, _ in samples], np.int64)
    periods = np.array([period for _, _, period in samples], np.int64)
    return [*cutter.take(Batch(np.ones(n, np.int64), np.ones(n, np.uint64), times, periods), codes, which)]


def shown(intervals: Sequence[Stretch]) -> list[tuple[int, int, int, int, dict[Code, int]]]:
    return [(one.began, one.ended, one.length, one.samples, one.codes) for one in intervals]


def test_an_interval_ends_with_the_sample_at_which_it_is_long_enough() -> None:
    cutter = Cutter(10)
    assert take(cutter, (1, A, 4), (2, B, 4)) == []
    assert shown(take(cutter, (3, A, 4), (4, B, 9), (5, B, 1), (6, B, 2))) == [
        (1, 3, 12, 3, {A: 8, B: 4}),
        (4, 5, 10, 2, {B: 10}),
    ]
    assert (cutter.open.length, cutter.open.codes) == (2, {B: 2})


def test_the_kernel_is_nobodys_code() -> None:
    assert shown(take(Cutter(8), (1, A, 4), (2, None, 4), (3, A, 4))) == [(1, 3, 8, 2, {A: 8})]
    assert take(Cutter(8), (1, None, 40)) == []


def test_where_many_threads_run_an_interval_lasts_as_long_as_it_must() -> None:
    cutter = Cutter(2, lasting=10)
    found = take(cutter, *((time, A, 1) for time in range(100, 131)))
    assert [(one.began, one.ended, one.length) for one in found] == [(100, 110, 11), (111, 121, 11)]
    assert shown(take(cutter, (200, B, 1))) == [(122, 200, 10, 10, {A: 9, B: 1})]


def test_samples_of_several_processors_are_put_in_order() -> None:
    found = take(Cutter(2), (5, B, 1), (1, A, 1), (7, B, 1), (2, A, 1))
    assert [(one.began, one.ended, one.codes) for one in found] == [(1, 2, {A: 2}), (5, 7, {B: 2})]


def test_a_clock_that_jumps_back_goes_on_from_where_it_was() -> None:
    cutter = Cutter(3, lasting=2)
    take(cutter, (100 * SECOND, A, 1))
    (one,) = take(cutter, (5, A, 1), (6, A, 1), (7, A, 1))
    assert (one.began, one.ended, one.samples) == (100 * SECOND, 100 * SECOND + 2, 4)
    take(cutter, (8, B, 1))
    assert cutter.open.began == 100 * SECOND + 3


def test_a_clock_that_jumps_ahead_ends_one_interval() -> None:
    cutter = Cutter(2, lasting=10)
    found = take(cutter, (1, A, 1), (2, A, 1), (1 << 60, A, 1), ((1 << 60) + 1, A, 1))
    assert [(one.began, one.ended) for one in found] == [(1, 1 << 60)]


@given(
    st.lists(
        st.lists(st.tuples(st.integers(0, 50), st.sampled_from([A, B, None]), st.integers(1, 9)), max_size=9),
        max_size=6,
    ),
    st.integers(1, 20),
    st.integers(0, 30),
)
@settings(deadline=None)
def test_no_sample_is_lost_and_intervals_are_long_enough(
    batches: list[list[tuple[int, Code | None, int]]], length: int, lasting: int
) -> None:
    cutter = Cutter(length, lasting)
    found = [one for samples in batches if samples for one in take(cutter, *samples)]
    for one in found:
        assert one.length >= length and one.ended >= one.began
        assert sum(one.codes.values()) == one.length
    taken = [(code, period) for samples in batches for _, code, period in samples if code is not None]
    assert sum(one.samples for one in (*found, cutter.open)) == len(taken)
    for code in (A, B):
        expected = sum(period for which, period in taken if which == code)
        assert sum(one.codes.get(code, 0) for one in (*found, cutter.open)) == expected
