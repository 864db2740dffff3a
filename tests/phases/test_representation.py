"""Counts in fewer dimensions are counts still: from 0, with every row's sum."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.sparse import csr_matrix

from phasemark.errors import UsageError
from phasemark.phases import MultinomialHMM, MultinomialMixture
from phasemark.phases.evidence import Evidence
from phasemark.phases.representation import dimensions, represented


def dense(evidence: Evidence) -> np.ndarray:
    shape = (len(evidence), evidence.columns)
    return csr_matrix((evidence.values, evidence.indices, evidence.indptr), shape).toarray()


@pytest.mark.parametrize(
    ("blocks", "dims"),
    [(1, 15), (1999, 15), (2000, 50), (9999, 50), (10_000, 75), (19_999, 75), (20_000, 100), (10**6, 100)],
)
def test_dimensions_follow_the_papers_rule(blocks, dims) -> None:
    assert dimensions(blocks) == dims


@pytest.mark.parametrize("how", ["reweight", "random"])
@given(seed=st.integers(0, 10**6), rows=st.integers(1, 6), blocks=st.integers(1, 12), dims=st.integers(1, 9))
@settings(max_examples=60, deadline=None)
def test_rows_are_counts_with_the_same_sums(how, seed, rows, blocks, dims) -> None:
    counts = np.random.default_rng(seed).poisson(2.0, (rows, blocks)) + (np.arange(blocks) == 0)
    made = dense(represented(Evidence.of(counts), how, dims, seed))
    assert made.shape == (rows, dims) and (made >= 0).all()
    assert made.sum(axis=1) == pytest.approx(counts.sum(axis=1))


def test_a_block_is_shared_out_by_weights_of_its_own() -> None:
    """PROJREWEIGHT is linear, and a row of one block is that block's weights."""
    alone = dense(represented(Evidence.of(np.eye(4)), "reweight", 3, 7))
    assert alone.sum(axis=1) == pytest.approx(1) and (alone > 0).all()
    mixed = dense(represented(Evidence.of(np.array([[2, 0, 5, 1]])), "reweight", 3, 7))
    assert mixed[0] == pytest.approx(2 * alone[0] + 5 * alone[2] + alone[3])
    more = dense(represented(Evidence.of(np.eye(9)), "reweight", 3, 7))
    assert more[:4].tolist() == alone.tolist(), "whatever other blocks there are"
    assert dense(represented(Evidence.of(np.eye(4)), "reweight", 3, 8)).tolist() != alone.tolist()


def test_a_signed_projection_is_shifted_and_scaled_row_by_row() -> None:
    alone = dense(represented(Evidence.of(np.eye(300)), "random", 40, 1))
    signs = np.where(alone == alone.max(axis=1, keepdims=True), 1, np.where(alone == 0, -1, 0))
    row = np.zeros((1, 300), np.int64)
    row[0, :3] = 4, 2, 9
    shifted = row[0, :3] @ signs[:3]
    shifted = shifted - shifted.min()
    assert dense(represented(Evidence.of(row), "random", 40, 1))[0] == pytest.approx(
        15 * shifted / shifted.sum()
    )
    assert (signs != 0).mean() == pytest.approx(1 / 3, abs=0.02)


def test_what_says_nothing_is_shared_out_evenly() -> None:
    assert dense(represented(Evidence.of(np.array([[3]])), "random", 1, 1)).tolist() == [[3]]
    empty = dense(represented(Evidence.of(np.array([[1, 1], [0, 0]])), "random", 4, 1))
    assert empty[1].tolist() == [0, 0, 0, 0]


@pytest.mark.parametrize("model", [MultinomialHMM, MultinomialMixture])
@pytest.mark.parametrize("how", ["reweight", "random"])
def test_models_find_the_kinds_of_work_in_any_representation(model, how) -> None:
    random = np.random.default_rng(2)
    kinds = random.dirichlet(np.full(60, 0.1), 3)
    work = np.tile(np.repeat([0, 1, 2], 10), 2)
    counts = np.stack([random.multinomial(10_000, kinds[kind]) for kind in work])
    fitted = model(3, representation=how).fit(counts)
    assert fitted.labels_.tolist() == work.tolist()
    assert fitted.emissionprob_.shape == (3, 15) and fitted.n_features_in_ == 60
    assert fitted.predict(counts).tolist() == work.tolist()
    assert fitted.phases_.model["representation"] == how


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"representation": "sparse"}, "representation is 'sparse'"),
        ({"representation": "reweight", "dims": 0}, "dims is 0"),
        ({"dims": 15}, "nothing is projected"),
        ({"representation": "random", "dims": 1.5}, "dims is 1.5"),
    ],
)
def test_what_makes_no_sense_is_refused(wrong, message) -> None:
    with pytest.raises(UsageError, match=message):
        MultinomialHMM(2, **wrong).fit(np.eye(3))
