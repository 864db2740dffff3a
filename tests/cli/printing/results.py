"""Results made by hand, for what is printed of them."""

from __future__ import annotations

import dataclasses
from pathlib import Path

import numpy as np

from phasemark.collect import Recording
from phasemark.collect.process_tree import Image
from phasemark.model import Blocks, Counts, Estimate, Intervals, Metrics, Points, Profile, Provenance
from phasemark.simulate import Plan, Simulation
from phasemark.simulate.config import load
from phasemark.store.folder import Folder
from phasemark.workflow import EstimateResult
from phasemark.workflow.simulation import SimulationResult


def points(threads: tuple[int, int, int] = (0, 0, 0)) -> Points:
    """Three points, of phases 2, 0 and 1."""
    return Points(
        run=[0, 0, 0],
        thread=list(threads),
        interval=[1, 2000, 3000],
        phase=[2, 0, 1],
        start=[1000, 2_000_000, 3_000_000],
        end=[2000, 2_001_000, 3_001_000],
        warmup=[0, 0, 0],
        weight=[0.25, 0.5, 0.25],
        coverage=0.9,
    )


def estimates(full: dict[str, float] | None = None, notes: tuple[str, ...] = ()) -> EstimateResult:
    """A metric with an interval, one whose interval is not bounded, and one that is exact."""
    estimate = Estimate(
        value={"cpi": 1.5, "ipc": 2 / 3, "l2_mpki": 0.0},
        standard_error={"cpi": 0.05, "ipc": np.nan, "l2_mpki": 0.0},
        interval={"cpi": (1.4, 1.6), "ipc": (0.0, np.inf), "l2_mpki": (0.0, 0.0)},
        degrees_of_freedom={"cpi": 2.0, "ipc": 0.0, "l2_mpki": np.inf},
        coverage={"cpi": 1.0, "ipc": 0.75, "l2_mpki": 1.0},
        missing={"cpi": (), "ipc": (1,), "l2_mpki": ()},
        confidence=0.9,
        notes=notes,
    )
    return EstimateResult(estimate, full or {}, points(), "a test")


def image(number: int = 1, program: str = "/bin/gzip", instructions: int = 4000, threads: int = 1) -> Image:
    """A process of a recorded run."""
    command = (program, "-9")
    return Image(number, 100 + number, 99, "start", command, instructions, threads, True, ())


def recording(*images: Image, **values: object) -> Recording:
    """A run of four intervals of 1000 instructions in two blocks."""
    blocks = Blocks(("",), np.zeros(2), np.arange(1, 3), np.ones(2), np.ones(2), np.arange(1, 3))
    counts = Counts(np.arange(0, 9, 2), np.tile([0, 1], 4), np.tile([400, 600], 4), 2)
    profile = Profile(
        blocks, Intervals.of_thread(np.full(4, 1000)), counts, Provenance("test", interval=1000)
    )
    images = images or (image(),)
    found = Recording(Folder(Path("out")), profile, images, images[0], 0, ())
    return dataclasses.replace(found, **values)  # type: ignore[arg-type]


def simulation(
    picked: Points | None = None,
    *,
    missing: tuple[int, ...] = (),
    windows: int = 3,
    length: int = 1000,
    thread: int = 0,
    profiled: int = 40_000,
    status: int = 0,
    notes: tuple[str, ...] = (),
    warnings: tuple[str, ...] = (),
) -> SimulationResult:
    """Windows of which some are missing; before each but the first, 500 instructions warm up."""
    start = np.arange(windows) * 2000
    plan = Plan(
        np.full(windows, thread), np.arange(windows) * 2, np.maximum(start - 500, 0), start, start + length
    )
    there = np.array([row for row in range(windows) if row not in missing], int)
    zeros = np.zeros(len(there), int)
    key = [zeros, zeros + thread, plan.index[there], start[there], zeros + length]
    if picked is not None:
        key = [getattr(picked, name)[there] for name in ("run", "thread", "interval", "start")]
        key.append((picked.end - picked.start)[there])
    executed = np.full(len(there), float(length))
    counters = {"instructions": executed, "cycles": executed * 2, "l2_misses": executed / 200}
    metrics = Metrics(*key, counters, source="a test (modern)")
    done = Simulation(metrics, np.array(missing, int), (image(),), image(), status, 1.26)
    path = Path("out/point-metrics.csv" if picked is not None else "out/metrics.csv")
    return SimulationResult(path, load(), plan, profiled, done, notes, warnings, picked)
