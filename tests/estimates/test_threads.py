"""Each thread's metrics from the points of all threads."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.reference import estimate as twin

from phasemark.errors import UsageError
from phasemark.estimates import ThreadEstimate, estimate, estimate_threads
from phasemark.model import Intervals, Metrics, Phases, Points

LENGTH = 100


class Run:
    """Threads of intervals of some phases, with cycles; and points of it."""

    def __init__(self, threads: list[list[int]], cycles: list[list[float]], *, length: int = LENGTH) -> None:
        self.thread = np.repeat(np.arange(len(threads)), [len(labels) for labels in threads])
        index = np.concatenate([np.arange(len(labels)) for labels in threads])
        n = len(self.thread)
        lengths = np.full(n, length)
        self.intervals = Intervals(
            np.zeros(n), self.thread, index, index * length, lengths, np.zeros(n)
        )  # fmt: skip
        self.phases = Phases(np.concatenate(threads).astype(np.int32), None, np.zeros(n))
        keys = (np.zeros(n), self.thread, index, index * length, lengths)
        self.metrics = Metrics(*keys, {"cycles": np.concatenate(cycles).astype(float)})

    def points(self, rows: list[int], method: str = "stratified") -> Points:
        at = np.array(sorted(rows))
        labels, table = self.phases.labels, self.intervals
        share = np.bincount(labels) / len(labels)
        weight = share[labels[at]] / np.bincount(labels[at], minlength=len(share))[labels[at]]
        return Points(
            table.run[at], table.thread[at], table.index[at], labels[at], table.start[at],
            table.start[at] + table.length[at], np.zeros(len(at)), weight / weight.sum(), method=method,
            population=np.bincount(labels)[labels[at]], coverage=min(float(weight.sum()), 1.0),
        )  # fmt: skip

    def of_threads(self, points: Points) -> tuple[ThreadEstimate, ...]:
        return estimate_threads(points, self.metrics, self.intervals, self.phases, names=["cpi", "ipc"])


def test_a_thread_is_made_of_its_phases_points_wherever_they_lie() -> None:
    run = Run([[0, 0, 0, 1], [0, 1, 1, 1]], [[100, 1, 1, 1], [1, 400, 1, 1]])
    first, other = run.of_threads(run.points([0, 5]))
    assert first.estimate.value["cpi"] == pytest.approx((3 * 1 + 1 * 4) / 4)
    assert other.estimate.value["cpi"] == pytest.approx((1 * 1 + 3 * 4) / 4)
    assert other.estimate.value["ipc"] == pytest.approx(4 / 13)
    assert (first.points, other.points, first.instructions) == (1, 1, 4 * LENGTH)
    low, high = first.estimate.interval["cpi"]
    assert low < 7 / 4 < high


def test_a_thread_that_was_simulated_whole_is_known_exactly() -> None:
    run = Run([[0, 0, 1], [0, 0, 1]], [[100, 120, 300], [70, 150, 310]])
    known, other = run.of_threads(run.points([0, 1, 2, 3]))
    assert known.estimate.value["cpi"] == pytest.approx(520 / 300)
    assert known.estimate.standard_error["cpi"] == 0
    assert other.estimate.standard_error["cpi"] > 0


def test_what_no_point_stands_for_is_said_and_widens_the_interval() -> None:
    run = Run([[0, 0, 0, 0], [0, 0, 1, 1]], [[100, 110, 120, 90], [100, 130, 500, 500]])
    points = run.points([0, 1, 4])
    whole, half = run.of_threads(points)
    assert [one.estimate.coverage["cpi"] for one in (whole, half)] == pytest.approx([1, 0.5])
    assert half.estimate.standard_error["cpi"] > whole.estimate.standard_error["cpi"]
    nothing = Run([[0, 0], [1, 1]], [[100, 110], [1, 1]])
    _, other = nothing.of_threads(nothing.points([0, 1]))
    assert np.isnan(other.estimate.value["cpi"]) and other.estimate.coverage["cpi"] == 0


def test_a_point_that_is_missing_is_named_by_its_row_among_all() -> None:
    run = Run([[0, 0], [0, 1, 1], [1, 1]], [[100, 110], [120, 300, 300], [310, np.nan]])
    found = run.of_threads(run.points([0, 3, 6]))
    assert [one.estimate.missing["cpi"] for one in found] == [(), (2,), (2,)]


def test_threads_without_an_instruction_are_left_out() -> None:
    run = Run([[0, 0], [0]], [[100, 110], [0]])
    table = dataclasses.replace(run.intervals, length=np.array([LENGTH, LENGTH, 0]))
    found = estimate_threads(run.points([0, 1]), run.metrics, table, run.phases)
    assert [one.thread for one in found] == [0]


def test_of_many_threads_those_with_most_instructions_are_told_in_their_order() -> None:
    run = Run([[0], [0, 0, 0], [0], [0, 0]], [[100], [100, 110, 90], [100], [100, 90]])
    points, all_of_them = run.points([0]), run.of_threads(run.points([0]))
    found = estimate_threads(points, run.metrics, run.intervals, run.phases, names=["cpi", "ipc"], most=3)
    assert [one.thread for one in found] == [0, 1, 3]
    assert [one.estimate.value for one in found] == [all_of_them[at].estimate.value for at in (0, 1, 3)]


def test_points_of_the_whole_run_say_nothing_of_threads() -> None:
    run = Run([[0, 0], [0, 0]], [[1, 2], [3, 4]])
    with pytest.raises(UsageError, match="stand for the whole run"):
        run.of_threads(dataclasses.replace(run.points([0, 2]), method="random"))


@st.composite
def sampled_runs(draw: st.DrawFn, most_threads: int = 4) -> tuple[Run, list[int]]:
    threads = draw(
        st.lists(st.lists(st.integers(0, 2), min_size=1, max_size=7), min_size=1, max_size=most_threads)
    )
    cycles = [[draw(st.integers(50, 500)) for _ in labels] for labels in threads]
    labels = [label for thread in threads for label in thread]
    numbers = {label: i for i, label in enumerate(sorted(set(labels)))}
    threads = [[numbers[label] for label in thread] for thread in threads]
    labels = [numbers[label] for label in labels]
    rows: list[int] = []
    for label in numbers.values():
        mine = [row for row, of in enumerate(labels) if of == label]
        least = min(2, len(mine))
        rows += draw(st.lists(st.sampled_from(mine), min_size=least, max_size=len(mine), unique=True))
    return Run(threads, cycles), sorted(rows)


@settings(deadline=None, max_examples=60)
@given(sampled_runs())
def test_agrees_with_its_slow_twin(sampled: tuple[Run, list[int]]) -> None:
    run, rows = sampled
    counts = np.bincount(run.phases.labels[rows])
    measured = run.metrics.counters["cycles"].tolist()
    intervals = list(
        zip(
            run.thread.tolist(),
            run.phases.labels.tolist(),
            measured,
            run.intervals.length.tolist(),
            strict=True,
        )
    )
    for one in run.of_threads(run.points(rows)):
        if (counts[run.phases.labels[run.thread == one.thread]] < 2).any():
            continue  # a single interval of its phase: its deviation is borrowed
        value, squared = twin.thread_ratio(intervals, rows, one.thread)
        assert one.estimate.value["cpi"] == pytest.approx(value)
        assert one.estimate.standard_error["cpi"] ** 2 == pytest.approx(squared, abs=1e-12)


@settings(deadline=None, max_examples=30)
@given(sampled_runs(most_threads=1))
def test_a_thread_that_is_the_whole_run_has_its_estimate(sampled: tuple[Run, list[int]]) -> None:
    run, rows = sampled
    points = run.points(rows)
    (one,) = run.of_threads(points)
    whole = estimate(points, run.metrics, estimator="epm1", intervals=run.intervals, phases=run.phases)
    assert one.estimate.value["cpi"] == pytest.approx(whole.value["cpi"])
    assert one.estimate.standard_error["cpi"] == pytest.approx(whole.standard_error["cpi"], abs=1e-12)


@settings(deadline=None, max_examples=30)
@given(sampled_runs())
def test_threads_weighed_by_their_instructions_are_the_run(sampled: tuple[Run, list[int]]) -> None:
    run, rows = sampled
    points = run.points(rows)
    whole = estimate(points, run.metrics, estimator="epm1", intervals=run.intervals, phases=run.phases)
    found = run.of_threads(points)
    mean = np.average([o.estimate.value["cpi"] for o in found], weights=[o.instructions for o in found])
    assert mean == pytest.approx(whole.value["cpi"])
