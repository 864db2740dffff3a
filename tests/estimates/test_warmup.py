"""The check of the warm-up: who is drawn, what a longer warm-up changes, by hand and over many choices."""

from __future__ import annotations

import dataclasses
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.reference import warmup as slow

from phasemark.errors import DataError, UsageError
from phasemark.estimates import estimate
from phasemark.model import Metrics, Points
from phasemark.points import checked, with_checks
from phasemark.points.warmup import FACTOR, may_be_cold
from phasemark.simulate import of_checks, of_points
from phasemark.store import points_csv

LENGTH = 1000


def points(weights: list[float], warmup: int = 500, first: int = 1) -> Points:
    """Random points of the run, one each ten intervals."""
    n = len(weights)
    rows = first + 10 * np.arange(n)
    return Points(
        run=np.zeros(n, int),
        thread=np.zeros(n, int),
        interval=rows,
        phase=np.zeros(n, int),
        start=rows * LENGTH,
        end=(rows + 1) * LENGTH,
        warmup=np.minimum(rows * LENGTH, warmup),
        weight=weights,
        method="random",
        population=np.full(n, 10 * n),
    )


def measured(of: Points, rows: list[int] | None = None, **counters: list[float]) -> Metrics:
    at = np.arange(len(of)) if rows is None else np.array(rows)
    keys = (of.run[at], of.thread[at], of.interval[at], of.start[at], (of.end - of.start)[at])
    return Metrics(*keys, {name: np.asarray(values, float) for name, values in counters.items()})


def test_draws_go_by_weight() -> None:
    of = with_checks(points([0.5, 0.125, 0.125, 0.25]), 8)
    assert of.check is not None and of.check.tolist() == [4, 1, 1, 2]
    assert with_checks(points([0.25] * 4), 2, seed=3).check.sum() == 2  # type: ignore[union-attr]
    seeds = [with_checks(points([0.2] * 5), 2, seed).check.tolist() for seed in range(30)]  # type: ignore[union-attr]
    assert len({tuple(one) for one in seeds}) > 3


def test_what_cannot_be_cold_is_not_drawn() -> None:
    """The first point's warm-up begins with the thread; a guard weighs nothing."""
    of = points([0.7, 0.1, 0.1, 0.1], warmup=1000, first=1)
    assert may_be_cold(of).tolist() == [False, True, True, True]
    drawn = with_checks(of, 6).check
    assert drawn is not None and drawn.tolist() == [0, 2, 2, 2]
    assert with_checks(points([1.0], warmup=2000), 6).check is None


def test_the_longer_warm_up() -> None:
    of = with_checks(points([0.5, 0.25, 0.25], warmup=700), 4)
    again = checked(of)
    assert again.interval.tolist() == [1, 11, 21] and again.weight.tolist() == [0.5, 0.25, 0.25]
    assert again.warmup.tolist() == [1000, 11000, FACTOR * 700]
    plan, simulated = of_checks(of, 600)
    assert simulated.warmup.tolist() == [1000, 16 * 600, 16 * 600] and plan.index.tolist() == [1, 11, 21]
    # Without a number as of_points has it; all of these are short of it.
    assert of_checks(of)[0].warm.tolist() == [0, 2000, 12000] and of_points(of).warm.tolist() == [
        0,
        2000,
        12000,
    ]
    with pytest.raises(DataError, match="no point's warm-up"):
        of_checks(points([1.0]))
    with pytest.raises(DataError, match="no point's warm-up"):
        checked(points([1.0]))
    with pytest.raises(DataError, match="no warm-up of which there could be more"):
        checked(with_checks(points([0.5, 0.5], warmup=0), 4))


@pytest.mark.parametrize("n", [1, 0, -2, 2**20 + 1, 2**63])
def test_too_few_draws_or_too_many(n: int) -> None:
    with pytest.raises(UsageError, match="check of the warm-up"):
        with_checks(points([1.0]), n)


def test_by_hand() -> None:
    """CPI 2 of both points; a longer warm-up takes 0.2 off one and 0.4 off the other: 0.3 +- 0.1."""
    of = dataclasses.replace(points([0.5, 0.5]), check=[1, 1])
    cold = measured(of, cycles=[2000, 2000])
    found = estimate(of, cold, warmed=measured(of, cycles=[1800, 1600]))
    (bias,) = found.biases["cpi"]
    assert (bias.source, bias.measurements, bias.corrected) == ("warm-up", 2, True)
    assert bias.value == pytest.approx(0.3) and bias.standard_error == pytest.approx(0.1)
    assert found.value["cpi"] == pytest.approx(1.7) and found.value["ipc"] == pytest.approx(1 / 1.7)
    half = 12.706204736 * 0.1  # Student's t of one degree of freedom; the points do not differ themselves
    assert bias.interval == pytest.approx((0.3 - half, 0.3 + half))
    low, high = found.interval["cpi"]
    assert low == pytest.approx(max(1.7 - half - 0.3, 0)) and high == pytest.approx(1.7 + half)
    assert any("warmed up 16 times as long, what is cold makes cpi 17.6%" in note for note in found.notes)
    alone = estimate(of, cold)
    assert alone.value["cpi"] == pytest.approx(2) and not alone.biases
    assert any("no error bar (points --warmup-check 6 tells)" in note for note in alone.notes)


