"""How far all threads are when one comes to a point."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.parallel.threads import Rows, intervals_of, profile_of
from tests.reference import timeline as twin

from phasemark.errors import DataError
from phasemark.model import Intervals, Points, Profile
from phasemark.parallel.reaching import reached

#: Thread 1 starts at 10, waits from 40 to 60 and ends at 70; thread 0 has a gap of 5, and ends at 90.
ROWS: Rows = [
    (0, 0, 0, 20), (0, 1, 25, 50), (0, 0, 50, 90),
    (1, 2, 10, 40), (1, 2, 60, 70),
]  # fmt: skip


def points_of(table: Intervals, rows: list[int], warmup: int = 0) -> Points:
    n = len(rows)
    start, end = table.start[rows], (table.start + table.length)[rows]
    return Points(
        table.run[rows], table.thread[rows], table.index[rows], np.zeros(n), start, end,
        np.minimum(start, warmup), np.full(n, 1 / n),
    )  # fmt: skip


def test_what_other_threads_have_done_by_then_counts() -> None:
    profile = profile_of(intervals_of(ROWS))
    found = reached(profile, points_of(profile.interval_table, [1, 3, 4], warmup=10))
    # At 25 thread 0 has waited 5, and thread 1 executed 15; at 10, 10 of thread 0; at 60, 55 and 30.
    assert found.start.tolist() == [20 + 15, 10, 55 + 30]
    # At 50, 45 and 30 that wait; at 40, 35 and 30; at 70, 65 and 40.
    assert found.end.tolist() == [45 + 30, 35 + 30, 65 + 40]
    # Ten instructions before: at 10 of thread 0, at its beginning, and at 30 of thread 1.
    assert found.warm.tolist() == [10 + 0, 10, 25 + 20]


def test_of_one_thread_it_is_its_own_count() -> None:
    profile = profile_of(Intervals.of_thread([10, 10, 7]))
    found = reached(profile, points_of(profile.interval_table, [0, 2], warmup=4))
    assert (found.warm.tolist(), found.start.tolist(), found.end.tolist()) == ([0, 16], [0, 20], [10, 27])


def test_threads_without_a_clock_cannot_be_put_side_by_side() -> None:
    table = intervals_of(ROWS)
    bare = Intervals(table.run, table.thread, table.index, table.start, table.length, table.kind)
    with pytest.raises(DataError, match="nothing says when each of them ran"):
        reached(profile_of(bare), points_of(bare, [0]))


@st.composite
def runs(draw: st.DrawFn) -> Profile:
    rows = []
    for thread in range(draw(st.integers(1, 3))):
        at = draw(st.integers(0, 20))
        for _ in range(draw(st.integers(1, 4))):
            end = at + draw(st.integers(1, 15))
            rows.append((thread, 0, at, end))
            at = end + draw(st.sampled_from([0, 0, 3, 25]))
    lengths = [draw(st.integers(1, end - began)) for *_, began, end in rows]
    return profile_of(intervals_of(rows, lengths=lengths))


@given(runs(), st.integers(0, 12))
def test_agrees_with_its_slow_twin(profile: Profile, warmup: int) -> None:
    table = profile.interval_table
    assert table.began is not None and table.ended is not None
    points = points_of(table, list(range(len(table))), warmup)
    found = reached(profile, points)
    rows = list(zip(table.began.tolist(), table.ended.tolist(), table.length.tolist(), strict=True))
    for row, (began, ended, _) in enumerate(rows):
        for value, moment in ((found.start[row], began), (found.end[row], ended)):
            assert abs(value - twin.executed(rows, moment)) <= Fraction(1, 2)
    assert (found.warm <= found.start).all() and (found.start <= found.end).all()
    assert found.end.max() == profile.instructions
