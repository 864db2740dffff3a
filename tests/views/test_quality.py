"""Homogeneity for the eye: which phases and metrics are shown."""

from __future__ import annotations

import numpy as np
import pytest
from tests.views import counted

from phasemark.views.quality import curves, homogeneity, lie_apart


def test_the_largest_phases_stand_beside_the_whole() -> None:
    # 30 instructions of phase 0, 13 of phase 1 (3 of them not measured), 50 of phase 2.
    analysis = counted.run(metrics=counted.metrics([1, 1, 3, 4, np.nan, 6, 6]), sample=1.0)
    shown = homogeneity(analysis, 2)
    assert shown is not None
    assert (shown.foremost, shown.largest) == (["cpi"], [2, 0])
    assert [row.phase for row in shown.beside] == ["full", "0", "2"]
    assert [row.mean for row in shown.beside] == pytest.approx([39 / 9, 2, 6])
    ((cpi),) = shown.whole
    assert (cpi.full.phase, cpi.classified.phase) == ("full", "all")
    assert 0 < cpi.classified.cov < cpi.full.cov
    assert shown.missing == [("cpi", pytest.approx(3 / 93))]


def test_the_sample_of_cim_is_the_analysis_s() -> None:
    metrics = counted.metrics([1, 1, 3, 4, 5, 6, 7])
    one, hundred = (homogeneity(counted.run(metrics=metrics, sample=n), 1) for n in (1.0, 100.0))
    assert one is not None and hundred is not None
    assert one.whole[0].full.cim > hundred.whole[0].full.cim
    assert one.missing == []


def test_without_metrics_there_is_nothing_to_tell() -> None:
    assert homogeneity(counted.run(), 8) is None


def test_curves_are_of_the_foremost_metrics() -> None:
    names = ("l2_mpki", "a", "b", "c", "d", "e", "cpi")
    against_k = {name: {"k": [i]} for i, name in enumerate(names)}
    assert curves(counted.run(against_k=against_k)) == {"cpi": {"k": [6]}, "l2_mpki": {"k": [0]}}


@pytest.mark.parametrize(
    ("values", "apart"),
    [([], False), ([0.0, 0.0], False), ([1, 30], False), ([1, 31], True), ([0, 31], False)],
)
def test_values_lie_apart_where_the_largest_is_over_30_times_the_smallest(values, apart) -> None:
    assert lie_apart(values) is apart
