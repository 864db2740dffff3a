"""What `perf record -o -` writes, made by hand."""

from __future__ import annotations

import struct
from collections.abc import Iterable

#: perf's parts of a sample: address, thread, time; identifier in front; period behind.
IP, TID, TIME, PERIOD, IDENTIFIER = 1, 2, 4, 256, 1 << 16
PARTS = IP | TID | TIME | IDENTIFIER

HEADER = b"PERFILE2" + struct.pack("=Q", 16)


def record(kind: int, body: bytes, flags: int = 0) -> bytes:
    return struct.pack("=IHH", kind, flags, 8 + len(body)) + body


def attributes(period: int = 2_000_000, parts: int = PARTS, flags: int = 1 << 18) -> bytes:
    return record(64, struct.pack("=IIQQQQQ", 1, 136, 1, period, parts, 0, flags) + bytes(88))


def behind(pid: int, time: int) -> bytes:
    """The end of every record but samples."""
    return struct.pack("=IIQQ", pid, pid, time, 7)


def text(name: str) -> bytes:
    return name.encode() + bytes(8 - len(name.encode()) % 8)


def mapping(
    pid: int, start: int, size: int, name: str, *, offset: int = 0, time: int = 0, protection: int = 5
) -> bytes:
    place = struct.pack("=IIQQQ", pid, pid, start, size, offset)
    return record(10, place + bytes(24) + struct.pack("=II", protection, 2) + text(name) + behind(pid, time))


def executes(pid: int, name: str, time: int) -> bytes:
    return record(3, struct.pack("=II", pid, pid) + text(name) + behind(pid, time), 1 << 13)


def task(pid: int, tid: int, parent: int, parent_tid: int, time: int, *, begins: bool = True) -> bytes:
    body = struct.pack("=IIIIQ", pid, parent, tid, parent_tid, time)
    return record(7 if begins else 4, body + behind(pid, time))


def sample(pid: int, ip: int, time: int, *, tid: int = 0, period: int | None = None) -> bytes:
    body = struct.pack("=QQIIQ", 7, ip, pid, tid or pid, time)
    return record(9, body if period is None else body + struct.pack("=Q", period))


def samples(pid: int, ips: Iterable[int], time: int, every: int = 2_000_000) -> bytes:
    return b"".join(sample(pid, ip, time + n * every) for n, ip in enumerate(ips))


def lost(count: int) -> bytes:
    return record(2, struct.pack("=QQ", 7, count) + behind(0, 0))


def turn() -> bytes:
    """perf has looked into all buffers."""
    return record(68, b"")
