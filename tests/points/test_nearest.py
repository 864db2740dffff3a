"""Points: the nearest interval of each phase, and what it stands for."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.reference import points as twin

from phasemark.errors import DataError, UsageError
from phasemark.model import Intervals, Phases
from phasemark.model.intervals import concatenate
from phasemark.points import nearest, select
from phasemark.points.nearest import largest
from phasemark.points.ranking import TIES


def phases_of(labels: list[int], distances: list[float]) -> Phases:
    return Phases(labels, np.zeros((max(labels) + 1, 1)), distances)


def test_of_equally_near_intervals_the_middle_one_or_as_simpoint_does_the_first() -> None:
    lengths, phases = [10] * 7, phases_of([0, 1, 0, 0, 0, 1, 1], [0.5, 0.1, 0.2, 0.2, 0.2, 0.1, 0.3])
    assert nearest(lengths, phases).interval.tolist() == [3, 5]
    assert nearest(lengths, phases, ties="earliest").interval.tolist() == [1, 2]
    with pytest.raises(UsageError, match="ties is 'late'"):
        nearest(lengths, phases, ties="late")


def test_of_several_points_those_of_equals_are_spread_over_them() -> None:
    distances = [0.1, *[0.2] * 9]
    points = select([10] * 10, phases_of([0] * 10, distances), 4, method="nearest")
    assert points.interval.tolist() == [0, 2, 5, 8]


def test_the_nearest_interval_of_each_phase() -> None:
    intervals = Intervals.of_thread([10, 10, 10, 10])
    points = nearest(intervals, phases_of([0, 1, 0, 0], [0.5, 0.1, 0.2, 0.3]))
    assert points.interval.tolist() == [1, 2]
    assert points.phase.tolist() == [1, 0]
    assert points.weight.tolist() == [0.25, 0.75]
    assert list(zip(points.start, points.end, strict=True)) == [(10, 20), (20, 30)]
    assert points.coverage == 1.0
    assert points.warmup.tolist() == [0, 0] and points.method == "nearest"


tables = st.lists(
    st.tuples(st.integers(0, 4), st.integers(0, 3), st.integers(0, 3)), min_size=1, max_size=30
).filter(lambda rows: any(length for _, _, length in rows))


@settings(deadline=None)
@given(rows=tables, coverage=st.floats(0.01, 1.0), ties=st.sampled_from(TIES))
def test_equals_the_twin(rows, coverage, ties) -> None:
    _, labels = np.unique([label for label, _, _ in rows], return_inverse=True)
    distances = [float(distance) for _, distance, _ in rows]
    lengths = np.array([length for _, _, length in rows])
    phases = phases_of(labels.tolist(), distances)
    points = nearest(Intervals.of_thread(lengths), phases, coverage=coverage, ties=ties)
    shares = phases.shares(lengths.astype(float)) / lengths.sum()
    chosen = twin.nearest(labels.tolist(), distances, lengths.tolist(), ties)
    kept = twin.largest(shares.tolist(), coverage)
    assert dict(zip(points.phase.tolist(), points.interval.tolist(), strict=True)) == {
        phase: chosen[phase] for phase in kept
    }
    assert points.coverage == pytest.approx(sum(shares[phase] for phase in kept))
    assert points.weight.sum() == pytest.approx(1)


def test_coverage_keeps_the_largest_phases_and_says_how_much_they_are() -> None:
    intervals = Intervals.of_thread([50, 30, 15, 5])
    points = nearest(intervals, phases_of([0, 1, 2, 3], [0.0] * 4), coverage=0.9)
    assert points.phase.tolist() == [0, 1, 2]
    assert points.coverage == pytest.approx(0.95)
    assert points.weight.tolist() == pytest.approx([50 / 95, 30 / 95, 15 / 95])


def test_a_coverage_reached_but_for_rounding_is_reached() -> None:
    assert largest(np.array([0.1] * 10), 0.3).tolist() == [0, 1, 2]
    assert largest(np.array([0.5, 0.5, 0.0]), 1.0).tolist() == [0, 1]


def test_early_points_are_near_enough_and_earlier() -> None:
    intervals = Intervals.of_thread([10] * 4)
    phases = phases_of([0, 0, 0, 0], [0.14, 0.13, 0.2, 0.1])
    assert nearest(intervals, phases).interval.tolist() == [3]
    assert nearest(intervals, phases, early=True).interval.tolist() == [1]
    assert nearest(intervals, phases, early=True, delta=1.0).interval.tolist() == [0]


def test_warm_up_is_clipped_at_the_start_of_the_thread() -> None:
    one = Intervals.of_thread([10, 10, 10])
    two = Intervals.of_thread([10, 10, 10], thread=1)
    phases = phases_of([0, 1, 2, 3, 4, 5], [0.0] * 6)
    points = nearest(concatenate([one, two]), phases, warmup=15)
    assert points.warmup.tolist() == [0, 10, 15, 0, 10, 15]
    assert points.thread.tolist() == [0, 0, 0, 1, 1, 1]
    assert points.interval.tolist() == [0, 1, 2, 0, 1, 2]


def test_an_empty_interval_is_never_a_point() -> None:
    intervals = Intervals.of_thread([0, 10, 0, 10])
    points = nearest(intervals, phases_of([0, 0, 1, 2], [0.0, 0.5, 0.0, 0.0]))
    assert points.interval.tolist() == [1, 3]
    assert points.phase.tolist() == [0, 2]
    early = nearest(intervals, phases_of([0, 0, 0, 0], [0.0, 0.5, 0.0, 0.4]), early=True)
    assert early.interval.tolist() == [1]


def test_other_weights_than_instructions() -> None:
    intervals = Intervals.of_thread([10, 90])
    points = nearest(intervals, phases_of([0, 1], [0.0, 0.0]), [0.5, 0.5])
    assert points.weight.tolist() == [0.5, 0.5]


def test_nonsense_is_refused() -> None:
    intervals, phases = Intervals.of_thread([10, 10]), phases_of([0, 0], [0.0, 0.0])
    for wrong in ({"coverage": 0.0}, {"coverage": 1.1}, {"warmup": -1}, {"delta": -0.1}):
        with pytest.raises(UsageError):
            nearest(intervals, phases, **wrong)
    with pytest.raises(DataError, match="phases of 2 intervals, but 1"):
        nearest(Intervals.of_thread([10]), phases)
    with pytest.raises(DataError, match="no interval can be a point"):
        nearest(Intervals.of_thread([0]), phases_of([0], [0.0]))


def test_a_warm_up_beyond_any_number_begins_at_the_start() -> None:
    points = nearest(Intervals.of_thread([10, 10]), phases_of([0, 1], [0.0, 0.0]), warmup=10**30)
    assert points.warmup.tolist() == [0, 10]
