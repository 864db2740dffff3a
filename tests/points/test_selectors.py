"""The paper's selectors choose what its formulas say, dense and slow."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.reference import selectors as slow

from phasemark.errors import DataError, UsageError
from phasemark.model import Intervals, Phases
from phasemark.model.points import FROM_ALL, TYPICAL
from phasemark.phases import MultinomialHMM, MultinomialMixture
from phasemark.points import METHODS, Population, select
from phasemark.points.observed import Observed
from phasemark.points.selectors import SELECTORS


def phases_of(labels, posterior=None) -> Phases:
    labels = np.asarray(labels)
    centers = None if posterior is not None else np.zeros((labels.max() + 1, 1))
    return Phases(labels, centers, np.zeros(len(labels)), posterior=posterior)


@st.composite
def runs(draw):
    n, k, d = draw(st.integers(1, 12)), draw(st.integers(1, 3)), draw(st.integers(1, 5))
    counts = np.array(
        draw(st.lists(st.lists(st.integers(0, 6), min_size=d, max_size=d), min_size=n, max_size=n))
    )
    counts[0, 0] += 1
    labels = np.unique(draw(st.lists(st.integers(0, k - 1), min_size=n, max_size=n)), return_inverse=True)[1]
    k = int(labels.max()) + 1
    raw = np.array(
        draw(st.lists(st.lists(st.integers(0, 4), min_size=k, max_size=k), min_size=n, max_size=n))
    )
    posterior = (raw + 1e-3) / (raw + 1e-3).sum(axis=1, keepdims=True)
    return counts, labels, posterior


@pytest.mark.parametrize("method", SELECTORS)
@settings(deadline=None, max_examples=30)
@given(run=runs(), soft=st.booleans(), each=st.integers(1, 3))
def test_the_choice_is_that_of_the_formula(method, run, soft, each) -> None:
    counts, labels, posterior = run
    soft = soft or method == "max-posterior"
    lengths = counts.sum(axis=1)
    points = select(
        Intervals.of_thread(lengths),
        phases_of(labels, posterior if soft else None),
        each,
        method=method,
        vectors=counts,
    )
    k = int(labels.max()) + 1
    membership = posterior if soft else np.eye(k)[labels]
    table = slow.scores(method, (counts.tolist(), lengths.tolist(), labels.tolist()), membership.tolist())
    for s in range(k):
        rows = slow.candidates(method, labels, lengths > 0, s)
        size = int(((labels == s) & (lengths > 0)).sum())
        expected = sorted(rows, key=lambda t: (table[t][s], t))[: min(each, size)]
        found = points.interval[points.phase == s].tolist()
        assert len(found) == len(expected)
        # Of what is equal but for rounding, any will do.
        scores = [sorted(table[t][s] for t in chosen) for chosen in (found, expected)]
        assert np.allclose(scores[0], scores[1], rtol=1e-9, atol=1e-9)
        gaps = np.diff(sorted(table[t][s][0] for t in rows))
        if (gaps > 1e-9).all():
            assert found == sorted(expected)


def test_distances_are_those_of_the_formulas() -> None:
    rng = np.random.default_rng(4)
    counts = rng.integers(0, 9, (12, 6)) * rng.integers(0, 2, (12, 6)) + np.eye(12, 6, dtype=int)
    counts[:, 5] = 0  # a block that nobody executes
    counts[5] = 0  # an interval of no known block
    posterior, lengths = rng.dirichlet(np.ones(2), 12), np.maximum(counts.sum(axis=1), 1)
    labels = np.arange(12) % 2
    population = Population.of(Intervals.of_thread(lengths), phases_of(labels, posterior), vectors=counts)
    observed, rows = Observed.of(population, "a method"), np.arange(12)
    likelihoods = observed.log_likelihoods()
    for method, found in (
        ("max-likelihood-1", lambda s: -likelihoods[:, s]),
        ("obs-model-dist-1", lambda s: observed.manhattan(s, rows)),
        ("obs-model-dist-2", lambda s: observed.euclidean(s, rows)),
        ("obs-model-dist-3", lambda s: observed.divergence(s, rows)),
        ("obs-model-dist-4", lambda s: observed.symmetric_divergence(s, rows)),
        ("cluster-center", lambda s: observed.from_mean(np.flatnonzero(labels == s), rows)),
    ):
        table = slow.scores(method, (counts.tolist(), lengths.tolist(), labels.tolist()), posterior.tolist())
        for s in range(2):
            assert found(s) == pytest.approx(np.array([row[s][0] for row in table])), method


@pytest.mark.parametrize("method", SELECTORS)
def test_the_middle_of_equals(method) -> None:
    counts = np.array([[3, 7], [5, 5], [5, 5], [7, 3], [0, 10], [0, 10]])
    labels = np.array([0, 0, 0, 0, 1, 1])
    points = select(
        Intervals.of_thread([10] * 6), phases_of(labels, np.eye(2)[labels]), 1, method=method, vectors=counts
    )
    assert points.interval.tolist() == [2, 5] and points.phase.tolist() == [0, 1]


def test_an_interval_may_be_the_point_of_several_phases() -> None:
    # State 1 is likeliest to give what phase 0's interval 0 executes.
    counts = np.array([[1, 1], [6, 4], [4, 6]])
    phases = phases_of([0, 0, 1], np.array([[0.5, 0.5], [1, 0], [0, 1.0]]))
    points = select(Intervals.of_thread([2, 10, 10]), phases, 1, method="max-likelihood-2", vectors=counts)
    assert points.interval.tolist() == [0, 0] and points.phase.tolist() == [0, 1]
    assert points.weight.tolist() == pytest.approx([12 / 22, 10 / 22])
    # The one that lies elsewhere is not all there is of its phase.
    assert points.population.tolist() == [2, 2]


@pytest.mark.parametrize("model", [MultinomialMixture(2, seed=3), MultinomialHMM(2, seed=3, tempering=50)])
@pytest.mark.parametrize("representation", ["full", "reweight", "random"])
def test_a_fitted_model_and_its_phases_agree(model, representation) -> None:
    rng = np.random.default_rng(1)
    counts = np.concatenate([rng.multinomial(500, rng.dirichlet(np.ones(30)), 20) for _ in range(2)])
    model = model.set_params(representation=representation).fit(counts)
    intervals = Intervals.of_thread(counts.sum(axis=1))
    for method in SELECTORS:
        of_model, of_phases = (
            select(intervals, phases, 1, method=method, vectors=counts) for phases in (model, model.phases_)
        )
        assert of_model.interval.tolist() == of_phases.interval.tolist()


def test_theta_is_the_models() -> None:
    class Model:
        phases_ = phases_of([0, 0, 0])
        emissionprob_ = np.array([[0.9, 0.1], [0.5, 0.5]])

    counts = np.array([[5, 5], [9, 1], [4, 6]])
    intervals = Intervals.of_thread([10] * 3)
    assert select(intervals, Model(), 1, method="obs-model-dist-1", vectors=counts).interval.tolist() == [1]
    assert select(intervals, Model.phases_, 1, method="obs-model-dist-1", vectors=counts).interval[0] == 0


def test_vectors_are_asked_for_only_where_they_are_needed() -> None:
    def refuse():
        raise AssertionError

    intervals, phases = Intervals.of_thread([10, 10]), phases_of([0, 1])
    for method in set(METHODS) - set(SELECTORS):
        select(intervals, phases, 1, method=method, vectors=refuse)


def test_what_is_needed_and_not_there() -> None:
    intervals, phases = Intervals.of_thread([10, 10]), phases_of([0, 1])
    with pytest.raises(UsageError, match="cluster-center compares what the intervals execute"):
        select(intervals, phases, method="cluster-center")
    with pytest.raises(UsageError, match="max-posterior needs the probability of each phase"):
        select(intervals, phases, method="max-posterior", vectors=np.ones((2, 2)))
    with pytest.raises(DataError, match="vectors of 3 intervals, but 2"):
        select(intervals, phases, method="cluster-center", vectors=np.ones((3, 2)))


def test_the_names_are_known_to_the_model() -> None:
    assert set(SELECTORS) | {"nearest"} == set(TYPICAL) and set(FROM_ALL) < set(SELECTORS)
