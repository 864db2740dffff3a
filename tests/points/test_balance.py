"""Balanced samples: of many random ones the one that is most like the run."""

from __future__ import annotations

import dataclasses
import tracemalloc

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.reference.points import most_balanced

from phasemark.model import Intervals, Phases
from phasemark.points import Population, balance, balanced, select, select_from
from phasemark.points.balance import DRAWS
from phasemark.points.stratified import ordered


def population_of(labels, lengths=None) -> Population:
    labels = np.asarray(labels, np.int32)
    lengths = np.full(len(labels), 10) if lengths is None else np.asarray(lengths)
    return Population.of(Intervals.of_thread(lengths), Phases(labels, None, np.zeros(len(labels))))


def sample(population: Population, counts, matrix, seed: int, draws: int = DRAWS) -> set[int]:
    begin = balanced(population, np.asarray(counts), np.asarray(matrix, float), seed, draws)
    found = dataclasses.replace(population, begin=begin)
    return set(select_from(found, np.asarray(counts), method="stratified", seed=seed).interval.tolist())


@given(
    rows=st.lists(
        st.tuples(st.integers(0, 2), st.integers(1, 4), st.integers(-8, 8), st.integers(-8, 8)),
        min_size=1,
        max_size=25,
    ),
    each=st.integers(1, 3),
    seed=st.integers(0, 2**64),
)
@settings(deadline=None, max_examples=60)
def test_no_other_draw_is_nearer(rows, each, seed) -> None:
    labels = np.unique([row[0] for row in rows], return_inverse=True)[1]
    lengths, vectors = [row[1] for row in rows], [[float(row[2]), float(row[3])] for row in rows]
    population = population_of(labels, lengths)
    counts = np.minimum(population.sizes, each)
    draws = []
    for number in range(1, 9):  # of so many draws the best is one of them; the last may be it or not
        begin = balanced(population, counts, np.array(vectors), seed, number)
        order, first = ordered(dataclasses.replace(population, begin=begin), seed)
        draws.append([order[first[p] : first[p] + n].tolist() for p, n in enumerate(counts.tolist())])
    best, distances = most_balanced(draws, labels.tolist(), lengths, vectors)
    assert distances[-1] == pytest.approx(distances[best], abs=1e-9)
    assert distances == sorted(distances, reverse=True) or np.allclose(
        distances, sorted(distances, reverse=True), atol=1e-9
    )


def test_one_draw_is_a_stratified_sample() -> None:
    population = population_of([0, 1] * 20)
    plain = select(population.intervals, population.phases, 3, seed=5)
    assert sample(population, [3, 3], np.arange(40.0)[:, None], 5, draws=1) == set(plain.interval.tolist())


def test_two_points_that_lie_about_the_mean() -> None:
    # Of 0 to 5 the mean is 2.5: only the pairs (0, 5), (1, 4) and (2, 3) have it.
    for seed in range(20):
        first, second = sorted(sample(population_of([0] * 6), [2], np.arange(6.0)[:, None], seed))
        assert first + second in (4, 5, 6)
    pairs = {
        tuple(sorted(sample(population_of([0] * 6), [2], np.arange(6.0)[:, None], s))) for s in range(80)
    }
    assert {(0, 5), (1, 4), (2, 3)} <= pairs


def test_phases_make_up_for_each_other() -> None:
    # Each phase has vectors -1 and 1; a point of each is balanced where the two differ.
    labels, matrix = [0, 0, 1, 1], [[-1.0], [1.0], [-1.0], [1.0]]
    found = [sorted(sample(population_of(labels), [1, 1], matrix, seed)) for seed in range(40)]
    assert {tuple(rows) for rows in found} == {(0, 3), (1, 2)}


def test_every_interval_is_drawn_at_times() -> None:
    matrix = np.random.default_rng(1).normal(size=(60, 3))
    drawn = [sample(population_of(np.arange(60) % 6), [2] * 6, matrix, seed) for seed in range(150)]
    often = np.bincount([row for rows in drawn for row in rows], minlength=60) / 150
    # Each of ten is one of two: in a fifth of the samples, those far from all others less often.
    assert often.mean() == pytest.approx(0.2) and often.min() > 0.04 and often.max() < 0.36


def test_a_larger_sample_keeps_the_points_of_a_smaller_one() -> None:
    population = population_of(np.arange(30) % 3)
    begin = balanced(population, np.array([2, 2, 2]), np.arange(30.0)[:, None], 4)
    population = dataclasses.replace(population, begin=begin)
    small, large = (
        set(select_from(population, n, method="stratified", seed=4).interval.tolist()) for n in (2, 5)
    )
    assert small < large and len(large) == 15


def test_draws_are_looked_at_a_few_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    population = population_of(np.zeros(2000, int), np.arange(2000) % 7 + 1)
    matrix, count = np.arange(8000.0).reshape(-1, 4) % 13, np.array([1000])
    together = balanced(population, count, matrix, 3)
    monkeypatch.setattr(balance, "_AT_ONCE", 2**12)
    tracemalloc.start()
    try:
        assert balanced(population, count, matrix, 3).tolist() == together.tolist()
        most = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert most < 2**20 < DRAWS * 1000 * 4 * 8


def test_nothing_is_left_to_a_library_that_adds_in_another_order() -> None:
    class OwnProduct(np.ndarray):
        def __array_ufunc__(self, ufunc, method, *inputs, **more):
            assert ufunc is not np.matmul
            plain = [np.asarray(value) for value in inputs]
            return getattr(ufunc, method)(*plain, **more)

    matrix = np.arange(30.0)[:, None] % 7
    population = population_of(np.arange(30) % 3)
    counts = np.array([2, 2, 2])
    found = balanced(population, counts, matrix.view(OwnProduct), 4)
    assert found.tolist() == balanced(population, counts, matrix, 4).tolist()


def test_a_phase_that_is_taken_whole_has_one_sample() -> None:
    population = population_of([0, 0, 0, 1, 1, 1, 1])
    for seed in range(5):
        begin = balanced(population, np.array([3, 1]), np.array([9.0, 5, 1, 7, 7, 7, 5])[:, None], seed)
        order, first = ordered(dataclasses.replace(population, begin=begin), seed)
        # The first phase is itself whatever is drawn; of the second the mean is 6.5, to which 7 is nearer.
        assert order[first[1]] in (3, 4, 5)


def test_what_cannot_be_a_point_is_none() -> None:
    population = population_of([0, 0, 0, 0], [5, 0, 5, 5])
    for seed in range(20):
        assert 1 not in sample(population, [2], np.arange(4.0)[:, None], seed)


def test_a_phase_without_points_counts_for_nothing() -> None:
    population = population_of([0, 0, 1, 1])
    assert sample(population, [1, 0], np.ones((4, 1)), 1) <= {0, 1}
