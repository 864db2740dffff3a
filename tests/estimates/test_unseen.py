"""Events that no point saw: an upper bound in place of `0, 0 to 0`."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from tests.estimates.samples import LENGTH, metrics_of, points_of

from phasemark.cli.printing import estimates as printing
from phasemark.estimates import estimate, unseen
from phasemark.estimates.variance import Sample
from phasemark.workflow import EstimateResult

LABELS = np.repeat([0, 1], [30, 10])


def sample(n, weight, population, method="stratified") -> Sample:
    """Strata of n points each."""
    stratum = np.repeat(np.arange(len(n)), n)
    each = np.array(weight)[stratum] / np.array(n)[stratum]
    ones = np.ones(len(stratum))
    return Sample(method, stratum, ones, each, 0 * ones, np.array(population), np.full(len(n), np.nan))


def test_of_one_stratum_it_is_the_rule_of_three() -> None:
    for n in (10, 30, 100):
        share = unseen.share_of_run(sample([n], [1.0], [0]), 0.95)
        assert share == pytest.approx(1 - 0.05 ** (1 / n)) == pytest.approx(3 / n, rel=0.15)
    assert unseen.share_of_run(sample([30], [1.0], [0]), 0.99) > unseen.share_of_run(
        sample([30], [1.0], [0]), 0.95
    )


@pytest.mark.parametrize(
    ("n", "weight", "population"),
    [([2, 3], [0.5, 0.5], [100, 100]), ([1, 1], [0.9, 0.1], [0, 0]), ([4, 2], [0.3, 0.7], [5, 1000])],
)
def test_within_strata_it_is_the_worst_that_is_likely_enough(n, weight, population) -> None:
    """Against all pairs of shares on a grid."""
    grid = np.linspace(0, 1, 2001)
    most = [1 - a / b if b else 1.0 for a, b in zip(n, population, strict=True)]
    p, q = np.meshgrid(grid[grid <= most[0]], grid[grid <= most[1]])
    likely = (1 - p) ** n[0] * (1 - q) ** n[1] >= 0.05
    worst = (weight[0] * p + weight[1] * q)[likely].max()
    found = unseen.share_of_run(sample(n, weight, population), 0.95)
    assert worst - 1e-9 <= found <= worst + 2e-3


def test_what_was_measured_whole_holds_no_event_and_what_was_not_may() -> None:
    assert unseen.share_of_run(sample([3, 4], [0.5, 0.5], [3, 4]), 0.95) == 0
    assert unseen.share_of_run(sample([3, 4], [0.5, 0.5], [3, 4]), 0.95, uncovered=0.2) == pytest.approx(0.2)
    assert unseen.share_of_run(sample([3], [1.0], [9], "start"), 0.95) == 0


@pytest.mark.parametrize("with_events", range(9))
def test_over_all_samples_the_interval_fails_at_most_once_in_twenty(with_events: int) -> None:
    """Every sample of 4 of 8 intervals, of which so many hold misses alone."""
    misses = np.arange(8) < with_events
    truth, failed, n = with_events / 8, 0, 0
    metrics = metrics_of([1.0] * 8, l1d_misses=misses * 50, l1d_references=[50] * 8)
    for rows in itertools.combinations(range(8), 4):
        if misses[list(rows)].any():
            n += 1
            continue
        points = points_of(metrics, np.zeros(8, int), rows, "random")
        low, high = estimate(points, metrics, names="l1d_miss_rate").interval["l1d_miss_rate"]
        failed, n = failed + (not low <= truth <= high), n + 1
    assert failed / n <= 0.05


def measured(**counters):
    """Both phases measured at some of their intervals."""
    metrics = metrics_of(np.full(40, 100.0), **counters)
    return points_of(metrics, LABELS, [3, 9, 21, 33]), metrics


def test_no_event_has_an_upper_bound_and_no_error() -> None:
    references = np.where(LABELS == 0, 10.0, 40.0)
    points, metrics = measured(l2_misses=np.zeros(40), l2_references=references)
    found = estimate(points, metrics)
    share = unseen.share_of_run(sample([3, 1], [0.75, 0.25], [30, 10]), 0.95)
    assert found.value["l2_mpki"] == found.value["l2_miss_rate"] == 0
    assert math.isnan(found.standard_error["l2_mpki"])
    # At most 40 references an interval, 17.5 on average.
    assert found.interval["l2_mpki"] == (0.0, pytest.approx(share * 40 / LENGTH * 1000))
    assert found.interval["l2_miss_rate"] == (0.0, pytest.approx(min(share * 40 / 17.5, 1.0)))
    assert math.isnan(found.relative_half_width("l2_mpki"))
    assert any("no point saw an event of l2_miss_rate, l2_mpki: " in note for note in found.notes)
    assert found.interval["cpi"] == (1.0, 1.0)


def test_nothing_but_events_has_a_lower_bound() -> None:
    points, metrics = measured(l2_misses=np.full(40, 5.0), l2_references=np.full(40, 5.0))
    found = estimate(points, metrics, names=["l2_miss_rate", "l2_mpki"])
    share = unseen.share_of_run(sample([3, 1], [0.75, 0.25], [30, 10]), 0.95)
    assert found.value["l2_miss_rate"] == 1 and found.interval["l2_miss_rate"][1] == 1
    assert found.interval["l2_miss_rate"][0] == pytest.approx(1 - share)
    assert found.notes[0].startswith("no point saw an access without an event of l2_miss_rate: ")
    assert found.interval["l2_mpki"] == (50.0, 50.0)


def test_without_a_count_of_accesses_nothing_bounds_the_events() -> None:
    for counters in ({}, {"l2_references": np.zeros(40)}, {"l2_references": np.full(40, np.nan)}):
        points, metrics = measured(l2_misses=np.zeros(40), **counters)
        found = estimate(points, metrics, names="l2_mpki")
        assert found.value["l2_mpki"] == 0 and found.interval["l2_mpki"] == (0.0, math.inf)
        assert found.relative_half_width("l2_mpki") == math.inf


def test_a_run_that_was_measured_whole_has_none() -> None:
    metrics = metrics_of(np.full(40, 100.0), l2_misses=np.zeros(40), l2_references=np.full(40, 5.0))
    found = estimate(points_of(metrics, LABELS, range(40)), metrics, names="l2_mpki")
    assert found.interval["l2_mpki"] == (0.0, 0.0) and found.standard_error["l2_mpki"] == 0
    assert not found.notes


def test_a_missing_point_may_hold_events() -> None:
    misses, references = np.zeros(40), np.full(40, 10.0)
    points, metrics = measured(l2_misses=misses, l2_references=references)
    whole = estimate(points, metrics, names="l2_miss_rate").interval["l2_miss_rate"][1]
    misses[33] = np.nan
    _, metrics = measured(l2_misses=misses, l2_references=references)
    assert estimate(points, metrics, names="l2_miss_rate").interval["l2_miss_rate"][1] > whole + 0.15


def test_on_the_terminal_and_in_json() -> None:
    points, metrics = measured(l2_misses=np.zeros(40), l2_references=np.full(40, 10.0))
    result = EstimateResult(estimate(points, metrics, names="l2_miss_rate"), {}, points, "a test")
    assert result.summary().splitlines()[1].split() == ["l2_miss_rate", "0", "0", "to", "0.5271", "-"]
    row = printing.summary(result)["metrics"]["l2_miss_rate"]
    assert (row["value"], row["standard_error"], row["interval"][0]) == (0.0, None, 0.0)
    assert row["interval"][1] == pytest.approx(0.5271, abs=1e-4)


def test_a_cpi_of_0_has_no_ipc_and_no_bound() -> None:
    metrics = metrics_of(np.zeros(40))
    found = estimate(points_of(metrics, LABELS, [3, 9, 33]), metrics)
    assert found.interval["cpi"] == (0.0, math.inf)
    assert math.isnan(found.value["ipc"])
