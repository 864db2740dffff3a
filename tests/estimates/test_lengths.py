"""Intervals of unlike lengths: points, weights and error bars count instructions, not intervals."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from tests.estimates.samples import metrics_of, points_of, with_spread

from phasemark import points
from phasemark.estimates import PointOptions, choose, estimate, planning, proxy, unseen
from phasemark.estimates.trials import Summary, trial
from phasemark.estimates.variance import Sample
from phasemark.model import Intervals, Metrics, Phases

N = 400


def run_of(kind: str, seed: int) -> tuple[Intervals, Phases, Metrics]:
    """Four phases, lengths over two orders of magnitude; `longer is slower` within each phase, or not."""
    rng = np.random.default_rng(seed)
    labels = np.sort(rng.integers(0, 4, N)) if kind == "blocks" else rng.integers(0, 4, N)
    labels = np.unique(labels, return_inverse=True)[1]
    z = rng.normal(0, 1, N)
    length = np.maximum(np.exp(9 + np.array([0.0, 1.0, -1.0, 0.5])[labels] + 0.8 * z), 1).astype(np.int64)
    noise = 0.8 * z + 0.6 * rng.normal(0, 1, N) if kind == "longer is slower" else rng.normal(0, 1, N)
    level, width = np.array([1.0, 2.0, 1.5, 4.0])[labels], np.array([0.05, 0.3, 0.1, 0.5])[labels]
    cpi = np.maximum(level + width * noise, 0.1)
    distances = width * rng.lognormal(0, 0.5, N) / 2
    zeros, start = np.zeros(N, np.int64), np.cumsum(length) - length
    metrics = Metrics(zeros, zeros, np.arange(N), start, length, {"cycles": cpi * length})
    return Intervals.of_thread(length), Phases(labels, np.eye(4), distances), metrics


WAYS = {
    "even": lambda n, seed: PointOptions(per_phase=n // 4, seed=seed),
    "stratified": lambda n, seed: PointOptions(budget=n, seed=seed),
    "nearest": lambda n, seed: PointOptions(per_phase=n // 4, method="nearest"),
    "random": lambda n, seed: PointOptions(budget=n, method="random", seed=seed),
    "systematic": lambda n, seed: PointOptions(budget=n, method="systematic", seed=seed),
}


@pytest.mark.parametrize("kind", ["plain", "longer is slower", "blocks"])
@pytest.mark.parametrize("way", WAYS)
def test_error_bars_of_95_percent_cover_the_truth(kind, way) -> None:
    for count in (16, 64):
        summary = Summary.of(
            [trial(*run_of(kind, seed), WAYS[way](count, seed))["cpi"] for seed in range(120)]
        )
        # A few random points of the whole run miss the long intervals of the phase of CPI 4.
        assert summary.covered > (0.8 if way in ("random", "systematic") else 0.9), summary


def test_over_all_samples_the_estimate_is_that_of_the_ratio() -> None:
    """Every sample of 3 of 7 intervals: the variance is not below it, as the linearised one would be."""
    length = np.array([100, 150, 200, 250, 300, 350, 400])
    cycles = length * np.array([1.0, 1.2, 1.1, 1.3, 1.2, 1.1, 1.25])
    metrics = metrics_of(cycles, lengths=length)
    truth = cycles.sum() / length.sum()
    found = [
        estimate(points_of(metrics, [0] * 7, list(rows)), metrics)
        for rows in itertools.combinations(range(7), 3)
    ]
    values = np.array([one.value["cpi"] for one in found])
    squared = np.mean((values - truth) ** 2)
    assert abs(values.mean() - truth) < 0.1 * np.sqrt(squared)
    assert 1.0 < np.mean([one.standard_error["cpi"] ** 2 for one in found]) / squared < 1.1


def test_successive_differences_count_by_length() -> None:
    """A short interval far off matters little, wherever it stands."""
    cycles, lengths = np.array([100, 130, 90, 20]), np.array([100, 100, 100, 10])
    metrics = metrics_of(cycles, lengths=lengths)
    found = estimate(points_of(metrics, [0] * 4, [0, 1, 2, 3], "systematic"), metrics)
    assert found.standard_error["cpi"] == 0  # all measured
    far = metrics_of(np.tile(cycles, 2), lengths=np.tile(lengths, 2))
    error = estimate(points_of(far, [0] * 8, [0, 1, 2, 3], "systematic"), far).standard_error["cpi"]
    value = cycles.sum() / lengths.sum()
    off = (cycles - value * lengths) / lengths.mean()
    assert error**2 == pytest.approx(0.5 * float(np.diff(off) @ np.diff(off)) / 2 / 3 / 4)


def test_points_of_unlike_lengths_tell_less_to_the_proxy_too() -> None:
    """s^2 of the proxy times n x sum of squares / square of the sum: 2 x (1 + 9) / 16."""
    metrics = metrics_of([100, 600, 1, 1], lengths=[100, 300, 100, 300])
    run = with_spread(points_of(metrics, [0] * 4, [0, 1]), [0.2])
    off = np.array([1.0, 2.0]) - 1.75
    among = float(np.array([0.25, 0.75]) @ off**2) * 2
    own = float(np.square(off * [0.5, 1.5] / [0.75, 0.25]).sum()) / 4
    expected = 0.4**2 * among * 1.25
    joined = max(own, (own + proxy.DEGREES_OF_FREEDOM * expected) / 4)
    assert estimate(run, metrics).standard_error["cpi"] ** 2 == pytest.approx(0.5 * joined / 2)


def test_a_plan_divides_points_by_instructions() -> None:
    """Of two phases of as many intervals and one deviation, that of longer intervals gets more."""
    labels = np.repeat([0, 1], 50)
    lengths = np.repeat([900, 100], 50)
    cpi = np.tile([1.0, 1.4], 50)
    metrics = metrics_of(cpi * lengths, lengths=lengths)
    expected = planning.from_pilot(np.array([0.01, 0.01]), labels, lengths, np.arange(100), metrics)
    assert expected.lengths.tolist() == pytest.approx([1, 1 / 9])
    assert planning.for_budget(20, np.array([50, 50]), expected.per_interval).tolist() == [18, 2]
    half = planning.half_width(np.array([18, 2]), 0.95, np.array([50, 50]), expected)
    assert half < planning.half_width(np.array([10, 10]), 0.95, np.array([50, 50]), expected)
    alike = planning.from_pilot(np.array([0.01, 0.01]), labels, lengths * 0 + 7, np.arange(100), metrics)
    assert alike.lengths.tolist() == [1, 1]


def test_what_a_pilot_says_counts_by_length() -> None:
    """A deviation is of length x (CPI - phase's CPI) / mean length."""
    lengths = np.array([100, 300])
    metrics = metrics_of([100, 600], lengths=lengths)
    expected = planning.from_pilot(np.array([0.0]), np.array([0, 0]), lengths, np.array([0, 1]), metrics)
    off = np.array([1 - 1.75, 2 - 1.75]) * lengths / 200
    joined = (off @ off / 1.75**2 + 3 * expected.proxy[0] ** 2) / 4
    assert expected.deviations[0] == pytest.approx(np.sqrt(joined))


def test_the_forecast_is_what_comes() -> None:
    """The half-width that a plan expects of a known run is near that of its estimates."""
    run, phases, metrics = run_of("plain", 5)
    chosen = choose(run, phases, PointOptions(budget=60), metrics)
    half = [
        estimate(choose(run, phases, PointOptions(budget=60, seed=seed), metrics).points, metrics)
        for seed in range(20)
    ]
    got = np.mean([one.relative_half_width("cpi") for one in half])
    assert chosen.details["expected_half_width"] == pytest.approx(got, rel=0.3)


def test_intervals_with_events_may_be_the_long_ones() -> None:
    stratum, ones = np.zeros(4, np.int64), np.ones(4)
    alike, unlike = (
        Sample(
            "stratified",
            stratum,
            np.array(length, float),
            ones / 4,
            0 * ones,
            np.array([100]),
            np.array([np.nan]),
        )
        for length in ([5, 5, 5, 5], [2, 2, 2, 10])
    )
    share = unseen.share_of_run(alike, 0.95)
    assert unseen.share_of_run(unlike, 0.95) == pytest.approx(min(2.5 * share, 1.0))


def test_the_first_tenth_is_one_of_instructions() -> None:
    lengths = np.array([1000, *[100] * 90])
    phases = Phases(np.zeros(91, int), [[0.0]], np.zeros(91))
    skipped = points.select(Intervals.of_thread(lengths), phases, 3, method="skip")
    assert skipped.interval.tolist() == [1, 2, 3]
    alike = points.select(Intervals.of_thread([100] * 91), phases, 3, method="skip")
    assert alike.interval.tolist() == [9, 10, 11]
