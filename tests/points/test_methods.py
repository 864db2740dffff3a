"""Every method that chooses points keeps the same promises."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from phasemark.errors import DataError, UsageError
from phasemark.model import Intervals, Phases, Points
from phasemark.model.intervals import concatenate
from phasemark.model.points import FROM_ALL, WHOLE_RUN
from phasemark.points import METHODS, nearest, select

BY_PHASE = sorted(set(METHODS) - set(WHOLE_RUN))


def phases_of(labels, distances=None) -> Phases:
    labels = np.asarray(labels)
    distances = np.zeros(len(labels)) if distances is None else distances
    k = labels.max() + 1
    return Phases(labels, np.zeros((k, 1)), distances, posterior=np.eye(k)[labels])


def vectors_of(intervals: Intervals) -> np.ndarray:
    """What intervals execute: the same, but for one that is longer than the first."""
    return np.stack([np.minimum(intervals.length, 2), np.maximum(intervals.length - 2, 0)], axis=1)


def rows_of(points: Points) -> list[int]:
    return points.interval.tolist()


tables = st.lists(
    st.tuples(st.integers(0, 4), st.integers(0, 3), st.integers(0, 3)), min_size=1, max_size=30
).filter(lambda rows: any(length for _, _, length in rows))


@pytest.mark.parametrize("method", METHODS)
@settings(deadline=None, max_examples=40)
@given(rows=tables, each=st.integers(1, 5), seed=st.integers(0, 2**64))
def test_protocol(method, rows, each, seed) -> None:
    labels = np.unique([row[0] for row in rows], return_inverse=True)[1]
    lengths = np.array([row[2] for row in rows])
    intervals, phases = Intervals.of_thread(lengths), phases_of(labels, [float(row[1]) for row in rows])
    points, again = (
        select(intervals, phases, each, method=method, seed=seed, vectors=vectors_of(intervals))
        for _ in range(2)
    )
    sizes = np.bincount(labels[lengths > 0], minlength=phases.k)
    assert len(points) == np.minimum(sizes, each).sum()
    assert rows_of(points) == rows_of(again)
    assert len(set(zip(rows_of(points), points.phase.tolist(), strict=True))) == len(points)
    assert (lengths[points.interval] > 0).all()
    assert points.method == method and points.coverage == pytest.approx(1)
    assert points.weight.sum() == pytest.approx(1)
    own = points.phase == labels[points.interval]
    assert own.all() or method in FROM_ALL
    # Points weigh what their stratum makes up, in proportion to their instructions.
    share = np.bincount(labels, weights=lengths) / lengths.sum()
    if method in BY_PHASE:
        assert ((points.population == sizes[points.phase]) | (method in FROM_ALL)).all()
        for phase in set(points.phase.tolist()):
            assert points.weight[points.phase == phase].sum() == pytest.approx(share[phase])
    else:
        assert (points.population == np.count_nonzero(lengths)).all()
    ratio = points.weight / lengths[points.interval]
    for stratum in set(points.stratum.tolist()):
        assert np.ptp(ratio[points.stratum == stratum]) < 1e-12


@pytest.mark.parametrize("method", METHODS)
def test_as_many_as_there_are_is_everything(method) -> None:
    intervals, phases = Intervals.of_thread([10, 10, 5, 10, 0]), phases_of([0, 1, 0, 0, 1])
    points = select(intervals, phases, 99, method=method, vectors=vectors_of(intervals))
    if method in FROM_ALL:
        assert len(points) == 4  # not of necessity each once
        return
    assert rows_of(points) == [0, 1, 2, 3]
    assert points.weight.tolist() == pytest.approx([10 / 35, 10 / 35, 5 / 35, 10 / 35])


def test_one_nearest_point_is_simpoints() -> None:
    intervals = Intervals.of_thread([10, 10, 10, 10])
    phases = phases_of([0, 1, 0, 0], [0.5, 0.1, 0.2, 0.2])
    expected, found = (
        nearest(intervals, phases, warmup=5),
        select(intervals, phases, 1, method="nearest", warmup=5),
    )
    for name in ("interval", "phase", "start", "end", "warmup", "weight"):
        assert getattr(found, name).tolist() == getattr(expected, name).tolist()


def test_several_nearest_points_are_the_nearest() -> None:
    phases = phases_of([0, 0, 0, 0], [0.3, 0.1, 0.2, 0.1])
    assert rows_of(select(Intervals.of_thread([1] * 4), phases, 3, method="nearest")) == [1, 2, 3]


def test_larger_random_samples_keep_the_points_of_smaller_ones() -> None:
    intervals, phases = Intervals.of_thread([1] * 60), phases_of(np.arange(60) % 3)
    for method in ("stratified", "random"):
        chosen = [set(rows_of(select(intervals, phases, n, method=method, seed=5))) for n in range(1, 21)]
        assert all(small < large for small, large in itertools.pairwise(chosen))
        other = set(rows_of(select(intervals, phases, 5, method=method, seed=6)))
        assert other != chosen[4]


def test_every_interval_of_a_phase_is_drawn_equally_often() -> None:
    intervals, phases = Intervals.of_thread([1] * 12), phases_of([0] * 4 + [1] * 8)
    seeds = 1000
    for method, chance in (("stratified", [2 / 4] * 4 + [2 / 8] * 8), ("random", [4 / 12] * 12)):
        hits = np.zeros(12)
        for seed in range(seeds):
            hits[select(intervals, phases, 2, method=method, seed=seed).interval] += 1
        deviation = np.sqrt(np.array(chance) * (1 - np.array(chance)) / seeds)
        assert (np.abs(hits / seeds - chance) < 4.5 * deviation).all()


def test_systematic_points_are_evenly_spaced_from_a_random_one() -> None:
    intervals, phases = Intervals.of_thread([1] * 100), phases_of([0] * 100)
    starts = set()
    for seed in range(60):
        rows = rows_of(select(intervals, phases, 10, method="systematic", seed=seed))
        assert np.diff(rows).tolist() == [10] * 9
        starts.add(rows[0])
    assert len(starts) == 10


def test_stretches_of_threads_side_by_side() -> None:
    intervals = concatenate([Intervals.of_thread([1] * 20, thread=t) for t in (0, 1)])
    phases = phases_of([0] * 40)
    start = select(intervals, phases, 4, method="start")
    assert list(zip(start.thread.tolist(), start.interval.tolist(), strict=True)) == [
        (0, 0), (0, 1), (1, 0), (1, 1),
    ]  # fmt: skip
    skip = select(intervals, phases, 4, method="skip")
    assert list(zip(skip.thread.tolist(), skip.interval.tolist(), strict=True)) == [
        (0, 2), (0, 3), (1, 2), (1, 3),
    ]  # fmt: skip


def test_coverage_leaves_small_phases_out() -> None:
    intervals, phases = Intervals.of_thread([10] * 10), phases_of([0] * 6 + [1] * 3 + [2])
    points = select(intervals, phases, 2, coverage=0.9)
    assert sorted(points.phase.tolist()) == [0, 0, 1, 1]
    assert points.coverage == pytest.approx(0.9)
    assert points.weight.sum() == pytest.approx(1)


def test_counts_of_single_phases() -> None:
    intervals, phases = Intervals.of_thread([10] * 10), phases_of([0] * 6 + [1] * 3 + [2])
    points = select(intervals, phases, [3, 0, 1])
    assert sorted(points.phase.tolist()) == [0, 0, 0, 2]
    assert points.coverage == pytest.approx(0.7)


def test_nonsense_is_refused() -> None:
    intervals, phases = Intervals.of_thread([10, 10]), phases_of([0, 1])
    for wrong, said in (
        ({"method": "best"}, "no method is called 'best'"),
        ({"counts": 0}, "below 0, or there is none"),
        ({"counts": [-1, 2]}, "below 0"),
        ({"method": "random", "coverage": 0.5}, "knows no phases"),
        ({"coverage": 2.0}, "coverage is 2.0"),
    ):
        with pytest.raises(UsageError, match=said):
            select(intervals, phases, **wrong)
    with pytest.raises(DataError, match="phases of 2 intervals, but 1"):
        select(Intervals.of_thread([10]), phases)


def test_without_being_asked_one_random_point_a_phase_and_no_warm_up() -> None:
    intervals, phases = Intervals.of_thread([10] * 6), phases_of([0, 0, 0, 1, 1, 1])
    points = select(intervals, phases)
    assert points.phase.tolist() == [0, 1] and points.method == "stratified"
    assert points.warmup.tolist() == [0, 0] and points.coverage == 1
    assert rows_of(points) == rows_of(select(intervals, phases, 1, seed=1))


@pytest.mark.parametrize(
    ("method", "seed", "rows"),
    [
        ("stratified", 1, [12, 21, 28, 29, 31, 36]),
        ("stratified", 7, [12, 19, 27, 29, 30, 36]),
        ("random", 1, [8, 12, 28, 29, 31, 36]),
        ("random", 7, [12, 19, 27, 29, 30, 36]),
        ("systematic", 1, [6, 12, 19, 26, 32, 39]),
        ("systematic", 7, [1, 8, 14, 21, 28, 34]),
    ],
)
def test_a_seed_chooses_what_it_always_chose(method, seed, rows) -> None:
    """Points of a seed that were simulated stay points of it, whatever the release."""
    intervals, phases = Intervals.of_thread([10] * 40), phases_of(np.arange(40) % 2)
    assert rows_of(select(intervals, phases, 3, method=method, seed=seed)) == rows


TAILED = Intervals.of_thread([100] * 6 + [30], nominal=100)


@pytest.mark.parametrize("method", METHODS)
def test_a_tail_may_be_left_out_and_is_stood_for_all_the_same(method) -> None:
    phases = phases_of([0, 0, 0, 1, 1, 1, 1])
    for counts in (1, 2, 99):
        points = select(TAILED, phases, counts, method=method, tail_points=False, vectors=vectors_of(TAILED))
        assert 6 not in rows_of(points) and points.coverage == 1
        if method in BY_PHASE:
            # The tail's instructions are in its phase's share, and it is one that was not measured.
            assert points.weight[points.phase == 1].sum() == pytest.approx(330 / 630)
            elsewhere = points.phase != phases.labels[points.interval]
            assert (
                points.population - [elsewhere[points.phase == p].sum() for p in points.phase]
            ).tolist() == [3 if phase == 0 else 4 for phase in points.phase]
        else:
            assert set(points.population.tolist()) == {7}
    everything = select(TAILED, phases, 99, method=method, vectors=vectors_of(TAILED))
    assert 6 in rows_of(everything) or method in FROM_ALL


def test_the_nearest_tail_gives_way_to_the_next() -> None:
    phases = phases_of([0, 0, 0, 1, 1, 1, 1], [0, 1, 1, 3, 2, 3, 0.1])
    for early in (False, True):
        for tails in (True, False):
            chosen = nearest(TAILED, phases, early=early, tail_points=tails)
            assert rows_of(chosen) == [0, 4] and chosen.population.tolist() == [3, 4]
    three, every = (select(TAILED, phases, each, method="nearest") for each in (3, 4))
    assert rows_of(three) == [0, 1, 2, 3, 4, 5] and rows_of(every) == [*range(7)]


def test_a_tail_is_the_nearest_point_of_a_phase_of_tails() -> None:
    phases = phases_of([0, 0, 0, 0, 0, 0, 1], [0, 1, 1, 3, 2, 3, 0.1])
    for early in (False, True):
        assert rows_of(nearest(TAILED, phases, early=early)) == [0, 6]
        assert rows_of(nearest(TAILED, phases, early=early, tail_points=False)) == [0]


def test_a_phase_of_tails_alone_has_no_point_and_is_not_covered() -> None:
    intervals = concatenate([TAILED, Intervals.of_thread([100, 20], nominal=100, thread=1)])
    phases = phases_of([0, 0, 0, 0, 0, 0, 1, 0, 1])
    for points in (
        nearest(intervals, phases, tail_points=False),
        select(intervals, phases, 2, tail_points=False),
    ):
        assert set(points.phase.tolist()) == {0} and points.coverage == pytest.approx(700 / 750)
        assert points.weight.sum() == pytest.approx(1)
    with pytest.raises(DataError, match="all are tails"):
        nearest(Intervals.of_thread([30], nominal=100), phases_of([0]), tail_points=False)
