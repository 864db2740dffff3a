"""CoV, CIM and deviation reduction: golden values, a slow twin, properties, odd input."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from tests.reference import quality as twin

from phasemark.errors import DataError, UsageError
from phasemark.quality import cim, cov, deviation_reduction

NAN = math.nan


def with_moments(n: int, mean: float, deviation: float, ddof: int) -> np.ndarray:
    """n values, half of them above the mean, half below."""
    return mean + deviation * math.sqrt((n - ddof) / n) * np.where(np.arange(n) % 2, 1.0, -1.0)


def paper(shift: float = 0.0, ddof: int = 1) -> tuple[np.ndarray, np.ndarray]:
    """Table I: 10,000 and 20,000 intervals."""
    parts = [with_moments(10_000, 0.29, 0.60, ddof), with_moments(20_000, 3.49, 0.03, ddof)]
    return np.concatenate(parts) + shift, np.repeat([0, 1], [10_000, 20_000])


@pytest.mark.parametrize(("shift", "after"), [(0.0, 1.77196), (0.5, 1.46889)])
def test_golden_cim(shift, after) -> None:
    """Of the rounded inputs' own mean, 2.42333; the paper's table says 2.43."""
    values, labels = paper(shift)
    found = cim(values, labels)
    assert found.standard_error == pytest.approx(0.02190845, rel=1e-6)
    assert found.percent == pytest.approx(after, rel=1e-5)
    assert found.sample == pytest.approx([1000 / 11, 100 / 11])


@pytest.mark.parametrize(("mean", "before"), [(2.43, 12.4812), (2.93, 10.3513)])
def test_golden_cim_of_one_phase(mean, before) -> None:
    found = cim(with_moments(30_000, mean, 1.55, 1), np.zeros(30_000, int))
    assert found.before == pytest.approx(before, rel=1e-5) and found.percent == pytest.approx(
        before, rel=1e-5
    )
    assert found.standard_error_before == pytest.approx(0.1547415, rel=1e-6)


@pytest.mark.parametrize(("shift", "golden", "printed"), [(0.0, 69.5386, 69.68), (0.5, 25.8177, 25.89)])
def test_golden_cov(shift, golden, printed) -> None:
    values, labels = paper(shift, ddof=0)
    found = cov(values, labels)
    assert 100 * found.total == pytest.approx(golden, rel=1e-5)
    assert 100 * found.total == pytest.approx(printed, abs=0.2)
    assert found.per_phase == pytest.approx([0.60 / (0.29 + shift), 0.03 / (3.49 + shift)])


@pytest.mark.parametrize(("mean", "golden"), [(2.43, 63.786), (2.93, 52.901)])
def test_golden_cov_of_one_phase(mean, golden) -> None:
    found = cov(with_moments(30_000, mean, 1.55, 0), np.zeros(30_000, int))
    assert 100 * found.before == pytest.approx(golden, rel=1e-4)
    assert found.total == pytest.approx(found.before)


def test_deviation_reduction_by_hand() -> None:
    """Sigma of 1 3 11 13 is sqrt(26); of each half 1."""
    assert deviation_reduction([1, 3, 11, 13], [0, 0, 1, 1]) == pytest.approx(1 - 1 / math.sqrt(26))
    assert deviation_reduction([5, 5, 5], [0, 1, 1]) == 0
    assert math.isnan(deviation_reduction([NAN], [0]))


# Eighths and whole weights: the twin's sums are exact, and equal values have no deviation there either.
eighths = st.integers(1, 400).map(lambda i: i / 8)
rows = st.lists(
    st.tuples(st.one_of(st.none(), eighths), st.integers(0, 3), st.integers(1, 9)), min_size=1, max_size=30
).filter(lambda found: any(value is not None for value, _, _ in found))


@settings(deadline=None, max_examples=80)
@given(rows, st.floats(0.5, 40))
def test_equals_the_twin(found, n) -> None:
    values, labels, weights = (list(column) for column in zip(*found, strict=True))
    mine = [NAN if value is None else value for value in values]
    each, total = twin.cov(values, labels, weights)
    measured = cov(mine, labels, weights)
    assert measured.total == pytest.approx(total, rel=1e-9, abs=1e-12)
    for phase, value in enumerate(measured.per_phase):
        assert value == pytest.approx(each[phase], abs=1e-12) if phase in each else math.isnan(value)
    assert deviation_reduction(mine, labels, weights) == pytest.approx(
        twin.deviation_reduction(values, labels, weights), abs=1e-7
    )
    after, before = twin.cim(values, labels, n, 1.96)
    assert cim(mine, labels, n).percent == pytest.approx(after, rel=1e-6, abs=1e-6)
    assert cim(mine, labels, n).before == pytest.approx(before, rel=1e-6, abs=1e-6)
    after, before = twin.cim_by_length(values, labels, weights, n, 1.96)
    assert cim(mine, labels, n, weights=weights).percent == pytest.approx(after, rel=1e-6, abs=1e-6)
    assert cim(mine, labels, n, weights=weights).before == pytest.approx(before, rel=1e-6, abs=1e-6)
    alike = cim(mine, labels, n, weights=[7] * len(mine))
    assert alike.percent == pytest.approx(cim(mine, labels, n).percent, rel=1e-9, abs=1e-9)


values_of_phases = st.lists(
    st.tuples(st.floats(0.1, 50), st.integers(0, 3), st.integers(0, 1)), min_size=2, max_size=40
)


@settings(deadline=None, max_examples=80)
@given(values_of_phases, st.floats(0, 100))
def test_a_constant_leaves_the_standard_error_unchanged(found, constant) -> None:
    values, labels, _ = map(np.array, zip(*found, strict=True))
    moved = cim(values + constant, labels, 5).standard_error
    assert moved == pytest.approx(cim(values, labels, 5).standard_error, rel=1e-6, abs=1e-9)


@settings(deadline=None, max_examples=80)
@given(values_of_phases, st.floats(0.5, 20))
def test_finer_phases_never_have_a_larger_cim(found, n) -> None:
    """Nor where a phase's excess is capped: that holds for the fractional, unlimited allocation."""
    values, labels, halves = map(np.array, zip(*found, strict=True))
    assume(n < min(np.bincount(labels)[np.unique(labels)]))
    finer = 2 * labels + halves
    options = {"ddof": 0, "finite": False}
    assert unlimited(values, finer, n) <= unlimited(values, labels, n) + 1e-9
    coarse = cim(values, labels * 0, n, **options)
    assert coarse.percent == pytest.approx(unlimited(values, labels * 0, n), rel=1e-9, abs=1e-9)


