"""What a program costs that is tracked by its collector, beside what its profile costs.

    python benchmarks/live_counted.py [--pairs 3] [--interval 10M ...] [-- PROGRAM ARGUMENTS]

Promised: no more CPU time than `profile`, and memory that does not grow. CPU seconds of phasemark with its
collector and the program, in pairs, for each interval; then what our side alone does with intervals that are
made up, of 32 counters and 64 blocks: intervals per CPU second, and memory after 50,000 and 300,000.
"""

from __future__ import annotations

import argparse
import os
import random
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from phasemark import online
from phasemark.collect.live.counted import Intervals
from phasemark.online.course import Course

COUNTERS, BLOCKS = 32, 64


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--pairs", type=int, default=3, help="measurements of each [3]")
    parser.add_argument("--interval", nargs="+", default=["10M", "1M", "100k"], help="[10M 1M 100k]")
    parser.add_argument("program", nargs="*", metavar="PROGRAM", help="and its arguments [gzip]")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        program = given.program or packed(Path(folder))
        for interval in given.interval:
            run(program, interval, Path(folder) / interval, given.pairs)
        run(["true"], given.interval[0], Path(folder) / "nothing", given.pairs)
    ours()


def run(program: list[str], interval: str, out: Path, pairs: int) -> None:
    costs = [pair(program, interval, out, turn) for turn in range(pairs)]
    profiled, tracked = (statistics.median(column) for column in zip(*costs, strict=True))
    print(
        f"{Path(program[0]).name}, interval {interval}: profile {profiled:.2f} s, tracked {tracked:.2f} s "
        f"({tracked / profiled - 1:+.1%}), medians of {pairs}",
        flush=True,
    )


def packed(folder: Path) -> list[str]:
    chance = random.Random(1)
    words = [bytes(chance.choices(b"etaoinshrdlu", k=chance.randint(2, 9))) for _ in range(9000)]
    (folder / "text").write_bytes(10 * b" ".join(chance.choices(words, k=600_000)))
    return ["gzip", "-9c", str(folder / "text")]


def pair(program: list[str], interval: str, out: Path, turn: int) -> tuple[float, float]:
    """CPU seconds of a profile and of tracking, which come first in turn."""
    ways = [
        ["profile", "-q", "-o", f"{out}.{turn}"],
        ["track", "--live", "-q", "--collector", "valgrind"],
    ]
    used = [0.0, 0.0]
    for way in (0, 1) if turn % 2 else (1, 0):
        used[way] = cpu(
            [sys.executable, "-m", "phasemark", *ways[way], "--interval", interval, "--", *program]
        )
    return used[0], used[1]


def cpu(command: list[str]) -> float:
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def ours() -> None:
    """What reading, tracking and keeping the course of made-up intervals takes."""
    intervals, tracker, course = Intervals(), online.Tracker(), Course(online.predictor("rle-markov"))
    begin, done = time.process_time(), 0
    for piece in pieces():
        for interval in intervals.feed(piece):
            course.take(tracker.update_counters(interval.counters).phase, interval)
            done += 1
            if done in (50_000, 300_000):
                rate = done / (time.process_time() - begin)
                print(f"{done:,} intervals: {rate:,.0f} a CPU second, {resident():.1f} MiB", flush=True)
        if done >= 300_000:
            return


def pieces() -> Iterator[bytes]:
    """Packets for ever: a hundred kinds of intervals, of 10,000 blocks of a file."""
    chance = random.Random(1)
    header = {"live": 1, "counters": COUNTERS, "pid": 1, "origin": "start", "time_ns": 1}
    first = record("H", b"".join(f"{key}={value}\0".encode() for key, value in header.items()))
    first += record("M", varints(0, 0x400000, 1 << 24, 0, 0, 9) + b"/bin/true")
    yield packet(b"PMLIVE01" + first + record("T", varints(0, 0, 1, 0)))
    kinds = []
    for _ in range(100):
        counters = [chance.randrange(60_000) for _ in range(COUNTERS)]
        heavy = [n for _ in range(BLOCKS) for n in (0, 16 * chance.randrange(10_000), 1000)]
        kinds.append((sum(counters), varints(*counters, BLOCKS, *heavy)))
    start = 0
    while True:
        length, rest = chance.choice(kinds)
        yield packet(record("A", varints(0, start, length, start // 10**6, 1) + rest))
        start += length


def packet(data: bytes) -> bytes:
    return b"PMP1" + b"".join(number.to_bytes(4, "little") for number in (1, 1, len(data))) + data


def record(kind: str, payload: bytes) -> bytes:
    return kind.encode() + len(payload).to_bytes(4, "little") + payload


def varints(*values: int) -> bytes:
    out = bytearray()
    for value in values:
        left = value
        while left >= 0x80:
            out.append(left & 0x7F | 0x80)
            left >>= 7
        out.append(left)
    return bytes(out)


def resident() -> float:
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 2**20


if __name__ == "__main__":
    main()
