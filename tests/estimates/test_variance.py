"""Error bars of points that are no random sample of phases."""

from __future__ import annotations

import dataclasses
import math

import numpy as np
import pytest
from tests.estimates.samples import metrics_of, points_of, with_spread
from tests.reference import estimate as twin

from phasemark.estimates import estimate, proxy


def test_systematic_samples_have_the_variance_of_successive_differences() -> None:
    cycles = [100, 1, 1, 130, 1, 1, 160, 1, 1, 150, 1, 1]
    metrics = metrics_of(cycles)
    found = estimate(points_of(metrics, [0] * 12, [0, 3, 6, 9], "systematic"), metrics)
    expected = twin.of_differences([1.0, 1.3, 1.6, 1.5], 12)
    assert found.standard_error["cpi"] ** 2 == pytest.approx(expected)
    assert found.degrees_of_freedom["cpi"] == pytest.approx(18 / 8)


def test_a_single_point_borrows_the_proxy() -> None:
    """Within a phase 2 x spread x the deviation among points, and strangers; phase 1 is measured whole."""
    metrics = metrics_of([100, 1, 1, 1, 300])
    points = with_spread(points_of(metrics, [0, 0, 0, 0, 1], [0, 4]), [0.1, 0.0])
    found = estimate(points, metrics)
    off = np.array([1.0, 3.0]) - (0.8 * 1 + 0.2 * 3)
    among = float(np.array([0.8, 0.2]) @ off**2) * 2
    strangers = 0.2 * (3 - 1) ** 2 / 2  # above alone, and of two points all may be strangers
    variance = 0.8**2 * (3 / 4) * (0.2**2 * among + strangers)
    assert found.standard_error["cpi"] ** 2 == pytest.approx(variance)
    assert found.degrees_of_freedom["cpi"] == proxy.DEGREES_OF_FREEDOM
    assert found.notes[0].startswith("1 phase has a single point; the deviation within is a proxy")


def test_without_a_spread_a_single_point_varies_as_the_whole_run() -> None:
    metrics = metrics_of([100, 1, 1, 1, 300])
    points = points_of(metrics, [0, 0, 0, 0, 1], [0, 4])
    known, unknown = (estimate(p, metrics) for p in (with_spread(points, [0.1, 0.1]), points))
    off = np.array([1.0, 3.0]) - (0.8 * 1 + 0.2 * 3)
    among = float(np.array([0.8, 0.2]) @ off**2) * 2
    assert unknown.standard_error["cpi"] ** 2 == pytest.approx(0.8**2 * (3 / 4) * among)
    assert known.standard_error["cpi"] < unknown.standard_error["cpi"]
    assert "is taken to be that of the whole run" in unknown.notes[0]


def test_points_that_happen_to_be_alike_do_not_make_a_phase_certain() -> None:
    """Two equal measurements of a phase whose intervals lie far apart: its rare ones were missed."""
    metrics = metrics_of([100, 100, 100, 500, 300, 300, 300, 300])
    points = points_of(metrics, [0] * 4 + [1] * 4, [0, 1, 4, 5])
    bare, warned = estimate(points, metrics), estimate(with_spread(points, [0.3, 0.01]), metrics)
    assert bare.standard_error["cpi"] == 0
    assert warned.standard_error["cpi"] > 0.2


def test_more_nearest_points_do_not_lessen_their_bias() -> None:
    metrics = metrics_of([100, 120] * 100)
    labels = [0] * 100 + [1] * 100
    errors = []
    for n in (2, 8):
        rows = [*range(n), *range(100, 100 + n)]
        points = with_spread(points_of(metrics, labels, rows, "nearest"), [0.5, 0.5])
        found = estimate(points, metrics)
        errors.append(found.standard_error["cpi"])
        assert "no random sample" in found.notes[0]
    assert errors[1] > 0.7 * errors[0]


def test_phases_borrowing_from_one_proxy_are_known_no_better_than_it() -> None:
    metrics = metrics_of(np.linspace(100, 200, 40))
    labels = np.arange(40) // 4
    points = with_spread(points_of(metrics, labels, np.arange(0, 40, 4)), [0.2] * 10)
    found = estimate(points, metrics)
    assert found.degrees_of_freedom["cpi"] == proxy.DEGREES_OF_FREEDOM
    low, high = found.interval["cpi"]
    assert (high - low) / 2 == pytest.approx(3.182446 * found.standard_error["cpi"])


def test_one_systematic_point_is_not_bounded() -> None:
    metrics = metrics_of([100, 200, 300])
    found = estimate(points_of(metrics, [0, 0, 0], [1], "systematic"), metrics)
    assert found.interval["cpi"] == (0.0, math.inf)


def test_a_nearest_point_is_off_by_half_the_proxy_of_a_random_one() -> None:
    """1.5 x spread x the deviation among points, for each phase that was not measured whole."""
    metrics = metrics_of([100, 1, 1, 1, 300, 1])
    points = with_spread(points_of(metrics, [0, 0, 0, 0, 1, 1], [0, 4], "nearest"), [0.1, 0.2])
    found = estimate(points, metrics)
    off = np.array([1.0, 3.0]) - (1 * 4 + 3 * 2) / 6
    among = float(np.array([4, 2]) / 6 @ off**2) * 2
    parts = [(4 / 6) ** 2 * (3 / 4) * 0.15**2, (2 / 6) ** 2 * (1 / 2) * 0.3**2]
    assert found.standard_error["cpi"] ** 2 == pytest.approx(sum(parts) * among)
    assert found.degrees_of_freedom["cpi"] == 3
    assert found.notes == (
        "nearest points are no random sample: how far they are from a phase's mean is a proxy from the "
        "distances to its centre",
    )


