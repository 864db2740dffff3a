"""What tracking a program while it runs costs: its own CPU time, and what runs beside it.

    python benchmarks/live_cost.py [--pairs 9] [--seconds 10] [-- PROGRAM ARGUMENTS]

Promised: at most 3% of the program's CPU time in all. CPU time of the program alone and tracked, in pairs one
after the other; then, beside Python that counts for as long as `--seconds`, that of phasemark and of perf
from the third second on, with and without the view. The same Python is the program where none is named.
"""

from __future__ import annotations

import argparse
import io
import os
import resource
import statistics
import subprocess
import sys
import time
from pathlib import Path

from rich.console import Console

from phasemark.cli.printing.live_screen import Screen
from phasemark.collect.live.feed import Wanted
from phasemark.workflow import live

#: Runs a program and writes its CPU time to the file that is named first.
CLOCK = (
    "import resource, subprocess, sys\n"
    "subprocess.run(sys.argv[2:], stdout=subprocess.DEVNULL, check=True)\n"
    "used = resource.getrusage(resource.RUSAGE_CHILDREN)\n"
    "open(sys.argv[1], 'w').write(str(used.ru_utime + used.ru_stime))\n"
)

#: Seconds after which all is loaded.
WARM = 3.0


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--pairs", type=int, default=9, help="measurements of each [9]")
    parser.add_argument("--seconds", type=float, default=10.0, help="of the program that counts [10]")
    parser.add_argument("program", nargs="*", metavar="PROGRAM", help="and its arguments")
    given = parser.parse_args()
    counts = f"import time\nwhile time.process_time() < {given.seconds}: sum(range(100_000))"
    counting = [sys.executable, "-c", counts]
    program = given.program or counting
    tracked = [sys.executable, "-m", "phasemark", "track", "--live", "-q", "--"]
    costs = []
    for pair in range(given.pairs):
        order = ([], tracked) if pair % 2 else (tracked, [])
        used = {bool(before): cpu([*before, *clocked(program)]) for before in order}
        costs.append(used[True] / used[False] - 1)
        print(f"alone {used[False]:.2f} s, tracked {used[True]:.2f} s ({costs[-1]:+.1%})", flush=True)
    if len(costs) > 1:
        low, middle, high = statistics.quantiles(costs, n=4)
        print(f"the program itself: {middle:+.1%} (median; quartiles {low:+.1%} and {high:+.1%})")
    for drawn in (False, True):
        print(f"{'with the view' if drawn else 'without'}: {beside(counting, drawn=drawn)}")


FILE = Path(f"/tmp/live_cost.{os.getpid()}")


def clocked(program: list[str]) -> list[str]:
    return [sys.executable, "-S", "-c", CLOCK, str(FILE), *program]


def cpu(command: list[str]) -> float:
    subprocess.run(command, check=True)
    used = float(FILE.read_text())
    FILE.unlink()
    return used


class Watch(Screen):
    """Reads the clocks of all three at each tick."""

    def __init__(self, drawn: bool) -> None:
        super().__init__(Console(file=io.StringIO(), force_terminal=True, width=120))
        self.drawn = drawn
        self.read: list[tuple[float, ...]] = []

    def began(self, live: live.Live) -> None:
        if self.drawn:
            super().began(live)

    def tick(self, live: live.Live) -> None:
        super().tick(live)
        perf = live.source.beside._process
        if live.seconds > WARM and perf is not None:
            own = resource.getrusage(resource.RUSAGE_SELF)
            ours = own.ru_utime + own.ru_stime
            self.read.append((time.monotonic(), ours, seconds(perf.pid), seconds(live.source.pid)))


def seconds(pid: int) -> float:
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def beside(program: list[str], *, drawn: bool) -> str:
    watch = Watch(drawn)
    live.track(Wanted(command=program), None, watch)
    wall, ours, perf, own = (last - first for first, last in zip(watch.read[0], watch.read[-1], strict=True))
    return (
        f"phasemark {ours / wall:.2%} and perf {perf / wall:.2%} of a processor; together "
        f"{(ours + perf) / own:.2%} of the program, which had {own / wall:.0%} of one"
    )


if __name__ == "__main__":
    main()
