"""The raw stream, read slowly and plainly, straight from docs/raw-stream.md.

The oracle for the fast reader, and what the collector's tests look through. It checks what the
document promises and raises `AssertionError` with the place where a stream breaks a promise.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass, field
from pathlib import Path

from tests.reference import events

MAGIC = b"PMRAW001"


@dataclass
class Module:
    start: int
    length: int
    file_offset: int
    kind: int
    name: str


@dataclass
class Piece:
    module: int
    offset: int
    lengths: list[int]


@dataclass
class Block:
    pieces: list[Piece]

    @property
    def instructions(self) -> int:
        return sum(len(piece.lengths) for piece in self.pieces)


@dataclass
class Interval:
    thread: int
    start: int
    length: int
    full: list[tuple[int, int]]
    partial: list[tuple[int, int, int, int]]
    complete: bool


@dataclass
class Beginning:
    """What a thread is about to do where an interval begins, when, and the last event before."""

    thread: int
    position: int
    block: int
    before: int
    clock: int
    site: int | None
    since: int


@dataclass
class Order:
    """The time when a thread came to where an interval begins, or to its end, and when it could go on."""

    thread: int
    position: int
    stopped: int
    clock: int


@dataclass
class Thread:
    creator: int | None
    system_id: int
    nth: int | None = None
    total: int | None = None


@dataclass
class Site:
    module: int
    offset: int
    kind: str
    target: tuple[int, int] | None


@dataclass
class Chunk:
    end: int
    tokens: list[events.Token]
    complete: bool


@dataclass
class Stream:
    header: dict[str, str] = field(default_factory=dict)
    arguments: list[str] = field(default_factory=list)
    modules: dict[int, Module] = field(default_factory=dict)
    blocks: dict[int, Block] = field(default_factory=dict)
    threads: dict[int, Thread] = field(default_factory=dict)
    by_place: dict[tuple[int, int], Interval] = field(default_factory=dict)
    beginnings: list[Beginning] = field(default_factory=list)
    order: list[Order] = field(default_factory=list)
    sites: dict[int, Site] = field(default_factory=dict)
    chunks: dict[tuple[int, int], Chunk] = field(default_factory=dict)
    warnings: list[str] = field(default_factory=list)
    total: int | None = None
    truncated: bool = False
    snapshots: int = 0
    ends: dict[int, int] = field(default_factory=dict)  # of each thread's last complete interval
    clocks: dict[int, int] = field(default_factory=dict)  # of each thread, when it went on last

    def intervals(self, thread: int = 0) -> list[Interval]:
        found = [i for i in self.by_place.values() if i.thread == thread]
        return sorted(found, key=lambda interval: interval.start)

    def instructions(self, thread: int | None = None) -> int:
        return sum(i.length for i in self.by_place.values() if thread in (None, i.thread))

    def tokens(self, thread: int = 0) -> list[events.Token]:
        """The thread's events."""
        chunks = sorted((start, chunk) for (t, start), chunk in self.chunks.items() if t == thread)
        return [token for _, chunk in chunks for token in chunk.tokens]

    def address(self, site: int) -> int:
        """The run-time address of a site's branch."""
        return self.modules[self.sites[site].module].start + self.sites[site].offset

    def addresses(self, block: int) -> list[int]:
        """The run-time address of each instruction of a block."""
        found = []
        for piece in self.blocks[block].pieces:
            at = self.modules[piece.module].start + piece.offset
            for length in piece.lengths:
                found.append(at)
                at += length
        return found

    def executions(self, intervals: list[Interval] | None = None) -> Counter[int]:
        """How often the instruction at each address was executed."""
        counts: Counter[int] = Counter()
        for interval in self.by_place.values() if intervals is None else intervals:
            for block, times in interval.full:
                for address in self.addresses(block):
                    counts[address] += times
            for block, start, end, times in interval.partial:
                for address in self.addresses(block)[start:end]:
                    counts[address] += times
        return counts


class _Reader:
    def __init__(self, data: bytes) -> None:
        self.data = data
        self.at = 0

    def take(self, size: int) -> bytes:
        assert self.at + size <= len(self.data), "a record is shorter than its fields"
        taken = self.data[self.at : self.at + size]
        self.at += size
        return taken

    def varint(self) -> int:
        value = shift = 0
        while True:
            byte = self.take(1)[0]
            value |= (byte & 0x7F) << shift
            shift += 7
            if not byte & 0x80:
                return value

    def string(self) -> str:
        return self.take(self.varint()).decode("utf-8", "surrogateescape")


