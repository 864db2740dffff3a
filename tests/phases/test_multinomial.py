"""Mixtures and hidden Markov models, held to the textbook's slow twin and to hmmlearn."""

from __future__ import annotations

import logging

import hmmlearn.hmm
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.sparse import csr_matrix
from tests.reference import multinomial as twin

import phasemark._core as core
from phasemark.errors import DataError, UsageError
from phasemark.model import Counts
from phasemark.phases import MultinomialHMM, MultinomialHSMM, MultinomialMixture

MODELS = (MultinomialMixture, MultinomialHMM, MultinomialHSMM)


def sparse(counts: np.ndarray) -> tuple[np.ndarray, ...]:
    indptr = np.concatenate(([0], np.cumsum((counts > 0).sum(axis=1)))).astype(np.int64)
    return indptr, np.nonzero(counts)[1].astype(np.int32), counts[counts > 0].astype(np.float64)


def given_model(seed: int, states: int, blocks: int) -> tuple[np.ndarray, ...]:
    random = np.random.default_rng(seed)
    start, moves, theta = (random.dirichlet(np.ones(n), size) for n, size in _shapes(states, blocks))
    return start[0], moves, theta


def geometric(states: int) -> np.ndarray:
    """No table of durations."""
    return np.zeros((states, 0))


def _shapes(states: int, blocks: int) -> list[tuple[int, int]]:
    return [(states, 1), (states, states), (blocks, states)]


def drawn(seed: int, rows: int, blocks: int, mean: float) -> np.ndarray:
    random = np.random.default_rng(seed)
    return random.poisson(mean * random.dirichlet(np.ones(blocks), rows))


@pytest.mark.parametrize("ordered", [True, False])
@given(
    seed=st.integers(0, 10**6),
    sizes=st.tuples(st.integers(1, 4), st.integers(1, 6)),
    lengths=st.lists(st.integers(1, 5), min_size=1, max_size=3),
    mean=st.sampled_from([0.5, 20.0, 3000.0]),
)
@settings(max_examples=60, deadline=None)
def test_a_step_is_the_twins(ordered, seed, sizes, lengths, mean) -> None:
    states, blocks = sizes
    counts = drawn(seed, sum(lengths), blocks, mean)
    start, moves, theta = given_model(seed, states, blocks)
    likelihoods = twin.emissions(counts, theta)
    total, posteriors, starts, moved = twin.expect(start, moves if ordered else None, likelihoods, lengths)
    kernel_moves = moves if ordered else np.zeros((0, states))
    begin = (start, kernel_moves, geometric(states), theta)
    found = core.infer_multinomial(*sparse(counts), np.array(lengths), *begin, ordered)
    assert found[0] == pytest.approx(total, rel=1e-12, abs=1e-9)
    assert found[1] == pytest.approx(posteriors, abs=1e-8)
    assert found[3] == pytest.approx(likelihoods, rel=1e-12)
    background = (counts.sum(axis=0) + 1e-9) / (counts.sum(axis=0) + 1e-9).sum()
    want = twin.step(
        counts, posteriors, starts, moved if ordered else None, background=background, smoothing=1e-3
    )
    fit = core.fit_multinomial_from(
        *sparse(counts), np.array(lengths), background, *begin, ordered, 1e-3, 0.0, 0.0, 1
    )
    if fit["iterations"]:
        assert fit["start"] == pytest.approx(want[0], abs=1e-8)
        assert fit["theta"] == pytest.approx(want[2], abs=1e-8)
        if ordered:
            often = moved.sum(axis=1) > 1e-6  # what all but never happens is rounding
            assert fit["moves"][often] == pytest.approx(want[1][often], abs=1e-8)


@pytest.mark.parametrize("ordered", [True, False])
@given(seed=st.integers(0, 10**6), states=st.integers(1, 3), rows=st.integers(1, 6))
@settings(max_examples=40, deadline=None)
def test_the_most_likely_path_is_the_best_of_all(ordered, seed, states, rows) -> None:
    counts = drawn(seed, rows, 4, 2.0)
    start, moves, theta = given_model(seed, states, 4)
    likelihoods = twin.emissions(counts, theta)
    path = twin.most_likely(start, moves if ordered else None, likelihoods)
    kernel_moves = moves if ordered else np.zeros((0, states))
    found = core.infer_multinomial(
        *sparse(counts), np.array([rows]), start, kernel_moves, geometric(states), theta, ordered
    )

    def likelihood(states: list[int]) -> float:
        steps = moves[states[:-1], states[1:]] if ordered else start[states[1:]]
        seen = likelihoods[np.arange(rows), states].sum()
        return np.log(start[states[0]]) + np.log(steps).sum() + seen

    # Of paths that are equally likely, as where rows are empty, either will do.
    assert likelihood(found[2].tolist()) == pytest.approx(likelihood(list(path)), rel=1e-12, abs=1e-12)


