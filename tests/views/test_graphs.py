"""A metric over the instructions, counted by hand."""

from __future__ import annotations

import numpy as np
import pytest
from tests.views import counted

from phasemark.views.graphs import graph, height, in_bins
from phasemark.views.threads import threads

CPI = [1, 2, 3, np.nan, 5, 6, 7]


def test_a_graph_is_level_over_each_interval_with_a_mark_at_each_point() -> None:
    analysis = counted.run(metrics=counted.metrics(CPI))
    first, second = threads(analysis.profile)
    (cpi,) = analysis.measured()
    shown = graph(analysis, first, cpi)
    assert shown.x.tolist() == [0, 10, 10, 20, 20, 30, 30, 40, 40, 43]
    np.testing.assert_array_equal(shown.y, [1, 1, 2, 2, 3, 3, np.nan, np.nan, 5, 5])
    assert (shown.middles.tolist(), shown.marks.tolist(), shown.high) == ([15, 41.5], [2, 5], 5)
    shown = graph(analysis, second, cpi)
    assert (shown.middles.tolist(), shown.marks.tolist(), shown.high) == ([35], [7], 7)


def test_where_nothing_was_measured_the_graph_is_empty() -> None:
    analysis = counted.run(metrics=counted.metrics([np.nan] * 5 + [6, 7]))
    (cpi,) = analysis.measured()
    shown = graph(analysis, threads(analysis.profile)[0], cpi)
    assert np.isnan(shown.y).all() and np.isnan(shown.marks).all() and shown.high == 0


def test_a_point_beyond_the_thread_s_intervals_has_no_mark() -> None:
    analysis = counted.run(metrics=counted.metrics(CPI))
    analysis.points.interval.flags.writeable = True
    analysis.points.interval[1] = 5
    (cpi,) = analysis.measured()
    assert graph(analysis, threads(analysis.profile)[0], cpi).marks.tolist() == [2]


def test_a_bin_s_value_is_the_mean_weighted_by_instructions() -> None:
    analysis = counted.run(metrics=counted.metrics(CPI))
    (cpi,) = analysis.measured()
    # 10 and 10; 10 and one that is missing; 3; 20 and 30 instructions.
    values = in_bins(cpi, np.array([0, 2, 4, 5, 7]))
    assert values == pytest.approx([1.5, 3, 5, (6 * 20 + 7 * 30) / 50])
    assert np.isnan(in_bins(cpi, np.array([0, 3, 4, 7]))[1])


def test_a_graph_is_as_high_as_nearly_all_of_its_instructions() -> None:
    lengths = np.array([1, 499, 500])
    assert height(np.array([9.0, 1, 2]), lengths) == 2  # 0.1 % of the instructions is far above
    assert height(np.array([3.0, 1, 2]), lengths) == 3  # and here not far
    assert height(np.array([9.0, 1, 2]), np.array([10, 490, 500])) == 9
    assert height(np.array([9.0, 1, np.nan]), np.array([10, 490, 500])) == 9
    assert height(np.full(3, np.nan), lengths) == 0
    assert height(np.zeros(3), lengths) == 0
