"""What simulating points costs beside simulating everything, and how well their metrics agree.

    python benchmarks/simulation_cost.py [--scale 0.25] [--share 0.05] [--config modern] [--repeats 1]

Each program is profiled with `--interval auto`; a systematic sample of its intervals is then simulated with
several warm-ups, and the whole run once. Promised for the default warm-up: each interval's CPI is that
of the full run within 0.5% (median), and where 5% of the run is simulated the CPU time is at most
1/3 of the full simulation's. CPU seconds are medians over the repeats, of the program under the collector.
"""

from __future__ import annotations

import argparse
import contextlib
import os
import statistics
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
from collector_cost import programs

import phasemark
from phasemark.model import Intervals, Metrics, Points
from phasemark.simulate import WARMUP, Plan, Program, Simulation, TimingModel, of_intervals, of_points
from phasemark.simulate.config import load

SHOWN = ("cpi", "l1d_mpki", "l2_mpki", "branch_mpki", "epi")


@contextlib.contextmanager
def nowhere() -> Iterator[None]:
    """Programs' output goes nowhere."""
    kept = os.dup(1)
    with Path(os.devnull).open("wb") as sink:
        os.dup2(sink.fileno(), 1)
    try:
        yield
    finally:
        os.dup2(kept, 1)
        os.close(kept)


def sample(table: Intervals, share: float) -> Points:
    """Every so manieth interval of a run."""
    step = max(round(1 / share), 1)
    rows = np.arange(step // 2, len(table), step)
    n = len(rows)
    return Points(
        run=table.run[rows],
        thread=table.thread[rows],
        interval=table.index[rows],
        phase=np.zeros(n, np.int32),
        start=table.start[rows],
        end=(table.start + table.length)[rows],
        warmup=np.zeros(n, np.int64),
        weight=np.full(n, 1 / n),
        method="systematic",
    )


def simulated(simulator: TimingModel, command: Sequence[str], plan: Plan, repeats: int) -> Simulation:
    """The last of several simulations, and the median of their CPU times."""
    with nowhere():
        done = [simulator.simulate(Program(tuple(command)), plan) for _ in range(repeats)]
    seconds = statistics.median(one.cpu_seconds for one in done)
    return Simulation(**{**vars(done[-1]), "cpu_seconds": seconds})


def median_errors(some: Metrics, everything: Metrics) -> dict[str, float]:
    """Median relative difference of each ratio, some intervals beside the same ones of the full run."""
    rows = everything.rows(some.run, some.thread, some.index)
    found = {}
    for name in SHOWN:
        ours, full = some.values(name), everything.values(name)[rows]
        same = ours == full  # also where both are 0
        with np.errstate(divide="ignore", invalid="ignore"):
            found[name] = float(np.median(np.where(same, 0.0, np.abs(ours - full) / full)))
    return found


def compare(name: str, command: list[str], simulator: TimingModel, share: float, repeats: int) -> None:
    """Print the lines of a program."""
    with nowhere(), tempfile.TemporaryDirectory() as folder:
        profile = phasemark.profile(command, folder).profile
    length = profile.provenance.interval or 0
    full = simulated(simulator, command, of_intervals(profile.interval_table), repeats)
    points = sample(profile.interval_table, share)
    for warmup in sorted({0, min(length, WARMUP), WARMUP}):
        plan = of_points(points, warmup)
        some = simulated(simulator, command, plan, repeats)
        errors = median_errors(some.metrics, full.metrics)
        print(
            f"{name:8} {profile.instructions / 1e6:8.0f} {length / 1e6:8.2f} {warmup / 1e6:8.2f} "
            f"{plan.measured / profile.instructions:8.1%} {plan.simulated / profile.instructions:8.1%} "
            f"{full.cpu_seconds:8.1f} {some.cpu_seconds:8.1f} {some.cpu_seconds / full.cpu_seconds:6.2f}"
            + "".join(f"{errors[metric]:>12.3%}" for metric in SHOWN),
            flush=True,
        )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--scale", type=float, default=0.25, help="of the programs' inputs")
    parser.add_argument("--share", type=float, default=0.05, help="of the run that is measured")
    parser.add_argument("--config", default="modern", help="of the timing model")
    parser.add_argument("--repeats", type=int, default=1)
    parser.add_argument("--only", nargs="*", help="these programs")
    arguments = parser.parse_args()
    simulator = TimingModel(load(arguments.config))
    headings = ("M instr", "interval", "warm-up", "points", "model on", "full s", "points s")
    print(f"{'':8} " + " ".join(f"{heading:>8}" for heading in headings), end="")
    print(f" {'ratio':>6}" + "".join(f"{metric:>12}" for metric in SHOWN), flush=True)
    with tempfile.TemporaryDirectory() as scratch:
        for name, command in programs(Path(scratch), arguments.scale).items():
            if name in (arguments.only or (name,)):
                compare(name, command, simulator, arguments.share, arguments.repeats)


if __name__ == "__main__":
    main()