def test_likelihood_posteriors_path_and_every_step_are_hmmlearns() -> None:
    logging.getLogger("hmmlearn").setLevel(logging.CRITICAL)
    random = np.random.default_rng(3)
    counts = random.multinomial(50, random.dirichlet(np.ones(7)), 60)
    start, moves, theta = given_model(3, 3, 7)
    other = hmmlearn.hmm.MultinomialHMM(
        3, n_trials=counts.sum(axis=1), n_iter=5, tol=-np.inf, init_params="", implementation="log"
    )
    other.startprob_, other.transmat_, other.emissionprob_ = start, moves, theta
    lengths = np.array([20, 40])
    total, posteriors = other.score_samples(counts, lengths)
    path = other.decode(counts, lengths)[1]
    ours = core.infer_multinomial(*sparse(counts), lengths, start, moves, geometric(3), theta, True)
    from scipy.special import gammaln

    coefficients = (gammaln(51) - gammaln(counts + 1).sum(axis=1)).sum()
    assert ours[0] + coefficients == pytest.approx(total, abs=1e-8)
    assert ours[1] == pytest.approx(posteriors, abs=1e-8)
    assert ours[2].tolist() == path.tolist()
    other.fit(counts, lengths)
    background = counts.sum(axis=0) / counts.sum()
    fit = core.fit_multinomial_from(
        *sparse(counts), lengths, background, start, moves, geometric(3), theta, True, 0.0, 0.0, 0.0, 5
    )
    assert fit["log_likelihoods"][:5] + coefficients == pytest.approx(list(other.monitor_.history), abs=1e-8)
    assert fit["theta"] == pytest.approx(other.emissionprob_, abs=1e-8)
    assert fit["moves"] == pytest.approx(other.transmat_, abs=1e-8)


def blocky(scale: float = 1.0) -> np.ndarray:
    """60 rows: three kinds of work over five blocks, ten rows at a time."""
    random = np.random.default_rng(1)
    kinds = np.array([[0.7, 0.3, 0, 0, 0], [0, 0, 0.6, 0.4, 0], [0.1, 0, 0, 0.2, 0.7]])
    work = np.tile(np.repeat([0, 1, 2], 10), 2)
    return np.stack([random.multinomial(round(1000 * scale), kinds[kind]) for kind in work])


@pytest.mark.parametrize("model", MODELS)
@pytest.mark.parametrize("scale", [1, 1e5])
def test_states_are_the_kinds_of_work_and_the_likelihood_never_falls(model, scale) -> None:
    fitted = model(3, tempering=None).fit(blocky(scale))
    assert fitted.labels_.tolist() == np.tile(np.repeat([0, 1, 2], 10), 2).tolist()
    assert (np.diff(fitted._model.log_likelihoods) >= 0).all()
    assert len(fitted.restarts_) == 15
    if model is MultinomialHSMM:
        assert fitted.log_likelihood_ > fitted.restarts_.max()
    else:
        assert fitted.log_likelihood_ == fitted.restarts_.max()
    assert fitted.emissionprob_.sum(axis=1) == pytest.approx(1)
    assert fitted.emissionprob_[0] == pytest.approx([0.7, 0.3, 0, 0, 0], abs=0.03)
    assert fitted.converged_ and fitted.notes_ == []


def test_moves_are_those_that_were_made() -> None:
    fitted = MultinomialHMM(3, smoothing=0.0).fit(blocky(), sequences=[30, 30])
    assert fitted.startprob_ == pytest.approx([1, 0, 0], abs=1e-9)
    want = np.array([[18 / 20, 2 / 20, 0], [0, 18 / 20, 2 / 20], [0, 0, 1]])
    assert fitted.transmat_ == pytest.approx(want, abs=1e-6)
    assert MultinomialMixture(3).fit(blocky()).weights_ == pytest.approx([1 / 3] * 3, abs=1e-3)


def test_with_raw_counts_moves_do_not_matter_and_with_few_they_do() -> None:
    counts = blocky()
    counts[4] = counts[4] * 0.45 + counts[14] * 0.55  # nearer to the second kind, among the first
    assert MultinomialMixture(3, tempering=3.0).fit(counts).labels_[4] == 1
    assert MultinomialHMM(3, tempering=3.0).fit(counts).labels_[4] == 0
    assert MultinomialHMM(3).fit(counts).labels_[4] == 1


