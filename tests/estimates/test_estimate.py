"""Estimates of the whole run: unbiased, honest about what they do not know."""

from __future__ import annotations

import dataclasses
import itertools
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.estimates.samples import LENGTH, metrics_of, points_of, with_spread
from tests.reference import estimate as twin

from phasemark.errors import DataError, UsageError
from phasemark.estimates import estimate, full_value
from phasemark.model import Metrics


def test_golden_two_phases() -> None:
    """W .4/.6, N 4/6: means 1.1 and 3.2, s^2 .02 and .08: SE^2 = .16 .02/2 .5 + .36 .08/2 (2/3)."""
    metrics = metrics_of([100, 120, 1, 1, 300, 340, 1, 1, 1, 1])
    points = points_of(metrics, [0] * 4 + [1] * 6, [0, 1, 4, 5])
    found = estimate(points, metrics)
    assert list(found.value) == ["cpi", "ipc"]
    assert found.value["cpi"] == pytest.approx(0.4 * 1.1 + 0.6 * 3.2)
    squared = 0.16 * 0.02 / 2 * 0.5 + 0.36 * 0.08 / 2 * (2 / 3)
    assert found.standard_error["cpi"] == pytest.approx(math.sqrt(squared))
    parts = 0.16 * 0.02 / 2 * 0.5, 0.36 * 0.08 / 2 * (2 / 3)
    degrees = squared**2 / sum(part**2 for part in parts)
    assert found.degrees_of_freedom["cpi"] == pytest.approx(degrees)
    low, high = found.interval["cpi"]
    assert found.interval["ipc"] == pytest.approx((1 / high, 1 / low if low else math.inf))
    assert found.standard_error["ipc"] == pytest.approx(math.sqrt(squared) / found.value["cpi"] ** 2)
    assert found.coverage["cpi"] == pytest.approx(1) and found.missing["cpi"] == () and not found.notes


populations = st.lists(
    st.lists(st.tuples(st.integers(0, 9), st.integers(1, 9)), min_size=2, max_size=6), min_size=1, max_size=3
)


@settings(deadline=None, max_examples=50)
@given(populations, st.data())
def test_equals_the_twin(strata, data) -> None:
    cycles = [y for stratum in strata for y, _ in stratum]
    executed = [x for stratum in strata for _, x in stratum]
    labels = [h for h, stratum in enumerate(strata) for _ in stratum]
    metrics = metrics_of(cycles, instructions=executed)
    rows, samples, at = [], [], 0
    for stratum in strata:
        n = data.draw(st.integers(2, len(stratum)))
        taken = data.draw(st.permutations(range(len(stratum))))[:n]
        rows += [at + i for i in taken]
        samples.append([stratum[i] for i in taken])
        at += len(stratum)
    expected, squared = twin.ratio(samples, [len(stratum) for stratum in strata])
    found = estimate(points_of(metrics, labels, rows), metrics)
    assert found.value["cpi"] == pytest.approx(expected)
    if any(y for sample in samples for y, _ in sample):  # else the bound is another: estimates/unseen.py
        assert found.standard_error["cpi"] ** 2 == pytest.approx(squared, abs=1e-12)


def test_over_all_samples_estimate_and_variance_are_unbiased() -> None:
    cycles, labels = [100, 130, 90, 160, 400, 300, 350, 980, 310], [0] * 4 + [1] * 5
    metrics = metrics_of(cycles)
    values, variances = [], []
    for first in itertools.combinations(range(4), 2):
        for second in itertools.combinations(range(4, 9), 3):
            found = estimate(points_of(metrics, labels, first + second), metrics)
            values.append(found.value["cpi"])
            variances.append(found.standard_error["cpi"] ** 2)
    assert np.mean(values) == pytest.approx(sum(cycles) / 900)
    assert np.mean(variances) == pytest.approx(np.var(values))


