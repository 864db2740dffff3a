"""What ChampSim is told for each point: how much to skip, warm up and simulate.

Skip is for the tracer (`-s`), warm-up and simulation for ChampSim (`--warmup-instructions`,
`--simulation-instructions`). The trace of a point must hold warm-up and simulation together.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from phasemark.model import Points
from phasemark.store import tables

__all__ = ["write"]


def write(path: str | Path, points: Points, *, made_by: Mapping[str, object]) -> None:
    """Write a CSV: run, thread, interval, phase, skip, warmup, simulate (instructions), weight.

    Raises:
        WorkError: the file cannot be written.
    """
    table: dict[str, Any] = {
        "run": points.run,
        "thread": points.thread,
        "interval": points.interval,
        "phase": points.phase,
        "skip": points.start - points.warmup,
        "warmup": points.warmup,
        "simulate": points.end - points.start,
        "weight": points.weight,
    }
    tables.write(path, table, made_by={**made_by, "unit": "instructions"})
