"""Means of a metric over other intervals than those it was measured of, against a plain loop."""

from __future__ import annotations

import numpy as np
import pytest
from tests.views import nested

from phasemark.errors import DataError
from phasemark.quality.measured import measured
from phasemark.views.levels import levels, mean_over
from phasemark.views.threads import threads


@pytest.mark.parametrize("length", [700_000, 5_000_000])
def test_means_count_each_measured_interval_by_what_it_shares(length: int) -> None:
    run = nested.beside_fixed(nested.run(nested.archiver(passes=1), nested.archiver(4, 1)), length)
    of, wanted = run.fixed.profile.interval_table, run.hierarchy.cut(2)
    metric = measured(run.fixed.metrics, of, "cpi")
    found = mean_over(metric, of, wanted)
    for row in range(len(wanted)):
        same = of.thread == wanted.thread[row]
        begin, end = wanted.start[row], wanted.start[row] + wanted.length[row]
        shared = np.clip(np.minimum(end, of.start + of.length) - np.maximum(begin, of.start), 0, None) * same
        assert found[row] == pytest.approx((shared * metric.values).sum() / shared.sum())


def test_levels_are_spread_from_the_coarsest_to_the_finest() -> None:
    run = nested.run()
    (thread,) = threads(run.profile)
    assert [one.name for one in levels(run, thread, "cpi", 3)] == [
        "level 0",
        "level 2",
        "level 5",
        "as chosen",
    ]
    for one in levels(run, thread, "cpi"):
        mean = (one.values * one.length).sum() / one.length.sum()
        assert mean == pytest.approx(
            levels(run, thread, "cpi", 1)[0].values @ run.hierarchy.cut(0).length / run.profile.instructions
        )


def test_without_a_hierarchy_there_are_none() -> None:
    run = nested.run()
    with pytest.raises(DataError, match="no hierarchy"):
        levels(nested.without(run), threads(run.profile)[0], "cpi")