def test_simple_random_samples_are_unbiased_too() -> None:
    cycles = [100, 130, 90, 160, 400, 300, 350]
    metrics = metrics_of(cycles)
    found = [
        estimate(points_of(metrics, [0] * 7, rows, "random"), metrics)
        for rows in itertools.combinations(range(7), 3)
    ]
    values = [one.value["cpi"] for one in found]
    assert np.mean(values) == pytest.approx(sum(cycles) / 700)
    assert np.mean([one.standard_error["cpi"] ** 2 for one in found]) == pytest.approx(np.var(values))


methods = st.sampled_from(["stratified", "nearest", "random", "systematic"])


@settings(deadline=None, max_examples=60)
@given(
    methods, st.lists(st.tuples(st.integers(0, 2), st.integers(1, 50)), min_size=2, max_size=12), st.data()
)
def test_a_constant_metric_is_exact(method, rows, data) -> None:
    labels = np.unique([label for label, _ in rows], return_inverse=True)[1]
    lengths = np.array([length for _, length in rows])
    metrics = metrics_of(3 * lengths, lengths=lengths)
    chosen = {int(np.flatnonzero(labels == phase)[0]) for phase in labels}
    chosen |= set(data.draw(st.lists(st.integers(0, len(rows) - 1))))
    if len(chosen) == 1:
        chosen = {0, 1}
    found = estimate(points_of(metrics, labels, sorted(chosen), method), metrics)
    assert found.value["cpi"] == pytest.approx(3)
    assert found.standard_error["cpi"] == pytest.approx(0, abs=1e-9)


@settings(deadline=None, max_examples=60)
@given(
    methods,
    st.lists(st.tuples(st.integers(0, 2), st.integers(1, 50), st.integers(0, 99)), min_size=1, max_size=12),
)
def test_all_intervals_give_the_full_value_without_error(method, rows) -> None:
    labels = np.unique([row[0] for row in rows], return_inverse=True)[1]
    metrics = metrics_of([row[2] for row in rows], lengths=[row[1] for row in rows])
    found = estimate(points_of(metrics, labels, range(len(rows)), method), metrics)
    assert found.value["cpi"] == pytest.approx(full_value(metrics, "cpi"))
    assert found.standard_error["cpi"] == 0
    assert found.covers("cpi", full_value(metrics, "cpi"))


def test_ratios_add_up_numerators_and_denominators_apart() -> None:
    metrics = metrics_of([100, 100], l2_misses=[1, 90], l2_references=[100, 100])
    metrics = metrics_of([100, 100], l2_misses=[1, 90], l2_references=[10, 900])
    found = estimate(points_of(metrics, [0, 1], [0, 1]), metrics)
    assert found.value["l2_miss_rate"] == pytest.approx(91 / 910)
    assert found.value["l2_mpki"] == pytest.approx(1000 * 91 / 200)


def test_a_missing_point_widens_and_is_said() -> None:
    cycles = np.array([100.0, 120, 110, 130, 300, 340, 320, 310, 330, 350])
    labels = [0] * 4 + [1] * 6
    whole = metrics_of(cycles)
    points = points_of(whole, labels, [0, 1, 2, 4, 5, 6])
    before = estimate(points, whole)
    for gone in ([6], [4, 5, 6]):
        holed = cycles.copy()
        holed[gone] = np.nan
        after = estimate(points, metrics_of(holed))
        lost = len(gone) * 0.6 / 3
        assert after.coverage["cpi"] == pytest.approx(1 - lost)
        assert [points.interval[row] for row in after.missing["cpi"]] == gone
        assert after.standard_error["cpi"] > before.standard_error["cpi"]
        assert "missing for cpi" in after.notes[0]
        assert f"{lost:.2%}" in after.notes[0]


def test_a_row_that_is_not_there_is_a_missing_point() -> None:
    metrics = metrics_of([100, 120, 300, 340])
    points = points_of(metrics, [0, 0, 1, 1], [0, 1, 2, 3])
    part = Metrics(*(getattr(metrics, k)[:3] for k in ("run", "thread", "index", "start", "length")),
                   {"cycles": metrics.counters["cycles"][:3]})  # fmt: skip
    found = estimate(points, part)
    assert found.missing["cpi"] == (3,) and found.coverage["cpi"] == pytest.approx(0.75)


