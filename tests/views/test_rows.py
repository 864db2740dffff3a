"""Intervals gathered in rows, counted by hand."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from tests.views import counted, nested, synthetic

from phasemark.model import Counts
from phasemark.views import hottest, places
from phasemark.views.analysis import Analysis
from phasemark.views.rows import rows
from phasemark.views.threads import threads


def test_a_short_run_has_a_row_an_interval() -> None:
    analysis = counted.run()
    shown = rows(analysis, 7)
    assert len(shown) == 7
    assert shown.bounds.tolist() == list(range(8))
    assert shown.start.tolist() == [0, 10, 20, 30, 40, 0, 20]
    assert shown.length.tolist() == [10, 10, 10, 10, 3, 20, 30]
    assert shown.index.tolist() == [0, 1, 2, 3, 4, 0, 1]
    assert shown.count.tolist() == [1] * 7
    assert shown.phase.tolist() == counted.LABELS
    assert shown.breaks.tolist() == [True, False, False, False, False, True, False]


def test_a_longer_run_has_neighbours_of_one_thread_in_a_row() -> None:
    analysis = counted.run()
    shown = rows(analysis, 3)  # two for thread 0, one for thread 3
    assert shown.bounds.tolist() == [0, 2, 5, 7]
    assert shown.start.tolist() == [0, 20, 0] and shown.length.tolist() == [20, 23, 50]
    assert shown.index.tolist() == [0, 2, 0] and shown.count.tolist() == [2, 3, 2]
    assert shown.phase.tolist() == [0, 1, 2]  # 13 of phase 1 against 10 of phase 0
    assert [shown.of_thread(t) for t in threads(analysis.profile)] == [(0, 2), (2, 3)]


def test_a_row_s_hottest_functions_are_those_of_its_intervals() -> None:
    analysis = counted.run()
    functions = places.functions(analysis.profile.block_table)
    hot = hottest.hottest(analysis.profile.vectors, rows(analysis, 3).group, functions, 2)
    assert hot.place.tolist() == [[0, 1], [1, 0], [2, -1]]
    np.testing.assert_allclose(hot.share, [[0.9, 0.1], [13 / 23, 10 / 23], [1, 0]])


def test_cells_of_a_matrix_end_where_threads_do() -> None:
    shown = rows(counted.run(), 7)
    assert shown.cells(4).tolist() == [0, 2, 5, 7]
    assert shown.cells(100).tolist() == list(range(8))


def test_so_many_threads_that_half_the_cells_would_end_with_one_are_cut_as_one() -> None:
    shown = rows(synthetic.run((0, 1, 0), threads=4), 100)
    assert shown.cells(8).tolist() == [0, 1, 3, 4, 6, 7, 9, 10, 12]
    assert shown.cells(7).tolist() == [12 * i // 7 for i in range(8)]


def test_lengths_are_alike_or_not_thread_by_thread() -> None:
    assert rows(counted.run(), 7).even  # 10 each, and 20; the last ones do not count
    assert rows(synthetic.run((0,)), 7).even
    assert not rows(nested.run(nested.archiver(passes=1)), 20).even


def test_rows_of_unlike_intervals_are_alike_in_length() -> None:
    run = nested.run()
    shown = rows(run, 100)
    assert shown.length.max() <= run.profile.instructions / 100 + run.profile.interval_table.length.max()
    assert shown.length.sum() == run.profile.instructions and len(shown) <= 101


def test_intervals_of_variable_length_are_alike_only_if_they_are_equal() -> None:
    assert [rows(varying(lengths), 7).even for lengths in ([10] * 4, [10, 9, 11, 10])] == [True, False]
    assert rows(varying([10, 9, 11, 10], kind=0), 7).even


def varying(lengths: list[int], kind: int = 1) -> Analysis:
    run = synthetic.run((0, 1, 0, 1), length=10)
    length = np.array(lengths)
    t = run.profile.interval_table
    cut = replace(t, length=length, start=np.cumsum(length) - length, kind=np.full(4, kind))
    counts = Counts(np.arange(5), np.zeros(4, int), length, len(run.profile.block_table))
    return replace(run, profile=replace(run.profile, interval_table=cut, vectors=counts))
