"""Guards: how far typical points are off, by hand, by the textbook, and over many choices."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.reference import guards as slow

from phasemark import estimates
from phasemark.errors import UsageError
from phasemark.estimates import choose, estimate
from phasemark.model import Intervals, Metrics, Phases, Points
from phasemark.points import add_guards, nearest

LENGTH = 1000


def measured(n: int, **counters: np.ndarray) -> Metrics:
    table = Intervals.of_thread([LENGTH] * n)
    keys = (getattr(table, name) for name in ("run", "thread", "index", "start", "length"))
    return Metrics(*keys, {name: np.asarray(values, float) for name, values in counters.items()})


def by_hand() -> tuple[Points, Metrics]:
    """Ten intervals of one phase: the point's CPI is 2; of two guards of the other nine it is 1 and 1.2."""
    rows = np.array([0, 4, 7])
    points = Points(
        run=rows * 0,
        thread=rows * 0,
        interval=rows,
        phase=rows * 0,
        start=rows * LENGTH,
        end=(rows + 1) * LENGTH,
        warmup=rows * 0,
        weight=[0.0, 1.0, 0.0],
        population=[9, 10, 9],
        strata=[1, 0, 1],
        guard=[0.45, 0.0, 0.45],
    )
    return points, measured(10, cycles=[1000, 9, 9, 9, 2000, 9, 9, 1200, 9, 9])


def test_two_guards_by_hand() -> None:
    """2 - 0.9 x 0.9 = 1.19; -1 and -0.8 have a variance of 0.02, and 7 of 9 intervals are unseen."""
    points, metrics = by_hand()
    found = estimate(points, metrics)
    error = 0.9 * np.sqrt(0.02 / 2 * 7 / 9)
    bias = found.biases["cpi"][0]
    assert (bias.source, bias.measurements) == ("guards", 2)
    assert bias.value == pytest.approx(0.81) and bias.standard_error == pytest.approx(error)
    assert found.degrees_of_freedom["cpi"] == pytest.approx(1)
    half = 12.706204736 * error
    assert half > 0.81 and not bias.corrected  # of two guards, not even that is significant
    assert found.value["cpi"] == pytest.approx(2)
    assert found.interval["cpi"] == pytest.approx((1.19 - half, max(1.19 + half, 2)))
    assert bias.interval == pytest.approx((2 - 1.19 - half, 2 - 1.19 + half))
    assert found.value["ipc"] == pytest.approx(0.5) and "ipc" not in found.biases
    assert any("not off by more than chance: cpi" in note for note in found.notes)


def test_a_bias_beyond_chance_is_corrected() -> None:
    points, _ = by_hand()
    metrics = measured(10, cycles=[1000, 9, 9, 9, 2000, 9, 9, 1010, 9, 9])
    found = estimate(points, metrics)
    bias = found.biases["cpi"][0]
    assert bias.corrected and found.value["cpi"] == pytest.approx(2 - 0.9 * 0.995)
    assert any(
        "cpi of the points is 81.1% too high" in note and "is corrected" in note for note in found.notes
    )
    # The interval may be asked for with little confidence: what is significant does not depend on it.
    little = estimate(points, by_hand()[1], confidence=0.5)
    assert not little.biases["cpi"][0].corrected and little.interval["cpi"][1] == pytest.approx(2)


