"""Reading one raw stream, as docs/raw-stream.md defines it.

A file is indexed first (records, heads of intervals), which is cheap; the counts of intervals are
decoded when asked for, some rows at a time, so that memory is bounded by what is asked for.
"""

from __future__ import annotations

from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from phasemark.collect.stream.blocks import LARGEST_OFFSET, BlockReader
from phasemark.collect.stream.contents import (
    Entries,
    Header,
    Ints,
    Module,
    RawBeginnings,
    RawBlocks,
    RawCounters,
    RawIntervals,
    RawOrder,
    Thread,
)
from phasemark.collect.stream.entries import EntryReader
from phasemark.collect.stream.families import Families
from phasemark.collect.stream.framing import LARGEST_COUNT, MAGIC, Frames
from phasemark.model.reuse import FEWEST_BANDS, MOST_BANDS, MOST_LINES, Reuse

MODULE_KINDS = ("file", "anonymous", "kernel")

_LARGEST_THREAD = 2**31 - 1


class RawStream:
    """One process image's stream.

    Attributes:
        path: the file.
        header, modules (by id), blocks, threads, intervals, warnings: what it holds.
        total: instructions of all threads if the end of the process was recorded, else None.
        truncated: whether the last record was cut short.
        frames: where its records lie.

    Raises:
        DataError: not such a file, or malformed; names file and byte.
    """

    def __init__(self, path: str | Path) -> None:
        self.path = Path(path)
        self.frames = Frames(self.path)
        self.truncated = self.frames.truncated
        self.header = self._header()
        self.modules = dict(self._module(begin, end) for begin, end in self.frames.spans("M"))
        self.intervals = self._intervals()
        self.warnings = tuple(self.frames.string(begin, end)[0] for begin, end in self.frames.spans("W"))
        self.total = next((total for (total,) in self.frames.tuples("S", 1)), None)

    @cached_property
    def blocks(self) -> RawBlocks:
        """The recorded blocks."""
        return BlockReader(self.frames, self.modules).read()

    @cached_property
    def beginnings(self) -> RawBeginnings:
        """What threads were about to do where intervals begin; nothing in runs not cut at positions."""
        return self._beginnings()

    @cached_property
    def order(self) -> RawOrder:
        """When threads were where intervals begin and end; nothing in streams of an earlier phasemark."""
        return self._order()

    @cached_property
    def counters(self) -> RawCounters:
        """What the timing model counted; nothing where it was not used."""
        return self._counters()

    @cached_property
    def reuse(self) -> Reuse | None:
        """How long ago memory was used, row by row of `intervals`; None where that was not recorded."""
        return self._reuse() if self.header.memory else None

    @cached_property
    def positions(self) -> dict[int, int]:
        """Instructions of each thread, by serial, as far as recorded; in a stream without vectors, too."""
        table = self.intervals
        last = np.flatnonzero(np.diff(table.thread, append=-1))  # of each thread: they are in order
        ends = (table.start + table.length)[last].tolist()
        positions = dict(zip(table.thread[last].tolist(), ends, strict=True))
        counted = self.counters
        ends = list(zip(counted.thread.tolist(), (counted.start + counted.length).tolist(), strict=True))
        number = self.families.number
        told = [*self.frames.tuples("N", 2), *self.frames.tuples("E", 2)]
        for thread, end in [*ends, *((number.get(serial, serial), end) for serial, end in told)]:
            positions[thread] = max(positions.get(thread, 0), end)
        return positions

    @cached_property
    def threads(self) -> list[Thread]:
        """The threads, in the order of their numbers."""
        number = self.families.number
        found = [
            Thread(number.get(t, t), None if p == 0 else number.get(p - 1, p - 1), s)
            for t, p, s in self.frames.tuples("T", 3)
        ]
        return sorted(found, key=lambda thread: thread.serial)

    @cached_property
    def families(self) -> Families:
        """Who created which thread: so threads are numbered, in all that is read here.

        Streams of an earlier phasemark do not say it; their threads are numbered as they were created.
        """
        begin, end = self.frames.where("T")
        _, stop = self.frames.columns(begin, end, 3)
        if not len(begin) or (stop == end).any():
            return Families()
        rows = self.frames.tuples("T", 4)
        return Families.of([(t, None if p == 0 else p - 1, nth) for t, p, _, nth in rows])

    @property
    def has_events(self) -> bool:
        """Whether loops, calls and returns were recorded."""
        return self.header.events > 0

    @property
    def thread_count(self) -> int:
        """How many threads executed an instruction."""
        return sum(position > 0 for position in self.positions.values())

    @property
    def instructions(self) -> int:
        """Instructions of all threads, as far as recorded."""
        return sum(self.positions.values())

    @property
    def longest_thread(self) -> int:
        """Instructions of the thread that executed the most."""
        return max(self.positions.values(), default=0)

    def entries(self, rows: slice) -> Entries:
        """Decode the intervals `rows`.

        Raises:
            DataError: a block is unknown, or the counts do not sum to the interval's length.
        """
        table = self.intervals
        return self._entries.read(table.begin[rows], table.end[rows], table.length[rows])

    @property
    def row_of_block(self) -> Ints:
        """Block id -> row of `blocks`, -1 where there is none."""
        return self._entries.row_of_id

    @cached_property
    def _entries(self) -> EntryReader:
        return EntryReader(self.frames, self.blocks)

    def _header(self) -> Header:
        frames = self.frames
        spans = frames.spans("H")
        if not spans:
            frames.fail(len(MAGIC), "there is no header", "the process ended before it began to record")
        values: dict[str, list[str]] = {}
        for pair in frames.fields("H"):
            key, _, value = pair.partition("=")
            values.setdefault(key, []).append(value)
        try:
            version = values["format"][0]
            header = _as_header(values) if version == "1" else None
        except (KeyError, ValueError) as error:
            frames.fail(spans[0][0], f"the header lacks a key or holds no number ({error})")
        if header is None:
            frames.fail(spans[0][0], f"format {version} is not known", "update phasemark")
        return header

    def _module(self, begin: int, end: int) -> tuple[int, Module]:
        columns, stop = self.frames.columns(np.array([begin]), np.array([end]), 5)
        serial, start, _length, offset, kind = columns[:, 0].tolist()
        if kind >= len(MODULE_KINDS) or offset >= LARGEST_OFFSET:
            self.frames.fail(begin, "a module of an unknown kind or at an impossible offset")
        return serial, Module(start, offset, MODULE_KINDS[kind], self.frames.string(int(stop[0]), end)[0])

    def _intervals(self) -> RawIntervals:
        begin, end = self.frames.where("I", "P")
        (thread, start, length), _ = self.frames.columns(begin, end, 3)
        thread = self._numbers(thread, begin)
        order = self._latest(thread, start, length, begin)
        is_complete = np.isin(begin, self.frames.where("I")[0])
        thread, start, length, begin, end = (c[order] for c in (thread, start, length, begin, end))
        table = RawIntervals(thread, start, length, begin, end, is_complete[order])
        self._check_tiling(table)
        return table

    def _beginnings(self) -> RawBeginnings:
        begin, end = self.frames.where("X")
        (thread, position, block, before, clock, site, since), _ = self.frames.columns(begin, end, 7)
        thread = self.families.renumbered(thread)
        order = np.lexsort((position, thread))
        same = (np.diff(thread[order]) == 0) & (np.diff(position[order]) == 0)
        if same.any():
            self.frames.fail(int(begin[order[1:][same][0]]), "an interval begins twice")
        block = self._entries.block_rows(block, begin)
        if (beyond := before >= self.blocks.instructions[block]).any():
            self.frames.fail(int(begin[np.argmax(beyond)]), "an interval begins beyond its block")
        columns = (thread, position, block, before, clock, site - 1, since, begin)
        return RawBeginnings(*(column[order] for column in columns))

    def _order(self) -> RawOrder:
        begin, end = self.frames.where("G")
        (thread, position, stopped, waited), _ = self.frames.columns(begin, end, 4)
        thread = self.families.renumbered(thread)
        if (beyond := waited > LARGEST_COUNT - stopped).any():
            self.frames.fail(int(begin[np.argmax(beyond)]), "a clock is too large to be true")
        order = np.lexsort((np.arange(len(thread)), position, thread))
        thread, position, stopped, clock = (c[order] for c in (thread, position, stopped, stopped + waited))
        # A thread that stops where an interval ends says so twice: first that it got there.
        same = (np.diff(thread) == 0) & (np.diff(position) == 0)
        first, last = np.concatenate(([True], ~same)), np.concatenate((~same, [True]))
        if not len(thread):
            return RawOrder(thread, position, stopped, clock)
        return RawOrder(thread[first], position[first], stopped[first], clock[last])

    def _counters(self) -> RawCounters:
        names = tuple(self.frames.fields("K"))
        begin, end = self.frames.where("C")
        if len(begin) and not names:
            self.frames.fail(int(begin[0]), "there are counts, and nothing says of what")
        columns, stop = self.frames.columns(begin, end, 3 + len(names))
        if (more := stop != end).any():
            self.frames.fail(int(begin[np.argmax(more)]), "a record of counts goes on after its end")
        thread, start, length = self._numbers(columns[0], begin), *columns[1:3]
        order = self._latest(thread, start, length, begin)
        thread, start, length = thread[order], start[order], length[order]
        overlap = (np.diff(thread) == 0) & (start[1:] < (start + length)[:-1])
        if overlap.any():
            self.frames.fail(int(begin[order[1:][overlap][0]]), "counts of stretches that overlap")
        return RawCounters(names, thread, start, length, np.ascontiguousarray(columns[3:, order].T))

    def _reuse(self) -> Reuse:
        begin, end = self.frames.where("R")
        heads, _ = self.frames.columns(begin, end, 5)
        bands = int(heads[4][0]) if len(begin) else FEWEST_BANDS
        if (other := (heads[4] != bands) | (bands < FEWEST_BANDS) | (bands > MOST_BANDS)).any():
            at = int(np.argmax(other))
            self.frames.fail(int(begin[at]), f"reuse of memory in {heads[4][at]} bands")
        columns, stop = self.frames.columns(begin, end, 5 + 2 * bands)
        if (more := stop != end).any():
            self.frames.fail(int(begin[np.argmax(more)]), "a record of reuse goes on after its end")
        keys = zip(self._numbers(columns[0], begin).tolist(), *columns[1:3].tolist(), strict=True)
        row = {key: at for at, key in enumerate(keys)}
        table = self.intervals
        asked = zip(table.thread.tolist(), table.start.tolist(), table.length.tolist(), strict=True)
        found = np.array([row.get(key, -1) for key in asked], np.int64)
        if (missing := found < 0).any():
            self.frames.fail(int(table.begin[np.argmax(missing)]), "an interval without its reuse of memory")
        data, code = columns[5 : 5 + bands, found].T, columns[5 + bands :, found].T
        return Reuse(data, code, self.header.memory, columns[3, found])

    def _latest(self, thread: Ints, start: Ints, length: Ints, begin: Ints) -> Ints:
        """The records that count, by thread and start: of several with the same, the last."""
        order = np.lexsort((np.arange(len(thread)), start, thread))
        last = np.ones(len(order), np.bool_)
        last[:-1] = (np.diff(thread[order]) != 0) | (np.diff(start[order]) != 0)
        return order[last & (length[order] > 0)]

    def _numbers(self, serial: Ints, begin: Ints) -> Ints:
        """The numbers of threads."""
        if (serial > _LARGEST_THREAD).any():
            self.frames.fail(int(begin[np.argmax(serial)]), "a thread's number is too large to be true")
        return self.families.renumbered(serial)

    def _check_tiling(self, table: RawIntervals) -> None:
        first = np.diff(table.thread, prepend=-1) != 0
        before = np.concatenate(([0], (table.start + table.length)[:-1]))[: len(table)]
        gap = table.start != np.where(first, 0, before)
        if gap.any():
            row = int(np.argmax(gap))
            self.frames.fail(
                int(table.begin[row]),
                f"an interval of thread {table.thread[row]} starts at instruction {table.start[row]:,}, "
                "not where the one before it ends",
            )


def _as_header(values: dict[str, list[str]]) -> Header:
    texts = ("origin", "exe", "cwd", "unit", "block_definition", "cpu", "engine", "engine_version")
    fields: dict[str, Any] = {key: values.get(key, [""])[0] for key in (*texts, "tool_version")}
    fields |= {key: int(values[key][0]) for key in ("pid", "ppid", "time_ns")}
    fields["interval"] = int(values.get("interval", ["1"])[0])
    if not 0 < fields["interval"] < LARGEST_COUNT:
        raise ValueError("interval")
    fields["events"] = int(values.get("events", ["0"])[0])
    fields["memory"] = int(values.get("memory", ["0"])[0])
    if not 0 <= fields["memory"] <= MOST_LINES:
        raise ValueError("memory")
    fields |= {key: values.get(key, ["0"])[0] == "1" for key in ("auto", "cuts")}
    return Header(**fields, args=tuple(values.get("arg", ())))