def unlimited(values: np.ndarray, labels: np.ndarray, n: float) -> float:
    """CIM of every interval many times over, so that no phase is too small for its part of the sample."""
    many = 32
    options = {"ddof": 0, "finite": False}
    return cim(np.tile(values, many), np.tile(labels, many), n, **options).percent


def test_finer_phases_may_have_a_larger_cov() -> None:
    """The paper's table I: 63.9% before, 69.5% after."""
    found = cov(*paper())
    assert found.total > found.before
    assert cim(*paper()).percent < cim(*paper()).before / 7


def test_plan_has_whole_numbers_and_no_smaller_error() -> None:
    values, labels = paper()
    plan, metric = cim(values, labels, plan=True), cim(values, labels)
    assert plan.sample.tolist() == [91, 9]
    assert metric.percent <= plan.percent < 1.01 * metric.percent
    with pytest.raises(UsageError, match="1 interval cannot stand for 2 phases"):
        cim(values, labels, 1, plan=True)


def test_missing_values_are_said() -> None:
    found = cov([1, NAN, 3, 5], [0, 1, 0, 2], [1, 2, 3, 2])
    assert found.missing == pytest.approx(0.25) and found.per_phase[2] == 0 and math.isnan(found.per_phase[1])
    assert found.total == pytest.approx(cov([1, 3, 5], [0, 0, 2], [1, 3, 2]).total)
    assert cim([1, NAN, 3, 5], [0, 1, 0, 2]).missing == pytest.approx(0.25)
    nothing = cov([NAN, NAN], [0, 1])
    assert math.isnan(nothing.total) and math.isnan(nothing.before) and nothing.missing == 1
    empty = cim([NAN, NAN], [0, 1])
    assert math.isnan(empty.percent) and math.isnan(empty.before) and math.isnan(empty.standard_error)


def test_phases_without_an_interval_or_with_one() -> None:
    found = cim([2, 4, 6, 7], [0, 0, 0, 2], 2)
    assert np.isnan(found.per_phase[1]) and found.per_phase[2] == 0
    assert found.sample.tolist() == [2, 0, 0]
    assert found.standard_error == pytest.approx(math.sqrt(3 * 1 * 4 / 2) / 4)


