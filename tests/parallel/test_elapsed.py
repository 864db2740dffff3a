"""Elapsed time, split over the phases that are active at each moment."""

from __future__ import annotations

import time

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.parallel.test_timeline import runs
from tests.parallel.threads import Rows, intervals_of, phases_of, profile_of, run_of
from tests.reference import timeline as reference

from phasemark import parallel
from phasemark.errors import DataError
from phasemark.model import Timeline


def test_a_slice_belongs_to_phases_as_its_threads_do() -> None:
    # 0-10: one thread in 0; 10-20: one each in 0 and 1; 20-30: 1 and 1; 30-40: nobody; 40-45: 0.
    rows: Rows = [(0, 0, 0, 20), (0, 1, 20, 30), (0, 0, 45, 50), (1, 1, 10, 30)]
    found = parallel.elapsed(parallel.timeline(*run_of(rows, 10)))
    assert found.of_phases.tolist() == [20, 15] and found.total == 35
    assert found.active.tolist() == pytest.approx([(15 * 1 + 5 * 2) / 20, 2])


def test_two_threads_that_do_half_each_take_half_as_long() -> None:
    # They take turns of 10 instructions, of 3 cycles each, in the second half: 20 and 2 x 20 instructions.
    rows: Rows = [(0, 0, 0, 20), (0, 1, 20, 40), (0, 1, 40, 60), (1, 1, 20, 40), (1, 1, 40, 60)]
    profile = profile_of(intervals_of(rows, lengths=[20, 10, 10, 10, 10]))
    line = parallel.timeline(profile, phases_of([row[1] for row in rows]))
    work = np.zeros(len(line))
    work[~line.idle] = 3.0 * profile.interval_table.length
    found = parallel.elapsed(line, work)
    assert found.of_phases.tolist() == [60, 60] and found.total == 120


def test_work_that_is_not_known_is_as_that_of_the_others() -> None:
    rows: Rows = [(0, 0, 0, 10), (0, 0, 10, 20), (1, 1, 0, 10)]
    line = parallel.timeline(*run_of(rows))
    found = parallel.elapsed(line, np.array([np.nan, np.nan, 30, 7]))
    assert found.of_phases.tolist() == [15, 15] and found.total == 30 and found.unknown == 10


def stretches(line: Timeline, work: list[float | None]) -> list[reference.Stretch]:
    rows = zip(
        line.thread.tolist(), line.phase.tolist(), line.start.tolist(), line.end.tolist(), work, strict=True
    )
    return [reference.Stretch(t, None if p < 0 else p, a, b, w) for t, p, a, b, w in rows]


@given(runs(), st.data())
@settings(deadline=None, max_examples=150)
def test_phases_sum_to_the_time_in_which_a_thread_ran(rows: Rows, data: st.DataObject) -> None:
    line = parallel.timeline(*run_of(rows, 10))
    # By itself, from what is covered: nothing of how it is split.
    covered: set[int] = set()
    for start, end, idle in zip(line.start.tolist(), line.end.tolist(), line.idle.tolist(), strict=True):
        covered |= set() if idle else set(range(start, end))
    plain = parallel.elapsed(line)
    assert plain.of_phases.sum() == pytest.approx(len(covered)) and plain.total == len(covered)

    n = len(line)
    work = data.draw(st.lists(st.one_of(st.none(), st.floats(0, 1e6)), min_size=n, max_size=n))
    found = parallel.elapsed(line, np.array([np.nan if w is None else w for w in work]))
    parts, total = reference.elapsed(stretches(line, work), line.phases)
    assert found.of_phases.tolist() == pytest.approx(parts, rel=1e-9, abs=1e-6)
    assert found.total == pytest.approx(total, rel=1e-9, abs=1e-6)
    assert found.of_phases.sum() == pytest.approx(found.total, rel=1e-9, abs=1e-6)


def test_a_million_intervals_of_64_threads_take_seconds() -> None:
    n, threads = 2**20, 64
    each = n // threads
    thread = np.repeat(np.arange(threads, dtype=np.int32), each)
    line = _tiled(thread, each)
    start = time.process_time()
    found = parallel.elapsed(line, np.random.default_rng(1).uniform(500, 1500, len(line)))
    assert time.process_time() - start < 5
    assert found.of_phases.sum() == pytest.approx(found.total, rel=1e-9)


def _tiled(thread: np.ndarray, each: int) -> Timeline:
    threads = int(thread[-1]) + 1
    edges = np.sort(np.random.default_rng(2).integers(1, 1000 * each, (threads, each - 1)), axis=1)
    start = np.concatenate((np.zeros((threads, 1), np.int64), edges), axis=1)
    end = np.concatenate((edges, np.full((threads, 1), 1000 * each)), axis=1)
    n = threads * each
    number, phase = np.tile(np.arange(each), threads), np.arange(n) % 30
    return Timeline(np.zeros(n), thread, number, phase, start.ravel(), end.ravel(), phases=30)


def test_several_runs_and_other_work_are_refused() -> None:
    runs_ = [intervals_of([(0, 0, 0, 10)], run=run) for run in (0, 1)]
    line = parallel.timeline(profile_of(runs_), phases_of([0, 0]))
    with pytest.raises(DataError, match="a timeline of several runs"):
        parallel.elapsed(line)
    with pytest.raises(DataError, match="work of 2 stretches, but the timeline has 1"):
        parallel.elapsed(line.of_run(0), np.zeros(2))
