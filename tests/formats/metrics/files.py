"""Files of metrics as tools write them, and a run that they are of."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from typer.testing import CliRunner

from phasemark.cli.app import application
from phasemark.formats.points import simpoint_files
from phasemark.model import Points
from phasemark.store import points_csv
from phasemark.store.folder import Folder
from phasemark.workflow.reading import read

GEM5 = Path(__file__).parents[2] / "data" / "gem5-bootcamp"
STATS = [GEM5 / f"simpoint{i}-run-stats.txt.gz" for i in range(3)]
FULL = GEM5 / "full-run-stats.txt.gz"


def command(*arguments: object, status: int = 0) -> str:
    result = CliRunner().invoke(application(), ["import", "--metrics", *map(str, arguments)])
    assert (result.exit_code == 0) == (status == 0), result.output
    return result.output


def write(path: Path, text: str) -> Path:
    path.write_text(text)
    return path


def of_simpoint(path: Path) -> Folder:
    """The bootcamp's run, with the points that SimPoint 3.2 chose."""
    folder = Folder(path)
    vectors = [str(GEM5 / "simpoint.bb.gz"), "--stats", str(FULL), "-o", str(path), "--quiet"]
    assert CliRunner().invoke(application(), ["import", *vectors]).exit_code == 0
    intervals = read(path).interval_table
    pair = simpoint_files.read_pair(GEM5 / "results.simpts", GEM5 / "results.weights")
    rows, zero = pair.interval, np.zeros(3, int)
    end = intervals.start[rows] + intervals.length[rows]
    weight = pair.weight / pair.weight.sum()
    points = Points(zero, zero, rows, pair.cluster, intervals.start[rows], end, zero, weight)
    points_csv.write(folder.points, points, made_by={})
    return folder


def stats(*dumps: dict[str, object]) -> str:
    lines = []
    for dump in dumps:
        lines += ["", "---------- Begin Simulation Statistics ----------"]
        lines += [f"{name}  {value}  # what it is ({unit})" for name, (value, unit) in dump.items()]
        lines += ["", "---------- End Simulation Statistics   ----------"]
    return "\n".join(lines) + "\n"


def dump(instructions: int, cycles: int, ticks: int, clock: int, **more: object) -> dict[str, object]:
    return {
        "simTicks": (ticks, "Tick"),
        "finalTick": (clock, "Tick"),
        "simInsts": (instructions, "Count"),
        "system.cpu.numCycles": (cycles, "Cycle"),
        **more,
    }


def perf(*rows: tuple[float, str, str, str, float]) -> str:
    return "# started on Sat Nov 28\n\n" + "".join(
        f"     {time:.9f},{value},{unit},{event},{1000},{ran:.2f},,\n"
        for time, value, unit, event, ran in rows
    )
