"""A simulation of the points of a run, or of all of it."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from phasemark.cli.printing import markers, say, show_aside
from phasemark.cli.printing.text import weight
from phasemark.errors import counted
from phasemark.intervals import PhaseMarkers
from phasemark.model import Metrics, Points
from phasemark.views.text import aligned
from phasemark.workflow.simulation import SimulationResult, names_of

#: What the table shows, where it was measured: metric and heading.
_SHOWN = {
    "cpi": "CPI",
    "l1i_mpki": "L1I MPKI",
    "l1d_mpki": "L1D MPKI",
    "l2_mpki": "L2 MPKI",
    "l3_mpki": "L3 MPKI",
    "branch_mpki": "branch MPKI",
}


def show(result: SimulationResult, begins: PhaseMarkers | None = None) -> None:
    """The simulation, for people, on standard error; with `begins`, what each phase begins with."""
    simulation, done = result.simulation, result.done
    measured = int(simulation.metrics.counters["instructions"].sum())
    share = f" ({done.simulated / result.profiled:.1%} of the run in all)" if result.profiled else ""
    say(
        f"simulated {counted(len(simulation.metrics), 'interval')} of {measured:,} instructions on "
        f"{simulation.metrics.source}, with {done.simulated - done.measured:,} to warm up{share}, in "
        f"{simulation.cpu_seconds:.1f} s of CPU time"
    )
    if result.points is not None:
        show_aside(_lines(result.points, simulation.metrics))
        if begins is not None:
            show_aside(["", *markers.lines(markers.summary(begins), _heaviest_first(result.points))])
    for note in result.notes:
        say(f"note: {note}")
    warn(result)
    say(f"wrote {result.path}")


def warn(result: SimulationResult) -> None:
    """What the user should know, even with --quiet."""
    for sentence in result.warnings:
        say(f"warning: {sentence}")
    if result.simulation.status:
        say(f"the program's exit status is {result.simulation.status}")
    if result.missing:
        say(result.missing)


def summary(result: SimulationResult) -> dict[str, Any]:
    """The simulation, for scripts."""
    simulation, done = result.simulation, result.done
    return {
        "file": str(result.path),
        "program": simulation.analysed.program,
        "configuration": {"name": result.config.name, "digest": result.config.digest},
        "intervals": len(simulation.metrics),
        "measured": done.measured,
        "simulated": done.simulated,
        "instructions": simulation.analysed.instructions,
        "totals": {name: float(values.sum()) for name, values in simulation.metrics.counters.items()},
        "missing": names_of(result.plan, simulation.missing),
        "status": simulation.status,
        "cpu_seconds": simulation.cpu_seconds,
        "notes": list(result.notes),
        "warnings": list(result.warnings),
    }


def _lines(points: Points, metrics: Metrics) -> list[str]:
    """A table with a row per point."""
    ratios = {name: metrics.values(name) for name in _SHOWN if name in metrics.ratios()}
    threaded = bool(points.thread.any())
    headings = ["phase", "weight", "interval", *(["thread"] if threaded else [])]
    cells = [[*headings, *(_SHOWN[name] for name in ratios)]]
    rows = metrics.rows(points.run, points.thread, points.interval).tolist()
    order, guard = _heaviest_first(points), points.is_guard
    for at in sorted(range(len(points)), key=lambda at: order.index(int(points.phase[at]))):
        stands = "guard" if guard[at] else weight(points.weight[at])
        own = [str(points.phase[at]), stands, f"{points.interval[at]:,}"]
        thread = [str(points.thread[at])] if threaded else []
        row = rows[at]
        cells.append([*own, *thread, *("missing" if row < 0 else _cell(v[row]) for v in ratios.values())])
    return aligned(cells, left=())


def _heaviest_first(points: Points) -> list[int]:
    """The phases by what their points weigh; of equal ones by number."""
    weights = np.bincount(points.phase, points.weight)
    return [phase for phase in np.argsort(-weights.round(9), kind="stable").tolist() if phase in points.phase]


def _cell(value: float) -> str:
    """Three digits behind the point; a rate that would read 0 and is none keeps its first digit."""
    if math.isnan(value):
        return "-"
    return f"{value:.3f}" if value >= 0.0005 else f"{value:.0e}" if value else "0"
