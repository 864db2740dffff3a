"""The live stream, read slowly and plainly, straight from docs/raw-stream.md; and what it must hold.

What an interval's counters must be follows from the raw stream of the same program: each instruction counts
in the counter of the block it is in, of those that began until then.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field

from tests.reference import raw_stream
from tests.reference.random import mix64
from tests.reference.raw_stream import Module, Thread, _Reader
from tests.reference.tracking import counter_of


@dataclass
class Heavy:
    module: int
    offset: int
    instructions: int


@dataclass
class Frame:
    thread: int
    start: int
    length: int
    began: int
    lasted: int
    counters: list[int]
    heaviest: list[Heavy]
    complete: bool


@dataclass
class Image:
    """One process image; frames in the order in which they came."""

    header: dict[str, str] = field(default_factory=dict)
    arguments: list[str] = field(default_factory=list)
    modules: dict[int, Module] = field(default_factory=dict)
    threads: dict[int, Thread] = field(default_factory=dict)
    frames: list[Frame] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)
    total: int | None = None

    def of(self, thread: int = 0) -> list[Frame]:
        return [frame for frame in self.frames if frame.thread == thread and frame.complete]


def carried(data: bytes) -> dict[tuple[int, int], bytes]:
    """The streams of the images, by process and time of the beginning, as their first packets came."""
    streams: dict[tuple[int, int], bytes] = {}
    at = 0
    while at < len(data):
        assert data[at : at + 4] == b"PMP1", f"no packet at byte {at}"
        pid, begun, size = (int.from_bytes(data[at + i : at + i + 4], "little") for i in (4, 8, 12))
        assert 0 < size <= 4080 and at + 16 + size <= len(data), f"a packet is cut off at byte {at}"
        streams[pid, begun] = streams.get((pid, begun), b"") + data[at + 16 : at + 16 + size]
        at += 16 + size
    return streams


def _frame(image: Image, payload: _Reader, complete: bool) -> None:
    thread, start, length, began, lasted = (payload.varint() for _ in range(5))
    counters = [payload.varint() for _ in range(int(image.header["counters"]))]
    heaviest = [Heavy(*(payload.varint() for _ in range(3))) for _ in range(payload.varint())]
    where = f"thread {thread} at {start}"
    assert sum(counters) == length, f"{where}: counters sum to {sum(counters)}, not {length}"
    weights = [heavy.instructions for heavy in heaviest]
    assert weights == sorted(weights, reverse=True) and sum(weights) <= length and len(weights) <= 256
    most = length - length // 8
    assert sum(weights[:-1]) < most and (sum(weights) >= most or len(weights) == 256), (
        f"{where}: the heaviest"
    )
    assert {heavy.module for heavy in heaviest} <= set(image.modules), f"{where}: a module is not known yet"
    assert thread in image.threads, f"{where}: thread not begun"
    image.frames.append(Frame(thread, start, length, began, lasted, counters, heaviest, complete))


def _image(data: bytes) -> Image:
    assert data.startswith(b"PMLIVE01")
    image, shared = Image(), raw_stream.Stream()
    at = 8
    while at < len(data):
        kind, size = chr(data[at]), int.from_bytes(data[at + 1 : at + 5], "little")
        payload = _Reader(data[at + 5 : at + 5 + size])
        assert (kind == "H") == (at == 8), "the header comes first and once"
        assert len(payload.data) == size, "a record is cut off"
        at += 5 + size
        if kind in "AQ":
            _frame(image, payload, kind == "A")
            assert payload.at == size, f"{kind}: bytes over"
            continue
        assert kind in "HMTEWS", f"a record of kind {kind}"
        raw_stream._record(shared, kind, payload)
        image.header, image.arguments = shared.header, shared.arguments
        image.modules, image.threads = shared.modules, shared.threads
        image.warnings, image.total = shared.warnings, shared.total
    return image


def read(data: bytes) -> list[Image]:
    """The images, in the order in which they began."""
    return [_image(stream) for stream in carried(data).values()]


# ---------------------------------------------------------------- what it must hold


def salt(name: str) -> int:
    raw = name.encode("utf-8", "surrogateescape")
    return int.from_bytes(hashlib.blake2b(raw, digest_size=8).digest(), "little")


def counters(stream: raw_stream.Stream, intervals, count: int, seed: int) -> list[list[int]]:
    """The counters of these intervals of a raw stream, which came one after the other."""
    names: dict[int, str] = {}
    begun: set[tuple[str, int]] = set()

    def places(block: int) -> list[tuple[str, int]]:
        (piece,) = stream.blocks[block].pieces
        module = stream.modules[piece.module]
        if module.kind == 1 and piece.module not in names:
            names[piece.module] = f"[anonymous {sum(name[0] == '[' for name in names.values())}]"
        name, at, out = names.setdefault(piece.module, module.name), module.file_offset + piece.offset, []
        for length in piece.lengths:
            out.append((name, at))
            at += length
        return out

    rows = []
    for interval in intervals:
        parts = [(block, 0, len(places(block)), times) for block, times in interval.full] + interval.partial
        begun |= {places(block)[0] for block, *_ in parts}
        row = [0] * count
        for block, first, last, times in parts:
            inside = places(block)[0]
            for number, place in enumerate(places(block)):
                inside = place if place in begun else inside
                if first <= number < last:
                    key = mix64(inside[1] ^ salt(inside[0]))
                    row[counter_of(key, seed, count)] += times
        rows.append(row)
    return rows
