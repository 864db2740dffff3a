"""The threads of a run, counted by hand."""

from __future__ import annotations

import numpy as np
import pytest
from tests.views import counted

from phasemark.model import Intervals
from phasemark.model.intervals import concatenate
from phasemark.views.threads import Thread, longest, threads


def test_threads_have_their_rows_and_instructions() -> None:
    assert threads(counted.run().profile.interval_table) == [
        Thread(0, 0, "thread 0", slice(0, 5), 43),
        Thread(0, 3, "thread 3", slice(5, 7), 50),
    ]


def test_where_there_are_several_runs_a_thread_s_label_says_whose_it_is() -> None:
    zero, ten = np.zeros(1, np.int64), np.full(1, 10)
    parts = [Intervals(zero + run, zero, zero, zero, ten, zero) for run in (0, 1)]
    assert [t.label for t in threads(concatenate(parts))] == ["run 0, thread 0", "run 1, thread 0"]


def test_no_intervals_have_no_thread() -> None:
    assert threads(Intervals.of_thread(np.zeros(0, np.int64))) == []


@pytest.mark.parametrize(("instructions", "which"), [([3, 5, 4], 1), ([5, 5], 0), ([1], 0)])
def test_the_longest_has_most_instructions_and_is_the_first_of_equals(instructions, which) -> None:
    every = [Thread(0, t, "", slice(0, 1), n) for t, n in enumerate(instructions)]
    assert longest(every) is every[which]


def test_points_belong_to_a_thread_of_a_run() -> None:
    points = counted.run().points
    assert Thread(0, 0, "", slice(0, 5), 43).points(points).tolist() == [True, True, False]
    assert Thread(1, 0, "", slice(0, 5), 43).points(points).tolist() == [False] * 3
