"""Threads side by side on one clock, and who is idle when."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.parallel.threads import Rows, intervals_of, phases_of, profile_of, run_of
from tests.reference import timeline as reference

from phasemark import parallel
from phasemark.errors import DataError
from phasemark.model import Timeline
from phasemark.model.intervals import concatenate


def table(found: Timeline) -> list[tuple[int, ...]]:
    frame = found.frame()
    assert (frame.idle == (frame.phase == -1)).all()
    return list(map(tuple, frame[["thread", "interval", "phase", "start", "end"]].to_numpy().tolist()))


#: Thread 1 starts at 10, waits from 40 to 60 and ends at 70; thread 0 has a gap of 5, and ends at 90.
ROWS: Rows = [
    (0, 0, 0, 20), (0, 1, 25, 50), (0, 0, 50, 90),
    (1, 2, 10, 40), (1, 2, 60, 70),
]  # fmt: skip


def test_a_thread_is_idle_in_long_gaps_and_before_and_after() -> None:
    assert table(parallel.timeline(*run_of(ROWS, 10))) == [
        (0, 0, 0, 0, 25), (0, 1, 1, 25, 50), (0, 2, 0, 50, 90),
        (1, -1, -1, 0, 10), (1, 0, 2, 10, 40), (1, -1, -1, 40, 60), (1, 1, 2, 60, 70), (1, -1, -1, 70, 90),
    ]  # fmt: skip


def test_a_gap_that_is_not_longer_than_an_interval_is_none() -> None:
    assert table(parallel.timeline(*run_of(ROWS, 20)))[4:6] == [(1, 0, 2, 10, 60), (1, 1, 2, 60, 70)]


def test_neighbours_of_one_phase_are_one_stretch() -> None:
    joined = parallel.timeline(*run_of(ROWS, 20)).stretches()
    assert table(joined)[3:] == [(1, -1, -1, 0, 10), (1, 0, 2, 10, 70), (1, -1, -1, 70, 90)]
    assert repr(joined) == "<Timeline: runs=1, threads=2, phases=3, stretches=6>"


def test_a_run_of_one_thread_has_its_instructions_for_a_clock() -> None:
    from phasemark.model import Intervals

    found = parallel.timeline(profile_of(Intervals.of_thread(np.array([10, 10, 4]))), phases_of([0, 1, 0]))
    assert table(found) == [(0, 0, 0, 0, 10), (0, 1, 1, 10, 20), (0, 2, 0, 20, 24)]
    assert found.clock == "instructions"


def test_several_threads_without_a_clock_are_refused_in_words() -> None:
    from dataclasses import replace

    untimed = replace(intervals_of(ROWS), began=None, ended=None)
    with pytest.raises(
        DataError, match="the run has 2 threads, and nothing says when each of them ran"
    ) as caught:
        parallel.timeline(profile_of(untimed), phases_of([0, 1, 0, 2, 2]))
    assert "phasemark profile" in caught.value.hint
    other = replace(untimed, run=np.ones(5, np.int32))
    with pytest.raises(DataError, match="run 0 has 2 threads"):
        parallel.timeline(profile_of([untimed, other]), phases_of([0, 1, 0, 2, 2] * 2))


def test_without_ends_an_interval_lasts_as_long_as_it_has_instructions() -> None:
    from dataclasses import replace

    # A gap of 10 is none.
    begun = replace(intervals_of([(0, 0, 0, 10), (0, 0, 20, 30), (0, 0, 41, 51), (1, 0, 5, 15)]), ended=None)
    assert table(parallel.timeline(profile_of(begun), phases_of([0] * 4)))[:5] == [
        (0, 0, 0, 0, 20), (0, 1, 0, 20, 30), (0, -1, -1, 30, 41), (0, 2, 0, 41, 51), (1, -1, -1, 0, 5),
    ]  # fmt: skip


def test_on_another_clock_an_interval_lasts_as_long_as_the_thread_s_mostly_do() -> None:
    from dataclasses import replace

    rows = [(0, 0, 100 * at, 100 * at + 10) for at in (0, 1, 2, 3, 6, 7)] + [(1, 0, 0, 10)]
    begun = replace(intervals_of(rows), ended=None)
    found = table(parallel.timeline(profile_of(begun, clock="ns"), phases_of([0] * 7)))
    assert found[3:6] == [(0, 3, 0, 300, 400), (0, -1, -1, 400, 600), (0, 4, 0, 600, 700)]


def test_runs_begin_and_end_by_themselves() -> None:
    runs = [intervals_of([(0, 0, 0, 10)]), intervals_of([(0, 0, 5, 15), (1, 1, 15, 25)], run=1)]
    found = parallel.timeline(profile_of(runs), phases_of([0, 0, 1]))
    assert found.run.tolist() == [0, 1, 1, 1, 1]
    assert table(found.of_run(1)) == [
        (0, 0, 0, 5, 15),
        (0, -1, -1, 15, 25),
        (1, -1, -1, 5, 15),
        (1, 0, 1, 15, 25),
    ]
    with pytest.raises(DataError, match="no run 2"):
        found.of_run(2)


def test_phases_of_another_profile_are_refused() -> None:
    with pytest.raises(DataError, match="phases of 2 intervals, but the profile has 5"):
        parallel.timeline(run_of(ROWS)[0], phases_of([0, 1]))


def test_a_profile_of_nothing_has_an_empty_timeline() -> None:
    empty = profile_of(concatenate([intervals_of(ROWS)]).__class__(*([] for _ in range(6))))  # type: ignore[arg-type]
    assert len(parallel.timeline(empty, phases_of([]))) == 0


@st.composite
def runs(draw: st.DrawFn) -> Rows:
    """Up to five threads that run and wait as they like."""
    rows = []
    for thread in range(draw(st.integers(1, 5))):
        at = draw(st.integers(0, 40))
        for _ in range(draw(st.integers(1, 6))):
            length = draw(st.integers(1, 12))
            rows.append((thread, draw(st.integers(0, 2)), at, at + length))
            at += length + draw(st.sampled_from((0, 0, 0, 3, 10, 11, 40)))
    used = sorted({phase for _, phase, _, _ in rows})
    return [(thread, used.index(phase), began, ended) for thread, phase, began, ended in rows]


@given(runs())
@settings(deadline=None, max_examples=150)
def test_it_is_as_the_slow_one_has_it(rows: Rows) -> None:
    found = parallel.timeline(*run_of(rows, 10))
    expected = [
        (s.thread, -1 if s.phase is None else s.phase, s.start, s.end) for s in reference.threads(rows, 10)
    ]
    assert [(t, p, a, b) for t, _, p, a, b in table(found)] == expected


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"phase": [0, 3, 1]}, "row 1: a stretch's phase is not among the phases"),
        ({"phase": [0, -2, 1]}, "row 1: a stretch's phase"),
        ({"end": [5, 4, 10]}, "row 1: a stretch ends before it starts"),
        ({"start": [0, 6, 0]}, "row 1: a stretch does not start where the one ahead of it ends"),
        ({"end": [5, 9, 10]}, "row 1: the threads of a run do not begin and end together"),
        ({"start": [1, 5, 0]}, "row 2: the threads of a run do not begin and end together"),
        ({"thread": [1, 1, 0]}, "the rows are not ordered"),
        ({"run": [-1, -1, 0]}, "row 0: a run or thread number is negative"),
    ],
)
def test_a_timeline_that_cannot_be_is_refused(changed: dict[str, list[int]], said: str) -> None:
    columns = {
        "run": [0, 0, 0], "thread": [0, 0, 1], "interval": [0, -1, 0],
        "phase": [0, -1, 1], "start": [0, 5, 0], "end": [5, 10, 10],
    }  # fmt: skip
    Timeline(**columns, phases=2)  # type: ignore[arg-type]
    with pytest.raises(DataError, match=said):
        Timeline(**{**columns, **changed}, phases=2)  # type: ignore[arg-type]
