"""The intervals of a thread follow one another; what overlaps is refused, with its row."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from phasemark.errors import DataError
from phasemark.model import KINDS, Intervals
from phasemark.model.intervals import concatenate

#: Thread 0: [0, 10), [10, 14); thread 2: [0, 0), [0, 7).
COLUMNS: dict[str, list[Any]] = {
    "run": [0, 0, 0, 0],
    "thread": [0, 0, 2, 2],
    "index": [0, 1, 0, 1],
    "start": [0, 10, 0, 0],
    "length": [10, 4, 0, 7],
    "kind": [0, 3, 1, 2],
}


def intervals(**changed: Any) -> Intervals:
    return Intervals(**{**COLUMNS, **changed})


def test_intervals_of_variable_length_of_several_threads_and_runs() -> None:
    assert len(intervals()) == 4
    assert intervals().first_of_thread().tolist() == [True, False, True, False]
    assert intervals(run=[0, 0, 1, 1], thread=[2, 2, 0, 0]).first_of_thread().tolist() == [True, False] * 2
    assert intervals(run=[0, 0, 1, 1], thread=[0] * 4).first_of_thread().tolist() == [True, False] * 2
    none = Intervals(*([] for _ in range(6)))  # type: ignore[arg-type]
    assert len(none) == 0 and none.first_of_thread().tolist() == []


def test_columns_have_their_types_and_cannot_be_written_to() -> None:
    table = intervals(began=[5, 5, 1, 9])
    dtypes = {
        "run": "i4",
        "thread": "i4",
        "index": "i8",
        "start": "i8",
        "length": "i8",
        "kind": "i1",
        "began": "i8",
    }
    for name, dtype in dtypes.items():
        values = getattr(table, name)
        assert values.dtype == np.dtype(dtype)
        with pytest.raises(ValueError, match="read-only"):
            values[0] = 0


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"kind": [0, 4, 1, 2]}, "row 1: an interval is of an unknown kind"),
        ({"kind": [-1, 3, 1, 2]}, "row 0: an interval is of an unknown kind"),
        ({"run": [-1, -1, 0, 0]}, "row 0: a run or thread number is negative"),
        ({"thread": [-1, -1, 2, 2]}, "row 0: a run or thread number is negative"),
        ({"length": [10, 4, 0, -1]}, "row 3: an interval has a negative length"),
        ({"length": [9.5, 4, 0, 7]}, "row 0: column length holds no whole number"),
        ({"run": [1, 1, 0, 0]}, "row 2: the rows are not ordered by run, thread and index"),
        ({"thread": [2, 2, 0, 0]}, "row 2: the rows are not ordered by run, thread and index"),
        ({"index": [1, 2, 0, 1]}, "row 0: the intervals of a thread are not numbered"),
        ({"index": [0, 1, 2, 3]}, "row 2: the intervals of a thread are not numbered"),
        ({"index": [0, 2, 0, 1]}, "row 1: the intervals of a thread are not numbered"),
        ({"start": [-1, 10, 0, 0]}, "row 0: an interval starts before the one ahead of it ends"),
        ({"start": [0, 9, 0, 0]}, "row 1: an interval starts before the one ahead of it ends"),
        ({"start": [5, 10, 0, 0]}, "row 1: an interval starts before the one ahead of it ends"),
        ({"start": [0, 10, 7, 6]}, "row 3: an interval starts before the one ahead of it ends"),
        ({"start": [0, 10, 0, 2**63 - 7]}, "row 3: an interval ends at instruction 2\\^63 or later"),
        ({"thread": [0, 0, 2]}, "column thread has 3 rows instead of 4"),
        ({"began": [1, 2, 3]}, "column began has 3 rows instead of 4"),
        ({"began": [1, 0, 3, 3]}, "row 1: an interval began before the one ahead of it"),
        ({"began": [1, 2, 3, 2]}, "row 3: an interval began before the one ahead of it"),
        ({"began": [1, 2.5, 3, 4]}, "row 1: column began holds no whole number"),
    ],
)
def test_what_overlaps_or_is_out_of_order_is_refused(changed: dict[str, Any], message: str) -> None:
    with pytest.raises(DataError, match=message):
        intervals(**changed)


def test_between_intervals_may_be_instructions_that_were_not_counted() -> None:
    assert intervals().gaps().tolist() == [0, 0, 0, 0]
    assert intervals(start=[3, 14, 0, 2]).gaps().tolist() == [3, 1, 0, 2]
    assert intervals(start=[0, 10, 0, 2**63 - 8]).gaps()[3] == 2**63 - 8
    assert Intervals(*([] for _ in range(6))).gaps().tolist() == []  # type: ignore[arg-type]


def test_the_clock_is_common_to_all_threads_and_each_thread_moves_on_by_it() -> None:
    assert intervals().began is None and "began" not in intervals().frame()
    table = intervals(began=[100, 250, 90, 90])  # another thread may have begun earlier
    assert table.began is not None and table.began.tolist() == [100, 250, 90, 90]
    assert table.frame()["began"].tolist() == [100, 250, 90, 90]
    assert list(table.frame().columns) == [*COLUMNS, "began"]
    one = Intervals.of_thread(np.array([3, 4]), began=np.array([-5, 8]))
    assert one.began is not None and one.began.tolist() == [-5, 8]


def test_a_tail_is_the_last_interval_and_shorter() -> None:
    def kinds(lengths: list[int], nominal: int | None) -> list[str]:
        table = Intervals.of_thread(np.array(lengths), nominal=nominal, thread=3)
        assert table.thread.tolist() == [3] * len(lengths) and table.run.tolist() == [0] * len(lengths)
        return [KINDS[kind] for kind in table.kind]

    assert kinds([10, 10, 4], 10) == ["fixed", "fixed", "tail"]
    assert kinds([10, 10], 10) == ["fixed", "fixed"]
    assert kinds([10, 12], 10) == ["fixed", "fixed"]
    assert kinds([4, 10, 10], 10) == ["fixed"] * 3
    assert kinds([10, 4], None) == ["fixed", "fixed"]
    assert kinds([], 10) == []


def test_tables_are_joined_in_order_of_run_and_thread() -> None:
    first, second = Intervals.of_thread(np.array([3, 4])), Intervals.of_thread(np.array([5]), thread=1)
    both = concatenate([first, second])
    assert both.thread.tolist() == [0, 0, 1] and both.start.tolist() == [0, 3, 0] and both.began is None
    with pytest.raises(DataError, match="not ordered"):
        concatenate([second, first])
    with pytest.raises(DataError, match="no intervals"):
        concatenate([])


def test_tables_are_joined_with_one_clock_or_without() -> None:
    first = Intervals.of_thread(np.array([3, 4]), began=np.array([7, 8]))
    second = Intervals.of_thread(np.array([5]), thread=1, began=np.array([2]))
    both = concatenate([first, second])
    assert both.began is not None and both.began.tolist() == [7, 8, 2]
    with pytest.raises(DataError, match="known when they began") as caught:
        concatenate([first, Intervals.of_thread(np.array([5]), thread=1)])
    assert "began" in caught.value.hint


def test_intervals_show_themselves_in_a_line_and_in_a_notebook_as_a_table() -> None:
    assert repr(intervals()) == "<Intervals: intervals=4, threads=2, instructions=21>"
    assert "<table" in intervals()._repr_html_() and "variable" in intervals()._repr_html_()


def test_intervals_may_say_when_they_ended() -> None:
    table = intervals(began=[100, 250, 90, 90], ended=[200, 250, 90, 95])
    assert table.ended is not None and table.frame()["ended"].tolist() == [200, 250, 90, 95]
    assert concatenate([table]).ended is not None


@pytest.mark.parametrize(
    ("began", "ended", "said"),
    [
        (None, [1, 2, 3, 4], "known when intervals ended, but not when they began"),
        ([1, 5, 3, 4], [3, 4, 3, 4], "row 1: an interval ended before it began"),
        (
            [1, 5, 3, 4],
            [6, 7, 3, 4],
            "row 1: an interval began before the one ahead of it in its thread ended",
        ),
    ],
)
def test_ends_that_cannot_be_are_refused(began: object, ended: object, said: str) -> None:
    with pytest.raises(DataError, match=said):
        intervals(began=began, ended=ended)
