"""Rates of events beside code vectors."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.reference import combining as slow

from phasemark import points, signatures
from phasemark.errors import DataError, UsageError
from phasemark.model import Intervals, Metrics, Recipe, Signatures
from phasemark.phases import SimPoint
from phasemark.signatures import combine, event_rates

LENGTH = 1000


def code(matrix: np.ndarray, weights: np.ndarray | None = None) -> Signatures:
    n = len(matrix)
    return Signatures(
        matrix,
        np.full(n, 1 / n) if weights is None else weights,
        Recipe("l1", "uniform", matrix.shape[1], 1, "id"),
    )


def metrics(table: Intervals, **counters: object) -> Metrics:
    keys = (getattr(table, name) for name in ("run", "thread", "index", "start", "length"))
    return Metrics(*keys, {name: np.asarray(values, float) for name, values in counters.items()})


@given(st.integers(0, 2**32), st.integers(2, 12), st.floats(0, 0.9))
@settings(max_examples=30, deadline=None)
def test_as_the_slow_twin_has_it(seed: int, n: int, share: float) -> None:
    rng = np.random.default_rng(seed)
    weights = rng.random(n) + 0.1
    weights /= weights.sum()
    vectors, events = rng.random((n, 3)), rng.random((n, 4))
    events[:, 1] = 0.25  # does not vary
    found = combine(code(vectors, weights), events, share).matrix
    expected = slow.combined(vectors.tolist(), events.tolist(), weights.tolist(), share)
    assert np.allclose(found, expected, atol=1e-9)


def test_events_have_their_share_of_the_variance() -> None:
    rng = np.random.default_rng(1)
    both = combine(code(rng.random((50, 5))), rng.random((50, 2)), 0.75)
    variance = both.matrix.var(axis=0)
    assert variance[5:].sum() == pytest.approx(3 * variance[:5].sum())
    assert variance[5] == pytest.approx(variance[6])
    assert both.recipe.dims == 7 and both.recipe.events == "given"


def test_rates_are_roots_per_instruction_by_place_in_the_run() -> None:
    table = Intervals.of_thread([LENGTH, LENGTH, 500])
    counted = metrics(table, l1d_misses=[10, 40, 5], loads=[1, 2, 3], l2_misses=[0, 0, 0])
    found = event_rates(table, counted)
    assert found.matrix[:, 0].tolist() == pytest.approx([0.1, 0.2, 0.1])
    assert found.recipe.events == "l1d_misses l2_misses" and found.matrix[:, 1].tolist() == [0, 0, 0]
    both = combine(code(np.eye(3)), found)
    assert both.matrix.shape == (3, 5) and not both.matrix[:, 4].any()


def test_what_was_not_measured_is_like_the_mean_and_another_machine_may_count_otherwise() -> None:
    table = Intervals.of_thread([LENGTH] * 4)
    some = Metrics(
        [0] * 3, [0] * 3, [0, 1, 2], [0, 1000, 2001], [1000, 1001, 999], {"l2_misses": [0, 10, 40]}
    )
    found = event_rates(table, some).matrix[:, 0]
    assert found[3] == pytest.approx(found[:3].mean())
    assert found[1] == pytest.approx(np.sqrt(10 / 1001))


def test_equal_code_is_told_apart_by_its_misses() -> None:
    """Half of the intervals walk a table that does not fit: same blocks, other time."""
    table = Intervals.of_thread([LENGTH] * 40)
    misses = np.arange(40) // 10 % 2 * 100.0
    rng = np.random.default_rng(3)
    alike = code(rng.normal(0, 1e-3, (40, 4)))
    rates = event_rates(table, metrics(table, l2_misses=misses))
    plain, both = (SimPoint(k=2).fit(made).phases_ for made in (alike, combine(alike, rates)))
    assert len({tuple(pair) for pair in zip(both.labels.tolist(), misses.tolist(), strict=True)}) == 2
    assert len({tuple(pair) for pair in zip(plain.labels.tolist(), misses.tolist(), strict=True)}) > 2
    chosen = points.nearest(table, both)
    assert sorted(misses[chosen.interval].tolist()) == [0, 100]


@pytest.mark.parametrize(
    ("call", "error", "said"),
    [
        (
            lambda: combine(code(np.eye(3)), np.eye(4)),
            DataError,
            "events of 4 intervals, but signatures of 3",
        ),
        (lambda: combine(code(np.eye(3)), np.ones(3)), DataError, "1 dimensions"),
        (
            lambda: combine(code(np.eye(2)), [[1.0], [np.nan]]),
            DataError,
            "row 1: a rate of events is no number",
        ),
        (lambda: combine(code(np.eye(3)), np.eye(3), 1.0), UsageError, "the share of events is 1"),
        (lambda: combine(code(np.eye(3)), np.eye(3), -0.1), UsageError, "the share of events is -0.1"),
    ],
)
def test_what_makes_no_sense_is_refused(call, error, said) -> None:
    with pytest.raises(error, match=said):
        call()


def test_metrics_without_events_or_of_too_little_are_refused() -> None:
    table = Intervals.of_thread([LENGTH] * 4)
    with pytest.raises(DataError, match="nothing was counted"):
        event_rates(table, metrics(table, cycles=[1, 2, 3, 4]))
    with pytest.raises(DataError, match="events of 25% of the run were counted"):
        event_rates(table, metrics(Intervals.of_thread([LENGTH]), l2_misses=[3]))
    assert "l2_misses" in signatures.EVENTS
