"""What sampling costs a program, and how fast perf's text is read.

    python benchmarks/samples.py cost [--pairs 25] [--period 1000000 500000]
    python benchmarks/samples.py text [--lines 10000000]

`cost` runs gzip for about a second without perf, with perf attached, and without again: the CPU time of gzip
beside the mean of the two, and perf's own, medians over pairs. At most 3% is promised. `text` writes samples
as `perf script` prints them and reads them: a million lines a second are promised. It needs 1 GB in /tmp.
"""

from __future__ import annotations

import argparse
import os
import random
import resource
import statistics
import tempfile
import time
from pathlib import Path

from phasemark.collect.engines.perf import hold_file
from phasemark.collect.engines.perf_attached import Attached
from phasemark.collect.running import run
from phasemark.formats.perf import data, text


def cost(pairs: int, periods: list[int]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        given = Path(folder) / "input"
        given.write_bytes(Path(os.__file__).read_bytes() * 150 + random.Random(1).randbytes(4_000_000))
        command = ["gzip", "-9", "-k", "-c", str(given)]
        shown = os.dup(1)
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        print("period ns   gzip alone   with perf   perf itself", file=os.fdopen(os.dup(shown), "w"))
        for period in periods:
            rows = [_pair(command, period) for _ in range(pairs)]
            base = statistics.median(row[0] for row in rows)
            slower = statistics.median(row[1] / row[0] - 1 for row in rows)
            own = statistics.median(row[2] for row in rows)
            line = f"{period:9,}   {base:8.2f} s   {slower:+9.1%}   {own:9.2f} s\n"
            os.write(shown, line.encode())


def _pair(command: list[str], period: int) -> tuple[float, float, float]:
    """CPU seconds of the program alone, of it with perf, and of perf."""
    before = run(command).cpu_seconds
    with tempfile.TemporaryDirectory() as raw:
        beside = Attached(data.find(), ["-e", "task-clock:u", "-c", str(period)], Path(raw))
        began = _children()
        sampled = run([str(hold_file()), *command], beside=beside).cpu_seconds
        own = _children() - began - sampled
    return (before + run(command).cpu_seconds) / 2, sampled, own


def _children() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def read_text(lines: int) -> None:
    chance = random.Random(1)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "perf.txt"
        with path.open("w") as file:
            file.write("  7/7   0.0: PERF_RECORD_COMM exec: x:7/7\n")
            file.write(
                "  7/7   0.0: PERF_RECORD_MMAP2 7/7: [0x5000000(0xff000) @ 0x3000 fe:00 1 1]: r-xp /x\n"
            )
            for n in range(lines):
                ms, address = n + 10_000, 0x5000000 + 16 * chance.randrange(3000)
                when = f"{ms // 1000:5}.{ms % 1000:03}000000"
                file.write(f"{7:5}/{7 + n % 4} {when}:    1000000 task-clock:u: {address:16x}\n")
        began = time.process_time()
        found = text.read(path)
        used = time.process_time() - began
        rate = len(found) / used / 1e6
        print(f"{len(found):,} lines in {used:.1f} s of CPU time: {rate:.2f} million a second")


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("what", choices=("cost", "text"))
    parser.add_argument("--pairs", type=int, default=25)
    parser.add_argument("--period", type=int, nargs="+", default=[1_000_000, 500_000], help="nanoseconds")
    parser.add_argument("--lines", type=int, default=10_000_000)
    arguments = parser.parse_args()
    if arguments.what == "cost":
        cost(arguments.pairs, arguments.period)
    else:
        read_text(arguments.lines)


if __name__ == "__main__":
    main()
