"""Estimates over several seeds: each seed's phases and points are found anew."""

from __future__ import annotations

import dataclasses
from pathlib import Path

import pytest
from tests.workflow.runs import full_run, three_phases

from phasemark.errors import DataError
from phasemark.store.folder import Folder
from phasemark.workflow import Run


@pytest.fixture
def folder(tmp_path: Path) -> Folder:
    folder = three_phases(tmp_path / "run")
    full_run(folder)
    return folder


def test_every_seed_is_what_a_run_with_it_gives(folder: Folder) -> None:
    run = Run(folder.path)
    run.find_phases(k=3, seed=4)
    run.pick_points(per_phase=3, seed=11)
    before = [path.read_bytes() for path in sorted(folder.path.iterdir())]
    told: list[tuple[int, int]] = []
    over = run.estimate_over_seeds(3, progress=lambda done, total: told.append((done, total)))
    assert told == [(1, 3), (2, 3), (3, 3)]
    assert before == [path.read_bytes() for path in sorted(folder.path.iterdir())]
    values, covered = [], []
    for seed in range(3):
        run.find_phases(k=3, seed=4 + seed)
        run.pick_points(per_phase=3, seed=11 + seed)
        estimated = run.estimate()
        values.append(estimated.estimate.value["cpi"])
        covered.append(estimated.covered("cpi"))
    assert over.values["cpi"] == values and len(set(values)) == 3
    assert over.covered["cpi"] == pytest.approx(sum(map(bool, covered)) / 3)
    assert over.frame()["cpi"].tolist() == values and list(over.frame()) == list(over.values)


def test_two_seeds_are_enough_and_every_interval_is_needed(folder: Folder) -> None:
    run = Run(folder.path)
    run.pick_points()
    assert len(run.estimate_over_seeds(2).values["cpi"]) == 2
    metrics = run.metrics
    keys = {name: getattr(metrics, name)[1:] for name in ("run", "thread", "index", "start", "length")}
    counters = {name: values[1:] for name, values in metrics.counters.items()}
    run.save(metrics=dataclasses.replace(metrics, **keys, counters=counters))
    with pytest.raises(DataError, match=r"metrics\.csv: does not hold.*\n  hint: .*simulate --full"):
        run.estimate_over_seeds(2)
