"""The next phase, foretold: exact where one can count."""

from __future__ import annotations

import math

import numpy as np
import pytest
from tests.reference import multinomial as twin

from phasemark.errors import DataError, UsageError
from phasemark.phases import MultinomialHMM, MultinomialMixture, SimPoint, held_out

KINDS = np.array([[90, 10, 0], [0, 20, 80], [30, 30, 40]])


def of(work: list[int]) -> np.ndarray:
    return KINDS[work]


def test_what_alternates_is_foretold_by_who_knows_moves() -> None:
    found = held_out(MultinomialHMM(2, restarts=3), of([0, 1] * 10))
    assert (found.intervals, found.changes) == (4, 4)
    assert found.accuracy.items() >= {"last": 0, "frequency": 0.5, "moves": 1, "model": 1}.items()
    assert found.at_changes == found.accuracy


def test_what_stays_is_foretold_by_the_last_value() -> None:
    found = held_out(MultinomialHMM(2, restarts=3), of([0] * 8 + [1] * 12), share=0.3)
    assert (found.intervals, found.changes) == (6, 0)
    assert found.accuracy.items() >= {"last": 1, "frequency": 0, "moves": 1, "model": 1}.items()
    assert all(math.isnan(share) for share in found.at_changes.values())


@pytest.mark.parametrize("model", [MultinomialMixture(2, restarts=3), SimPoint(k=2)])
def test_any_model_of_phases_will_do(model) -> None:
    found = held_out(model, of([0, 0, 1, 1] * 5).astype(float), share=0.25)
    assert (found.intervals, found.changes) == (5, 2), "1 0 0 1 1, after a 1"
    assert list(found.accuracy)[:3] == ["last", "frequency", "moves"] and "model" not in found.accuracy
    assert found.accuracy["last"] == 3 / 5


def test_each_sequence_has_its_own_end() -> None:
    work = [0, 1] * 5 + [0] * 10 + [1]
    found = held_out(MultinomialHMM(2, restarts=3), of(work), sequences=[10, 10, 1])
    assert (found.intervals, found.changes) == (4, 2)
    assert found.accuracy["last"] == 0.5


def test_the_next_state_is_that_of_the_twins_last_posterior() -> None:
    random = np.random.default_rng(5)
    counts = random.multinomial(6, random.dirichlet(np.ones(4)), 12)
    model = MultinomialHMM(3, tempering=None, restarts=2).fit(counts)
    found = model.predict_next(counts, sequences=[5, 7])
    likelihoods = twin.emissions(counts, model.emissionprob_)
    for begin, end in ((0, 5), (5, 12)):
        for row in range(begin, end):
            seen = likelihoods[begin : row + 1]
            posteriors = twin.expect(model.startprob_, model.transmat_, seen, [len(seen)])[1]
            assert found[row] == pytest.approx(posteriors[-1] @ model.transmat_, abs=1e-9)


def test_a_mixture_foretells_nothing() -> None:
    with pytest.raises(UsageError, match="a mixture does not say what follows what"):
        MultinomialMixture(2).fit(of([0, 1] * 3)).predict_next(of([0]))


def test_what_cannot_be_held_out_is_refused() -> None:
    with pytest.raises(DataError, match="no sequence has two intervals"):
        held_out(MultinomialHMM(1), of([0, 1]), sequences=[1, 1])
    for share in (0, 1, math.nan):
        with pytest.raises(UsageError, match="share is"):
            held_out(MultinomialHMM(1), of([0, 1]), share=share)
