"""What a large run costs after its end: raw stream -> profile.h5, then `phases`, `points`, `report`, `check`.

    python benchmarks/raw_streams.py [--intervals 100000] [--blocks 105000] [--executed 300] [--folder DIR]
    python benchmarks/raw_streams.py --raw OUT/raw/PID.raw

The first makes a raw stream as a program with much code would leave it (a just-in-time compiler at
intervals of 10,000 instructions, say): each interval executes some blocks of its phase and some of all. The
second takes one that `phasemark profile --keep-raw` left. Each step is a process of its own; the table shows
its seconds, CPU seconds and the most memory it held.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

import numpy as np
from numpy.typing import NDArray

INTERVAL = 10_000
PHASES = 20

#: Instructions of a basic block; recorded blocks are one to three of them.
SIZE = 5

#: Intervals that are made at a time.
_PIECE = 2_000

Ints = NDArray[np.int64]


def varints(values: Ints) -> tuple[NDArray[np.uint8], Ints]:
    """Numbers as LEB128, one after the other, and the bytes of each."""
    size = np.maximum(1, -(-np.ceil(np.log2(values + 1)).astype(np.int64) // 7))
    ends = np.cumsum(size)
    out = np.empty(int(ends[-1]) if len(ends) else 0, np.uint8)
    for at in range(int(size.max(initial=0))):
        longer = size > at
        more = np.where(size[longer] > at + 1, 0x80, 0)
        out[(ends - size)[longer] + at] = (values[longer] >> 7 * at & 0x7F) | more
    return out, size


def _record(kind: str, payload: bytes) -> bytes:
    return kind.encode() + len(payload).to_bytes(4, "little") + payload


def _numbers(*values: int) -> bytes:
    return varints(np.array(values, np.int64))[0].tobytes()


def _head(intervals: int) -> bytes:
    said = {
        "format": 1,
        "engine": "valgrind",
        "engine_version": "3.19.0",
        "tool_version": "0.1.0",
        "pid": 100,
        "ppid": 1,
        "origin": "start",
        "time_ns": 1,
        "exe": "/bin/large",
        "cwd": "/",
        "interval": INTERVAL,
        "auto": 0,
        "unit": "instructions",
        "block_definition": "a superblock",
        "cpu": "AVX",
        "arg": f"large {intervals}",
    }
    path = b"/bin/large"
    return (
        b"PMRAW001"
        + _record("H", b"".join(f"{key}={value}".encode() + b"\0" for key, value in said.items()))
        + _record("M", _numbers(0, 0x400000, 1 << 30, 0, 0, len(path)) + path)
        + _record("T", _numbers(0, 0, 100))
    )


def _blocks(sizes: Ints) -> bytes:
    """Block 0 is one instruction; block b begins at the b-th basic block and has sizes[b] of them."""
    out = [_record("B", _numbers(0, 1, 0, 0, 1) + b"\x01")]
    for number, size in enumerate(sizes.tolist()[1:], 1):
        n = size * SIZE
        lengths = b"\x44" * (n // 2) + (b"\x04" if n % 2 else b"")
        out.append(_record("B", _numbers(number, 1, 0, number * SIZE * 4, n) + lengths))
    return b"".join(out)


def _intervals(first: int, many: int, sizes: Ints, executed: int, chance: np.random.Generator) -> bytes:
    """Records of intervals first ... first + many - 1."""
    blocks = len(sizes)
    row = np.repeat(np.arange(many), executed)
    phase = ((first + np.arange(many)) // 500 * 7919 % PHASES)[row]
    of_phase = blocks // PHASES * phase + (chance.random(len(row)) ** 3 * (blocks // PHASES)).astype(np.int64)
    block = np.where(chance.random(len(row)) < 0.9, of_phase, chance.integers(1, blocks, len(row)))
    key = np.unique(row * blocks + np.maximum(block, 1))
    row, block = key // blocks, key % blocks
    # So many that all together fit the interval; what is left is block 0.
    share = INTERVAL * chance.random(len(row)) / executed / (SIZE * sizes[block])
    times = 1 + np.floor(share * (chance.random(len(row)) < 0.2)).astype(np.int64)
    spent = times * SIZE * sizes[block]
    before = np.cumsum(spent) - spent
    starts = np.searchsorted(row, np.arange(many))
    fits = before - before[starts[row]] + spent < INTERVAL
    row, block, times, spent = row[fits], block[fits], times[fits], spent[fits]
    left = INTERVAL - np.bincount(row, spent, many).astype(np.int64)
    count = np.bincount(row, minlength=many) + 1
    # Of each interval: thread, start, length, entries; block 0 and its times; the entries; no partial one.
    numbers = 4 + 2 * count + 1
    at = np.cumsum(numbers) - numbers
    values = np.zeros(int(numbers.sum()), np.int64)
    values[at + 1], values[at + 2], values[at + 3] = (
        (first + np.arange(many)) * INTERVAL,
        INTERVAL,
        count,
    )
    values[at + 5] = left
    number = np.arange(len(row)) - np.searchsorted(row, row)
    place = at[row] + 6 + 2 * number
    previous = np.where(number > 0, np.concatenate(([0], block[:-1]))[: len(block)], 0)
    values[place], values[place + 1] = block - previous, times
    data, size = varints(values)
    ends = np.cumsum(size)[at + numbers - 1].tolist()
    begins = [0, *ends[:-1]]
    raw = data.tobytes()
    return b"".join(_record("I", raw[begin:end]) for begin, end in zip(begins, ends, strict=True))


def make(file: BinaryIO, intervals: int, blocks: int, executed: int, seed: int = 1) -> None:
    """Write a raw stream of one thread.

    Args:
        file: to write to.
        intervals, blocks: how many.
        executed: blocks that an interval executes, about.
        seed: of what they are.
    """
    chance = np.random.default_rng(seed)
    sizes = chance.integers(1, 4, blocks)
    file.write(_head(intervals) + _blocks(sizes))
    for first in range(0, intervals, _PIECE):
        file.write(_intervals(first, min(_PIECE, intervals - first), sizes, executed, chance))
    file.write(_record("E", _numbers(0, intervals * INTERVAL)) + _record("S", _numbers(intervals * INTERVAL)))


_CONVERT = """
import sys
from phasemark.collect.stream.conversion import profile_of
from phasemark.store import profile_h5
profile_h5.write(sys.argv[2], profile_of(sys.argv[1]))
"""


def _steps(raw: Path, out: Path) -> Iterator[tuple[str, list[str]]]:
    python, command = sys.executable, [sys.executable, "-m", "phasemark"]
    yield "raw stream -> profile.h5", [python, "-c", _CONVERT, str(raw), str(out / "profile.h5")]
    yield "check", [*command, "check", str(out)]
    yield "phases", [*command, "phases", "--no-cache", "--quiet", str(out)]
    yield "points", [*command, "points", str(out)]
    yield "report", [*command, "report", str(out)]


def measured(command: list[str]) -> tuple[float, float, float]:
    """Seconds, CPU seconds and MiB at the peak of a process that must succeed."""
    began = time.monotonic()
    with Path(os.devnull).open("wb") as nothing:
        pid = os.posix_spawnp(
            command[0], command, os.environ, file_actions=[(os.POSIX_SPAWN_DUP2, nothing.fileno(), 1)]
        )
        _, status, used = os.wait4(pid, 0)
    if status:
        raise SystemExit(f"failed: {' '.join(command)}")
    return time.monotonic() - began, used.ru_utime + used.ru_stime, used.ru_maxrss / 1024


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--intervals", type=int, default=100_000)
    parser.add_argument("--blocks", type=int, default=105_000)
    parser.add_argument("--executed", type=int, default=300)
    parser.add_argument("--raw", type=Path, help="a raw stream, instead of one that is made")
    parser.add_argument("--folder", type=Path, help="keep what is made here")
    parser.add_argument("--only", type=int, default=5, help="so many steps")
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        folder = asked.folder or Path(temporary)
        out = folder / "out"
        out.mkdir(parents=True, exist_ok=True)
        raw = asked.raw or folder / f"{asked.intervals}-{asked.blocks}-{asked.executed}.raw"
        if not raw.exists():
            with raw.open("wb") as file:
                make(file, asked.intervals, asked.blocks, asked.executed)
        (out / "run.json").unlink(missing_ok=True)
        size = raw.stat().st_size
        print(f"{raw.name}: {size / 1e6:,.0f} MB\n")
        print("| step | s | CPU s | MiB | MB of the raw stream a second |\n|---|---|---|---|---|")
        for name, command in list(_steps(raw, out))[: asked.only]:
            seconds, cpu, most = measured(command)
            rate = f"{size / 1e6 / seconds:.0f}" if name.startswith("raw") else ""
            print(f"| {name} | {seconds:.1f} | {cpu:.1f} | {most:,.0f} | {rate} |", flush=True)


if __name__ == "__main__":
    main()