@pytest.mark.parametrize("model", MODELS)
def test_weights_are_evidence(model) -> None:
    """A row that weighs twice is one of twice the counts; the unit does not matter."""
    counts = blocky()
    weights = np.where(np.arange(60) % 2, 1.0, 2.0)
    longer = counts * np.where(np.arange(60) % 2, 1, 2)[:, None]
    one = model(3).fit(counts, None, weights)
    two = model(3, tempering=one.evidence_).fit(longer)
    assert one.emissionprob_ == pytest.approx(two.emissionprob_, abs=1e-12)


@pytest.mark.parametrize("model", MODELS)
def test_the_number_of_states_is_chosen_by_bic(model) -> None:
    fitted = model([1, 2, 3, 4, 6]).fit(blocky())
    assert fitted.chosen_k_ == fitted.k_ == 3
    assert sorted(fitted.scores_) == [1, 2, 3, 4, 6]
    assert fitted.phases_.model["n_components"] == [1, 2, 3, 4, 6]


def test_by_default_an_interval_counts_for_a_thousand_instructions_or_what_it_has() -> None:
    assert MultinomialHMM(2).fit(blocky(100.0)).evidence_ == 1000
    assert MultinomialHMM(2).fit(blocky(0.01)).evidence_ == 10
    assert MultinomialHMM(2, tempering=None).fit(blocky(100.0)).evidence_ == 100_000
    assert MultinomialMixture().fit(blocky(100.0)).chosen_k_ == 4, "of 1, 2, 4, 8 and 16; there are 3 kinds"
    assert MultinomialHMM().fit(np.tile([3, 1], (9, 1))).k_ == 1


@pytest.mark.parametrize("model", MODELS)
@pytest.mark.parametrize("representation", ["full", "reweight", "random"])
def test_the_states_are_kept_with_the_phases(model, representation) -> None:
    fitted = model(3, representation=representation, restarts=3).fit(blocky())
    states = fitted.phases_.states
    assert len(states) == 3 and states.used == fitted.k_ and states.columns == 5
    assert states.shares == pytest.approx([1 / 3] * 3, abs=0.01)
    assert states.log_likelihood == fitted.log_likelihood_ and states.converged
    assert states.blocks_of(0, 2)[0].tolist() == [0, 1], "blocks, whatever the model sees of them"
    assert states.blocks_of(0)[1][0] == pytest.approx(0.7, abs=0.03)
    if model.ordered:
        assert states.transitions == pytest.approx(fitted.transmat_)
        assert states.durations()[0] == pytest.approx(10, rel=0.1)
    if model is MultinomialHMM:
        assert states.durations()[2] == pytest.approx(20, rel=0.1), "the second time to the end"
    if not model.ordered:
        assert states.transitions is None


@pytest.mark.parametrize("model", MODELS)
def test_a_block_that_the_fit_never_saw_says_nothing_of_the_state(model) -> None:
    wide = np.column_stack([blocky(), np.zeros(60, np.int64)])
    fitted = model(3).fit(wide)
    wide[:, 5] = 100
    assert fitted.predict(wide).tolist() == fitted.labels_.tolist()
    assert np.isfinite(fitted.score(wide)) and np.isfinite(fitted.predict_proba(wide)).all()


@pytest.mark.parametrize("model", MODELS)
def test_what_is_impossible_without_smoothing_has_its_least_unlikely_state(model) -> None:
    apart = np.array([[9, 0, 0]] * 4 + [[0, 9, 0]] * 4 + [[0, 0, 9]] * 4)
    fitted = model(3, smoothing=0.0).fit(apart)
    new = np.array([[8, 1, 0], [0, 9, 0], [0, 1, 8], [9, 0, 0]])
    posteriors = fitted.predict_proba(new)
    assert posteriors.sum(axis=1) == pytest.approx(np.ones(4))
    assert posteriors.argmax(axis=1).tolist() == fitted.predict(new).tolist() == [0, 1, 2, 0]
    assert fitted.score(new) == -np.inf
    assert fitted.predict_proba(apart).tolist() == np.repeat(np.eye(3), 4, axis=0).tolist()


