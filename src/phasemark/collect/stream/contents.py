"""What a raw stream holds, as values; docs/raw-stream.md defines their meaning."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

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
    cuts: bool
    events: int
    memory: int
    unit: str
    block_definition: str
    cpu: str
    engine: str
    engine_version: str
    tool_version: str


@dataclass(frozen=True)
class Module:
    """A range of memory that code was executed from; its start, an address, is at `offset` in the file."""

    start: int
    offset: int
    kind: str
    name: str


@dataclass(frozen=True)
class Thread:
    """A thread: its number, that of the one that started it, and the system's id."""

    serial: int
    parent: int | None
    system_id: int


@dataclass(frozen=True, eq=False)
class RawBlocks:
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
class RawIntervals:
    """Intervals, ordered by thread and start; the intervals of a thread tile it.

    Attributes:
        thread: numbers of threads.
        start, length: instructions of the thread.
        begin, end: where the record's payload lies in the file, bytes.
        is_complete: whether the interval had ended when it was recorded.
    """

    thread: Ints
    start: Ints
    length: Ints
    begin: Ints
    end: Ints
    is_complete: NDArray[np.bool_]

    def __len__(self) -> int:
        return len(self.thread)


@dataclass(frozen=True, eq=False)
class RawBeginnings:
    """What threads were about to do where intervals begin, ordered by thread and position.

    Attributes:
        thread: numbers of threads.
        position: instructions of the thread.
        block: row of RawBlocks.
        before: how many instructions of the block lie before the one that comes next.
        clock: instructions of all threads of the process so far.
        site: id of the site of the thread's last event, -1: none is known.
        since: instructions since that event.
        at: where the record's payload lies in the file, bytes.
    """

    thread: Ints
    position: Ints
    block: Ints
    before: Ints
    clock: Ints
    site: Ints
    since: Ints
    at: Ints

    def __len__(self) -> int:
        return len(self.thread)

    def rows_at(self, thread: Ints, position: Ints) -> Ints:
        """The rows of some positions of threads; -1: there is none."""
        rows = {
            key: i for i, key in enumerate(zip(self.thread.tolist(), self.position.tolist(), strict=True))
        }
        keys = zip(thread.tolist(), position.tolist(), strict=True)
        return np.array([rows.get(key, -1) for key in keys], np.int64)


@dataclass(frozen=True, eq=False)
class RawOrder:
    """When threads were where intervals begin and where threads end, ordered by thread and position.

    Attributes:
        thread: numbers of threads.
        position: instructions of the thread.
        stopped, clock: the time when the thread got there, and when it could go on: later where it waited
            for others. A tick is an instruction of a thread, each on a core of its own.
    """

    thread: Ints
    position: Ints
    stopped: Ints
    clock: Ints

    def __len__(self) -> int:
        return len(self.thread)

    def rows_at(self, thread: Ints, position: Ints) -> Ints:
        """The rows of some positions of threads; -1: there is none."""
        rows = np.full(len(thread), -1, np.int64)
        for serial in np.unique(thread, return_index=True)[0].tolist():  # else NumPy loads numpy.ma
            wanted = np.flatnonzero(thread == serial)
            first, last = np.searchsorted(self.thread, (serial, serial + 1)).tolist()
            at = first + np.searchsorted(self.position[first:last], position[wanted])
            found = at < last
            found[found] = self.position[at[found]] == position[wanted][found]
            rows[wanted[found]] = at[found]
        return rows


@dataclass(frozen=True, eq=False)
class RawCounters:
    """What the timing model counted, ordered by thread and start; stretches of a thread do not overlap.

    Attributes:
        names: of the m counters.
        thread: numbers of threads.
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
    RawBlocks. A partial entry stands for instructions [from, to) of the block."""

    row: Ints
    block: Ints
    times: Ints
    partial_row: Ints
    partial_block: Ints
    partial_from: Ints
    partial_to: Ints
    partial_times: Ints
