"""CPI and misses of phases and points, counted by hand."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from tests.views import counted, synthetic

from phasemark.model import Metrics
from phasemark.quality.table import table
from phasemark.views import measures

CPI = [1.0, 2.0, 3.0, 1.0, 5.0, 4.0, 6.0]


def test_the_mean_of_a_phase_weighs_instructions() -> None:
    found = measures.of_phases(counted.run(metrics=counted.metrics(CPI)))
    assert found is not None and found.names == ["cpi"]
    assert found.values[:, 0] == pytest.approx([4 / 3, (30 + 15) / 13, (80 + 180) / 50])


def test_the_mean_of_a_phase_is_that_of_the_table_of_quality() -> None:
    run = synthetic.run(metrics=True)
    found = measures.of_phases(run)
    assert found is not None and run.metrics is not None and found.names == ["cpi", "l1d_mpki"]
    rows = table(run.metrics, run.profile.interval_table, run.phases, found.names)
    for phase in range(3):
        means = [row.mean for row in rows if row.phase == str(phase)]
        assert found.values[phase] == pytest.approx(means)


def test_points_have_what_was_simulated_of_them_first() -> None:
    run = counted.run(metrics=counted.metrics(CPI))
    whole = measures.of_points(run)
    assert whole is not None and whole.values[:, 0].tolist() == [2, 5, 6]
    # Interval 4 of thread 0 is no longer where the point says.
    other = Metrics(
        [0, 0], [0, 0], [1, 4], [10, 30], [10, 3], {"cycles": np.array([70.0, 9.0])}, source="gem5"
    )
    alone = measures.of_points(replace(run, point_metrics=other))
    assert alone is not None and alone.source == "gem5"
    assert alone.values[0, 0] == 7 and np.isnan(alone.values[1:, 0]).all()


def test_nothing_was_measured() -> None:
    run = counted.run()
    assert measures.of_points(run) is None and measures.of_phases(run) is None


def test_names_in_headings() -> None:
    names = ("cpi", "l1d_mpki", "branch_mpki", "itlb_miss_rate", "dcache_hits")
    assert list(map(measures.label, names)) == [
        "CPI", "L1D MPKI", "branch MPKI", "ITLB miss rate", "dcache hits",
    ]  # fmt: skip
