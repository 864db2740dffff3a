"""phasemark intervals: what it says, and what it refuses."""

from __future__ import annotations

import dataclasses
import json
from pathlib import Path
from typing import Any

import pytest
from tests.workflow import nested
from typer.testing import CliRunner, Result

from phasemark.cli.app import application
from phasemark.cli.printing import intervals as shown
from phasemark.collect import Boundaries
from phasemark.errors import UsageError
from phasemark.workflow import Run, repeating


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    folder = nested.recorded(tmp_path / "run")
    monkeypatch.setattr(repeating, "recut", nested.recut)
    monkeypatch.setattr(repeating.events_h5, "read", lambda path: (nested.events(),))
    return Run(folder.path)


def phasemark(*words: str) -> Result:
    return CliRunner().invoke(application("intervals"), ["intervals", *words])


def test_a_table_has_a_row_a_level_and_one_of_what_was_taken(run: Run) -> None:
    run.find_phases()
    done = phasemark(str(run.path), "--min", "50k", "--max", "400k")
    assert done.exit_code == 0 and done.stdout == ""
    lines = done.stderr.splitlines()
    assert (
        "phasemark: labels, model.h5 and phases.csv are removed: they were made before these intervals"
        in lines
    )
    heading = next(at for at, line in enumerate(lines) if line.startswith("level"))
    assert lines[heading].split() == ["level", "intervals", "median", "length", "mean", "length", "phases"]
    stored = run.folder.entry_of("intervals")
    rows = [line.split() for line in lines[heading + 1 : heading + 2 + stored["levels"]]]
    assert [row[0] for row in rows] == [*map(str, range(stored["levels"])), "taken"]
    assert rows[-1][1] == f"{stored['intervals']:,}"
    assert any("were found again, in 1.0 s of CPU time" in line for line in lines)
    assert lines[-1] == (
        f"phasemark: wrote {run.folder.profile} and hierarchy.h5; next: phasemark phases {run.path}"
    )


def test_for_scripts(run: Run) -> None:
    done = phasemark(str(run.path), "--min", "50k", "--max", "100k", "--quiet", "--json")
    assert done.exit_code == 0 and done.stderr == ""
    said: dict[str, Any] = json.loads(done.stdout)
    table = run.intervals
    assert said["intervals"]["intervals"] == len(table)
    assert (said["minimum"], said["maximum"]) == (50_000, 100_000)
    assert said["shorter"]["intervals"] == int((table.length < 50_000).sum())
    assert said["longer"]["intervals"] == int((table.length > 100_000).sum())
    assert said["longer"]["share"] == pytest.approx(
        table.length[table.length > 100_000].sum() / nested.LENGTH
    )
    assert len(said["levels"]) == run.folder.entry_of("intervals")["levels"]


def test_back_to_fixed_length(run: Run) -> None:
    before = run.folder.profile.read_bytes()
    phasemark(str(run.path))
    assert run.folder.profile.read_bytes() != before
    done = phasemark(str(run.path), "--fixed", "--json")
    assert done.stderr == f"phasemark: {run.folder.profile} has intervals of fixed length again\n"
    assert json.loads(done.stdout) == {"intervals": len(nested.fixed()), "discarded": []}
    assert run.folder.profile.read_bytes() == before


@pytest.mark.parametrize("words", [["--min", "1M"], ["--max", "1M"], ["--timing", "modern"], ["true"]])
def test_the_way_back_takes_no_other_intervals(run: Run, words: list[str]) -> None:
    done = phasemark(str(run.path), "--fixed", *words)
    assert isinstance(done.exception, UsageError) and "--fixed goes back" in str(done.exception)


@pytest.mark.parametrize(
    ("words", "named"),
    [
        ("--levels --timing nope", "--timing is"),
        ("--levels --min 1 --max 2", "--min and --max are"),
        ("--levels -- true", "a program is"),
        ("--grammar --min 1", "--min is"),
        ("--grammar --seed 1 --coverage 90% --shortest 10k", "--coverage and --shortest and --seed are"),
        ("--fixed --seed 4 --every 3", "--every and --seed are"),
    ],
)
def test_options_without_effect_are_refused(run: Run, words: str, named: str) -> None:
    before = {path.name: path.read_bytes() for path in run.path.iterdir()}
    done = phasemark(str(run.path), *words.split())
    assert isinstance(done.exception, UsageError) and f"and {named} for cutting" in str(done.exception)
    assert {path.name: path.read_bytes() for path in run.path.iterdir()} == before


def test_a_single_interval_is_the_only_one(run: Run) -> None:
    done = phasemark(str(run.path), "--min", "3M", "--max", "4M")
    assert "the only interval is of these lengths\n" in done.stderr


def test_the_levels_alone(run: Run) -> None:
    before = {path.name: path.read_bytes() for path in run.path.iterdir()}
    done = phasemark(str(run.path), "--levels")
    assert done.exit_code == 0
    rows = [line.split() for line in done.stdout.splitlines()]
    assert rows[0][0] == "level" and [row[0] for row in rows[1:]] == [*map(str, range(len(rows) - 1))]
    said = json.loads(phasemark(str(run.path), "--levels", "--json").stdout)
    assert [f"{level['intervals']:,}" for level in said] == [row[1] for row in rows[1:]]
    assert {path.name: path.read_bytes() for path in run.path.iterdir()} == before


def test_the_grammar_alone(run: Run) -> None:
    done = phasemark(str(run.path), "--grammar", "--every", "0")
    assert done.exit_code == 0 and "loop /bin/nested+0x20" in done.stdout
    said = json.loads(phasemark(str(run.path), "--grammar", "--json").stdout)
    assert said["threads"][0]["instructions"] == nested.LENGTH
    both = phasemark(str(run.path), "--grammar", "--levels")
    assert isinstance(both.exception, UsageError)


def test_lost_boundaries_are_told_once_and_the_first_attempt_before_the_result(
    run: Run, capsys: pytest.CaptureFixture[str]
) -> None:
    found = run.find_intervals(minimum=50_000, maximum=10**9)
    assert any(line.startswith(("all ", "of ", "the only ")) for line in shown.lines(found))
    lost = Boundaries(15, found=1, lost=14, first_lost=(1, 0, 500))
    told = dataclasses.replace(found, boundaries=lost, notes=("in the first attempt",), warnings=(str(lost),))
    lines = shown.lines(told)
    assert lines[0] == "note: in the first attempt" and lines[-1] == "1.0 s of CPU time"
    assert not any("of these lengths" in line or "found again" in line for line in lines)
    shown.warn(told)
    assert capsys.readouterr().err.count("1 of 15 boundaries were found again") == 1