def test_a_coverage_below_1_widens() -> None:
    metrics = metrics_of([100, 120, 300, 340])
    whole = points_of(metrics, [0, 0, 1, 1], [0, 1, 2, 3])
    part = points_of(metrics, [0, 0, 1, 1], [0, 1, 2, 3], coverage=0.8)
    assert estimate(whole, metrics).standard_error["cpi"] == 0
    found = estimate(part, metrics)
    assert found.coverage["cpi"] == pytest.approx(0.8)
    deviation = np.std([1.0, 1.2, 3.0, 3.4], ddof=1)
    assert found.standard_error["cpi"] == pytest.approx(0.2 * deviation)
    assert "80.00%" in found.notes[0]


def test_nothing_measured_is_unknown_not_zero() -> None:
    metrics = metrics_of([np.nan, np.nan])
    found = estimate(points_of(metrics, [0, 1], [0, 1]), metrics)
    assert math.isnan(found.value["cpi"]) and found.interval["cpi"] == (0.0, math.inf)
    assert found.coverage["cpi"] == 0


def test_a_single_point_of_many_intervals_has_no_bounded_interval() -> None:
    metrics = metrics_of([100, 200, 300])
    found = estimate(points_of(metrics, [0, 0, 0], [1]), metrics)
    assert found.value["cpi"] == 2 and math.isnan(found.standard_error["cpi"])
    assert found.interval["cpi"] == (0.0, math.inf) and found.relative_half_width("cpi") == math.inf


@pytest.mark.parametrize("method", ["start", "skip"])
def test_points_in_one_stretch_have_no_error_bar(method) -> None:
    metrics = metrics_of([100, 200, 300])
    found = estimate(points_of(metrics, [0, 0, 0], [0, 1], method), metrics)
    assert math.isnan(found.standard_error["cpi"]) and "no error bar" in found.notes[0]


def test_nonsense_is_refused() -> None:
    metrics = metrics_of([100, 200])
    points = points_of(metrics, [0, 1], [0, 1])
    with pytest.raises(UsageError, match="confidence"):
        estimate(points, metrics, confidence=95)
    with pytest.raises(DataError, match="no metric 'l2_mpki'"):
        estimate(points, metrics, names=["l2_mpki"])
    with pytest.raises(DataError, match="no ratio can be made"):
        estimate(points, Metrics(metrics.run, metrics.thread, metrics.index, metrics.start, metrics.length,
                                 {"widgets": np.ones(2)}))  # fmt: skip
    with pytest.raises(DataError, match="row 1: interval 1 starts at 100"):
        estimate(points_of(metrics_of([1, 1], lengths=[100, 50]), [0, 1], [0, 1]), metrics)


def test_a_tiny_cpi_has_an_ipc() -> None:
    metrics = metrics_of([1e-200, 2e-200, 3e-200])
    found = estimate(points_of(metrics, [0, 0, 0], [0, 1, 2]), metrics)
    assert found.value["ipc"] == pytest.approx(1 / found.value["cpi"])


def test_what_nothing_was_referenced_of_has_no_rate() -> None:
    metrics = metrics_of([100, 200], l2_misses=[0, 0], l2_references=[0, 0])
    found = estimate(points_of(metrics, [0, 1], [0, 1]), metrics)
    assert math.isnan(found.value["l2_miss_rate"]) and found.interval["l2_miss_rate"] == (0.0, math.inf)
    assert math.isnan(found.standard_error["l2_miss_rate"])
    assert found.value["l2_mpki"] == 0 and found.interval["l2_mpki"] == (0, 0)
    assert math.isnan(full_value(metrics, "l2_miss_rate")) and full_value(metrics, "l2_mpki") == 0


