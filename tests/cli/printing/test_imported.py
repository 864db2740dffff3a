"""What `phasemark import` prints, to the letter."""

from __future__ import annotations

import dataclasses
from pathlib import Path

import numpy as np
from tests.cli.printing.results import recording

from phasemark.cli.printing import imported as shown
from phasemark.model import Metrics
from phasemark.store.folder import Folder
from phasemark.workflow import MetricsResult, VectorResult

PROFILE = recording().profile
PROVENANCE = dataclasses.replace(
    PROFILE.provenance,
    tool="qemu",
    warnings=("a note",),
    details={"files": ["v.bb"], "missing_instructions": 7},
)
VECTORS = VectorResult(Folder("out"), dataclasses.replace(PROFILE, provenance=PROVENANCE), (Path("v.bb"),))


def metrics(of: str, rows: int = 2, **counters: float) -> MetricsResult:
    zeros = np.zeros(rows, int)
    table = {name: np.full(rows, value) for name, value in counters.items()}
    key = (zeros, zeros, np.arange(rows), np.arange(rows) * 10, zeros + 10)
    units = {"watts": "W"} if "watts" in counters else {}
    return MetricsResult(
        Path("out/metrics.csv"),
        of,
        Metrics(*key, table, units, "perf"),
        (Path("in/a.txt"), Path("in/b.txt")),
        ("a note",),
    )


def test_vectors() -> None:
    assert shown.vector_lines(VECTORS) == [
        "4,000 instructions, 4 intervals, 2 blocks, recorded by qemu",
        "note: a note",
    ]
    assert shown.vector_summary(VECTORS) == {
        "tool": "qemu",
        "files": ["v.bb"],
        "instructions": 4000,
        "intervals": 4,
        "threads": 1,
        "blocks": 2,
        "interval": 1000,
        "missing_instructions": 7,
        "warnings": ["a note"],
    }


def test_metrics() -> None:
    assert shown.metrics_lines(metrics("intervals", cycles=20.0, l2_misses=1.0)) == [
        "2 rows of 2 counters by perf, of intervals: metrics.csv",
        "ratios: cpi, l2_mpki",
        "note: a note",
    ]
    assert shown.metrics_lines(metrics("run", 1, watts=20.0))[:2] == [
        "1 row of 1 counter by perf, of the whole run: metrics.csv",
        "ratios: no ratio that is known",
    ]
    assert shown.metrics_summary(metrics("points", watts=20.0, cycles=20.0)) == {
        "of": "points",
        "rows": 2,
        "file": "metrics.csv",
        "source": "perf",
        "counters": ["watts", "cycles"],
        "units": {"watts": "W", "cycles": "cycles"},
        "ratios": ["cpi"],
        "files": ["a.txt", "b.txt"],
        "notes": ["a note"],
    }
