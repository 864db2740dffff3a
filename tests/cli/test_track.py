"""phasemark track: what it prints."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.phases.runs import run as made
from typer.testing import CliRunner

import phasemark
from phasemark.cli.app import application


def track(*words: str) -> str:
    done = CliRunner().invoke(application("track"), ["track", *words], catch_exceptions=False)
    assert done.exit_code == 0, done.output
    return done.stdout


@pytest.fixture
def folder(tmp_path: Path) -> str:
    seen = made()
    return str(phasemark.save(tmp_path / "run", seen.profile, metrics=seen.metrics()).path)


def test_what_is_printed_for_people(folder: str) -> None:
    lines = track(folder, "--min-count", "2", "--largest", "2").splitlines()
    assert lines[0] == (
        "3 online phases in 60 intervals; 3 in transition (5.00%), before their signature was seen 2 times"
    )
    assert [line.split() for line in lines[2:5]] == [
        ["phase", "share", "intervals", "stretches", "mean", "length"],
        ["1", "31.7%", "19", "2", "9.5"],
        ["2", "31.7%", "19", "2", "9.5"],
    ]
    text = "\n".join(lines)
    assert "mean (deviation / mean), measured by" in text and "\nfull   100.0%  2.029 (40.3%)" in text
    assert "rle-markov-2" in text and "they are the run's phases; next: phasemark points" in text
    phasemark.open(folder).find_phases(k=3)
    again = track(folder, "--min-count", "2")
    assert "agreement with the run's own phases, of simpoint: 0.9" in again and "1.00 without those" in again
    assert "--replace puts these in their place" in again


def test_json_and_quiet(folder: str) -> None:
    out = json.loads(track(folder, "--json", "--unrestricted", "--predictor", "last,rle-markov"))
    assert out["k"] == 4 and out["counters"] is None and out["transition"] == 0 and out["replaced"]
    assert [row["intervals"] for row in out["phases"]] == [21, 13, 13, 13]
    assert list(out["predictors"]) == ["last", "rle-markov"]
    assert sum(map(sum, out["predictors"]["last"]["confusion"])) == 58
    assert out["quality"]["cpi"]["full"]["mean"] == pytest.approx(2.03, abs=0.01)
    assert track(folder, "--quiet") == ""


def test_sizes_as_options(folder: str) -> None:
    options = ["--counters", "64", "--bits", "all", "--compressed-bits", "8", "--signatures", "all"]
    out = json.loads(track(folder, "--json", *options, "--policy", "average", "--threshold", "0.5"))
    assert (out["counters"], out["bits"], out["compressed_bits"], out["signatures"]) == (64, None, 8, None)
    assert (out["policy"], out["threshold"]) == ("average", 0.5)
    exact = json.loads(track(folder, "--json", "--counters", "all"))
    assert (exact["counters"], exact["bits"], exact["compressed_bits"]) == (None, None, None)
    assert exact["signatures"] == 20


def test_later_steps_call_the_transition_so(folder: str) -> None:
    track(folder, "--min-count", "2", "--quiet")
    for command, heading in (("points", "phase"), ("quality", "phase"), ("predict", "phase")):
        done = CliRunner().invoke(application(command), [command, folder], catch_exceptions=False)
        rows = [line.split() for line in done.stdout.splitlines() if line.split()]
        (at,) = [n for n, row in enumerate(rows) if row[0] == heading][-1:]
        assert "transition" in [row[0] for row in rows[at:]] and "0" not in [row[0] for row in rows[at:]]