@pytest.mark.parametrize("ordered", [True, False])
@pytest.mark.parametrize("count", [1e3, 1e15, 1e30, 1e100])
def test_states_that_are_alike_share_posteriors_however_large_the_counts(ordered, count) -> None:
    evidence = sparse(np.full((3, 2), count))
    start, theta = np.array([0.5, 0.5]), np.array([[0.25, 0.75]] * 2)
    moves = np.full((2, 2), 0.5) if ordered else np.empty((0, 2))
    found = core.infer_multinomial(
        *evidence, np.array([3]), start, moves, geometric(len(start)), theta, ordered
    )
    assert found[1] == pytest.approx(np.full((3, 2), 0.5), abs=1e-12)


@pytest.mark.parametrize("model", MODELS)
@pytest.mark.parametrize(("tempering", "scale"), [(1e15, 1.0), (1e100, 1e80)])
def test_posteriors_sum_to_1_however_large_the_likelihoods(model, tempering, scale) -> None:
    random = np.random.default_rng(1)
    counts = np.vstack([random.integers(0, 5, (10, 10)), random.integers(0, 2**45, (10, 10))]) * scale
    options = {"representation": "random", "dims": 5, "restarts": 3, "max_iter": 60}
    fitted = model(8, tempering=tempering, **options).fit(counts)
    assert fitted.predict_proba(counts).sum(axis=1) == pytest.approx(np.ones(20), abs=1e-12)


@pytest.mark.parametrize("model", MODELS)
def test_counts_that_64_bits_do_not_hold_are_not_sampled(model) -> None:
    fitted = model(2, tempering=None).fit(np.array([[1e100, 0], [0, 1e100]]))
    with pytest.raises(UsageError, match=r"a row of 1e\+100 instructions"):
        fitted.sample(3)


@pytest.mark.parametrize("model", MODELS)
def test_nothing_is_more_than_certain_however_large_the_counts(model) -> None:
    rows = np.array([[2.0**60 + 7 * i, 2.0**59 + 3 * i, 2.0**58 + i * i] for i in range(12)])
    assert model(2, tempering=None, restarts=1).fit(rows).score(rows) <= 0


def test_it_says_that_no_more_states_than_intervals_were_tried() -> None:
    assert MultinomialMixture([1, 2]).fit([[3, 1]]).notes_ == [
        "of 1 interval, no more states than intervals were tried"
    ]


@pytest.mark.parametrize("model", MODELS)
def test_what_is_sampled_is_found_again(model) -> None:
    fitted = model(3).fit(blocky())
    counts, states = fitted.sample(50, seed=4)
    assert counts.shape == (50, 5) and (counts.sum(axis=1) == 1000).all()
    assert fitted.predict(counts).tolist() == states.tolist()
    again = fitted.sample(50, seed=4)
    assert (again[0] == counts).all() and (fitted.sample(50, seed=5)[0] != counts).any()


@pytest.mark.parametrize("model", MODELS)
def test_score_includes_the_coefficients(model) -> None:
    counts = np.array([[3, 1], [0, 2]])
    fitted = model(1, smoothing=0.0).fit(counts)
    theta = [1 / 2, 1 / 2]
    want = np.log(4 * theta[0] ** 3 * theta[1]) + np.log(theta[1] ** 2)
    assert fitted.score(counts) == pytest.approx(want)
    total, posteriors = fitted.score_samples(counts)
    assert total == fitted.score(counts) and posteriors.tolist() == fitted.predict_proba(counts).tolist() == [
        [1],
        [1],
    ]


@pytest.mark.parametrize("model", MODELS)
def test_what_is_little_or_odd_gives_the_right_answer(model) -> None:
    assert model(3).fit(np.array([[4, 2]])).labels_.tolist() == [0], (
        "one interval, and more states than these"
    )
    empty = blocky()
    empty[[0, 7, 59]] = 0
    labels = model(3).fit(empty).labels_
    assert labels[[0, 7, 59]].tolist() == [0, 0, 2], "as the rows beside them"
    never = np.column_stack([blocky(), np.zeros(60, np.int64)])
    fitted = model(3).fit(never)
    assert np.isfinite(fitted.log_likelihood_) and fitted.emissionprob_[:, 5].tolist() == [0, 0, 0]
    huge = model(3, tempering=None).fit(blocky() * 2.0**60)
    assert huge.labels_.tolist() == np.tile(np.repeat([0, 1, 2], 10), 2).tolist()
    alike = model(4).fit(np.tile([3, 1], (9, 1)))
    assert np.isfinite(alike.log_likelihood_) and alike.k_ >= 1
    assert alike.k_ == 4 or "no interval" in alike.notes_[-1]