def test_too_low_reaches_up() -> None:
    of = dataclasses.replace(points([0.5, 0.5]), check=[1, 1])
    found = estimate(of, measured(of, cycles=[2000, 2000]), warmed=measured(of, cycles=[2300, 2300]))
    assert found.value["cpi"] == pytest.approx(2.3) and found.interval["cpi"] == pytest.approx((2.3, 2.6))
    assert found.biases["cpi"][0].value == pytest.approx(-0.3)


@settings(deadline=None, max_examples=30)
@given(seed=st.integers(0, 99), n=st.integers(2, 12), draws=st.integers(2, 20))
def test_textbook(seed: int, n: int, draws: int) -> None:
    """Numerator and denominator change."""
    rng = np.random.default_rng(seed)
    weight = rng.dirichlet(np.ones(n))
    of = with_checks(points(weight.tolist(), first=int(rng.integers(0, 2))), draws, seed)
    if of.check is None:
        return
    names = ("l2_misses", "l2_references")
    before = {name: rng.integers(low, low + 300, n) for name, low in zip(names, (300, 900), strict=True)}
    after = {name: before[name] - rng.integers(0, 90, n) for name in names}
    rows = np.flatnonzero(of.check).tolist()
    found = estimate(
        of,
        measured(of, **before),
        names="l2_miss_rate",
        warmed=measured(of, rows, **{name: after[name][rows] for name in names}),
    )
    bias, variance = slow.bias(
        weight.tolist(),
        [(float(before[names[0]][row]), float(before[names[1]][row])) for row in range(n)],
        {row: (float(after[names[0]][row]), float(after[names[1]][row])) for row in rows},
        of.check.tolist(),
        may_be_cold(of).tolist(),
    )
    one = found.biases["l2_miss_rate"][0]
    assert one.value == pytest.approx(bias) and one.standard_error == pytest.approx(np.sqrt(variance))


def test_intervals_hold_where_all_points_are_cold() -> None:
    """Each point is up to 60% too slow: unchecked no interval covers the truth, checked nearly all do."""
    alone, told = 0, 0
    for seed in range(40):
        rng = np.random.default_rng(seed)
        of = with_checks(points([1 / 20] * 20), 6, seed)
        true = rng.normal(1, 0.1, 20) * LENGTH
        cold, left = rng.uniform(0.2, 0.6, 20), rng.uniform(0, 0.2, 20)
        metrics = measured(of, cycles=(true * (1 + cold)).tolist())
        assert of.check is not None
        rows = np.flatnonzero(of.check)
        warmed = measured(of, rows.tolist(), cycles=(true * (1 + left * cold))[rows].tolist())
        alone += estimate(of, metrics).covers("cpi", 1.0)
        told += estimate(of, metrics, warmed=warmed).covers("cpi", 1.0)
    assert alone <= 4 and told >= 36


def test_what_was_not_measured() -> None:
    of = dataclasses.replace(points([0.25] * 4), check=[1, 1, 1, 0])
    cold = measured(of, cycles=[2000, 2100, 1900, 2000])
    one = estimate(of, cold, warmed=measured(of, [0], cycles=[1500]))
    assert not one.biases and one.value == estimate(of, cold).value  # of one difference no deviation is known
    two = estimate(of, cold, warmed=measured(of, [0, 2], cycles=[1500, 1400]))
    assert two.biases["cpi"][0].value == pytest.approx(0.5)
    other = estimate(of, cold, warmed=measured(of, [0, 2], l2_misses=[1, 2]))
    assert not other.biases
    unchecked = dataclasses.replace(of, check=None)
    assert not estimate(unchecked, cold, warmed=measured(of, [0, 2], cycles=[1500, 1400])).biases


def test_no_error_bar_stays_none() -> None:
    of = dataclasses.replace(points([0.5, 0.5]), check=[1, 1], method="start")
    found = estimate(of, measured(of, cycles=[2000, 2000]), warmed=measured(of, cycles=[1800, 1700]))
    assert found.value["cpi"] == pytest.approx(1.75) and np.isnan(found.standard_error["cpi"])
    assert found.interval["cpi"] == (0, np.inf)


def test_the_table_holds_checks(tmp_path: Path) -> None:
    of = with_checks(points([0.5, 0.25, 0.25]), 4)
    points_csv.write(tmp_path / "points.csv", of)
    assert points_csv.read(tmp_path / "points.csv").frame().equals(of.frame())
    with pytest.raises(DataError, match="less than never"):
        dataclasses.replace(of, check=[-1, 0, 0])