@pytest.mark.parametrize(("lengths", "row"), [([9, 10], 0), ([10, 9], 1)])
def test_each_row_is_compared_with_its_point(lengths, row) -> None:
    points = points_of(metrics_of([1, 1], lengths=lengths), [0, 1], [0, 1])
    with pytest.raises(DataError, match=rf"row {row}: interval {row} starts at \d+ and has 10 instructions"):
        estimate(points, metrics_of([1, 1], lengths=[10, 10]))


def test_a_row_that_starts_elsewhere_is_of_another_run() -> None:
    metrics = metrics_of([1, 1], lengths=[10, 10])
    points = points_of(metrics, [0, 1], [1])
    moved = dataclasses.replace(metrics, start=[0, 11])
    with pytest.raises(DataError, match=r"row 1: interval 1 starts at 11 .*, the point starts at 10"):
        estimate(points, moved)


def test_the_whole_runs_value() -> None:
    metrics = metrics_of([100, 300], branch_mispredictions=[1, 4])
    assert full_value(metrics, "cpi") == 2 and full_value(metrics, "ipc") == 0.5
    assert full_value(metrics, "branch_mpki") == 25
    assert math.isnan(full_value(metrics_of([0, 0]), "ipc"))
    assert math.isnan(full_value(metrics_of([1, math.nan]), "cpi"))
    with pytest.raises(DataError, match=r"no metric 'energy' was measured\n  hint: .* cpi, branch_mpki, ipc"):
        full_value(metrics, "energy")


def test_names_choose_and_order() -> None:
    metrics = metrics_of([100, 300], branch_mispredictions=[1, 4])
    points = points_of(metrics, [0, 1], [0, 1])
    assert list(estimate(points, metrics).value) == ["cpi", "ipc", "branch_mpki"]
    assert list(estimate(points, metrics, names=["branch_mpki", "ipc"]).value) == ["branch_mpki", "ipc"]
    assert list(estimate(points, metrics, names="ipc").value) == ["ipc"]
    only = metrics_of([1, 1], l2_misses=[1, 2], l2_references=[2, 2])
    no_cycles = dataclasses.replace(
        only, counters={k: v for k, v in only.counters.items() if k != "cycles"}, units={}
    )
    assert list(estimate(points, no_cycles).value) == ["l2_miss_rate", "l2_mpki"]
    with pytest.raises(DataError, match="there are no points"):
        estimate(points_of(metrics, [0, 1], np.zeros(0, int)), metrics)


def test_scales_are_those_of_the_ratio() -> None:
    """Events per 1000 instructions: value, standard error and interval, all a thousand times the ratio's."""
    metrics = metrics_of([10, 20, 40, 50], branch_mispredictions=[10, 20, 40, 50], branches=[LENGTH] * 4)
    points = points_of(metrics, [0, 0, 1, 1], [0, 2])
    found = estimate(with_spread(points, [0.1, 0.2]), metrics)
    names = ("branch_misprediction_rate", "branch_mpki")
    for part in ("value", "standard_error"):
        rate, thousands = (getattr(found, part)[name] for name in names)
        assert 1000 * rate == pytest.approx(thousands) and rate > 0
    rates, thousands = (found.interval[name] for name in names)
    assert thousands == pytest.approx([1000 * end for end in rates])


def test_a_wide_interval_ends_at_0() -> None:
    metrics = metrics_of([1, 200, 1, 1])
    found = estimate(points_of(metrics, [0, 0, 0, 0], [0, 1]), metrics)
    low, high = found.interval["cpi"]
    assert low == 0 < found.value["cpi"] < high and found.interval["ipc"] == (1 / high, math.inf)


def test_confidence_widens() -> None:
    """Student's t of 2 degrees of freedom: 4.303 at 95%, 1.886 at 80%."""
    metrics = metrics_of([100, 110, 120, 1])
    points = points_of(metrics, [0] * 4, [0, 1, 2])
    for confidence, t in ((0.95, 4.302653), (0.8, 1.885618)):
        found = estimate(points, metrics, confidence=confidence)
        low, high = found.interval["cpi"]
        assert (high - low) / 2 == pytest.approx(t * found.standard_error["cpi"])
        assert found.confidence == confidence and found.degrees_of_freedom["cpi"] == pytest.approx(2)