@pytest.mark.parametrize("model", MODELS)
def test_every_form_of_counts_is_taken(model) -> None:
    dense = blocky()
    indptr, indices, values = sparse(dense)
    labels = model(3).fit(dense).labels_.tolist()
    for form in (csr_matrix(dense), Counts(indptr, indices, values.astype(np.int64), 5), dense.tolist()):
        assert model(3).fit(form).labels_.tolist() == labels


def with_a_double_entry() -> csr_matrix:
    return csr_matrix(([1.0, 2.0, 3.0], [0, 0, 1], [0, 2, 3]), (2, 2))


@pytest.mark.parametrize("model", MODELS)
def test_a_matrix_is_left_as_it_was(model) -> None:
    given = with_a_double_entry()
    fitted = model(2).fit(given)
    assert given.data.tolist() == [1, 2, 3] and given.indptr.tolist() == [0, 2, 3]
    for array in (given.data, given.indices, given.indptr):
        array.flags.writeable = False
    assert model(2).fit(given).labels_.tolist() == fitted.labels_.tolist()
    assert (fitted.predict_proba(given) == fitted.predict_proba(given.toarray())).all()


@pytest.mark.parametrize("model", MODELS)
@pytest.mark.parametrize(
    ("counts", "message"),
    [
        ([[1, 2], [3, -1]], "row 1: a count is negative"),
        ([[1, 2], [np.nan, 1]], "row 1: a count is negative, not a number"),
        ([[1, np.inf]], "row 0: a count is negative, not a number, or too large"),
        ([[0, 0], [0, 0]], "no interval has an instruction"),
        ([1, 2], "instead of intervals x blocks"),
        ([], "instead of intervals x blocks"),
        ([["a"]], "these are no counts"),
        ([[1 + 2j, 1]], "^complex numbers are no counts"),
        (np.array([[1 + 2j, 1]]), "^complex numbers are no counts"),
        (csr_matrix(np.array([[1 + 2j, 1]])), "^complex numbers are no counts"),
    ],
)
def test_what_are_no_counts_is_refused(model, counts, message) -> None:
    with pytest.raises(DataError, match=message):
        model(2).fit(counts)


@pytest.mark.parametrize("model", MODELS)
@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"n_components": 0}, "n_components is 0"),
        ({"n_components": []}, r"n_components is \[\]"),
        ({"n_components": [2, 0]}, "n_components"),
        ({"n_components": 2.5}, "n_components"),
        ({"restarts": 0}, "restarts is 0"),
        ({"seed": None}, "seed is None"),
        ({"tempering": 0}, "tempering is 0"),
        ({"tempering": -1.0}, "tempering is -1"),
        ({"tempering": float("inf")}, "tempering is inf"),
        ({"tempering": float("nan")}, "tempering is nan"),
        ({"tempering": 10**400}, "tempering is 1"),
        ({"smoothing": 1}, "smoothing is 1"),
        ({"tol": -1e-3}, "tol is"),
        ({"tol": float("inf")}, "tol is inf"),
        ({"max_iter": 0}, "max_iter is 0"),
    ],
)
def test_parameters_that_make_no_sense_are_refused(model, wrong, message) -> None:
    with pytest.raises(UsageError, match=message):
        model(**wrong).fit(blocky())


@pytest.mark.parametrize("model", MODELS)
def test_what_is_asked_of_a_model_too_early_or_of_other_blocks_is_refused(model) -> None:
    for ask in (lambda m: m.predict(blocky()), lambda m: m.score(blocky()), lambda m: m.sample(3)):
        with pytest.raises(UsageError, match="not fitted"):
            ask(model(2))
    fitted = model(2).fit(blocky())
    with pytest.raises(DataError, match="counts of 2 blocks, and the model knows 5"):
        fitted.predict([[1, 2]])
    with pytest.raises(UsageError, match="0 rows"):
        fitted.sample(0)


def test_a_long_hard_run_keeps_its_last_digits() -> None:
    """Log likelihoods of some 1e12 in all: posteriors are still those of each row."""
    counts = np.tile(blocky(), (40, 1)) * 10**6
    start, moves, theta = given_model(1, 3, 5)
    _, posteriors, path, likelihoods = core.infer_multinomial(
        *sparse(counts), np.array([len(counts)]), start, moves, geometric(3), theta, True
    )
    assert posteriors.sum(axis=1) == pytest.approx(1)
    assert (posteriors.argmax(axis=1) == likelihoods.argmax(axis=1)).all()
    assert (path == likelihoods.argmax(axis=1)).all()
