"""The engines beside one another: what QEMU's costs, and whether it records what Valgrind's does.

    python benchmarks/engines.py [--scale 0.2] [--repeats 3]

Needs QEMU with plugins (Debian 12: qemu-user). Cost: CPU seconds (user + system) of plain QEMU and of QEMU
with the plugin, in pairs, and the median of their ratios; promised is at most 2. Agreement: five programs
run once under each engine, intervals of 1M, all blocks split at the starts of both; promised are instructions
within 0.1% and a Manhattan distance below 0.01 between the normalised vectors of the whole runs (2 would be
that of runs that share no block). Exits with 1 if a promise is not kept.
"""

from __future__ import annotations

import argparse
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np
from collector_cost import cpu_seconds, programs

from phasemark.collect import COLLECTORS
from phasemark.collect.engines.protocol import Invocation, Job
from phasemark.collect.stream.conversion import profile_of

INTERVAL = 1_000_000
MOST_RATIO, MOST_DIFFERENCE, MOST_DISTANCE = 2.0, 1e-3, 0.01

PERL_PROGRAM = """
my %words;
for my $i (0 .. ROUNDS) { my $key = ($i * 7919 % 10007); $words{$key} += length $key }
my $sum = 0;
$sum += $_ for (sort { $a <=> $b } values %words)[0 .. 99];
print "$sum\\n";
"""


def invocation(engine: str, command: list[str], raw: Path) -> Invocation:
    shutil.rmtree(raw, ignore_errors=True)
    raw.mkdir()
    return COLLECTORS[engine].prepare(Job(command, INTERVAL), raw)


def plain(command: list[str], told: list[str]) -> list[str]:
    """QEMU with the same processor, and no plugin."""
    at = told.index("-plugin")
    return [*told[:at], *told[at + 2 :]]


def cost(commands: dict[str, list[str]], scratch: Path, repeats: int) -> float:
    print(f"{'CPU seconds':12}{'native':>9}{'plain QEMU':>12}{'recorded':>10}{'ratio':>8}")
    worst = 0.0
    for name, command in commands.items():
        rows = []
        for _ in range(repeats):
            told = list(invocation("qemu", command, scratch / "raw").command)
            base = cpu_seconds(plain(command, told))
            recorded = cpu_seconds(told)
            rows.append((cpu_seconds(command), base, recorded, recorded / base))
        medians = [statistics.median(column) for column in zip(*rows, strict=True)]
        print(f"{name:12}{medians[0]:9.2f}{medians[1]:12.2f}{medians[2]:10.2f}{medians[3]:8.2f}", flush=True)
        worst = max(worst, medians[3])
    return worst


def agreement(commands: dict[str, list[str]], scratch: Path) -> tuple[float, float]:
    print(f"\n{'program':12}{'valgrind':>16}{'qemu':>16}{'difference':>12}{'distance':>10}")
    environment = {"PATH": os.environ["PATH"], "LC_ALL": "C", "PYTHONHASHSEED": "0", "PERL_HASH_SEED": "0"}
    worst = [0.0, 0.0]
    for name, command in commands.items():
        streams = []
        for engine in ("valgrind", "qemu"):
            raw = scratch / engine
            words = invocation(engine, command, raw).command
            subprocess.run(words, check=True, stdout=subprocess.DEVNULL, env=environment)
            (stream,) = raw.glob("*.raw")
            streams.append(stream)
        profile = profile_of(*streams)
        run = profile.interval_table.run
        sums = [profile.vectors.select(np.flatnonzero(run == i)).column_sums() for i in (0, 1)]
        totals = [int(s.sum()) for s in sums]
        difference = abs(totals[1] - totals[0]) / totals[0]
        distance = float(np.abs(sums[0] / totals[0] - sums[1] / totals[1]).sum())
        print(f"{name:12}{totals[0]:16,}{totals[1]:16,}{difference:12.6%}{distance:10.5f}", flush=True)
        worst = [max(worst[0], difference), max(worst[1], distance)]
    return worst[0], worst[1]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--scale", type=float, default=0.2, help="of the programs' inputs")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        scratch = Path(folder)
        commands = programs(scratch, arguments.scale)
        script = scratch / "program.pl"
        script.write_text(PERL_PROGRAM.replace("ROUNDS", str(int(2e6 * arguments.scale))))
        # Not -I, which would have it hash in another order each time.
        python = ["/usr/bin/python3", "-S", commands["python3"][-1]]
        ratio = cost({**commands, "python3": python}, scratch, arguments.repeats)
        compared = {
            "gzip": commands["gzip"],
            "bzip2": commands["bzip2"],
            "sort": commands["sort"],
            "xz": ["xz", "-T1", "-1c", commands["bzip2"][-1]],
            "perl": ["perl", str(script)],
            "python3": python,
        }
        difference, distance = agreement(compared, scratch)
    kept = ratio <= MOST_RATIO and difference <= MOST_DIFFERENCE and distance < MOST_DISTANCE
    print(
        f"\npromised: at most {MOST_RATIO:g} times, {MOST_DIFFERENCE:.1%}, below {MOST_DISTANCE:g}", end="; "
    )
    print("kept" if kept else "NOT KEPT")
    sys.exit(not kept)


if __name__ == "__main__":
    main()
