"""What ChampSim is told for each point: how much to skip, warm up and simulate.

Skip is for the tracer (`-s`), warm-up and simulation for ChampSim (`--warmup-instructions`,
`--simulation-instructions`). The trace of a point must hold warm-up and simulation together, and some hundred
instructions more, which are fetched ahead: at its end ChampSim begins it again.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from phasemark.formats.points.chosen import Chosen, ChosenPoint
from phasemark.formats.points.fields import stated_coverage
from phasemark.model import Points
from phasemark.store import tables

__all__ = ["read", "write"]

#: Columns that a table need not have.
_MORE = {"run": int, "thread": int, "interval": int, "phase": int}


def read(path: Path) -> Chosen:
    """Read such a table.

    Raises:
        DataError: malformed; names file and line or row.
    """
    there = {name: kind for name, kind in _MORE.items() if name in tables.header(path)}
    wanted = {"skip": int, "warmup": int, "simulate": int, "weight": float}
    table = tables.read(path, {**wanted, **there})
    points = []
    for row in range(len(table["skip"])):
        of = {name: values[row] for name, values in table.items()}
        point = ChosenPoint(
            weight=of["weight"],
            path=path,
            row=row,
            interval=of.get("interval"),
            start=of["skip"] + of["warmup"],
            length=of["simulate"],
            warmup=of["warmup"],
            cluster=of.get("phase"),
            run=of.get("run", 0),
            thread=of.get("thread"),
        )
        if min(of.values()) < 0 or not of["weight"] <= 1e6:
            raise point.error("a number is negative or no number")
        points.append(point)
    return Chosen(
        tuple(points), (path,), coverage=stated_coverage(tables.comment(path).get("coverage"), path)
    )


def write(path: str | Path, points: Points, *, made_by: Mapping[str, object]) -> None:
    """Write a CSV: run, thread, interval, phase, skip, warmup, simulate (instructions), weight.

    Where the points stand for less than the run, the comment at the top says for how much.

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
    covered = {"coverage": repr(float(points.coverage))} if points.coverage < 1 else {}
    tables.write(path, table, made_by={**made_by, "unit": "instructions", **covered})
