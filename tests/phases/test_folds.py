"""The number of states by what fits did not see."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from phasemark.errors import UsageError
from phasemark.phases import MultinomialHMM, MultinomialHSMM, MultinomialMixture, folds


def drawn(states: int, n: int = 180, seed: int = 3) -> np.ndarray:
    """What a hidden Markov model of so many well-told states gives."""
    random = np.random.default_rng(seed)
    theta = random.dirichlet(np.full(30, 0.3), states)
    labels = np.repeat(random.integers(0, states, n // 6), 6)
    return np.stack([random.multinomial(1000, theta[label]) for label in labels])


@pytest.mark.parametrize("model", [MultinomialMixture, MultinomialHMM, MultinomialHSMM])
@pytest.mark.parametrize("states", [1, 3, 5])
def test_the_states_that_drew_the_counts_are_found(model, states) -> None:
    for select in ("bic", "held-out"):
        found = model((1, 3, 5), restarts=2, max_iter=30, select=select).fit(drawn(states))
        assert found.chosen_k_ == states, select
        assert set(found.scores_) == {1, 3, 5}


def test_scores_are_of_what_was_left_out() -> None:
    counts = drawn(2)
    found = MultinomialMixture((1, 2), restarts=2, select="held-out").fit(counts)
    where = folds.folds_of(np.array([len(counts)]))
    told = []
    for fold in range(folds.FOLDS):
        seen, rest = counts[where != fold], counts[where == fold]
        shares = (1 - 1e-6) * seen.sum(axis=0) / seen.sum() + 1e-6 * seen.sum(axis=0) / seen.sum()
        told.append(float((rest * np.log(shares)).sum() / rest.sum()))
    assert found.scores_[1] == pytest.approx(np.mean(told), rel=1e-6)


def test_too_few_intervals_to_leave_some_out_are_said() -> None:
    found = MultinomialHMM((1, 2), restarts=1, select="held-out").fit([[5, 0], [0, 5], [5, 0]])
    assert any("BIC chose" in note for note in found.notes_)


def test_an_unknown_way_to_choose_is_refused() -> None:
    with pytest.raises(UsageError, match="'best'"):
        MultinomialHMM(select="best").check()


@given(st.lists(st.integers(1, 60), min_size=1, max_size=6))
def test_every_row_is_left_out_once_in_stretches_that_follow_one_another(lengths) -> None:
    sizes = np.array(lengths)
    where = folds.folds_of(sizes)
    assert len(where) == sizes.sum() and where.min() >= 0 and where.max() < folds.FOLDS
    for fold in range(folds.FOLDS):
        rows = where == fold
        stretches = folds.stretches_of(rows, sizes)
        assert stretches.sum() == rows.sum() and (stretches > 0).all()
    first = np.cumsum(sizes) - sizes
    rows = np.ones(sizes.sum(), bool)
    assert folds.stretches_of(rows, sizes).tolist() == lengths
    assert all(len(set(where[a : a + n])) == min(n, folds.FOLDS) for a, n in zip(first, sizes, strict=True))


def test_the_fewest_within_one_standard_error_of_the_best_are_taken() -> None:
    best = np.array([-1.0, -2.0, -3.0, -4.0])
    assert folds.fewest({2: best - 1, 4: best, 8: best - 0.5}) == 4
    assert folds.fewest({2: best - [0.1, -0.1, 0.1, -0.1], 4: best, 8: best + 0.001}) == 2
    assert folds.fewest({2: np.full(4, -np.inf), 4: best}) == 4
