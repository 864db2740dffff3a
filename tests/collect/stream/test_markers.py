"""Markers of runs that a person, or a few plain lines, can follow."""

from __future__ import annotations

import tempfile
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.collect import encoding as raw
from tests.reference import raw_stream

from phasemark.collect.stream.conversion import profile_of
from phasemark.collect.stream.reader import RawStream
from phasemark.errors import DataError
from phasemark.model import Profile

#: Block i has so many instructions, and lies at 16 i. Block 3 begins amid block 2.
SIZES = (1, 2, 3, 2)
PLACES = (0, 16, 32, 33)
STARTS = {0: 0, 1: 16, 2: 32, 3: 33}


@dataclass
class Thread:
    """What the collector knows of a thread, and what it is still to do."""

    number: int
    trace: list[int]
    cuts: set[int]
    at: int = 0
    start: int = 0
    full: Counter[int] = field(default_factory=Counter)
    partial: list[tuple[int, int, int, int]] = field(default_factory=list)
    seen: Counter[int] = field(default_factory=Counter)
    begun: bool = False


@dataclass
class Machine:
    """Runs threads block by block, writes records as docs/raw-stream.md has them, and counts plainly."""

    records: list[bytes] = field(default_factory=list)
    clock: int = 0
    seen: Counter[int] = field(default_factory=Counter)
    expected: dict[tuple[int, int], tuple[int, int]] = field(default_factory=dict)  # count, total
    running: set[tuple[int, int]] = field(default_factory=set)

    def begin(self, thread: Thread, block: int, before: int) -> None:
        self.records.append(raw.beginning(thread.number, thread.at, block, before, clock=self.clock))
        place = PLACES[block] + before
        self.expected[thread.number, thread.at] = (thread.seen[place] + 1, self.seen[place] + 1)
        thread.begun = True

    def end(self, thread: Thread) -> None:
        if thread.at > thread.start:
            where = (thread.number, thread.start, thread.at - thread.start)
            self.records.append(raw.interval(*where, thread.full, thread.partial))
        thread.start, thread.full, thread.partial = thread.at, Counter(), []

    def step(self, thread: Thread) -> None:
        block = thread.trace.pop(0)
        since = 0
        for i in range(SIZES[block]):
            if not thread.begun or (thread.at in thread.cuts and thread.at > thread.start):
                if i > since:
                    thread.partial.append((block, since, i, 1))
                    since = i
                self.end(thread)
                self.begin(thread, block, i)
            self.seen[PLACES[block] + i] += 1
            thread.seen[PLACES[block] + i] += 1
            thread.at += 1
            self.clock += 1
        if since:
            thread.partial.append((block, since, SIZES[block], 1))
        else:
            thread.full[block] += 1


def run(traces: list[list[int]], cuts: list[set[int]], schedule: list[int]) -> Machine:
    machine = Machine([raw.header(cuts=1), raw.module(0, "/p")])
    machine.records += [raw.block(i, (0, PLACES[i], [1] * size)) for i, size in enumerate(SIZES)]
    machine.records += [raw.thread(i) for i in range(len(traces))]
    threads = [Thread(i, list(trace), at) for i, (trace, at) in enumerate(zip(traces, cuts, strict=True))]
    turns = iter(schedule * 100)
    while alive := [thread for thread in threads if thread.trace]:
        thread = alive[next(turns) % len(alive)]
        machine.step(thread)
        if not thread.trace:
            machine.end(thread)
    machine.records.append(raw.end(machine.clock))
    return machine


def profile(machine: Machine, folder: Path) -> Profile:
    path = raw.write(folder / "a.raw", *machine.records)
    raw_stream.read(path)
    return profile_of(path)


def test_a_person_can_count_it(tmp_path: Path) -> None:
    # Thread 0 runs block 1 four times, cut after two of them and within the last.
    machine = run([[1, 1, 1, 1, 0]], [{4, 7, 8}], [0])
    made = profile(machine, tmp_path)
    assert made.interval_table.length.tolist() == [4, 3, 1, 1]
    assert made.interval_table.began is not None and made.interval_table.began.tolist() == [0, 4, 7, 8]
    markers = made.markers
    assert markers is not None
    offsets = [int(made.block_table.offset[b]) if b >= 0 else None for b in markers.block]
    assert offsets == [16, 16, None, 0]
    assert markers.count.tolist() == [1, 3, 0, 1]
    assert markers.total.tolist() == [1, 3, 0, 1]


