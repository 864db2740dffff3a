"""Reading one raw stream, as docs/raw-stream.md defines it.

A file is indexed first (records, heads of intervals), which is cheap; the counts of intervals are
decoded when asked for, some rows at a time, so that memory is bounded by what is asked for.
"""

from __future__ import annotations

import mmap
import struct
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, NoReturn

import numpy as np
from numpy.typing import NDArray

import phasemark._core as core
from phasemark.errors import DataError

MAGIC = b"PMRAW001"
MODULE_KINDS = ("file", "anonymous", "kernel")

RECORD = struct.Struct("<BI")
_LARGEST_OFFSET = 2**56
_LARGEST_COUNT = 2**62
_LARGEST_THREAD = 2**31 - 1
_LARGEST_BLOCK = 2**27  # blocks are numbered without gaps; a table over them must fit memory

Ints = NDArray[np.int64]


@dataclass(frozen=True)
class Header:
    """What the collector says of the process image; keys as in the format."""

    pid: int
    ppid: int
    origin: str
    time_ns: int
    exe: str
    args: tuple[str, ...]
    cwd: str
    interval: int
    auto: bool
    unit: str
    block_definition: str
    cpu: str
    engine: str
    engine_version: str
    tool_version: str


@dataclass(frozen=True)
class Module:
    """A range of memory that code was executed from; `offset` is that of its start in the file."""

    offset: int
    kind: str
    name: str


@dataclass(frozen=True)
class Thread:
    """A thread: its serial, the serial of the one that started it, and the system's id."""

    serial: int
    parent: int | None
    system_id: int


@dataclass(frozen=True, eq=False)
class RecordedBlocks:
    """Blocks as recorded, ordered by id, each of one or more pieces.

    Attributes:
        ids: n ids, ascending.
        instructions: n sizes in instructions.
        piece_block: p rows of `ids`, ascending; pieces of a block in their order.
        piece_module: p module ids.
        piece_offset: p offsets from the module's start, bytes.
        piece_instructions: p sizes in instructions.
        lengths: bytes of every instruction of every piece, in order.
    """

    ids: Ints
    instructions: Ints
    piece_block: Ints
    piece_module: Ints
    piece_offset: Ints
    piece_instructions: Ints
    lengths: NDArray[np.uint8]

    def __len__(self) -> int:
        return len(self.ids)


@dataclass(frozen=True, eq=False)
class RecordedIntervals:
    """Intervals, ordered by thread and start; the intervals of a thread tile it.

    Attributes:
        thread: thread serials.
        start, length: instructions of the thread.
        begin, end: where the record's payload lies in the file, bytes.
    """

    thread: Ints
    start: Ints
    length: Ints
    begin: Ints
    end: Ints

    def __len__(self) -> int:
        return len(self.thread)


@dataclass(frozen=True, eq=False)
class RecordedCounters:
    """What the timing model counted, ordered by thread and start; stretches of a thread do not overlap.

    Attributes:
        names: of the m counters.
        thread: thread serials.
        start, length: instructions of the thread.
        counts: rows x m.
    """

    names: tuple[str, ...]
    thread: Ints
    start: Ints
    length: Ints
    counts: Ints

    def __len__(self) -> int:
        return len(self.thread)


@dataclass(frozen=True, eq=False)
class Entries:
    """What some intervals executed; `row` counts from 0 over the rows asked for, `block` is a row of
    RecordedBlocks. A partial entry stands for instructions [from, to) of the block."""

    row: Ints
    block: Ints
    times: Ints
    partial_row: Ints
    partial_block: Ints
    partial_from: Ints
    partial_to: Ints
    partial_times: Ints