def _header(stream: Stream, payload: _Reader) -> None:
    pairs = payload.take(len(payload.data)).decode("utf-8", "surrogateescape")
    assert pairs.endswith("\0"), "the header's strings end with NUL"
    for pair in pairs[:-1].split("\0"):
        key, _, value = pair.partition("=")
        if key == "arg":
            stream.arguments.append(value)
        else:
            stream.header[key] = value


def _module(stream: Stream, payload: _Reader) -> None:
    number = payload.varint()
    start, length, file_offset, kind = (payload.varint() for _ in range(4))
    assert number not in stream.modules, f"module {number} twice"
    stream.modules[number] = Module(start, length, file_offset, kind, payload.string())


def _block(stream: Stream, payload: _Reader) -> None:
    number = payload.varint()
    pieces = []
    for _ in range(payload.varint()):
        module, offset, n = payload.varint(), payload.varint(), payload.varint()
        packed = payload.take((n + 1) // 2)
        lengths = [packed[i // 2] >> 4 * (i % 2) & 15 for i in range(n)]
        assert n and all(lengths), f"block {number}: an instruction has 1 to 15 bytes"
        assert module in stream.modules, f"block {number}: module {module} not known yet"
        pieces.append(Piece(module, offset, lengths))
    assert number not in stream.blocks, f"block {number} twice"
    stream.blocks[number] = Block(pieces)


def _thread(stream: Stream, payload: _Reader) -> None:
    number, creator, system_id = payload.varint(), payload.varint(), payload.varint()
    assert number not in stream.threads, f"thread {number} twice"
    nth = payload.varint() if payload.at < len(payload.data) else None
    stream.threads[number] = Thread(creator - 1 if creator else None, system_id, nth)


def _interval(stream: Stream, payload: _Reader, complete: bool) -> None:
    thread, start, length = payload.varint(), payload.varint(), payload.varint()
    full, number = [], 0
    for place in range(payload.varint()):
        step = payload.varint()
        assert step or not place, f"thread {thread} at {start}: block ids ascend"
        number += step
        full.append((number, payload.varint()))
    partial = []
    for _ in range(payload.varint()):
        block, begin, end, times = (payload.varint() for _ in range(4))
        partial.append((block, begin, end, times))

    where = f"thread {thread} at {start}"
    for block, begin, end, _ in partial:
        assert begin < end <= stream.blocks[block].instructions, f"{where}: bad partial entry"
    summed = sum(stream.blocks[block].instructions * times for block, times in full)
    summed += sum((end - begin) * times for _, begin, end, times in partial)
    assert summed == length, f"{where}: entries sum to {summed}, not {length}"
    assert thread in stream.threads, f"{where}: thread not begun"
    known = stream.by_place.get((thread, start))
    assert known is None or not known.complete, f"{where}: complete twice"
    stream.by_place[thread, start] = Interval(thread, start, length, full, partial, complete)
    if complete:
        stream.ends[thread] = max(stream.ends.get(thread, 0), start + length)


def _beginning(stream: Stream, payload: _Reader) -> None:
    thread, position, block, before, clock, site, since = (payload.varint() for _ in range(7))
    where = f"thread {thread} at {position}"
    assert before < stream.blocks[block].instructions, f"{where}: begins beyond the block"
    assert position == stream.ends.get(thread, 0), f"{where}: no interval ends there"
    assert clock >= position, f"{where}: later than the process's clock"
    begun = Beginning(thread, position, block, before, clock, site - 1 if site else None, since)
    stream.beginnings.append(begun)


def _order(stream: Stream, payload: _Reader) -> None:
    thread, position, stopped, waited = (payload.varint() for _ in range(4))
    assert thread in stream.threads, f"thread {thread} not begun"
    assert position == stream.ends.get(thread, 0), f"thread {thread} at {position}: no interval ends there"
    assert stopped >= position, f"thread {thread} at {position}: earlier than it can be"
    assert stream.clocks.get(thread, 0) <= stopped + waited, f"thread {thread}: the clock goes back"
    stream.clocks[thread] = stopped + waited
    stream.order.append(Order(thread, position, stopped, stopped + waited))


def _site(stream: Stream, payload: _Reader) -> None:
    number, module, offset, kind, target_module, target = (payload.varint() for _ in range(6))
    assert {module, target_module - 1 if target_module else module} <= set(stream.modules)
    leads_to = (target_module - 1, target) if target_module else None
    assert number not in stream.sites or leads_to is None, f"site {number} twice"
    stream.sites[number] = Site(module, offset, events.KINDS[kind], leads_to)


def _chunk(stream: Stream, payload: _Reader, complete: bool) -> None:
    thread, start, end, count, size = (payload.varint() for _ in range(5))
    data = events.unpacked(payload.take(len(payload.data) - payload.at))
    assert len(data) == size, f"thread {thread}: a chunk of {len(data)} bytes, not {size}"
    found = list(events.tokens(data, start))
    assert len(found) == count and found[-1].position == end, f"thread {thread}: a chunk ends elsewhere"
    assert {token.site for token in found} <= set(stream.sites), "a site that was not described"
    known = stream.chunks.get((thread, start))
    assert known is None or not known.complete, f"thread {thread}: the chunk at {start} twice"
    stream.chunks[thread, start] = Chunk(end, found, complete)


def _thread_end(stream: Stream, payload: _Reader) -> None:
    number = payload.varint()
    stream.threads[number].total = payload.varint()


def _record(stream: Stream, kind: str, payload: _Reader) -> None:
    if kind == "H":
        _header(stream, payload)
    elif kind == "M":
        _module(stream, payload)
    elif kind == "B":
        _block(stream, payload)
    elif kind == "T":
        _thread(stream, payload)
    elif kind == "I":
        _interval(stream, payload, complete=True)
    elif kind == "P":
        stream.snapshots += 1
        _interval(stream, payload, complete=False)
    elif kind == "X":
        _beginning(stream, payload)
    elif kind == "G":
        _order(stream, payload)
    elif kind == "J":
        _site(stream, payload)
    elif kind in "VU":
        _chunk(stream, payload, complete=kind == "V")
    elif kind == "E":
        _thread_end(stream, payload)
    elif kind == "S":
        stream.total = payload.varint()
    elif kind == "W":
        stream.warnings.append(payload.string())
    else:
        return
    assert payload.at == len(payload.data), f"{kind}: {len(payload.data) - payload.at} bytes over"


def _check(stream: Stream) -> None:
    ends: dict[int, int] = defaultdict(int)
    if not stream.by_place and stream.header.get("timing") == "1":
        return  # windows only: no vectors
    for number, start in sorted(stream.by_place):
        assert start == ends[number], f"thread {number}: gap or overlap at {start}"
        ends[number] = start + stream.by_place[number, start].length
    after: dict[int, int] = defaultdict(int)
    for number, start in sorted(stream.chunks):
        assert start == after[number], f"thread {number}: gap or overlap of events at {start}"
        after[number] = stream.chunks[number, start].end
    for number, thread in stream.threads.items():
        assert thread.total is None or after[number] <= thread.total, f"thread {number}: events after its end"
        assert thread.total in (None, ends[number]), f"thread {number}: total is not the sum"
    assert stream.total in (None, sum(ends.values())), "the process's total is not the sum"


def read(path: Path) -> Stream:
    data = Path(path).read_bytes()
    assert data.startswith(MAGIC), f"{path}: not a raw stream"
    stream = Stream()
    at = len(MAGIC)
    while at < len(data):
        size = int.from_bytes(data[at + 1 : at + 5], "little")
        if at + 5 + size > len(data):
            stream.truncated = True
            break
        kind = chr(data[at])
        assert (kind == "H") == (at == len(MAGIC)), "the header comes first and once"
        _record(stream, kind, _Reader(data[at + 5 : at + 5 + size]))
        at += 5 + size
    _check(stream)
    return stream


def numbers(threads: dict[int, Thread]) -> dict[int, int]:
    """Serial -> number of each thread: the one without a creator, then those of number 0, of 1 ..."""
    found = {}
    queue = sorted(serial for serial, thread in threads.items() if thread.creator is None)
    free = len(queue)
    for number, serial in enumerate(queue):
        found[serial] = number
    for creator in queue:  # it grows
        children = sorted((t.nth, serial) for serial, t in threads.items() if t.creator == creator)
        for nth, serial in children:
            found[serial] = free + nth
            queue.append(serial)
        free += children[-1][0] + 1 if children else 0
    return found
