"""The study of accuracy, in small: two real programs from input to tables, stopped and taken up again."""

from __future__ import annotations

import importlib.util
import json
import subprocess
import sys
from pathlib import Path

import pytest
from tests.studies.modules import modules

import phasemark

STUDY = Path(__file__).parents[2] / "studies" / "accuracy"
collector = importlib.util.find_spec("phasemark")
built = any((Path(place) / "_collector").is_dir() for place in collector.submodule_search_locations or [])

pytestmark = pytest.mark.skipif(not built, reason="the collector was not built")


def study(out: Path, *more: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, STUDY / "study.py", "-o", out, "--scale", "0.1", "--seeds", "2", *more]
    return subprocess.run(
        [str(part) for part in command], capture_output=True, text=True, check=False, cwd=out.parent
    )


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("study") / "out"
    done = study(out, "--only", "gunzip", "sort")
    assert done.returncode == 0, done.stdout + done.stderr
    return out


def test_every_way_is_held_to_the_truth_on_every_machine(small: Path) -> None:
    results = json.loads((small / "results.json").read_text())
    assert sorted(results) == ["gunzip", "sort"]
    for result in results.values():
        assert 200 < result["intervals"] < 1200
        assert result["truth"]["modern"]["cpi"] != result["truth"]["little"]["cpi"]
        for row in result["estimates"]:
            assert row["error"] >= abs(row["bias"]) - 1e-12
            if row["method"] in ("stratified", "random", "SMARTS", "two-phase"):
                assert 0 <= row["covered"] <= 1 or row["metric"] != "cpi"
    errors = {
        (row["machine"], row["method"], row["signature"], row["budget"]): row["error"]
        for row in results["sort"]["estimates"]
        if row["metric"] == "cpi"
    }
    ways = {key[1:3] for key in errors}
    own = {way for way in ways if way[0] == "simpoint"}  # which has its own number of points
    assert len(errors) == 3 * (6 * len(ways - own) + len(own))
    for machine in ("modern", "paper", "little"):
        assert errors[machine, "stratified", "code", 80] < errors[machine, "start", "-", 80]
        # The same points, and another error bar.
        smarts = errors[machine, "SMARTS", "-", 20]
        assert smarts == pytest.approx(errors[machine, "systematic", "-", 20])


def test_the_default_is_what_a_user_gets(small: Path) -> None:
    with modules(STUDY, "study", "designs") as (again, designs):
        folders = {m: small / "machines" / m / "sort" for m in ("paper", "little")}
        folders = {"modern": small / "runs" / "sort", **folders}
        group = designs.Group(again.read(folders), ["modern"], 1)
        run = phasemark.open(folders["modern"])
        assert designs.DEFAULT == ("stratified", "code+behaviour")
        expected = designs.stratified(group, run.phases, group.places(designs.DEFAULT[1]), 20)
        chosen = run.pick_points(budget=20, use_pilot=False).points
    assert chosen.interval.tolist() == expected.interval.tolist()
    assert chosen.weight.tolist() == expected.weight.tolist()


def test_tables_and_figures_are_written(small: Path) -> None:
    tables = (small / "tables.md").read_text()
    assert tables.count("\n## ") == 17 and "nan" not in tables
    assert "| gunzip |" in tables and "(default)" in tables
    figures = {path.name for path in small.glob("*.svg")}
    assert {"accuracy.svg", "homogeneity.svg", "time-gunzip.svg", "similarity-gunzip.svg"} <= figures


def test_what_is_done_is_not_done_again(small: Path) -> None:
    metrics = small / "runs" / "sort" / "metrics.csv"
    before = metrics.stat().st_mtime_ns, (small / "tables.md").read_bytes()
    again = study(small, "--only", "gunzip", "sort")
    assert again.returncode == 0
    assert (metrics.stat().st_mtime_ns, (small / "tables.md").read_bytes()) == before


def test_equal_seeds_make_equal_inputs(small: Path, tmp_path: Path) -> None:
    with modules(STUDY, "inputs") as (inputs,):
        inputs.write(tmp_path, 1, 0.1)
    for path in tmp_path.iterdir():
        assert path.read_bytes() == (small / "inputs" / path.name).read_bytes(), path.name


def test_a_program_that_fails_is_named_and_the_others_go_on(small: Path) -> None:
    (small / "inputs" / "archive.bz2").write_bytes(b"no archive")
    done = study(small, "--only", "sort", "bunzip2")
    assert done.returncode == 1
    assert "bunzip2: bzip2 ended with 2" in done.stderr
    assert list(json.loads((small / "results.json").read_text())) == ["sort"]
