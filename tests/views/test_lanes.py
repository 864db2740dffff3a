"""Lanes: what is shown of threads side by side."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from tests.parallel.test_scaling import runs
from tests.parallel.threads import cycles_of, intervals_of, phases_of, profile_of
from tests.views.threaded import analysis_of

from phasemark.model import Threads
from phasemark.quality.measured import measured
from phasemark.views.lanes import lanes, lanes_of


def test_threads_are_named_by_run() -> None:
    shown = lanes(analysis_of(*runs(0, 2)))
    assert [(lane.run, lane.thread, lane.process, lane.name) for lane in shown.lanes] == [
        (0, 0, 0, "thread 0"), (1, 0, 1, "thread 0"), (1, 1, 1, "thread 1"), (1, 2, 1, "thread 2"),
    ]  # fmt: skip
    assert [shown.title(run) for run in shown.runs] == ["run 0: 1 thread", "run 1: 3 threads"]
    assert shown.of_run(1) == [1, 2, 3] and shown.span(1) == (0, 100)
    assert lanes(analysis_of(*runs(2))).title(0) == "3 threads"


def test_processes_are_named_where_a_run_has_several() -> None:
    profile, _ = runs(2)
    of = Threads([0] * 3, [0, 1, 2], [1, 2, 2], ("make", "cc1", "cc1"), [10, 11, 11])  # type: ignore[arg-type]
    found = [(lane.process, lane.process_name, lane.name) for lane in lanes_of(replace(profile, threads=of))]
    assert found == [
        (0, "make, process 1", "thread 0"),
        (1, "cc1, process 2", "thread 1"),
        (1, "cc1, process 2", "thread 2"),
    ]


def test_a_column_has_what_takes_most_of_it() -> None:
    rows = [(0, 0, 0, 10), (0, 1, 10, 16), (0, 0, 16, 20), (0, 1, 20, 40), (1, 1, 60, 100)]
    shown = lanes(analysis_of(profile_of(intervals_of(rows), 5), phases_of([row[1] for row in rows])))
    start, end, phase = shown.stretches(0, 2)
    assert (start.tolist(), end.tolist(), phase.tolist()) == ([0, 50], [50, 100], [1, -1])
    start, end, phase = shown.stretches(0, 10)
    assert (start.tolist(), end.tolist()) == ([0, 10, 16, 20, 40], [10, 16, 20, 40, 100])
    assert phase.tolist() == [0, 1, 0, 1, -1]


def test_values_are_means_over_columns_and_nothing_where_nothing_was_measured() -> None:
    rows = [(0, 0, 0, 10), (0, 0, 10, 20), (0, 0, 20, 30), (1, 0, 20, 40)]
    profile = profile_of(intervals_of(rows), 5)
    metric = measured(cycles_of(profile, [10, 30, np.nan, 80]), profile, "cpi")
    shown = lanes(analysis_of(profile, phases_of([0] * 4)))
    start, end, value = shown.values(0, metric, 10)
    assert (start.tolist(), end.tolist()) == ([0, 10, 20, 30], [10, 20, 30, 40])
    assert value[:2].tolist() == [1, 3] and np.isnan(value[2:]).all()
    _, _, value = shown.values(0, metric, 2)
    assert value[0] == 2 and np.isnan(value[1])
    _, _, value = shown.values(1, metric, 10)
    assert np.isnan(value[0]) and value[1] == 4
