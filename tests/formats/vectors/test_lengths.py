"""What row sums, numbers of blocks and names tell, at the boundaries."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from phasemark.errors import UsageError
from phasemark.formats.vectors import lengths, numbering, threads
from phasemark.formats.vectors.dialect import Facts
from phasemark.formats.vectors.scanning import scan_bytes


def carried(n: int, surpluses: list[int]) -> np.ndarray:
    """Intervals that end so far after i x n, the surplus carried over."""
    ends = np.arange(1, len(surpluses) + 1) * n + surpluses
    return np.diff(ends, prepend=0)


@pytest.mark.parametrize(
    ("rows", "asked"),
    [
        (carried(10_000, [5, 3, 9, 0]), 10_000),
        (carried(10_000, [5, 5, 5, 5]), None),  # none is shorter
        (carried(10_000, [0, 999, 0]), 10_000),
        (carried(10_000, [0, 1_000, 0]), None),  # as long as the longest block
        (carried(1_000, [5, 3, 9]), 1_000),
        (carried(900, [5, 3, 9]), None),  # nobody asks for so few
        (np.array([10_005]), None),
    ],
)
def test_a_surplus_that_is_carried_over(rows: np.ndarray, asked: int | None) -> None:
    assert lengths.carries_surplus_over(rows) == asked


@pytest.mark.parametrize(
    ("rows", "asked"),
    [
        ([10_000, 10_001], 10_000),
        ([10_000, 10_000], None),  # none is longer
        ([10_000], None),
        ([10_100, 10_100 + 3], 10_000),  # a loop of 100 ends every interval
        ([10_101, 10_101 + 3], None),
        ([10_000, 11_000], 10_000),
        ([10_000, 11_001], None),
    ],
)
def test_intervals_that_begin_anew(rows: list[int], asked: int | None) -> None:
    assert lengths.begins_anew(np.array(rows)) == asked


@pytest.mark.parametrize(
    ("length", "off"), [(0, 0), (100, 10), (9_999, 999), (10_000, 1_000), (99_999, 1_000), (100_100, 1_001)]
)
def test_how_far_an_interval_may_be_off(length: int, off: int) -> None:
    assert lengths.slack(length) == off


@pytest.mark.parametrize(
    ("low", "high", "number"),
    [(7, 9, 9), (9, 10, 10), (95, 105, 100), (101, 109, 109), (199, 2_001, 2_000), (1, 1, 1)],
)
def test_the_number_of_most_zeros(low: int, high: int, number: int) -> None:
    assert lengths.roundest(low, high) == number


@pytest.mark.parametrize(
    ("last", "kind"), [(90_000, "fixed"), (89_999, "fixed"), (98_999, "tail"), (99_000, "fixed")]
)
def test_a_tail_is_shorter_than_a_cut_explains(last: int, kind: str) -> None:
    names = ("fixed", "variable", "transition", "tail")
    interval = 100_000 if last > 90_000 else 90_000
    assert names[lengths.kinds(np.array([interval, last]), interval)[-1]] == kind
    assert lengths.kinds(np.array([], np.int64), interval).tolist() == []


@pytest.mark.parametrize(
    ("text", "single", "first"),
    [
        (b"T:1:5 :2:5 \nT:2:5 :3:5 \n", True, True),
        (b"T:1:5 :2:5\nT:2:5 :3:5 \n", False, True),  # a line that does not end in a blank
        (b"T:1:5  :2:5 \n", False, True),  # two blanks
        (b"T :1:5 :2:5 \n", False, True),  # a blank after the T
        (b"T:1:5 \nT:2:5 \n", True, True),
        (b"T:2:5 :3:5 \n", True, False),  # not from 1
        (b"T:1:5 :3:5 \n", True, False),  # a gap
        (b"T:2:5 \nT:1:5 \n", True, False),  # 2 before 1
        (b"T\n", False, False),
    ],
)
def test_how_blocks_are_numbered(text: bytes, single: bool, first: bool) -> None:
    vectors = scan_bytes([text], "f")
    assert (numbering.single_blanks(vectors), numbering.by_first_execution(vectors)) == (single, first)


@pytest.mark.parametrize(
    ("names", "said", "order"),
    [
        (["a.bb"], [None], [0]),
        (["a.1.bb", "a.0.bb"], [None, None], [1, 0]),
        (["a.10.bb", "a.9.bb"], [None, None], [1, 0]),
        (["a.9.bb.gz", "a.10.bb"], [None, None], [0, 1]),
        (["bb.2", "bb", "bb.3"], [None] * 3, [1, 0, 2]),  # the one without a number is the first
        (["bb.2", "bb.3"], [2, 1], [1, 0]),  # what files say counts
        (["bb.2", "bb.3"], [None, 1], [0, 1]),  # unless one says nothing
    ],
)
def test_the_order_of_threads(names: list[str], said: list[int | None], order: list[int]) -> None:
    assert threads.order([Path(name) for name in names], [Facts(thread=thread) for thread in said]) == order


@pytest.mark.parametrize(
    ("names", "message"),
    [
        (["a.0.bb", "b.0.bb"], "do not look like the threads of one run"),
        (["a.0.bb", "a.x.bb"], "do not look like"),
        (["a.0.1", "a.1.0"], "do not look like"),
        (["x/a.0", "y/a.1"], "do not look like"),
        (["bb", "bb.x"], "do not look like"),
        (["bb", "bb.2.3"], "do not look like"),
        (["bb.2", "bb.2.4", "bb.3"], "do not look like"),
        (["bb", "bb.1"], "two files are of one thread"),
        (["a.1", "a.01"], "two files are of one thread"),
    ],
)
def test_files_that_are_no_threads_of_one_run(names: list[str], message: str) -> None:
    with pytest.raises(UsageError, match=message):
        threads.order([Path(name) for name in names], [Facts()] * len(names))
