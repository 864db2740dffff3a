"""What points are chosen from: rows with instructions and weight."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest

from phasemark.errors import DataError, UsageError
from phasemark.model import Intervals, Phases
from phasemark.model.points import FROM_ALL
from phasemark.points import METHODS, Population, nearest, select

INTERVALS = Intervals.of_thread([10, 0, 10, 20, 10])
PHASES = Phases([0, 0, 1, 1, 0], np.zeros((2, 1)), [0.5, 0.0, 0.0, 0.2, 0.9])


def test_rows_without_instructions_or_weight_can_be_no_points() -> None:
    population = Population.of(INTERVALS, PHASES, [1, 1, 0, 2, 1])
    assert population.possible.tolist() == [True, False, False, True, True]
    assert population.sizes.tolist() == [2, 1] and population.sizes.dtype == np.int64
    assert population.rows_of(0).tolist() == [0, 4] and population.rows_of(1).tolist() == [3]
    assert population.shares.tolist() == [0.6, 0.4]


@pytest.mark.parametrize("method", METHODS)
def test_no_method_takes_an_interval_of_weight_0(method) -> None:
    vectors = np.maximum(INTERVALS.length, 1)[:, None]
    phases = dataclasses.replace(PHASES, posterior=np.eye(PHASES.k)[PHASES.labels])
    points = select(INTERVALS, phases, 9, method=method, weights=[1, 1, 0, 2, 1], vectors=vectors)
    assert set(points.interval.tolist()) <= {0, 3, 4}
    assert len(set(points.interval.tolist())) == 3 or method in FROM_ALL
    assert nearest(INTERVALS, PHASES, [1, 1, 0, 2, 1]).interval.tolist() == [0, 3]


def test_weights_of_instructions_unless_others_are_given() -> None:
    population = Population.of(INTERVALS, PHASES)
    assert population.weights.tolist() == [10, 0, 10, 20, 10]
    assert population.shares.tolist() == [0.4, 0.6]


def test_what_a_point_weighs() -> None:
    """Its stratum's share, in proportion to the weights of the stratum's points."""
    population = Population.of(INTERVALS, PHASES)
    points = population.points(np.array([3, 0, 2]), method="stratified", whole_run=False, warmup=15)
    assert points.interval.tolist() == [0, 2, 3] and points.phase.tolist() == [0, 1, 1]
    assert points.weight.tolist() == pytest.approx([0.4, 0.6 / 3, 0.6 * 2 / 3])
    assert points.population.tolist() == [2, 2, 2] and points.coverage == 1
    assert points.start.tolist() == [0, 10, 20] and points.end.tolist() == [10, 20, 40]
    assert points.warmup.tolist() == [0, 10, 15]
    one = population.points(np.array([0, 3]), method="random", whole_run=True, coverage=1 + 1e-12)
    assert one.weight.tolist() == pytest.approx([1 / 3, 2 / 3]) and one.population.tolist() == [4, 4]
    assert one.coverage == 1


def test_phases_left_out_leave_their_weight_to_the_others() -> None:
    points = Population.of(INTERVALS, PHASES).points(
        np.array([0, 4]), method="stratified", whole_run=False, coverage=0.4
    )
    assert points.weight.tolist() == [0.5, 0.5] and points.coverage == 0.4


@pytest.mark.parametrize(
    ("weights", "message"),
    [
        ([1, 1, -1, 2, 1], "row 2: a weight is negative or not a number"),
        ([1, 1, 1, 2, np.nan], "row 4: a weight is negative or not a number"),
        ([np.inf, 1, 1, 2, 1], "row 0: a weight is negative or not a number"),
        ([1, 1, 1], "3 weights for 5 intervals"),
        ([0, 1, 0, 0, 0], "no interval can be a point: none has both instructions and weight"),
    ],
)
def test_bad_weights_are_refused(weights, message) -> None:
    with pytest.raises(DataError, match=message):
        Population.of(INTERVALS, PHASES, weights)
    with pytest.raises(DataError, match=message):
        nearest(INTERVALS, PHASES, weights)


def test_it_shows_itself() -> None:
    population = Population.of(INTERVALS, PHASES)
    assert repr(population) == "<Population: 5 intervals in 2 phases, of which 4 can be points>"
    frame = population.frame()
    assert list(frame.columns)[-4:] == ["kind", "phase", "weight", "possible"]
    assert frame["possible"].tolist() == population.possible.tolist()
    assert frame["phase"].tolist() == [0, 0, 1, 1, 0] and frame["weight"].sum() == 50


def test_counts_are_whole_numbers_one_for_each_phase() -> None:
    for counts, message in (
        (1.5, "no whole number"),
        ([1, 1, 1], "3 numbers of points for 2 phases"),
        ([[1, 1]], "2 numbers of points for 2 phases"),
    ):
        with pytest.raises(UsageError, match=message):
            select(INTERVALS, PHASES, counts)
