"""The threads of a run, counted by hand."""

from __future__ import annotations

import numpy as np
import pytest
from tests.views import counted

from phasemark.model import Blocks, Counts, Intervals, Profile, Provenance, Threads
from phasemark.views.threads import Thread, longest, threads


def test_threads_have_their_rows_and_instructions() -> None:
    assert threads(counted.run().profile) == [
        Thread(0, 0, "thread 0", slice(0, 5), 43, "0"),
        Thread(0, 3, "thread 3", slice(5, 7), 50, "3"),
    ]


def of(*rows: tuple[int, int], names: tuple[str, ...] = ()) -> Profile:
    """A profile of (run, thread); of several processes where names tell them."""
    run, thread = (np.array(column, np.int64) for column in zip(*rows, strict=True)) if rows else ([], [])
    n = len(rows)
    zero, blocks = np.zeros(n, np.int64), Blocks(("/bin/prog",), [0], [0], [1], [1])  # type: ignore[arg-type]
    table = Intervals(np.array(run, np.int64), np.array(thread, np.int64), zero, zero, zero + 10, zero)
    counts = Counts(np.arange(n + 1), zero.astype(np.int32), zero + 10, 1)
    process = np.array([names.index(name) + 1 for name in names], np.int32)
    whose = Threads(run, thread, process, names, zero - 1) if names else None  # type: ignore[arg-type]
    return Profile(blocks, table, counts, Provenance("a test"), threads=whose)


def test_where_there_are_several_runs_a_label_says_whose_a_thread_is() -> None:
    labels = [t.label for t in threads(of((0, 0), (1, 0), (1, 2)))]
    assert labels == ["run 0", "run 1, thread 0", "run 1, thread 2"]
    assert [t.short for t in threads(of((0, 0), (1, 0), (1, 2)))] == ["0.0", "1.0", "1.2"]


def test_where_there_are_several_processes_a_label_names_them() -> None:
    labels = [t.label for t in threads(of((0, 0), (0, 1), names=("cat", "sort")))]
    assert labels == ["process 1 (cat), thread 0", "process 2 (sort), thread 1"]


def test_no_intervals_have_no_thread() -> None:
    assert threads(of()) == []


@pytest.mark.parametrize(("instructions", "which"), [([3, 5, 4], 1), ([5, 5], 0), ([1], 0)])
def test_the_longest_has_most_instructions_and_is_the_first_of_equals(instructions, which) -> None:
    every = [Thread(0, t, "", slice(0, 1), n) for t, n in enumerate(instructions)]
    assert longest(every) is every[which]


def test_points_belong_to_a_thread_of_a_run() -> None:
    points = counted.run().points
    assert Thread(0, 0, "", slice(0, 5), 43).points(points).tolist() == [True, True, False]
    assert Thread(1, 0, "", slice(0, 5), 43).points(points).tolist() == [False] * 3