@settings(deadline=None, max_examples=25)
@given(seed=st.integers(0, 99), n=st.integers(12, 50), guards=st.integers(4, 20))
def test_textbook(seed: int, n: int, guards: int) -> None:
    """Numerator and denominator both vary."""
    rng = np.random.default_rng(seed)
    labels, k = np.arange(n) % 4, 4
    phases = Phases(labels, np.arange(k)[:, None] * 1.0, rng.random(n))
    metrics = measured(n, l1d_misses=rng.integers(1, 90, n), l1d_references=rng.integers(200, 900, n))
    table = Intervals.of_thread([LENGTH] * n)
    chosen = add_guards(nearest(table, phases), table, phases, guards, seed)
    top, bottom = (metrics.counters[name] / LENGTH for name in ("l1d_misses", "l1d_references"))
    rate = {row: (float(top[row]), float(bottom[row])) for row in chosen.interval.tolist()}
    guard, strata = chosen.is_guard, chosen.stratum
    alone, value, variance = slow.ratio(
        labels.tolist(),
        {row: rate[row] for row in chosen.interval[~guard].tolist()},
        {
            row: (of, rate[row])
            for row, of in zip(chosen.interval[guard].tolist(), strata[guard].tolist(), strict=True)
        },
        dict(zip(strata[guard].tolist(), chosen.population[guard].tolist(), strict=True)),
    )
    found = estimate(chosen, metrics, names="l1d_miss_rate")
    bias = found.biases["l1d_miss_rate"][0]
    assert bias.value == pytest.approx(alone - value)
    assert bias.standard_error == pytest.approx(np.sqrt(variance))
    assert found.value["l1d_miss_rate"] == pytest.approx(value if bias.corrected else alone)
    low, high = found.interval["l1d_miss_rate"]
    assert low - 1e-12 <= min(value, found.value["l1d_miss_rate"]) and high >= value - 1e-12


def test_all_measured_is_the_whole_run() -> None:
    rng = np.random.default_rng(1)
    metrics = measured(20, cycles=rng.integers(500, 4000, 20))
    phases = Phases(np.arange(20) % 2, [[0.0], [9.0]], rng.random(20))
    chosen = choose(Intervals.of_thread([LENGTH] * 20), phases, guard=50)
    assert len(chosen) == 20
    found = estimate(chosen, metrics)
    assert found.value["cpi"] == pytest.approx(estimates.full_value(metrics, "cpi"))
    assert found.interval["cpi"] == pytest.approx((found.value["cpi"],) * 2)


def test_intervals_hold_where_nearest_points_are_biased() -> None:
    """Nearest points are half as slow again as the rest of their phase; the intervals cover the truth."""
    n, hits, near = 300, 0, 0
    table = Intervals.of_thread([LENGTH] * n)
    for seed in range(40):
        rng = np.random.default_rng(seed)
        distances = rng.random(n)
        phases = Phases(np.arange(n) % 3, np.arange(3.0)[:, None], distances)
        cpi = (1 + np.arange(n) % 3) * rng.normal(1, 0.1, n) * np.where(distances < 0.05, 1.5, 1)
        metrics = measured(n, cycles=np.maximum(cpi, 0.1) * LENGTH)
        found = estimate(choose(table, phases, guard=20, seed=seed), metrics, names="cpi")
        hits += found.covers("cpi", estimates.full_value(metrics, "cpi"))
        near += found.biases["cpi"][0].corrected
    assert hits >= 36 and near >= 36


def test_guards_that_were_not_measured() -> None:
    points, metrics = by_hand()
    alone = estimate(points.without_guards(), metrics)
    without = estimate(points, only(metrics, [4]))
    assert without.value == alone.value and without.interval == alone.interval and not without.biases
    assert without.missing["cpi"] == (0, 2)
    assert "the guards were not measured: nothing tells how far the points are off" in without.notes
    one = estimate(points, only(metrics, [0, 4]))
    assert not one.biases and one.interval == alone.interval  # of a single guard no deviation is known


def only(metrics: Metrics, rows: list[int]) -> Metrics:
    keys = (getattr(metrics, name)[rows] for name in ("run", "thread", "index", "start", "length"))
    return Metrics(*keys, {name: values[rows] for name, values in metrics.counters.items()})


