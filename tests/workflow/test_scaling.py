"""How phases scale, from a folder, and in words."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.commands import run as command
from tests.parallel.test_scaling import runs
from tests.parallel.threads import cycles_of, intervals_of, phases_of, profile_of

import phasemark
from phasemark import parallel
from phasemark.errors import DataError
from phasemark.model import Metrics, Phases, Profile, Recipe, Signatures
from phasemark.store import metrics_csv, phases_store, profile_h5
from phasemark.store.folder import Folder
from phasemark.views.scaling import reading


def folder(path: Path, profile: Profile, phases: Phases, metrics: Metrics | None = None) -> Path:
    files = Folder(path).create()
    n = len(profile.interval_table)
    weights = profile.interval_table.length / profile.instructions
    centers = np.zeros((phases.k, 15))
    signatures = Signatures(np.zeros((n, 15)), weights, Recipe("l1", "uniform", 15, 7, "module+offset"))
    profile_h5.write(files.profile, profile)
    phases_store.write_model(files.model, signatures, replace(phases, centers=centers))
    if metrics is not None:
        metrics_csv.write(files.metrics, metrics, made_by={"source": "a test"})
    return path


@pytest.fixture(scope="module")
def joint(tmp_path_factory: pytest.TempPathFactory) -> Path:
    profile, phases = runs(0, 2)
    metrics = cycles_of(profile, [80, 60, 80, 30, 30, 30])
    return folder(tmp_path_factory.mktemp("scaling") / "joint", profile, phases, metrics)


def test_a_folder_says_what_limits_it(joint: Path) -> None:
    result = phasemark.open(joint).scaling()
    assert result.scaling.unit == "cycles" and len(result.names) == 2
    assert (
        result.sentences[0] == "from 1 thread to 3 the program is 1.27 times as fast: 42% of perfect scaling"
    )
    assert result.sentences[1].endswith(
        "takes 72.7% of the time with 3 threads, 57.1% with 1: no faster, 33% of perfect; scaling "
        "perfectly would save 48.5% of the time"
    )
    assert len(result.sentences) == 2
    assert result.frame().equals(result.scaling.frame())


def test_the_command_prints_a_table_and_json(joint: Path) -> None:
    printed = command("scaling", str(joint)).stdout
    assert max(map(len, printed.splitlines())) <= 120 and "time in cycles" in printed
    cells = [line.split() for line in printed.splitlines()]
    assert ["all", "140", "1", "110", "1.545", "1.273", "42.4%"] in cells
    assert next(line for line in cells if line[:1] == ["0"])[-5:] == ["1", "80", "1", "1", "33.3%"]

    said: dict[str, Any] = json.loads(command("scaling", str(joint), "--json", "--threads", "1,2").stdout)
    assert [one["threads"] for one in said["runs"]] == [1, 2] and said["limits"] == [0]
    assert said["runs"][1]["phases"][1]["efficiency"] == pytest.approx(1.0)
    assert said["runs"][0]["phases"][0]["cycles"] == 80
    wrong = command("scaling", str(joint), "--threads", "1,no")
    assert wrong.returncode == 2 and "whole numbers from 1" in wrong.stderr
    assert command("scaling", str(joint), "--threads", "1").returncode == 3


def test_without_cycles_it_says_so_and_counts_instructions(tmp_path: Path) -> None:
    result = phasemark.open(folder(tmp_path / "run", *runs(0, 2))).scaling()
    assert result.source == "" and "counted in instructions" in result.sentences[-1]


def test_threads_without_a_clock_are_refused_with_the_folder(tmp_path: Path) -> None:
    profile, phases = runs(2)
    untimed = replace(profile.interval_table, began=None, ended=None)
    path = folder(tmp_path / "run", replace(profile, interval_table=untimed), phases)
    with pytest.raises(DataError, match=r"run: the run has 3 threads, and nothing says when"):
        phasemark.open(path).scaling()


def test_one_run_says_how_many_threads_run_at_once() -> None:
    titled = reading(parallel.scaling(*runs(2)), ["init", "work"], ["transition", "phase 1"])
    assert any("transition (init) takes" in one for one in titled)
    said = reading(parallel.scaling(*runs(2)), ["init", "work"])
    assert said[0] == "of 3 threads 1.7 run at once, on average over the time"
    assert said[1] == "phase 0 (init) takes 66.7% of the time, in which 1 run at once"
    assert reading(parallel.scaling(*runs(0)))[0].startswith("one run of one thread")


def test_what_has_nothing_to_say_says_that() -> None:
    assert reading(parallel.scaling(*runs(2, 2)))[0].startswith("all runs have 3 threads")
    alone = [intervals_of([(0, 0, 0, 60)]), intervals_of([(t, 0, 0, 20) for t in range(3)], run=1)]
    perfect = reading(parallel.scaling(profile_of(alone), phases_of([0] * 4)))
    assert perfect[0].endswith("3 times as fast: 100% of perfect scaling")
    assert perfect[1] == "no phase that takes its time scales worse than the program"


def test_a_phase_of_more_threads_alone_is_told() -> None:
    said = reading(parallel.scaling(*runs(0, 1)))
    assert any(
        line == "phase 2 takes 5.4% of the time with 2 threads, and is not there with 1" for line in said
    )
