"""Estimates in percent, counted by hand."""

from __future__ import annotations

import math

import pytest

from phasemark.store import tables
from phasemark.views import estimates
from phasemark.views.estimates import MetricEstimate


def test_percent_are_off_the_full_run_where_it_is_known() -> None:
    estimate = MetricEstimate("cpi", 3.0, 1.0, 4.0, full=2.0)
    assert estimate.base == 2.0 and estimate.offsets() == (50.0, -50.0, 100.0)


def test_percent_are_off_the_estimate_where_the_full_run_is_not_known() -> None:
    estimate = MetricEstimate("cpi", 4.0, 3.0, 5.0)
    assert estimate.base == 4.0 and estimate.offsets() == (0.0, -25.0, 25.0)


def test_the_points_may_leave_it_unbounded() -> None:
    assert MetricEstimate("cpi", 4.0, 3.0, 5.0).bounded
    assert not MetricEstimate("cpi", 4.0, 0.0, math.inf).bounded


@pytest.mark.parametrize(("value", "full"), [(math.nan, math.nan), (math.nan, 2.0), (0.0, math.nan)])
def test_what_has_no_base_is_not_shown(value, full) -> None:
    unknown = MetricEstimate("epi", value, 0.0, 1.0, full)
    known = MetricEstimate("cpi", 2.0, 1.0, 3.0)
    assert unknown.base == 0
    assert estimates.shown((unknown, known)) == [known]


def test_rows_are_read_as_they_stand(tmp_path) -> None:
    columns = {
        "metric": ["cpi", "epi"], "value": [2.0, ""], "standard_error": [0.1, ""], "low": [1.5, ""],
        "high": [math.inf, ""], "degrees_of_freedom": [7, ""], "full": [1.75, ""], "missing": [0, 3],
    }  # fmt: skip
    tables.write(tmp_path / "estimate.csv", columns, made_by={})
    cpi, epi = estimates.read(tmp_path / "estimate.csv")
    assert cpi == MetricEstimate("cpi", 2.0, 1.5, math.inf, 1.75, 0)
    assert (epi.metric, epi.missing) == ("epi", 3)
    assert all(map(math.isnan, (epi.value, epi.low, epi.high, epi.full)))


def test_whether_the_interval_covers_the_full_run() -> None:
    assert MetricEstimate("cpi", 2.0, 1.5, 2.5, 2.5).covered is True
    assert MetricEstimate("cpi", 2.0, 1.5, 2.5, 2.6).covered is False
    assert MetricEstimate("cpi", 2.0, 1.5, math.inf, 9.0).covered is True
    assert MetricEstimate("l2_mpki", 0.0, 0.0, math.inf, 9.0).covered is None  # as the terminal has it
    assert MetricEstimate("cpi", 2.0, 1.5, 2.5).covered is None
    assert MetricEstimate("cpi", 3.0, 2.0, 4.0, 2.0).error == 0.5
    assert math.isnan(MetricEstimate("cpi", 3.0, 2.0, 4.0).error)
    assert math.isnan(MetricEstimate("cpi", 3.0, 2.0, 4.0, 0.0).error)


def test_rates_double_what_is_known_per_1000_instructions() -> None:
    names = ("l1d_miss_rate", "epi", "l2_miss_rate", "l1d_mpki", "ipc", "cpi", "l9_hits")
    first, again = estimates.in_order([MetricEstimate(name, 1.0, 0.5, 1.5) for name in names])
    assert [one.metric for one in first] == ["ipc", "cpi", "l1d_mpki", "epi", "l2_miss_rate", "l9_hits"]
    assert [one.metric for one in again] == ["l1d_miss_rate"]
