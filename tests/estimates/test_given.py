"""Estimates from points that another tool chose: what the error bar may rest on."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from phasemark.estimates import estimate
from phasemark.model import Metrics, Points
from phasemark.model.points import GIVEN

ZERO = np.zeros(3, np.int64)
START = np.array([0, 1000, 2000])


def points(**more: object) -> Points:
    return Points(
        ZERO, ZERO, np.arange(3), np.array([0, 1, 1]), START, START + 1000, ZERO,
        np.array([0.5, 0.3, 0.2]), method=GIVEN, **more,
    )  # type: ignore[arg-type]  # fmt: skip


def metrics(rows: tuple[int, ...] = (0, 1, 2)) -> Metrics:
    at = np.array(rows)
    counters = {"cycles": np.array([1000.0, 2000.0, 3000.0])[at], "l2_misses": np.zeros(len(at))}
    return Metrics(ZERO[at], ZERO[at], at, START[at], np.full(len(at), 1000), counters)


def test_nothing_is_known_of_clusters_without_labels() -> None:
    found = estimate(points(), metrics())
    assert found.value["cpi"] == pytest.approx(1.7)
    for name in ("cpi", "l2_mpki"):
        assert found.interval[name] == (0.0, math.inf) and math.isnan(found.standard_error[name])
    assert "no error bar" in found.notes[-1]


def test_what_is_missing_no_other_point_stands_for() -> None:
    found = estimate(points(), metrics((0, 1)))
    assert found.coverage["cpi"] == pytest.approx(0.8)
    assert found.value["cpi"] == pytest.approx((0.5 + 0.3 * 2) / 0.8)


def test_known_clusters_give_the_error_bar_of_nearest_points() -> None:
    known = points(population=np.array([50, 50, 50]), spread=np.array([0.1, 0.2, 0.2]))
    found, nearest = (estimate(chosen, metrics()) for chosen in (known, replace(known, method="nearest")))
    assert found.interval == nearest.interval and math.isfinite(found.interval["cpi"][1])
    assert found.notes[-1].startswith("given points are no random sample")


def test_points_that_are_all_there_is_are_exact() -> None:
    alone = points(population=np.array([1, 2, 2]), spread=np.zeros(3))
    assert estimate(alone, metrics()).standard_error["cpi"] == 0