class RawStream:
    """One process image's stream.

    Attributes:
        path: the file.
        header, modules (by id), blocks, threads, intervals, warnings: what it holds.
        total: instructions of all threads if the end of the process was recorded, else None.
        truncated: whether the last record was cut short.

    Raises:
        DataError: not such a file, or malformed; names file and byte.
    """

    def __init__(self, path: str | Path) -> None:
        self.path = Path(path)
        self._bytes = _mapped(self.path)
        self._index()
        self.header = self._header()
        self.modules = dict(self._module(begin, end) for begin, end in self._records("M"))
        self.intervals = self._intervals()
        self.warnings = tuple(self._string(begin, end)[0] for begin, end in self._records("W"))
        self.total = next((total for (total,) in self._tuples("S", 1)), None)

    @cached_property
    def blocks(self) -> RecordedBlocks:
        """The recorded blocks."""
        return self._blocks()

    @cached_property
    def counters(self) -> RecordedCounters:
        """What the timing model counted; nothing where it was not used."""
        return self._counters()

    @cached_property
    def positions(self) -> dict[int, int]:
        """Instructions of each thread, by serial, as far as recorded; in a stream without vectors, too."""
        table = self.intervals
        found = dict(zip(table.thread.tolist(), (table.start + table.length).tolist(), strict=True))
        counted = self.counters
        ends = zip(counted.thread.tolist(), (counted.start + counted.length).tolist(), strict=True)
        for thread, end in [*ends, *map(tuple, self._tuples("N", 2)), *map(tuple, self._tuples("E", 2))]:
            found[thread] = max(found.get(thread, 0), end)
        return found

    @cached_property
    def threads(self) -> list[Thread]:
        """The threads, in order of birth."""
        return [Thread(t, None if p == 0 else p - 1, s) for t, p, s in sorted(self._tuples("T", 3))]

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
        begin, end = self.intervals.begin[rows], self.intervals.end[rows]
        values, first, _ = self._varints(begin, end)
        entries = self._split(values, first[:-1], first[1:], begin)
        self._check_sums(entries, self.intervals.length[rows], begin)
        return entries

    # ------------------------------------------------------------------ records

    def _index(self) -> None:
        if self._bytes[: len(MAGIC)] != MAGIC:
            self._fail(0, f"does not start with {MAGIC.decode()}", "this is no raw stream of phasemark")
        kinds, begins, ends = bytearray(), [], []
        at, size = len(MAGIC), len(self._bytes)
        while at + RECORD.size <= size:
            kind, length = RECORD.unpack_from(self._bytes, at)
            begin, at = at + RECORD.size, at + RECORD.size + length
            if at > size:
                break
            kinds.append(kind)
            begins.append(begin)
            ends.append(at)
        self.truncated = at != size
        self._kind = np.frombuffer(bytes(kinds), np.uint8)
        self._begin = np.array(begins, np.int64)
        self._end = np.array(ends, np.int64)

    def _where(self, *kinds: str) -> tuple[Ints, Ints]:
        chosen = np.isin(self._kind, [ord(kind) for kind in kinds])
        return self._begin[chosen], self._end[chosen]

    def _records(self, kind: str) -> list[tuple[int, int]]:
        begin, end = self._where(kind)
        return list(zip(begin.tolist(), end.tolist(), strict=True))

    def _fail(self, at: int, message: str, mend: str = "profile the run again") -> NoReturn:
        raise DataError(f"byte {at}: {message}", path=self.path, mend=mend)

    # ------------------------------------------------------------------ fields

    def _varints(self, begin: Ints, end: Ints, most: int = 0) -> tuple[Ints, Ints, Ints]:
        """Numbers of the payloads, where each payload's start in them, and where reading stopped."""
        data = np.frombuffer(self._bytes, np.uint8)
        values, first, stop, bad = core.decode_varints(data, begin, end, most)
        if bad >= 0:
            self._fail(bad, "a number is cut off or above 64 bits")
        return values.astype(np.int64, copy=False), first, stop

    def _columns(self, begin: Ints, end: Ints, count: int) -> tuple[Ints, Ints]:
        """The first `count` numbers of each payload as columns, and where reading stopped."""
        values, first, stop = self._varints(begin, end, count)
        short = np.diff(first) != count
        if short.any():
            self._fail(int(begin[np.argmax(short)]), f"the record ends before its {count} numbers")
        table = values.reshape(-1, count)
        large = (table < 0) | (table > _LARGEST_COUNT)
        if large.any():
            self._fail(int(begin[np.argmax(large.any(axis=1))]), "a number is too large to be true")
        return np.ascontiguousarray(table.T), stop

    def _tuples(self, kind: str, count: int) -> list[list[int]]:
        columns, _ = self._columns(*self._where(kind), count)
        return columns.T.tolist()  # type: ignore[no-any-return]

    def _string(self, begin: int, end: int) -> tuple[str, int]:
        (length,), (stop,) = self._columns(np.array([begin]), np.array([end]), 1)
        after = int(stop) + int(length[0])
        if after > end:
            self._fail(begin, "a text is longer than its record")
        return _text(self._bytes[int(stop) : after]), after

    def _header(self) -> Header:
        records = self._records("H")
        if not records:
            self._fail(len(MAGIC), "there is no header", "the process ended before it began to record")
        said: dict[str, list[str]] = {}
        for pair in self._bytes[slice(*records[0])].split(b"\0")[:-1]:
            key, _, value = pair.partition(b"=")
            said.setdefault(_text(key), []).append(_text(value))
        try:
            if (version := said["format"][0]) != "1":
                self._fail(records[0][0], f"format {version} is not known", "update phasemark")
            return _as_header(said)
        except (KeyError, ValueError) as error:
            self._fail(records[0][0], f"the header lacks a key or holds no number ({error})")

    def _module(self, begin: int, end: int) -> tuple[int, Module]:
        columns, stop = self._columns(np.array([begin]), np.array([end]), 5)
        serial, _start, _length, offset, kind = columns[:, 0].tolist()
        if kind >= len(MODULE_KINDS) or offset >= _LARGEST_OFFSET:
            self._fail(begin, "a module of an unknown kind or at an impossible offset")
        return serial, Module(offset, MODULE_KINDS[kind], self._string(int(stop[0]), end)[0])

    # ------------------------------------------------------------------ blocks

    def _blocks(self) -> RecordedBlocks:
        begin, end = self._where("B")
        (ids, pieces), at = self._columns(begin, end, 2)
        order = np.argsort(ids, kind="stable")
        if (large := ids > _LARGEST_BLOCK).any():
            self._fail(int(begin[np.argmax(large)]), "a block's number is too large to be true")
        if (same := np.diff(ids[order]) == 0).any():
            self._fail(int(begin[order[1:][same][0]]), "a block's number was given before")
        found = self._pieces(at[order], end[order], pieces[order])
        order_of_pieces = np.argsort(found[0], kind="stable")
        block, module, offset, instructions, nibbles = (column[order_of_pieces] for column in found)
        sizes = np.zeros(len(ids), np.int64)
        np.add.at(sizes, block, instructions)
        lengths = self._lengths(nibbles, instructions)
        return RecordedBlocks(ids[order], sizes, block, module, offset, instructions, lengths)

    def _pieces(self, at: Ints, end: Ints, left: Ints) -> list[Ints]:
        """Columns block, module, offset, instructions and the position of the instructions' lengths."""
        rows = np.arange(len(at))
        found = [np.empty((5, 0), np.int64)]
        while (more := left > 0).any():
            rows, at, end, left = rows[more], at[more], end[more], left[more] - 1
            (module, offset, instructions), stop = self._columns(at, end, 3)
            at = stop + (instructions + 1) // 2
            self._check_pieces(module, offset, instructions, stop, end)
            found.append(np.stack([rows, module, offset, instructions, stop]))
        return list(np.concatenate(found, axis=1))

    def _check_pieces(self, module: Ints, offset: Ints, instructions: Ints, at: Ints, end: Ints) -> None:
        known = np.isin(module, list(self.modules))
        for bad, message in (
            (at + (instructions + 1) // 2 > end, "a block is longer than its record"),
            (instructions == 0, "a piece of a block has no instruction"),
            (~known, "a block lies in a module that was not recorded"),
            (offset >= _LARGEST_OFFSET, "a block lies at an impossible offset"),
        ):
            if bad.any():
                self._fail(int(at[np.argmax(bad)]), message)

    def _lengths(self, at: Ints, instructions: Ints) -> NDArray[np.uint8]:
        number = _count_within(instructions)
        position = np.repeat(at, instructions) + number // 2
        packed = np.frombuffer(self._bytes, np.uint8)[position]
        lengths: NDArray[np.uint8] = np.where(number % 2, packed >> 4, packed & 15).astype(np.uint8)
        if (lengths == 0).any():
            self._fail(int(position[np.argmin(lengths)]), "an instruction has no bytes")
        return lengths

    # ------------------------------------------------------------------ intervals

    def _intervals(self) -> RecordedIntervals:
        begin, end = self._where("I", "P")
        (thread, start, length), _ = self._columns(begin, end, 3)
        order = self._latest(thread, start, length, begin)
        table = RecordedIntervals(*(column[order] for column in (thread, start, length, begin, end)))
        self._check_tiling(table)
        return table

    def _counters(self) -> RecordedCounters:
        names = self._counter_names()
        begin, end = self._where("C")
        if len(begin) and not names:
            self._fail(int(begin[0]), "there are counts, and nothing says of what")
        columns, stop = self._columns(begin, end, 3 + len(names))
        if (more := stop != end).any():
            self._fail(int(begin[np.argmax(more)]), "a record of counts goes on after its end")
        thread, start, length = columns[:3]
        order = self._latest(thread, start, length, begin)
        thread, start, length = thread[order], start[order], length[order]
        overlap = (np.diff(thread) == 0) & (start[1:] < (start + length)[:-1])
        if overlap.any():
            self._fail(int(begin[order[1:][overlap][0]]), "counts of stretches that overlap")
        return RecordedCounters(names, thread, start, length, np.ascontiguousarray(columns[3:, order].T))

    def _counter_names(self) -> tuple[str, ...]:
        records = self._records("K")
        return (
            tuple(_text(name) for name in self._bytes[slice(*records[0])].split(b"\0")[:-1])
            if records
            else ()
        )

    def _latest(self, thread: Ints, start: Ints, length: Ints, begin: Ints) -> Ints:
        """The records that count, by thread and start: of several with the same, the last."""
        if (thread > _LARGEST_THREAD).any():
            self._fail(int(begin[np.argmax(thread)]), "a thread's number is too large to be true")
        order = np.lexsort((np.arange(len(thread)), start, thread))
        last = np.ones(len(order), np.bool_)
        last[:-1] = (np.diff(thread[order]) != 0) | (np.diff(start[order]) != 0)
        return order[last & (length[order] > 0)]

    def _check_tiling(self, table: RecordedIntervals) -> None:
        first = np.diff(table.thread, prepend=-1) != 0
        before = np.concatenate(([0], (table.start + table.length)[:-1]))[: len(table)]
        gap = table.start != np.where(first, 0, before)
        if gap.any():
            row = int(np.argmax(gap))
            self._fail(
                int(table.begin[row]),
                f"an interval of thread {table.thread[row]} starts at instruction {table.start[row]}, "
                "not where the one before it ends",
            )

    def _split(self, values: Ints, first: Ints, last: Ints, begin: Ints) -> Entries:
        """The numbers of interval records as entries; payload i holds values[first[i]:last[i]]."""
        full = self._counted(values, first + 3, last, 2, begin)
        after = first + 4 + 2 * full
        partial = self._counted(values, after, last, 4, begin)
        if (left := after + 1 + 4 * partial != last).any():
            self._fail(int(begin[np.argmax(left)]), "an interval's record goes on after its end")
        at = np.repeat(first + 4, full) + 2 * _count_within(full)
        part = np.repeat(after + 1, partial) + 4 * _count_within(partial)
        rows = np.arange(len(first))
        return Entries(
            np.repeat(rows, full),
            self._block_rows(_running_sum(values[at], full), np.repeat(begin, full)),
            values[at + 1],
            np.repeat(rows, partial),
            self._block_rows(values[part], np.repeat(begin, partial)),
            *(values[part + column] for column in (1, 2, 3)),
        )

    def _counted(self, values: Ints, at: Ints, last: Ints, width: int, begin: Ints) -> Ints:
        """The counts at `at`, each followed by so many entries of `width` numbers before `last`."""
        inside = at < last
        counts = values[np.where(inside, at, 0)] if len(values) else at
        bad = ~inside | (counts < 0) | (counts > (last - at) // width)
        if bad.any():
            self._fail(int(begin[np.argmax(bad)]), "an interval's record is shorter than it says")
        return counts

    def _block_rows(self, ids: Ints, begin: Ints) -> Ints:
        table = self._rows_of_ids
        rows = table[np.clip(ids, 0, len(table) - 1)]
        if (unknown := rows < 0).any() or ids.max(initial=-1) >= len(table) or ids.min(initial=0) < 0:
            bad = unknown | (ids >= len(table)) | (ids < 0)
            at = int(np.argmax(bad))
            self._fail(int(begin[at]), f"an interval names block {ids[at]}, which was not recorded")
        return rows

    @cached_property
    def _rows_of_ids(self) -> Ints:
        """Block id -> its row, -1 where there is none; the last is -1."""
        ids = self.blocks.ids
        table = np.full(int(ids.max(initial=-1)) + 2, -1)
        table[ids] = np.arange(len(ids))
        return table

    def _check_sums(self, entries: Entries, lengths: Ints, begin: Ints) -> None:
        sizes = self.blocks.instructions
        outside = (entries.partial_from < 0) | (entries.partial_from > entries.partial_to)
        outside |= entries.partial_to > sizes[entries.partial_block]
        if outside.any():
            row = int(entries.partial_row[np.argmax(outside)])
            self._fail(int(begin[row]), "a part of a block reaches beyond the block")
        sums = np.zeros(len(lengths), np.int64)
        np.add.at(sums, entries.row, entries.times * sizes[entries.block])
        cut = entries.partial_times * (entries.partial_to - entries.partial_from)
        np.add.at(sums, entries.partial_row, cut)
        if (wrong := sums != lengths).any():
            row = int(np.argmax(wrong))
            self._fail(
                int(begin[row]),
                f"an interval of {lengths[row]} instructions counts {sums[row]} of them",
            )


def _mapped(path: Path) -> bytes | mmap.mmap:
    """The file as it is now; it may go on growing."""
    try:
        with path.open("rb") as file:
            size = file.seek(0, 2)
            return mmap.mmap(file.fileno(), size, access=mmap.ACCESS_READ) if size else b""
    except OSError as error:
        raise DataError(f"cannot be read ({error.strerror})", path=path) from error


def _text(raw: bytes) -> str:
    return raw.decode("utf-8", "surrogateescape")


def _as_header(said: dict[str, list[str]]) -> Header:
    texts = ("origin", "exe", "cwd", "unit", "block_definition", "cpu", "engine", "engine_version")
    fields: dict[str, Any] = {key: said.get(key, [""])[0] for key in (*texts, "tool_version")}
    fields |= {key: int(said[key][0]) for key in ("pid", "ppid", "time_ns")}
    fields["interval"] = int(said.get("interval", ["1"])[0])
    if not 0 < fields["interval"] < _LARGEST_COUNT:
        raise ValueError("interval")
    return Header(**fields, args=tuple(said.get("arg", ())), auto=said.get("auto", ["0"])[0] == "1")


def _count_within(sizes: Ints) -> Ints:
    """0, 1 ... size - 1 for every size."""
    ends = np.cumsum(sizes)
    number: Ints = np.arange(ends[-1] if len(ends) else 0)
    return number - np.repeat(ends - sizes, sizes)


def _running_sum(values: Ints, sizes: Ints) -> Ints:
    """Cumulative sums that begin anew with every group of `sizes` values."""
    sums: Ints = np.cumsum(values)
    starts = (np.cumsum(sizes) - sizes)[sizes > 0]
    before = sums[starts] - values[starts]
    sums -= np.repeat(before, sizes[sizes > 0])
    return sums
