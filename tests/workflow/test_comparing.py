"""Two runs in folders, what differs between them, and two builds of a real program."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from tests import commands
from tests.collector.harness import PROGRAMS, build
from tests.workflow.test_joining import of_threads

from phasemark import workflow
from phasemark.cli.printing import comparison
from phasemark.errors import DataError, UsageError
from phasemark.store import profile_h5
from phasemark.store.folder import Folder
from phasemark.workflow import PhaseOptions, Run


@pytest.fixture
def pair(tmp_path: Path) -> list[Path]:
    """Cycles of the second half take twice as long in the second; threads share both."""
    return [of_threads(tmp_path / f"t{threads}", threads) for threads in (1, 2)]


def test_two_folders_are_compared_and_nothing_is_left(pair, tmp_path) -> None:
    before = sorted(tmp_path.rglob("*"))
    result = workflow.compare(*pair, options=PhaseOptions(k=2))
    assert sorted(tmp_path.rglob("*")) == before
    assert result.comparison.time.tolist() == [[12_000, 36_000], [12_000, 72_000]]
    assert result.names == ("one", "two") and result.by == "block" and result.folder is None
    assert result.sentences[1].startswith("phase 1 (two) takes longer: +3.6e+04 cycles, +75.0% of all before")
    assert result.sentences[1].endswith("at equal work: CPI 3 before and 6 after")
    assert result.functions == () and result.source == "test"
    assert result.frame().query("phase == 1").by_speed.item() == pytest.approx(36_000)


def test_names_are_as_long_as_the_terminal_has_room_for(pair, monkeypatch: pytest.MonkeyPatch) -> None:
    result = replace(workflow.compare(*pair, options=PhaseOptions(k=2)), names=("one", "f" * 18 + "g" * 18))
    shown = []
    for columns in (70, 90, 200):
        monkeypatch.setenv("COLUMNS", str(columns))
        lines = comparison.lines(result)
        assert max(map(len, lines)) <= columns
        shown.append(next(word for line in lines for word in line.split() if word.startswith("ff")))
    assert shown[0] == "ffffffff…ggggggg" and shown[2] == "f" * 18 + "g" * 18
    assert 16 < len(shown[1]) < 36


def test_what_is_kept_is_a_run_and_is_compared_again_as_it_is(pair, tmp_path) -> None:
    kept = workflow.compare(*pair, tmp_path / "both")
    assert kept.discarded == ()
    assert workflow.compare(*pair, tmp_path / "both").discarded == ()  # phases are there again
    Run(tmp_path / "both").pick_points()
    assert "points.csv is removed" in workflow.compare(*pair, tmp_path / "both").discarded
    run = Run(tmp_path / "both")
    assert run.folder.phases.exists()
    run.pick_points()
    assert run.plot("comparison", tmp_path / "figure.svg")
    run.find_phases(k=2)
    again = workflow.compare(tmp_path / "both")
    assert again.comparison.k == 2 and again.sources == (tmp_path / "both",)
    assert again.comparison.whole.tolist() == kept.comparison.whole.tolist()
    for wrong in ({"out": tmp_path / "new"}, {"by": "function"}, {"options": PhaseOptions(k=1)}):
        with pytest.raises(UsageError, match="one folder is compared as it is"):
            workflow.compare(tmp_path / "both", **wrong)


def test_the_command_prints_a_table_and_json(pair, tmp_path) -> None:
    printed = commands.run("compare", *map(str, pair), "-k", "2").stdout
    assert max(map(len, printed.splitlines())) <= 120
    cells = [line.split() for line in printed.splitlines()]
    assert ["all", "100.0%", "175.0%", "+75.0%", "+0.0%", "+75.0%", "2", "3.5"] in cells
    assert ["1", "two", "75.0%", "150.0%", "+75.0%", "+0.0%", "+75.0%", "3", "6"] in cells
    said = json.loads(commands.run("compare", *map(str, pair), "-k", "2", "--json").stdout)
    assert said["whole"]["cycles_after"] == 84_000 and said["phases"][1]["name"] == "two"
    assert [phase["kind"] for phase in said["phases"]] == ["alike", "grew"]
    assert commands.run("compare", *map(str, pair), "--quiet").stdout == ""
    kept = commands.run("compare", *map(str, pair), "-o", str(tmp_path / "both")).stdout
    assert "next: phasemark points" in kept and (tmp_path / "both" / "profile.h5").exists()


def test_that_functions_have_no_names_is_said_where_builds_have_nothing_in_common(tmp_path) -> None:
    for name in ("old", "new"):
        folder = Folder(of_threads(tmp_path / name, 1))
        whole = profile_h5.read(folder.profile)
        blocks = replace(whole.block_table, modules=(f"/gone/{name}",), function=None)
        profile_h5.write(folder.profile, replace(whole, block_table=blocks))
    notes = workflow.compare(tmp_path / "old", tmp_path / "new").notes
    assert notes[0].startswith("run 1 executes 0.0% of its instructions in code that run 0 executes")
    for note, name in zip(notes[1:], ("old", "new"), strict=False):
        assert note.startswith(f"{tmp_path / name}: 100% of the instructions ran in functions without names")
        assert note.endswith("the file is gone, or is another build than the one that ran")


def test_what_cannot_be_compared_is_refused(pair, tmp_path) -> None:
    with pytest.raises(UsageError, match="named twice"):
        workflow.compare(pair[0], pair[0])
    with pytest.raises(UsageError, match="'line'"):
        workflow.compare(*pair, by="line")
    with pytest.raises(DataError, match=r"t1: holds 1 run, where two are compared"):
        workflow.compare(pair[0])
    assert commands.run("compare", str(pair[0]), str(tmp_path / "none")).returncode == 3
    workflow.parallel(pair, tmp_path / "both")
    with pytest.raises(DataError, match=r"both: holds 2 runs, where two are compared") as refused:
        workflow.compare(pair[0], tmp_path / "both", tmp_path / "new")
    assert not (tmp_path / "new").exists() and "one run each" in refused.value.hint


@pytest.mark.parametrize("every", [1, 3])
def test_a_run_whose_cycles_are_not_all_there_is_not_compared_by_them(pair, tmp_path, every) -> None:
    both = tmp_path / "both"
    workflow.compare(*pair, both, options=PhaseOptions(k=2))
    table = (both / "metrics.csv").read_text().splitlines(keepends=True)
    of_second = [line for line in table if line.startswith("1,")]
    kept = [line for line in table if line not in of_second[::every]]
    (both / "metrics.csv").write_text("".join(kept))
    result = workflow.compare(both)
    assert result.comparison.unit == "instructions" and result.source == ""
    assert result.comparison.whole.tolist() == [24_000, 24_000]
    assert any("metrics.csv lacks the cycles of a run" in note for note in result.notes)
    told = Run(both).scaling()
    assert told.scaling.unit == "instructions" and "metrics.csv lacks" in told.sentences[-1]
    assert told.scaling.whole_speedup.tolist() == [1, 2]


def test_two_inputs_of_a_build_are_compared_by_lines(tmp_path: Path) -> None:
    program = build("versions.c", tmp_path / "versions", "-DNEW")
    for which in ("one", "two"):
        workflow.profile([str(program)], tmp_path / which, interval="10k")
    result = workflow.compare(tmp_path / "one", tmp_path / "two", options=PhaseOptions(k=5))
    source = (PROGRAMS / "versions.c").read_text().splitlines()
    line = dict(zip(result.names, result.lines, strict=True))["checksum"]
    assert result.by == "block" and line.startswith("versions.c:")
    assert "sum << 1" in source[int(line.partition(":")[2]) - 1]


def test_two_builds_of_a_program_are_compared_by_their_functions(tmp_path: Path) -> None:
    for which, flags in (("old", ()), ("new", ("-DNEW",))):
        (tmp_path / which).mkdir()
        program = build("versions.c", tmp_path / which / "versions", *flags)
        run = workflow.profile([str(program)], tmp_path / f"{which}.run", interval="10k")
        assert run.recording is not None
    result = workflow.compare(tmp_path / "old.run", tmp_path / "new.run")
    assert result.by == "function" and "only instructions are compared" in result.sentences[-1]
    found = dict(
        zip(result.names, zip(result.comparison.kinds, result.comparison.change, strict=True), strict=True)
    )
    assert found["checksum"][0] == "new"
    assert set(result.lines) == {""}  # two builds have functions alone in common
    changed = {one.name: one for one in result.functions}
    assert changed["mix"].after == pytest.approx(2 * changed["mix"].before, rel=0.01)
    assert changed["checksum"].before == 0 and "scan" not in changed
    whole = result.comparison.instructions.sum(axis=1)
    assert np.isclose(whole[1] - whole[0], changed["mix"].after / 2 + changed["checksum"].after, rtol=0.02)