def test_what_neither_points_nor_guards_saw() -> None:
    """No event anywhere: bounded by the guards, which are random. Some at a guard: a bias of the points."""
    points, _ = by_hand()
    none = measured(10, cycles=np.full(10, 900), l2_references=np.full(10, 5), l2_misses=np.zeros(10))
    found = estimate(points, none, names="l2_mpki")
    low, high = found.interval["l2_mpki"]
    assert low == 0 == found.value["l2_mpki"] and 0 < high <= 5
    assert not found.biases and any("no point saw" in note for note in found.notes)
    assert high < estimate(points.without_guards(), none, names="l2_mpki").interval["l2_mpki"][1]
    some = measured(10, cycles=np.full(10, 900), l2_references=np.full(10, 5), l2_misses=[4] + [0] * 9)
    seen = estimate(points, some, names="l2_mpki")
    assert seen.interval["l2_mpki"][1] > 0 and seen.biases["l2_mpki"][0].value == pytest.approx(-1.8)


def test_a_lost_guard_widens_the_interval() -> None:
    rng = np.random.default_rng(3)
    metrics = measured(40, cycles=rng.integers(900, 1100, 40))
    phases = Phases([0] * 40, [[0.0]], rng.random(40))
    chosen = choose(Intervals.of_thread([LENGTH] * 40), phases, guard=12)
    strata = chosen.stratum[chosen.is_guard]
    gone = chosen.interval[chosen.is_guard][strata == strata.max()]
    left = only(metrics, sorted(set(range(40)) - set(gone.tolist())))
    all_of, some_of = estimate(chosen, metrics, names="cpi"), estimate(chosen, left, names="cpi")
    assert some_of.standard_error["cpi"] > all_of.standard_error["cpi"]
    assert any("of 12 guards, the others were not measured" in note for note in some_of.notes)


def test_other_estimators_leave_guards_aside_or_refuse_them() -> None:
    rng = np.random.default_rng(5)
    table, phases = (
        Intervals.of_thread([LENGTH] * 30),
        Phases(np.arange(30) % 2, [[0.0], [1.0]], rng.random(30)),
    )
    metrics = measured(30, cycles=rng.integers(900, 1100, 30))
    chosen = choose(table, phases, guard=6).points
    with pytest.raises(UsageError, match="estimate by weights"):
        estimate(chosen, metrics, estimator="epm1", intervals=table, phases=phases)
    alone = chosen.without_guards()
    curves = [estimates.reconstruct(one, metrics, table, phases) for one in (chosen, alone)]
    assert curves[0].tolist() == curves[1].tolist()
    (thread,), (same,) = (estimates.estimate_threads(one, metrics, table, phases) for one in (chosen, alone))
    assert thread.estimate.interval == same.estimate.interval


def test_options() -> None:
    table, phases = (
        Intervals.of_thread([LENGTH] * 30),
        Phases(np.arange(30) % 2, [[0.0], [1.0]], np.arange(30.0)),
    )
    for more in ({"budget": 8}, {"per_phase": 2}, {"method": "random"}, {"target_error": 0.1}):
        with pytest.raises(UsageError, match="guards tell how far"):
            choose(table, phases, guard=6, **more)
    for bad in (1, 0, -3):
        with pytest.raises(UsageError, match=r"\bguards?\b"):
            choose(table, phases, guard=bad)
    early = choose(table, phases, guard=6, early=True)
    assert early.is_guard.sum() == 6 and early.method == "nearest"
    assert any("guards among them" in note for note in early.notes)
    assert any("may be biased" in note for note in choose(table, phases).notes)
    assert not any("biased" in note for note in choose(table, phases, budget=8).notes)


def test_frames_hold_guards_and_biases() -> None:
    points, metrics = by_hand()
    found = estimate(points.frame(), metrics.frame())
    assert found.biases == estimate(points, metrics).biases
    frame = found.frame()
    assert frame["guards_bias"][0] == pytest.approx(0.81) and frame["guards_corrected"][0] == 0
    assert dataclasses.replace(found, biases={}).frame().columns.tolist()[-1] == "missing"
