"""Samples cut into intervals, against the loop over samples that the definition is."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from phasemark.collect.sampling.cutting import cut
from phasemark.errors import UsageError
from phasemark.model import SampledProcess, Samples

MS = 1_000_000


def samples(rows: list[tuple[int, int, int]], places: int = 1, **more: Any) -> Samples:
    """Of rows (thread, time, period), each at place number `row % places`."""
    rows = sorted(rows, key=lambda row: row[:2])
    thread = np.array([row[0] for row in rows], np.int32)
    n, threads = len(rows), int(thread.max(initial=0)) + 1
    return Samples(
        **{
            "modules": ("/a",), "module": np.zeros(places), "offset": np.arange(places) * 16,
            "located": np.ones(places, bool), "function": ("",) * places, "events": ("task-clock:u",),
            "processes": (SampledProcess(1, 0, "start", "a"),), "process": np.zeros(threads),
            "tid": np.arange(threads), "thread": thread, "place": np.arange(n) % places,
            "event": np.zeros(n), "time": np.array([row[1] for row in rows], np.int64),
            "period": np.array([row[2] for row in rows], np.int64), **more,
        }
    )  # fmt: skip


def slow(rows: list[tuple[int, int, int]], length: int) -> list[tuple[int, list[int]]]:
    """Of each interval the thread, and how much each sample has in it, sample by sample."""
    order = sorted(range(len(rows)), key=lambda n: rows[n][1])
    out: list[tuple[int, list[int]]] = []
    for thread in sorted({row[0] for row in rows}):
        last = None
        room = 0
        for n, (whose, _, period) in enumerate(rows):
            if whose != thread:
                continue
            others = [
                m for m in order[: order.index(n)] if last is not None and order.index(m) > order.index(last)
            ]
            if last is None or sum(rows[m][2] for m in others) > length:
                room = 0
            while period:
                if room == 0:
                    out.append((thread, [0] * len(rows)))
                    room = length
                part = min(period, room)
                out[-1][1][n] += part
                period, room = period - part, room - part  # noqa: PLW2901
            last = n
    return out


ROWS = st.lists(st.tuples(st.integers(0, 2), st.integers(0, 50), st.integers(1, 30)), min_size=1, max_size=25)


@settings(deadline=None, max_examples=200)
@given(ROWS, st.integers(1, 40))
def test_as_the_loop_over_samples(rows: list[tuple[int, int, int]], length: int) -> None:
    threads = sorted({row[0] for row in rows})
    rows = sorted((threads.index(thread), time, period) for thread, time, period in rows)
    made = cut(samples(rows), length)
    wanted = slow(rows, length)
    parts = np.zeros((len(made.intervals), len(rows)), np.int64)
    np.add.at(parts, (made.row, made.sample), made.amount)
    assert made.intervals.thread.tolist() == [thread for thread, _ in wanted]
    assert parts.tolist() == [row for _, row in wanted]
    assert made.intervals.length.tolist() == [sum(row) for _, row in wanted]
    assert (made.intervals.gaps() == 0).all()  # they tile their threads
    assert (made.amount > 0).all()


def test_a_sample_over_an_end_counts_in_both() -> None:
    made = cut(samples([(0, 3, 30), (0, 6, 30)]), 40)
    assert made.intervals.length.tolist() == [40, 20]
    assert made.amount.tolist() == [30, 10, 20] and made.sample.tolist() == [0, 1, 1]


def test_a_stall_ends_an_interval_and_its_length_is_true() -> None:
    rows = [(0, 1, 10), (0, 9, 10), *((1, n, 10) for n in range(2, 9))]
    made = cut(samples(rows), 50)
    assert made.stalls == 1
    assert made.intervals.frame()[["thread", "length", "kind"]].values.tolist() == [
        [0, 10, "tail"], [0, 10, "tail"], [1, 50, "fixed"], [1, 20, "tail"],
    ]  # fmt: skip
    assert cut(samples(rows), 70).stalls == 0


def test_began_of_a_clock_is_when_the_stretch_began() -> None:
    rows = [(0, (5 + n) * MS, MS) for n in range(4)]
    made = cut(samples(rows), 2 * MS, is_clock=True)
    assert made.intervals.began is not None
    assert made.intervals.began.tolist() == [4 * MS, 6 * MS]
    assert made.intervals.ended is not None and made.intervals.ended.tolist() == [6 * MS, 8 * MS]
    other = cut(samples([(0, 100, 10), (0, 200, 10)]), 15)
    assert other.intervals.began is not None and other.intervals.began.tolist() == [100, 150]


def test_without_times_nothing_is_a_stall() -> None:
    rows = [(0, 0, 10), (0, 0, 10), (1, 0, 500)]
    made = cut(samples(rows, timed=False), 20)
    assert made.intervals.began is None and made.stalls == 0


def test_intervals_beyond_number_are_refused() -> None:
    with pytest.raises(UsageError, match="too short for samples of 9,007,199,254,740,992"):
        cut(samples([(0, 1, 2**53)]), 10)
