"""From a program to LoopPoint's regions, and back: who counts executions finds the points' intervals."""

from __future__ import annotations

import csv
import json
from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from tests.collector.harness import build, collect, labels

from phasemark.checking import check
from phasemark.collect import Cuts, Request, recut
from phasemark.collect.engines.valgrind import tool_folder
from phasemark.errors import MissingTool, UsageError
from phasemark.model import Intervals, Points
from phasemark.store import points_csv, profile_h5
from phasemark.store.folder import Folder
from phasemark.workflow import Run

try:
    tool_folder()
except MissingTool as missing:
    pytest.skip(str(missing), allow_module_level=True)

#: Rounds of the outer loop of loops.S have 27 instructions, after the first instruction of all.
ENDS = [28, 55, 136, 271, 342]


@pytest.fixture
def run(tmp_path: Path) -> tuple[Run, Path, list[int]]:
    """A run with two points, its program, and the address of every instruction that it executed."""
    program = build("loops.S", tmp_path / "loops")
    stream = collect(tmp_path / "steps", program, interval=1).root
    steps = [next(iter(stream.executions([interval]))) for interval in stream.intervals()]
    table = Intervals.of_thread(np.diff([0, *ENDS]))
    profile = recut(Request((str(program),)), Cuts(table)).profile
    folder = Folder(tmp_path / "run").create()
    profile_h5.write(folder.profile, profile)
    zero = np.zeros(2)
    points_csv.write(
        folder.points, Points(zero, zero, [1, 3], [0, 1], [28, 136], [55, 271], zero, [0.25, 0.75])
    )
    folder.record("profile", {"command": [str(program)]})
    folder.record("points", {})
    return Run(folder.path), program, steps


def test_points_of_threads_have_places_and_counts(run: tuple[Run, Path, list[int]], tmp_path: Path) -> None:
    """All in one table: instructions of the thread, of all threads, and the places in the code."""
    made, _, steps = run
    (file,) = made.export("threads").files
    rows = list(csv.DictReader(line for line in file.read_text().splitlines() if line[0] != "#"))
    assert [row["sniper"] for row in rows] == ["28:0:27", "136:0:135"]
    for row in rows:
        for side in ("start", "end"):
            at = position(steps, int(row[f"{side}_address"], 16), int(row[f"{side}_count"]))
            assert at == int(row[side]) == int(row[f"global_{side}"])
    again = Run(tmp_path / "run")
    assert again.import_points([file]).points.start.tolist() == [28, 136]


def position(steps: list[int], pc: int, count: int) -> int:
    """Where a simulator is that has just come to an instruction for the n-th time."""
    seen: Counter[int] = Counter()
    for at, address in enumerate(steps):
        seen[address] += 1
        if (address, seen[address]) == (pc, count):
            return at
    raise AssertionError("it never comes")


def test_who_counts_executions_finds_the_intervals(run: tuple[Run, Path, list[int]]) -> None:
    folder, program, steps = run
    exported = folder.export("looppoint")
    table, regions = exported.files
    held = json.loads(regions.read_text())
    found = [
        tuple(position(steps, place["pc"], place["global"]) for place in region["simulation"].values())
        for region in held.values()
    ]
    assert found == [(28, 55), (136, 271)]
    assert held["1"]["simulation"]["start"]["pc"] == labels(program)["outer"]
    assert not exported.notes
    with table.open() as lines:
        rows = [row for row in csv.reader(lines) if row[0].startswith("cluster")]
    for row in rows:
        assert row[4] == "loops" and int(row[3], 16) - int(row[5], 16) == 0x400000, "as Pin numbers an image"
        assert position(steps, int(row[3], 16), int(row[6])) in (28, 136)
    (again,) = folder.export("markers").files
    with again.open() as lines:
        marked = list(csv.DictReader(line for line in lines if not line.startswith("#")))
    assert [int(row["start_address"], 16) for row in marked] == [int(row[3], 16) for row in rows]
    assert [row["end_count"] for row in marked] == [row[10] for row in rows]


def test_what_is_exported_is_known(run: tuple[Run, Path, list[int]]) -> None:
    folder, _, _ = run
    for target in ("looppoint", "markers"):
        for checked in check(folder.export(target).files):
            assert checked.error is None and checked.known, str(checked.error)


def test_a_program_that_is_gone_has_no_addresses(run: tuple[Run, Path, list[int]]) -> None:
    folder, program, _ = run
    program.write_text("another")
    with pytest.raises(UsageError, match="whose file is gone or another build"):
        folder.export("looppoint")
    (marked,) = folder.export("markers").files
    assert ",0x1" in marked.read_text() and "0x40" not in marked.read_text()
