"""Writes raw streams for tests, straight from docs/raw-stream.md."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

Piece = tuple[int, int, Sequence[int]]  # module id, offset, bytes of each instruction
Partial = tuple[int, int, int, int]  # block, from, to, times

HEADER = {
    "format": "1",
    "engine": "valgrind",
    "engine_version": "3.19.0",
    "tool_version": "0.1.0",
    "pid": "100",
    "ppid": "1",
    "origin": "start",
    "time_ns": "1",
    "exe": "/bin/prog",
    "cwd": "/",
    "interval": "10",
    "auto": "0",
    "unit": "instructions",
    "block_definition": "a superblock",
    "cpu": "AVX",
}


def varint(value: int) -> bytes:
    out = bytearray()
    while value >= 0x80:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    return bytes([*out, value])


def varints(*values: int) -> bytes:
    return b"".join(varint(v) for v in values)


def text(value: str) -> bytes:
    raw = value.encode("utf-8", "surrogateescape")
    return varint(len(raw)) + raw


def record(kind: str, payload: bytes) -> bytes:
    return kind.encode() + len(payload).to_bytes(4, "little") + payload


def header(args: Sequence[str] = ("prog",), **changes: object) -> bytes:
    said = {**HEADER, **{k: str(v) for k, v in changes.items()}}
    pairs = [*said.items(), *(("arg", a) for a in args)]
    return record("H", b"".join(f"{k}={v}".encode() + b"\0" for k, v in pairs))


def module(serial: int, name: str, offset: int = 0, kind: int = 0, start: int = 0x400000) -> bytes:
    return record("M", varints(serial, start, 0x100000, offset, kind) + text(name))


def block(serial: int, *pieces: Piece) -> bytes:
    out = varints(serial, len(pieces))
    for where, offset, lengths in pieces:
        out += varints(where, offset, len(lengths))
        padded = [*lengths, 0]
        out += bytes(padded[i] | padded[i + 1] << 4 for i in range(0, len(lengths), 2))
    return record("B", out)


def order(thread: int, position: int, stopped: int, clock: int | None = None) -> bytes:
    """When a thread got to a position, and when it went on: at once where that is not said."""
    return record("G", varints(thread, position, stopped, (stopped if clock is None else clock) - stopped))


def interval(
    thread: int,
    start: int,
    length: int,
    full: Mapping[int, int],
    partial: Iterable[Partial] = (),
    *,
    kind: str = "I",
) -> bytes:
    out = varints(thread, start, length, len(full))
    before = 0
    for serial in sorted(full):
        out += varints(serial - before, full[serial])
        before = serial
    parts = list(partial)
    out += varint(len(parts))
    for part in parts:
        out += varints(*part)
    return record(kind, out)


def beginning(
    thread: int, position: int, block: int, before: int = 0, *, clock: int = 0, site: int = 0, since: int = 0
) -> bytes:
    return record("X", varints(thread, position, block, before, clock, site, since))


def thread(serial: int, parent: int | None = None, system: int = 100, nth: int | None = None) -> bytes:
    numbers = varints(serial, 0 if parent is None else parent + 1, system)
    return record("T", numbers if nth is None else numbers + varint(nth))


def end(total: int) -> bytes:
    return record("S", varint(total))


def warning(sentence: str) -> bytes:
    return record("W", text(sentence))


def write(path: Path, *records: bytes) -> Path:
    path.write_bytes(b"PMRAW001" + b"".join(records))
    return path


def counter_names(*names: str) -> bytes:
    return record("K", b"".join(name.encode() + b"\0" for name in names))


def counts(thread: int, start: int, length: int, *values: int) -> bytes:
    return record("C", varints(thread, start, length, *values))


def reuse(
    thread: int,
    start: int,
    length: int,
    *bands: int,
    code: Sequence[int] | None = None,
    surprises: int = 0,
) -> bytes:
    both = [*bands, *([0] * len(bands) if code is None else code)]
    return record("R", varints(thread, start, length, surprises, len(bands), *both))


def position(thread: int, instructions: int) -> bytes:
    return record("N", varints(thread, instructions))


def site(
    number: int, module: int, offset: int, kind: int = 0, target: tuple[int, int] | None = None
) -> bytes:
    leads_to = (0, 0) if target is None else (target[0] + 1, target[1])
    return record("J", varints(number, module, offset, kind, *leads_to))


def tokens(start: int, events: Iterable[tuple[int, int, int]]) -> bytes:
    """Events (site, repeats, position) that follow a position."""
    out = b""
    for number, repeats, at in events:
        out += varint(number << 1 | (repeats > 1))
        out += varints(repeats, at - start) if repeats > 1 else varint(at - start)
        start = at
    return out


def literals(data: bytes) -> bytes:
    """A block of LZ4's that does not make anything smaller."""
    if len(data) < 15:
        return bytes([len(data) << 4]) + data
    more = len(data) - 15
    return b"\xf0" + b"\xff" * (more // 255) + bytes([more % 255]) + data


def events(thread: int, start: int, happened: Sequence[tuple[int, int, int]], *, kind: str = "V") -> bytes:
    data = tokens(start, happened)
    return record(kind, varints(thread, start, happened[-1][2], len(happened), len(data)) + literals(data))


def folded(
    thread: int,
    start: int,
    counters: Sequence[int],
    heaviest: Iterable[tuple[int, int, int]] = (),
    *,
    times: tuple[int, int] = (0, 0),
    kind: str = "A",
) -> bytes:
    """An interval of the live stream, of milliseconds when it began, and that it lasted."""
    heavy = list(heaviest)
    numbers = [
        thread,
        start,
        sum(counters),
        *times,
        *counters,
        len(heavy),
        *(n for one in heavy for n in one),
    ]
    return record(kind, varints(*numbers))


def thread_end(thread: int, total: int) -> bytes:
    return record("E", varints(thread, total))


def packets(*records: bytes, pid: int = 100, begun: int = 1, begins: bool = True, size: int = 4080) -> bytes:
    """What an image sends; `begins`: with what stands before the first record."""
    data = (b"PMLIVE01" if begins else b"") + b"".join(records)
    pieces = [data[at : at + size] for at in range(0, len(data), size)]
    head = pid.to_bytes(4, "little") + begun.to_bytes(4, "little")
    return b"".join(b"PMP1" + head + len(piece).to_bytes(4, "little") + piece for piece in pieces)
