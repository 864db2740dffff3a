"""Points and intervals -> windows."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from phasemark.errors import DataError, UsageError
from phasemark.model import Hierarchy, Intervals, Points
from phasemark.model.intervals import concatenate
from phasemark.simulate import LEAST_WARMUP, WARMUP, Plan, of_intervals, of_points

Row = tuple[int, int]  # thread, interval


def points(rows: list[Row], length: int = 10, *, warmup: list[int] | None = None, run: int = 0) -> Points:
    n = len(rows)
    thread, interval = (np.array([row[i] for row in rows], np.int64) for i in (0, 1))
    start = interval * length
    return Points(
        run=np.full(n, run, np.int32),
        thread=thread.astype(np.int32),
        interval=interval,
        phase=np.arange(n, dtype=np.int32),
        start=start,
        end=start + length,
        warmup=np.zeros(n, np.int64) if warmup is None else np.array(warmup),
        weight=np.full(n, 1 / n) if n else np.empty(0),
    )


def lines(plan: Plan) -> list[tuple[int, ...]]:
    """Each window as (thread, warm, start, end)."""
    return list(plan.frame()[["thread", "warm", "start", "end"]].itertuples(index=False, name=None))


def on(plan: Plan, thread: int, size: int) -> np.ndarray:
    """The instructions of a thread during which the simulator is on."""
    out = np.zeros(size, bool)
    for t, warm, _, end in lines(plan):
        if t == thread:
            out[warm:end] = True
    return out


def test_a_window_a_point_with_its_warm_up_before() -> None:
    plan = of_points(points([(0, 9), (0, 2)]), 15)
    assert lines(plan) == [(0, 5, 20, 30), (0, 75, 90, 100)]
    assert plan.index.tolist() == [2, 9]
    assert (plan.measured, plan.simulated) == (20, 50)


def test_a_warm_up_ends_at_the_start_of_the_thread_and_at_the_window_before() -> None:
    plan = of_points(points([(0, 0), (0, 1), (1, 1)]), 100)
    assert lines(plan) == [(0, 0, 0, 10), (0, 10, 10, 20), (1, 0, 10, 20)]
    assert plan.simulated == 40


def test_a_long_warm_up_reaches_back_over_the_window_before() -> None:
    plan = of_points(points([(0, 400000), (0, 400002)], warmup=[0, 3_999_990]))
    assert lines(plan) == [(0, 30, 4_000_000, 4_000_010), (0, 4_000_010, 4_000_020, 4_000_030)]


def test_points_of_one_interval_share_a_window() -> None:
    plan = of_points(points([(0, 3), (0, 3), (0, 1)]), 0)
    assert lines(plan) == [(0, 10, 10, 20), (0, 30, 30, 40)]


def test_the_longest_warm_up_that_is_asked_for_is_taken() -> None:
    asked = of_points(points([(0, 10**6), (0, 10**6)], warmup=[0, 2 * WARMUP]))
    assert lines(asked) == [(0, 10**7 - 2 * WARMUP, 10**7, 10**7 + 10)]
    least = of_points(points([(0, 10**6)]))
    assert lines(least) == [(0, 10**7 - LEAST_WARMUP, 10**7, 10**7 + 10)]
    told = of_points(points([(0, 10**6)], warmup=[2 * WARMUP]), 5)
    assert lines(told) == [(0, 10**7 - 5, 10**7, 10**7 + 10)]


@pytest.mark.parametrize(
    ("length", "warmup"),
    [(20_000, LEAST_WARMUP), (500_000, 500_000), (9_000_000, WARMUP)],
)
def test_a_point_is_warmed_up_for_as_long_as_it_is(length: int, warmup: int) -> None:
    plan = of_points(points([(0, 10**3)], length))
    assert (plan.start - plan.warm).tolist() == [warmup]


@settings(deadline=None)
@given(
    rows=st.lists(st.tuples(st.integers(0, 2), st.integers(0, 30)), min_size=1, max_size=20),
    length=st.integers(1, 9),
    warmup=st.integers(0, 60),
)
def test_a_simulator_is_on_exactly_where_some_point_asks_for_it(
    rows: list[Row], length: int, warmup: int
) -> None:
    wanted = points(rows, length)
    plan = of_points(wanted, warmup)
    size = 31 * length
    for thread in range(3):
        expected = np.zeros(size, bool)
        for t, start, end in zip(wanted.thread, wanted.start, wanted.end, strict=True):
            if t == thread:
                expected[max(start - warmup, 0) : end] = True
        assert (on(plan, thread, size) == expected).all()
    assert plan.simulated == sum(on(plan, thread, size).sum() for thread in range(3))
    names = list(zip(plan.thread.tolist(), plan.index.tolist(), strict=True))
    assert names == sorted(set(rows))
    assert plan.measured == len(names) * length


def test_everything_is_simulated_without_a_warm_up() -> None:
    first = Intervals.of_thread(np.array([10, 0, 5]))
    plan = of_intervals(concatenate([first, Intervals.of_thread(np.array([1]), thread=1)]))
    assert lines(plan) == [(0, 0, 0, 10), (0, 10, 10, 15), (1, 0, 0, 1)]
    assert plan.index.tolist() == [0, 2, 0] and plan.simulated == plan.measured == 16


@pytest.mark.parametrize(
    ("wanted", "warmup", "error", "said"),
    [
        ([], 0, DataError, "nothing to simulate"),
        ([(0, 1)], -1, UsageError, "0 or more"),
    ],
)
def test_what_makes_no_sense_is_refused(wanted: list[Row], warmup: int, error: type, said: str) -> None:
    with pytest.raises(error, match=said):
        of_points(points(wanted), warmup)


def test_several_runs_are_refused() -> None:
    with pytest.raises(DataError, match="folder of its own"):
        of_points(points([(0, 1)], run=1), 0)


def test_points_that_overlap_are_named() -> None:
    a, b = points([(0, 1)], 10), points([(0, 2)], 8)
    both = Points(
        *(
            np.concatenate([getattr(a, name), getattr(b, name)])
            for name in ("run", "thread", "interval", "phase", "start", "end", "warmup")
        ),
        weight=np.array([0.5, 0.5]),
    )
    with pytest.raises(DataError, match="row 1"):
        of_points(both, 0)


def test_of_one_interval_the_longest_warm_up_is_taken_in_whatever_order() -> None:
    long, short = WARMUP + 7, WARMUP + 5
    expected = [(0, 10**7 - long, 10**7, 10**7 + 10)]
    for warmup in ([long, short, 0], [short, long, 0], [0, long, short]):
        assert lines(of_points(points([(0, 10**6)] * 3, warmup=warmup))) == expected


def test_threads_have_windows_of_their_own_in_whatever_order_the_points_are() -> None:
    rows = [(2, 1), (0, 3), (2, 0), (1, 2), (0, 3)]
    plan = of_points(points(rows), 15)
    assert lines(plan) == [(0, 15, 30, 40), (1, 5, 20, 30), (2, 0, 0, 10), (2, 10, 10, 20)]
    assert plan.index.tolist() == [3, 2, 0, 1]
    assert lines(of_points(points(rows[::-1]), 15)) == lines(plan)


def test_intervals_of_any_length_are_windows_under_their_own_numbers() -> None:
    tree = Hierarchy(
        [0] * 5, [0, 0, 0, 0, 1], [0, 0, 1, 1, 0], [-1, -1, 0, 0, -1], [0, 20, 0, 5, 0], [20, 30, 5, 20, 7]
    )
    coarse, fine = (of_intervals(cut) for cut in tree.levels)
    assert lines(coarse) == [(0, 0, 0, 20), (0, 20, 20, 30), (1, 0, 0, 7)]
    assert lines(fine) == [(0, 0, 0, 5), (0, 5, 5, 20), (0, 20, 20, 30), (1, 0, 0, 7)]
    assert fine.index.tolist() == [0, 1, 2, 0]


def test_a_plan_shows_itself() -> None:
    plan = of_points(points([(0, 9), (1, 2)]), 15)
    assert repr(plan) == "<Plan: windows=2, measured=20, simulated=50>" and "<table" in plan._repr_html_()
    assert list(plan.frame().columns) == ["thread", "index", "warm", "start", "end"]


#: Windows [10, 15), warm from 5, and [25, 30), warm from 15, of thread 0; [2, 4) of thread 3.
COLUMNS = {
    "thread": [0, 0, 3],
    "index": [1, 2, 0],
    "warm": [5, 15, 0],
    "start": [10, 25, 2],
    "end": [15, 30, 4],
}


def test_windows_may_touch() -> None:
    assert Plan(**COLUMNS).simulated == 29 and Plan(**COLUMNS).measured == 12  # type: ignore[arg-type]
    assert Plan(**{**COLUMNS, "warm": [10, 25, 2]}).simulated == 12  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"thread": [0, 0, -1]}, "row 2: a thread, or the number of an interval, is negative"),
        ({"index": [1, -2, 0]}, "row 1: a thread, or the number of an interval, is negative"),
        ({"end": [15, 25, 4]}, "row 1: a window has no instruction"),
        ({"warm": [-1, 15, 0]}, "row 0: a warm-up begins elsewhere than before its window"),
        ({"warm": [5, 26, 0]}, "row 1: a warm-up begins elsewhere than before its window"),
        ({"warm": [5, 14, 0]}, "row 1: windows overlap, or are not ordered by thread and start"),
        ({"thread": [3, 3, 0]}, "row 2: windows overlap, or are not ordered by thread and start"),
        ({"thread": [0, 3, 0]}, "row 2: windows overlap, or are not ordered by thread and start"),
        ({"start": [10, 25.5, 2]}, "row 1: column start holds no whole number"),
        ({"index": [1, 2]}, "column index has 2 rows instead of 3"),
        ({name: [] for name in COLUMNS}, "there is nothing to simulate"),
    ],
)
def test_what_is_no_plan_is_refused(changed: dict[str, list[float]], message: str) -> None:
    with pytest.raises(DataError, match=message):
        Plan(**{**COLUMNS, **changed})  # type: ignore[arg-type]