def test_other_threads_count_where_they_are_not_amid_the_block(tmp_path: Path) -> None:
    # Thread 0 runs block 1 twice; then thread 1 once, cut there; thread 0 again, amid whose last interval
    # thread 1 begins an interval.
    machine = run([[1, 1, 1, 0], [1, 1, 0]], [{4}, {2, 4}], [0, 0, 1, 0, 1, 1, 0])
    made = profile(machine, tmp_path).markers
    assert made is not None
    assert made.count.tolist() == [1, 3, 1, 2, 1]
    # The interval of thread 0 that is going on executes blocks 1 and 0 at some time, nobody knows when.
    assert made.total.tolist() == [1, 0, 0, 0, 0]


def test_what_a_thread_did_before_it_ended_counts(tmp_path: Path) -> None:
    machine = run([[0, 1, 1], [1, 1, 1, 0]], [{1, 3}, {2}], [0, 1, 1, 1, 1, 0, 0])
    made = profile(machine, tmp_path).markers
    assert made is not None
    assert made.count.tolist() == [1, 1, 2, 1, 2]
    assert made.total.tolist() == [1, 4, 5, 1, 2]


@settings(deadline=None, max_examples=150)
@given(st.data())
def test_counts_are_exact_and_totals_exact_or_open(data: st.DataObject) -> None:
    trace = st.lists(st.integers(0, 3), min_size=1, max_size=15)
    traces = data.draw(st.lists(trace, min_size=1, max_size=3))
    sizes = [sum(SIZES[block] for block in trace) for trace in traces]
    cuts = [data.draw(st.sets(st.integers(1, max(size - 1, 1)), max_size=6)) for size in sizes]
    machine = run(traces, cuts, data.draw(st.lists(st.integers(0, 2), min_size=1, max_size=40)))
    with tempfile.TemporaryDirectory() as folder:
        made = profile(machine, Path(folder))
    markers, table, blocks = made.markers, made.interval_table, made.block_table
    assert markers is not None and table.began is not None
    starts = {int(offset) for offset in blocks.offset}
    assert starts <= {0, 16, 32, 33}
    for row, (thread, start) in enumerate(zip(table.thread.tolist(), table.start.tolist(), strict=True)):
        count, total = machine.expected[thread, start]
        if markers.block[row] >= 0:
            assert markers.count[row] == count
            assert markers.total[row] in (0, total)
            assert markers.total[row] or len(traces) > 1, "one thread alone is always known"
    assert markers.block[0] >= 0, "a thread begins with a block"


def test_a_beginning_that_makes_no_sense_is_refused(tmp_path: Path) -> None:
    head = [raw.header(cuts=1), raw.module(0, "/p"), raw.block(0, (0, 0, [1, 1])), raw.thread(0)]
    body = raw.interval(0, 0, 2, {0: 1})
    for wrong, message in (
        ([raw.beginning(0, 0, 7)], "names block 7"),
        ([raw.beginning(0, 0, 0, 2)], "begins beyond its block"),
        ([raw.beginning(0, 0, 0), raw.beginning(0, 0, 0)], "begins twice"),
        ([raw.record("X", b"\0\0\0")], "ends before its 7 numbers"),
    ):
        path = raw.write(tmp_path / "a.raw", *head, *wrong, body)
        with pytest.raises(DataError, match=message):
            profile_of(path)


def test_a_clock_that_goes_back_is_refused(tmp_path: Path) -> None:
    head = [raw.header(cuts=1), raw.module(0, "/p"), raw.block(0, (0, 0, [1, 1])), raw.thread(0)]
    one = [raw.beginning(0, 0, 0, clock=9), raw.interval(0, 0, 2, {0: 1})]
    path = raw.write(
        tmp_path / "a.raw", *head, *one, raw.beginning(0, 2, 0, clock=8), raw.interval(0, 2, 2, {0: 1})
    )
    with pytest.raises(DataError, match=r"a.raw.*began before the one ahead"):
        profile_of(path)


def test_without_beginnings_nothing_is_marked(tmp_path: Path) -> None:
    path = raw.write(
        tmp_path / "a.raw",
        *(raw.header(cuts=1), raw.module(0, "/p"), raw.block(0, (0, 0, [1])), raw.thread(0)),
        raw.interval(0, 0, 2, {0: 2}, kind="P"),
    )
    made = profile_of(path)
    assert made.markers is not None and made.markers.block.tolist() == [-1]
    assert made.interval_table.began is None
    assert len(RawStream(path).beginnings) == 0
