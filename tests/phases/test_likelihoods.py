"""The likelihood of phases, whoever found them: as the slow twin has it, and one footing for all."""

from __future__ import annotations

import math

import numpy as np
import pytest
from tests.reference import likelihoods as slow

from phasemark.errors import DataError, UsageError
from phasemark.model import Phases
from phasemark.phases import (
    Chain,
    MultinomialHMM,
    held_back,
    held_out_likelihood,
    lengths_of,
    likelihood,
)


def phases_of(labels: list[int]) -> Phases:
    return Phases(np.array(labels), None, np.zeros(len(labels)))


#: A block that only the last row executes, a row without instructions, and one block that nothing does.
ROWS = [
    [90, 10, 0, 0, 0],
    [80, 20, 0, 0, 0],
    [0, 0, 0, 0, 0],
    [5, 0, 95, 0, 0],
    [9, 0, 31, 0, 0],
    [7, 0, 0, 3, 0],
]
LABELS, LENGTHS = [0, 0, 1, 2, 2, 0], [4, 2]


@pytest.mark.parametrize("tempering", [None, 10.0])
def test_it_is_what_the_slow_twin_has(tempering: float | None) -> None:
    mean = sum(map(sum, ROWS)) / 5
    scale = 1.0 if tempering is None else tempering / mean
    scaled = [[o * scale for o in row] for row in ROWS]
    expected = slow.log_likelihood(*slow.chain(LABELS, ROWS, LENGTHS), scaled, LENGTHS)
    found = likelihood(phases_of(LABELS), np.array(ROWS), sequences=LENGTHS, tempering=tempering)
    evidence = sum(map(sum, scaled))
    assert found.evidence == pytest.approx(evidence, rel=1e-12)
    assert found.of_run == pytest.approx(expected / evidence, rel=1e-10)
    # 3 states over the 4 blocks that are executed.
    parameters = 3 * 3 + 2 + 3 * 2
    assert found.bic == pytest.approx((expected - parameters / 2 * math.log(5)) / evidence, rel=1e-10)


def test_the_rest_is_told_from_what_was_seen_alone() -> None:
    seen = np.array([True, True, True, False, True, False])
    kept, lengths = [row for row, there in zip(ROWS, seen, strict=True) if there], [3, 1]
    labels = [0, 0, 1, 2]
    chain = slow.chain(labels, kept, lengths)
    scale = 10 / (sum(map(sum, kept)) / 3)
    whole = slow.log_likelihood(*chain, [[o * scale for o in row] for row in ROWS], LENGTHS)
    part = slow.log_likelihood(*chain, [[o * scale for o in row] for row in kept], lengths)
    evidence = scale * (sum(map(sum, ROWS)) - sum(map(sum, kept)))
    found = held_out_likelihood(
        phases_of(labels),
        np.array(kept),
        np.array(ROWS),
        seen_sequences=lengths,
        sequences=LENGTHS,
        tempering=10.0,
    )
    # A block of the rest was never seen.
    assert found == pytest.approx((whole - part) / evidence, rel=1e-10)
    again = held_out_likelihood(
        phases_of(LABELS), np.array(ROWS), np.array(ROWS), seen_sequences=LENGTHS, sequences=LENGTHS
    )
    assert math.isnan(again)  # there is no rest


def test_a_models_own_phases_say_nearly_what_the_model_does() -> None:
    rng = np.random.default_rng(2)
    states = np.repeat([0, 1, 0, 1], 30)
    rows = rng.multinomial(500, [[0.7, 0.2, 0.1], [0.1, 0.2, 0.7]], size=(120, 2))[np.arange(120), states]
    model = MultinomialHMM(2, restarts=2, tempering=None).fit(rows)
    found = likelihood(model.phases_, rows, tempering=None)
    assert found.of_run * found.evidence == pytest.approx(model.log_likelihood_, abs=2.0)
    blind = likelihood(phases_of([0, 1] * 60), rows, tempering=None)
    assert blind.of_run < found.of_run and blind.bic < found.bic


def test_counts_beyond_exact_doubles_are_no_matter() -> None:
    rows = np.array(ROWS, np.int64) * 2**50
    small = likelihood(phases_of(LABELS), np.array(ROWS), sequences=LENGTHS, tempering=10.0)
    assert likelihood(phases_of(LABELS), rows, sequences=LENGTHS, tempering=10.0).of_run == pytest.approx(
        small.of_run
    )


def test_one_interval_is_enough() -> None:
    one = likelihood(phases_of([0]), np.array([[3, 1]]))
    assert one.of_run == one.bic == pytest.approx((3 * math.log(0.75) + math.log(0.25)) / 4, rel=1e-5)


@pytest.mark.parametrize(
    ("rows", "why"),
    [
        ([[1.0, math.nan], [1, 1]], "row 0.*not a number"),
        ([[0, 0], [0, 0]], "no interval has an instruction"),
        ([[1, 1]], "counts of 1 intervals, but phases of 2"),
    ],
)
def test_what_is_no_evidence_is_refused(rows: list[list[float]], why: str) -> None:
    with pytest.raises(DataError, match=why):
        Chain.of(phases_of([0, 1]), np.array(rows))


def test_ends_of_sequences_are_held_back() -> None:
    held = held_back([5, 1, 2], 8, 0.2)
    assert held.tolist() == [False] * 4 + [True, False, False, True]
    assert lengths_of(~held, [5, 1, 2]).tolist() == [4, 1, 1]
    assert lengths_of(held, [5, 1, 2]).tolist() == [1, 1]
    with pytest.raises(DataError, match="no sequence has two intervals"):
        held_back([1, 1], 2, 0.5)
    with pytest.raises(UsageError, match="share is 1"):
        held_back(None, 4, 1.5)
