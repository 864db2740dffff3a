"""A run whose phases, points and metrics are known."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from typer.testing import CliRunner

from phasemark.cli.app import application
from phasemark.model import KINDS, Blocks, Counts, Intervals, Metrics, Profile, Provenance
from phasemark.store import metrics_csv, points_csv, profile_h5
from phasemark.store.folder import Folder
from phasemark.workflow import PhaseOptions, Run

LENGTH = 1000


def three_phases(path: Path) -> Folder:
    """A run of three phases, 20 intervals each, whose CPI is 1, 2 and 4, give or take."""
    rng = np.random.default_rng(3)
    labels = np.repeat([0, 1, 2], 20)
    rows = []
    for label in labels:
        shares = np.full(6, 20)
        shares[2 * label] += 400 + rng.integers(-80, 80)
        shares[2 * label + 1] += LENGTH - shares.sum()
        rows.append(shares)
    counts = np.array(rows)
    n = len(counts)
    intervals = Intervals.of_thread(np.full(n, LENGTH))
    out = recorded(path, counts, intervals)
    Run(out.path).find_phases(PhaseOptions(k=3))
    cycles = np.array([1.0, 2.0, 4.0])[labels] * LENGTH + rng.normal(0, 60, n)
    zeros = np.zeros(n, np.int64)
    full = Metrics(zeros, zeros, np.arange(n), intervals.start, intervals.length, {"cycles": cycles})
    metrics_csv.write(out["full.csv"], full, made_by={})
    return out


def recorded(path: Path, counts: NDArray[np.int64], intervals: Intervals) -> Folder:
    """A folder with the profile of such counts, a row an interval and a column a block."""
    blocks = counts.shape[1]
    profile = Profile(
        Blocks(("",), np.zeros(blocks), np.arange(blocks) + 1, *np.ones((2, blocks)), np.arange(blocks) + 1),
        intervals,
        _sparse(counts),
        Provenance(tool="test", interval=LENGTH),
    )
    out = Folder(path).create()
    profile_h5.write(out.profile, profile)
    out.record("profile", {})
    return out


def _sparse(counts: NDArray[np.int64]) -> Counts:
    rows, columns = np.nonzero(counts)
    indptr = np.searchsorted(rows, np.arange(len(counts) + 1))
    return Counts(indptr, columns, counts[rows, columns], counts.shape[1])


def of_threads(path: Path, threads: int = 3) -> Folder:
    """A run of two phases whose threads have 8 intervals each, the first four of the one, then of the other.

    Each thread's last interval is a tail.
    """
    n = 8 * threads
    shares = np.where(np.arange(n) % 8 < 4, 900, 100)
    lengths = np.where(np.arange(n) % 8 == 7, 400, LENGTH)
    counts = np.stack([shares * lengths // LENGTH, lengths - shares * lengths // LENGTH], axis=1)
    one = Intervals.of_thread(np.full(8, LENGTH))
    intervals = Intervals(
        run=np.zeros(n, np.int64),
        thread=np.repeat(np.arange(threads), 8),
        index=np.tile(np.arange(8), threads),
        start=np.tile(one.start, threads),
        length=lengths,
        kind=np.where(lengths < LENGTH, KINDS.index("tail"), 0),
    )
    out = recorded(path, counts, intervals)
    Run(out.path).find_phases(PhaseOptions(k=2))
    return out


def full_run(folder: Folder) -> Metrics:
    """Have the whole run measured."""
    metrics = metrics_csv.read(folder["full.csv"])
    metrics_csv.write(folder.metrics, metrics, made_by={})
    return metrics


def simulate(folder: Folder, gone: tuple[int, ...] = ()) -> None:
    """What a simulator of the points would write."""
    metrics, points = metrics_csv.read(folder["full.csv"]), points_csv.read(folder.points)
    rows = np.array([row for row in points.interval.tolist() if row not in gone])
    keys = (getattr(metrics, name)[rows] for name in ("run", "thread", "index", "start", "length"))
    with folder.change("simulate") as new:
        simulated = Metrics(*keys, {"cycles": metrics.counters["cycles"][rows]})
        metrics_csv.write(new.point_metrics, simulated, made_by={})
        new.record("simulation", {})


def run(*arguments: object) -> str:
    """Do a command; what it prints."""
    done = CliRunner().invoke(
        application(), [str(argument) for argument in arguments], catch_exceptions=False
    )
    assert done.exit_code == 0, done.output
    return done.stdout