def test_a_mean_of_nothing_has_no_relative_deviation() -> None:
    found = cov([0, 0, 1, 3], [0, 0, 1, 1])
    assert math.isnan(found.per_phase[0]) and found.total == pytest.approx(0.5 * 0.5)
    assert math.isnan(cov([0, 0], [0, 1]).total) and math.isnan(cim([0, 0], [0, 1]).percent)
    assert math.isnan(cov([-1, 1, 5], [0, 0, 1]).total)


def test_nothing_varies() -> None:
    assert cov([0.1] * 7, [0, 0, 0, 1, 1, 1, 1]).total == 0
    assert cim([0.1] * 7, [0, 0, 0, 1, 1, 1, 1], 2).percent == 0


def test_what_is_measured_whole_has_no_error() -> None:
    assert cim([1, 2, 5], [0, 0, 1], 100).percent == 0
    assert cim([1, 2, 5], [0, 0, 1], 3, plan=True).percent == 0


@pytest.mark.parametrize(
    ("values", "labels", "weights", "said"),
    [
        ([1, 2], [0], None, "2 values, 1 labels"),
        ([1, math.inf], [0, 0], None, "infinite"),
        ([1, 2], [0, -1], None, "label is negative"),
        ([1, 2], [0, 0.5], None, "no whole numbers"),
        ([1, 2], [0, 0], [1, -1], "weight is negative"),
        ([1, 2], [0, 0], [1, NAN], "weight is negative or not"),
    ],
)
def test_bad_rows_are_refused(values, labels, weights, said) -> None:
    for measure in (cov, deviation_reduction):
        with pytest.raises(DataError, match=said):
            measure(values, labels, weights)


@pytest.mark.parametrize(
    "options", [{"n": 0}, {"confidence": 1}, {"confidence": 0}, {"confidence": 1 - 1e-16}, {"n": NAN}]
)
def test_bad_samples_are_refused(options) -> None:
    with pytest.raises(UsageError):
        cim([1, 2], [0, 0], **options)


def test_no_rows_have_no_phases() -> None:
    assert len(cov([], []).per_phase) == 0 and math.isnan(cov([], []).total)
    assert len(cim([], []).sample) == 0 and math.isnan(cim([], []).percent)


def test_an_endless_population_by_hand() -> None:
    """S^2 of 1 3 5 7 is 20/3 (ddof 1) or 5 (ddof 0); of two of four, half is seen."""
    values, labels = [1, 3, 5, 7], [0] * 4
    for options, squared in (({}, 20 / 3 / 2 / 2), ({"finite": False}, 20 / 3 / 2), ({"ddof": 0}, 5 / 2 / 2)):
        found = cim(values, labels, 2, **options)
        assert found.standard_error == pytest.approx(math.sqrt(squared))
        assert found.standard_error_before == pytest.approx(math.sqrt(squared))
        assert found.percent == pytest.approx(100 * 1.96 * math.sqrt(squared) / 4)


def test_z_has_three_decimals() -> None:
    values, labels = [1, 3, 5, 7], [0] * 4
    for confidence, z in ((0.9, 1.645), (0.95, 1.96), (0.99, 2.576)):
        found = cim(values, labels, 2, confidence)
        assert found.percent == pytest.approx(100 * z * found.standard_error / 4, rel=1e-12)


def test_a_phase_that_varies_next_to_nothing_gets_no_sample_and_adds_no_error() -> None:
    found = cim([0, 1, 0, 1, 0, 1e-200], [0, 0, 0, 0, 1, 1], 2)
    assert found.sample.tolist() == [2, 0]
    assert found.standard_error == pytest.approx(4 / 6 * math.sqrt(1 / 3 / 2 / 2))


def test_a_label_of_a_billion_asks_for_no_such_table() -> None:
    for measure in (cov, cim, deviation_reduction):
        with pytest.raises(DataError, match=r"row 1: a label is far larger .*\n  hint: number the phases"):
            measure([1.0, 2.0, 3.0], [0, 10**9, 2**62])
    # Numbers that are skipped are no fault.
    assert len(cov([1.0, 2.0, 3.0], [0, 500, 500]).per_phase) == 501
