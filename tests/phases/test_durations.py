"""How long states last: the hidden semi-Markov model, held to a slow twin, and to what one can count."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.phases.test_multinomial import drawn, given_model, sparse
from tests.reference import durations as twin
from tests.reference import multinomial as hmm

import phasemark._core as core
from phasemark.errors import UsageError
from phasemark.phases import MultinomialHMM, MultinomialHSMM, held_out

SIZES = st.tuples(st.integers(1, 3), st.integers(1, 5), st.integers(1, 4))


def given_durations(seed: int, states: int, blocks: int, longest: int) -> tuple[np.ndarray, ...]:
    start, moves, theta = given_model(seed, states, blocks)
    moves = moves * (1 - np.eye(states))
    moves /= np.maximum(moves.sum(axis=1, keepdims=True), 1e-300)
    leaving = np.random.default_rng(seed).uniform(0.02, 0.98, (states, longest)) * (states > 1)
    return start, moves, leaving, theta


@given(
    seed=st.integers(0, 10**6),
    sizes=SIZES,
    lengths=st.lists(st.integers(1, 7), min_size=1, max_size=3),
    mean=st.sampled_from([0.5, 20.0, 3000.0]),
)
@settings(max_examples=30, deadline=None)
def test_a_step_is_the_twins(seed, sizes, lengths, mean) -> None:
    states, blocks, longest = sizes
    counts = drawn(seed, sum(lengths), blocks, mean)
    start, moves, leaving, theta = given_durations(seed, states, blocks, longest)
    likelihoods = hmm.emissions(counts, theta)
    total, posteriors, starts, *counted = twin.expect(start, moves, leaving, likelihoods, lengths)
    model = (start, moves, leaving, theta, True)
    found = core.infer_multinomial(*sparse(counts), np.array(lengths), *model)
    assert found[0] == pytest.approx(total, rel=1e-12, abs=1e-9)
    assert found[1] == pytest.approx(posteriors, abs=1e-8)
    background = (counts.sum(axis=0) + 1e-9) / (counts.sum(axis=0) + 1e-9).sum()
    fit = core.fit_multinomial_from(*sparse(counts), np.array(lengths), background, *model, 1e-3, 4.0, 0.0, 1)
    if fit["iterations"]:
        want = hmm.step(counts, posteriors, starts, None, background=background, smoothing=1e-3)
        assert fit["start"] == pytest.approx(want[0], abs=1e-8)
        assert fit["theta"] == pytest.approx(want[2], abs=1e-8)
        want_moves, want_leaving = twin.step(*counted, smoothing=1e-3, prior=4.0)
        often = (counted[1] + counted[2]).sum(axis=1) > 1e-6  # what all but never happens is rounding
        assert fit["leaving"][often] == pytest.approx(want_leaving[often], abs=1e-8)
        often = counted[0].sum(axis=1) > 1e-6
        assert fit["moves"][often] == pytest.approx(want_moves[often] * (states > 1), abs=1e-8)


@given(seed=st.integers(0, 10**6), sizes=SIZES, rows=st.integers(1, 7))
@settings(max_examples=25, deadline=None)
def test_the_most_likely_path_is_the_best_of_all(seed, sizes, rows) -> None:
    states, blocks, longest = sizes
    counts = drawn(seed, rows, blocks, 2.0)
    start, moves, leaving, theta = given_durations(seed, states, blocks, longest)
    likelihoods = hmm.emissions(counts, theta)
    best = twin.most_likely(start, moves, leaving, likelihoods)
    path = core.infer_multinomial(*sparse(counts), np.array([rows]), start, moves, leaving, theta, True)[2]
    found, want = (twin.likelihood(start, moves, leaving, likelihoods, each) for each in (path, best))
    assert found == pytest.approx(want, rel=1e-12, abs=1e-12)


@given(seed=st.integers(0, 10**6), sizes=SIZES, rows=st.integers(1, 6))
@settings(max_examples=30, deadline=None)
def test_what_is_foretold_is_the_twins(seed, sizes, rows) -> None:
    states, blocks, longest = sizes
    counts = drawn(seed, rows, blocks, 2.0)
    start, moves, leaving, theta = given_durations(seed, states, blocks, longest)
    likelihoods = hmm.emissions(counts, theta)
    want = twin.until_change(start, moves, leaving, likelihoods)
    lengths = np.array([rows])
    following, until = core.foretell_states(*sparse(counts), lengths, start, moves, leaving, theta)
    assert following == pytest.approx(want[0], abs=1e-9)
    if states == 1:
        assert np.isinf(until).all(), "the only state is never left"
    else:
        assert until.tolist() == want[1].tolist()


def test_with_one_age_it_is_the_hidden_markov_model() -> None:
    counts = drawn(7, 40, 5, 3.0)
    start, moves, theta = given_model(7, 3, 5)
    leave = 1 - np.diag(moves)
    others = moves * (1 - np.eye(3)) / leave[:, None]
    lengths = np.array([15, 25])
    one = core.infer_multinomial(*sparse(counts), lengths, start, moves, np.zeros((3, 0)), theta, True)
    for longest in (1, 6):
        leaving = np.repeat(leave[:, None], longest, axis=1)
        two = core.infer_multinomial(*sparse(counts), lengths, start, others, leaving, theta, True)
        assert two[0] == pytest.approx(one[0], abs=1e-9) and two[1] == pytest.approx(one[1], abs=1e-9)
        assert two[2].tolist() == one[2].tolist()


KINDS = np.array([[90, 10, 0], [0, 20, 80], [30, 30, 40]])


def loops(times: int) -> np.ndarray:
    """Seven intervals of one kind, then three of another, and again."""
    return np.tile(KINDS[[0] * 7 + [1] * 3], (times, 1))


def test_a_loop_is_foretold_when_it_ends() -> None:
    model = MultinomialHSMM(2, restarts=3).fit(loops(20))
    states = model.phases_.states
    assert states.durations() == pytest.approx([7, 3], rel=0.15)
    assert states.lasting(8).argmax(axis=1).tolist() == [6, 2]
    assert states.transitions == pytest.approx(np.array([[6 / 7, 1 / 7], [1 / 3, 2 / 3]]), abs=0.03)
    assert states.after(0, lasted=6).argmax() == 0 and states.after(0, lasted=7).argmax() == 1
    assert model.predict_change(loops(1)).tolist() == [7, 6, 5, 4, 3, 2, 1, 3, 2, 1]
    assert held_out(model, loops(20)).accuracy["model"] == 1
    assert held_out(MultinomialHMM(2, restarts=3), loops(20)).at_changes["model"] < 1


def test_the_likelihood_never_falls_and_is_no_lower_than_the_hidden_markov_models(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    counts, found = loops(12), []
    fit = core.fit_multinomial_from
    monkeypatch.setattr(core, "fit_multinomial_from", lambda *given: found.append(fit(*given)) or found[-1])
    plain, model = MultinomialHMM(2).fit(counts), MultinomialHSMM(2).fit(counts)
    steps = model._model.log_likelihoods
    assert (np.diff(steps) >= 0).all()
    # Of the kernel alone, which begins where the hidden Markov model is.
    (kernel,) = (one["log_likelihoods"] for one in found)
    assert kernel[0] == pytest.approx(plain.log_likelihood_, rel=1e-9) and (np.diff(kernel) >= 0).all()
    assert steps[plain.n_iter_] == plain.log_likelihood_ < model.log_likelihood_
    assert model.restarts_.tolist() == plain.restarts_.tolist()


@pytest.mark.parametrize("scale", [1, 1e4, 1e10])
def test_it_copes_with_huge_counts(scale) -> None:
    model = MultinomialHSMM(3, tempering=None, restarts=3).fit(np.vstack([loops(3), KINDS[[2] * 5]]) * scale)
    assert np.isfinite(model.log_likelihood_) and model.k_ == 3
    assert model.labels_.tolist() == ([0] * 7 + [1] * 3) * 3 + [2] * 5
    assert np.isfinite(model.phases_.posterior).all()


def test_long_sequences_are_worked_on_in_blocks() -> None:
    counts = drawn(3, 401, 4, 3.0)
    start, moves, leaving, theta = given_durations(3, 3, 4, 5)
    likelihoods = hmm.emissions(counts, theta)
    want = twin.expect(start, moves, leaving, likelihoods, [401])
    found = core.infer_multinomial(*sparse(counts), np.array([401]), start, moves, leaving, theta, True)
    assert found[0] == pytest.approx(want[0], rel=1e-12)
    assert found[1] == pytest.approx(want[1], abs=1e-9)


def test_samples_last_as_states_do() -> None:
    model = MultinomialHSMM(2, restarts=3, smoothing=0.0).fit(loops(60))
    _, states = model.sample(2000, seed=3)
    ends = np.flatnonzero(np.diff(states))
    lasted = np.diff(ends)
    assert np.bincount(lasted).argmax() in (3, 7)
    assert np.isin(lasted, (3, 7)).mean() > 0.8


@pytest.mark.parametrize("longest", [0, -1, 2.5, None, 10_001])
def test_a_duration_that_makes_no_sense_is_refused(longest) -> None:
    with pytest.raises(UsageError, match="longest"):
        MultinomialHSMM(2, longest=longest).fit(loops(2))
