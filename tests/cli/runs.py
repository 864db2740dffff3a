"""A folder with phases and metrics made by hand."""

from __future__ import annotations

from pathlib import Path

import numpy as np

import phasemark
from phasemark.model import Metrics
from phasemark.store import metrics_csv
from phasemark.store.folder import Folder
from phasemark.workflow import Run
from phasemark.workflow.reading import read

BASE = Path(__file__).parents[1] / "data" / "edge-cases" / "base.bb"


def analysed(path: Path) -> Folder:
    """Eight intervals in phases 0 0 0 1 1 1 2 2."""
    folder = phasemark.open(BASE, path).folder
    Run(folder.path).find_phases()
    Run(folder.path).pick_points()
    return folder


def with_metrics(path: Path, cpi: list[float], **counters: list[float]) -> Folder:
    """The same, with the CPI of each interval (NaN: missing) and further counters."""
    folder = analysed(path)
    intervals = read(folder.path).interval_table
    executed = intervals.length.astype(float)
    measured = {"instructions": executed, "cycles": executed * np.array(cpi)}
    measured |= {name: np.array(values, float) for name, values in counters.items()}
    keys = (intervals.run, intervals.thread, intervals.index, intervals.start, intervals.length)
    metrics = Metrics(*keys, measured, source="a test")
    metrics_csv.write(folder.metrics, metrics, made_by={"command": "test"})
    return folder
