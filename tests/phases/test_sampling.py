"""Samples of intervals."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from phasemark.phases import sampling


@settings(deadline=None)
@given(
    weights=st.lists(st.floats(1e-6, 1e6), min_size=1, max_size=50),
    data=st.data(),
    seed=st.integers(-9, 2**64),
)
def test_draws_as_many_as_asked_each_once(weights, data, seed) -> None:
    size = data.draw(st.integers(1, len(weights)))
    sample = sampling.draw(np.array(weights), size, seed)
    assert len(sample.rows) == len(set(sample.rows.tolist())) == size
    assert sample.weights.sum() == pytest.approx(1)
    probability = sampling.inclusion_probabilities(np.array(weights), size)
    assert probability.sum() == pytest.approx(size) and probability.max() <= 1


def test_the_design_weights_estimate_totals_without_bias() -> None:
    weights = np.arange(1.0, 101.0) ** 2
    value = np.sin(np.arange(100))
    true = float((weights * value).sum() / weights.sum())
    design, literal = [], []
    for seed in range(400):
        sample = sampling.draw(weights, 30, seed)
        design.append(float((sample.weights * value[sample.rows]).sum()))
        drawn = sampling.draw(weights, 30, seed, literal=True)
        literal.append(float((drawn.weights * value[drawn.rows]).sum()))
    assert abs(np.mean(design) - true) < 0.02
    assert abs(np.mean(design) - true) < abs(np.mean(literal) - true)


def test_inclusion_is_in_proportion_to_weight() -> None:
    weights = np.array([1.0, 2.0, 4.0, 8.0, 1.0])
    hits = np.zeros(5)
    for seed in range(2000):
        hits[sampling.draw(weights, 2, seed).rows] += 1
    expected = sampling.inclusion_probabilities(weights, 2)
    assert expected.tolist() == [0.125, 0.25, 0.5, 1.0, 0.125]
    assert np.abs(hits / 2000 - expected).max() < 0.04