def test_missing_points_are_named_by_metric() -> None:
    cycles = [100.0] * 9
    branches = np.array([5.0] * 9)
    branches[:7] = np.nan
    metrics = metrics_of(cycles, branch_mispredictions=branches)
    found = estimate(points_of(metrics, [0] * 9, range(9)), metrics)
    assert found.missing["cpi"] == () and found.missing["branch_mpki"] == tuple(range(7))
    assert found.notes[0] == (
        "7 of 9 points missing for branch_mpki: interval 0, 1, 2, 3, 4 ...; they stand for 77.78% of the "
        "covered instructions"
    )


def test_a_stratum_without_a_measured_point_is_uncovered() -> None:
    """What is left of a stratum stands for it; one that is gone altogether widens the interval."""
    metrics = metrics_of([100, 110, 200, 210, 300, 310])
    points = points_of(metrics, [0, 0, 1, 1, 2, 2], [0, 1, 2, 3, 4, 5])
    holed = metrics_of([100, np.nan, 200, 210, np.nan, np.nan])
    found = estimate(points, holed)
    assert found.value["cpi"] == pytest.approx((1.0 + 2.05) / 2)
    assert found.coverage["cpi"] == pytest.approx(0.5)


@pytest.mark.parametrize(("more", "of"), [(1, "cpi, ipc, branch_mpki"), (2, "cpi, ipc, l1d_mpki ...")])
def test_a_note_names_five_intervals_and_three_metrics(more, of) -> None:
    gone = np.array([np.nan] * 5 + [1.0] * 3)
    counters = {"branch_mispredictions": gone, "l1d_misses": gone}
    metrics = metrics_of(100 * gone, **dict(list(counters.items())[:more]))
    found = estimate(points_of(metrics, [0] * 8, range(8)), metrics)
    assert found.notes[0].startswith(f"5 of 8 points missing for {of}: interval 0, 1, 2, 3, 4; they stand")


def test_a_point_beyond_what_was_measured_counts_as_uncovered() -> None:
    """Coverage is that of the phases times that of the points measured."""
    metrics = metrics_of([100, np.nan, 300, 400])
    found = estimate(points_of(metrics, [0, 1, 2, 3], range(4), coverage=0.8), metrics)
    assert found.coverage["cpi"] == pytest.approx(0.8 * 0.75)
    off = np.array([1, 3, 4]) - 8 / 3
    among = float(off @ off) / 3 * 3 / 2
    assert found.standard_error["cpi"] == pytest.approx(0.4 * math.sqrt(among))
    assert found.degrees_of_freedom["cpi"] == pytest.approx(2)


def test_a_rate_is_at_most_1() -> None:
    references = np.full(40, 10.0)
    metrics = metrics_of(
        np.full(40, 1.0), l2_misses=np.where(np.arange(40) % 2, 10.0, 5.0), l2_references=references
    )
    low, high = estimate(points_of(metrics, [0] * 40, [1, 2], "random"), metrics).interval["l2_miss_rate"]
    assert (low, high) == (0.0, 1.0)
    assert estimate(points_of(metrics, [0] * 40, [1, 2], "random"), metrics).interval["l2_mpki"][1] > 100
    # Another tool may count more misses than references, as prefetches: what was measured stays.
    metrics = metrics_of(
        np.full(40, 1.0), l2_misses=np.where(np.arange(40) % 2, 15.0, 9.0), l2_references=references
    )
    found = estimate(points_of(metrics, [0] * 40, [1, 2], "random"), metrics)
    assert found.interval["l2_miss_rate"][1] > found.value["l2_miss_rate"] == pytest.approx(1.2)
    # And a stretch bounds nothing.
    found = estimate(points_of(metrics, [0] * 40, [1, 2], "start"), metrics)
    assert found.interval["l2_miss_rate"] == (0.0, math.inf)
