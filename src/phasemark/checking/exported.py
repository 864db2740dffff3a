"""Points of other tools' files, and of those that phasemark writes for them."""

from __future__ import annotations

from pathlib import Path

from phasemark.errors import counted
from phasemark.formats import trace_json
from phasemark.formats.points import looppoint_json, nemu_summary, reading
from phasemark.formats.points.chosen import are_separate, require_total

__all__ = ["of_looppoint", "of_points", "of_trace", "of_xiangshan"]


def of_points(path: Path) -> str:
    """What a file of points holds that stands alone: PinPoints' or LoopPoint's regions, ChampSim's table.

    Raises:
        DataError: malformed, a region without an instruction, or weights that do not sum to 1.
    """
    chosen = reading.read([path])
    for point in chosen.points:
        if point.length == 0:
            raise point.error("there is no instruction in it", "leave the point out")
    if not are_separate(chosen):
        require_total(chosen)
    return f"{reading.format_of(path).name}: {len(chosen.points):,}"


def of_looppoint(path: Path) -> str:
    """What gem5's JSON of LoopPoint's regions holds.

    Raises:
        DataError: malformed.
    """
    return f"LoopPoint's regions: {len(looppoint_json.read_multipliers(path)):,}"


def of_trace(path: Path) -> str:
    """What a trace of threads holds.

    Raises:
        DataError: malformed.
    """
    slices, threads = trace_json.stretches(path)
    return f"a trace: {slices:,} {'stretch' if slices == 1 else 'stretches'} of {counted(threads, 'thread')}"


def of_xiangshan(path: Path) -> str:
    """What XiangShan's summary holds: points of one workload or several.

    Raises:
        DataError: malformed, or weights that do not sum to 1.
    """
    workloads = nemu_summary.read_all(path)
    for chosen in workloads.values():
        require_total(chosen)
    points = sum(len(chosen.points) for chosen in workloads.values())
    several = f" of {len(workloads):,} workloads" if len(workloads) > 1 else ""
    return f"XiangShan's points: {points:,}{several}"