def test_nearest_points_that_differ_more_than_the_proxy_says_are_believed() -> None:
    metrics = metrics_of([100, 300, 1, 1])
    points = with_spread(points_of(metrics, [0, 0, 0, 0], [0, 1], "nearest"), [0.01])
    # Their variance is 2, of the mean of two 1; half of the phase was not seen.
    assert estimate(points, metrics).standard_error["cpi"] == pytest.approx(math.sqrt(1 / 2))


def test_a_spread_joins_the_proxy_as_three_measurements() -> None:
    """s^2 of 1.0 and 1.2 is .02; the proxy's (2 x .2)^2 of the variance among all counts three times."""
    metrics = metrics_of([100, 120, 1, 1])
    points = with_spread(points_of(metrics, [0] * 4, [0, 1]), [0.2])
    found = estimate(points, metrics)
    expected = 0.4**2 * 0.02 + 0.005  # strangers: half the squares among them lie on each side
    joined = max(0.02, (0.02 + 3 * expected) / 4)
    assert joined == 0.02  # raised, never lowered
    assert found.standard_error["cpi"] ** 2 == pytest.approx(0.5 * joined / 2)
    assert found.degrees_of_freedom["cpi"] == pytest.approx(1 + 3)


def test_a_population_that_is_not_known_is_taken_to_be_large() -> None:
    metrics = metrics_of([100, 120, 110])
    known = points_of(metrics, [0, 0, 0], [0, 1])
    unknown = dataclasses.replace(known, population=[0, 0])
    errors = [estimate(points, metrics).standard_error["cpi"] ** 2 for points in (known, unknown)]
    assert errors == pytest.approx([0.02 / 2 / 3, 0.02 / 2])


def test_intervals_of_unlike_lengths_weigh_by_length() -> None:
    """Residuals are weighed with length over the stratum's mean length, and each is of a point left out."""
    metrics = metrics_of([100, 600, 1, 1], lengths=[100, 300, 100, 300])
    found = estimate(points_of(metrics, [0] * 4, [0, 1]), metrics)
    assert found.value["cpi"] == pytest.approx(700 / 400)
    left_out = np.array([600 / 300, 100 / 100])
    jackknife = float(np.square(left_out - 700 / 400).sum()) / 2
    assert found.standard_error["cpi"] ** 2 == pytest.approx(0.5 * jackknife)


def test_one_point_of_a_run_without_a_spread_has_no_degrees_of_freedom() -> None:
    metrics = metrics_of([100, 200, 300])
    found = estimate(points_of(metrics, [0, 0, 0], [1]), metrics)
    assert found.degrees_of_freedom["cpi"] == 0 and math.isnan(found.standard_error["cpi"])
    two = estimate(points_of(metrics, [0, 0, 1], [0, 2]), metrics)
    assert two.degrees_of_freedom["cpi"] == 1  # of the variance among two points


def test_what_is_noted() -> None:
    metrics = metrics_of([100, 120, 110, 200, 210, 300])
    labels = [0, 0, 0, 1, 1, 2]
    points = with_spread(points_of(metrics, labels, [0, 3, 5]), [0.1, 0.1, 0.0])
    # Phase 2 has one interval, and was measured whole.
    assert estimate(points, metrics).notes == (
        "2 phases have a single point; the deviation within is a proxy from the distances to its centre",
    )
    several = with_spread(points_of(metrics, labels, [0, 1, 3, 4, 5]), [0.1, 0.1, 0.0])
    assert estimate(several, metrics).notes == ()
    random = points_of(metrics, labels, [0, 3, 5], "random")
    assert "random points of the whole run miss rare intervals" in estimate(random, metrics).notes[0]
    part_unknown = with_spread(points_of(metrics, labels, [0, 3, 5]), [0.1, np.nan, 0.0])
    assert "is taken to be that of the whole run" in estimate(part_unknown, metrics).notes[0]


def test_what_is_measured_whole_is_certain() -> None:
    for method in ("stratified", "nearest", "random", "systematic"):
        metrics = metrics_of([100, 200, 300])
        found = estimate(points_of(metrics, [0, 0, 1], [0, 1, 2], method), metrics)
        assert found.standard_error["cpi"] == 0 and found.degrees_of_freedom["cpi"] == math.inf
        assert found.interval["cpi"] == (2, 2)


def test_a_phase_of_a_billion_asks_for_no_such_table() -> None:
    """points.csv may be edited."""
    metrics = metrics_of([1.0, 2.0, 3.0])
    points = points_of(metrics, [0, 0, 1], [0, 1, 2])
    huge = dataclasses.replace(points, phase=np.where(points.phase == 1, 2**31 - 1, 0))
    assert estimate(huge, metrics).value == estimate(points, metrics).value
    assert estimate(huge, metrics).notes == estimate(points, metrics).notes
