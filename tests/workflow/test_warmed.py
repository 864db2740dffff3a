"""The check of the warm-up with another simulator's results, and what is exported for it."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from tests.workflow.runs import run, simulate, three_phases

from phasemark.errors import DataError, PhasemarkError, UsageError
from phasemark.formats.points import simpoint_files
from phasemark.model import Metrics
from phasemark.store import metrics_csv, points_csv, tables
from phasemark.store.folder import Folder
from phasemark.workflow import Run


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Folder:
    """Nine random points, four draws of them checked."""
    made = three_phases(tmp_path_factory.mktemp("warmed") / "run")
    run("points", made.path, "--per-phase", 3, "--warmup", 100, "--warmup-check", 4)
    return made


def results(folder: Folder, path: Path, cycles: int, *, checked: bool = False, source: str = "") -> Path:
    of = points_csv.read(folder.points)
    assert of.check is not None
    rows = of.interval[of.check > 0] if checked else of.interval
    lines = [f"{row},{cycles + row % 5}" for row in rows.tolist()]
    head = [f"# source: {source}"] if source else []
    path.write_text("\n".join([*head, "interval,cycles", *lines]) + "\n")
    return path


def test_results_of_another_simulator(folder: Folder, tmp_path: Path) -> None:
    cold = results(folder, tmp_path / "cold.csv", 3000)
    warm = results(folder, tmp_path / "warm.csv", 2500, checked=True)
    found = Run(folder.path).estimate([cold], warmed=[warm])
    (bias,) = found.estimate.biases["cpi"]
    assert bias.value == pytest.approx(0.5) and bias.corrected
    said = run("estimate", folder.path, "--metrics", cold, "--warmup-metrics", warm)
    assert "warmed up 16 times as long" in " ".join(said.split())
    alone = Run(folder.path).estimate([cold])
    assert alone.estimate.value["cpi"] == pytest.approx(found.estimate.value["cpi"] + 0.5)
    assert any("no error bar" in note for note in alone.notes)
    assert "warm_up_bias" not in folder.estimate.read_text()


def test_a_check_of_other_results_is_none_of_these(tmp_path: Path) -> None:
    """warmup-metrics.csv belongs to point-metrics.csv, not to results that are given."""
    made = three_phases(tmp_path / "run")
    run("points", made.path, "--per-phase", 3, "--warmup", 100, "--warmup-check", 4)
    simulate(made)
    of = points_csv.read(made.points)
    assert of.check is not None
    full = metrics_csv.read(made["full.csv"])
    rows = of.interval[of.check > 0]
    keys = (getattr(full, name)[rows] for name in ("run", "thread", "index", "start", "length"))
    metrics_csv.write(made.warmup_metrics, Metrics(*keys, {"cycles": full.counters["cycles"][rows] - 9}))
    assert Run(made.path).estimate().estimate.biases["cpi"][0].value == pytest.approx(0.009, rel=1e-3)
    assert not Run(made.path).estimate([results(made, tmp_path / "cold.csv", 3000)]).estimate.biases
    run("points", made.path, "--per-phase", 3)
    assert not made.warmup_metrics.exists()


def test_a_table_of_no_point_is_said_to_be_that(folder: Folder, tmp_path: Path) -> None:
    none = np.zeros(0, np.int64)
    metrics_csv.write(tmp_path / "warm.csv", Metrics(none, none, none, none, none, {"cycles": none}))
    cold = results(folder, tmp_path / "cold.csv", 3000)
    with pytest.raises(DataError, match=r"warm.csv: no point was measured.*\n.*simulate DIR --warmup-check"):
        Run(folder.path).estimate([cold], warmed=[tmp_path / "warm.csv"])


def test_another_machine_is_no_check(folder: Folder, tmp_path: Path) -> None:
    cold = results(folder, tmp_path / "cold.csv", 3000, source="gem5")
    warm = results(folder, tmp_path / "warm.csv", 2500, checked=True, source="Sniper")
    found = Run(folder.path).estimate([cold], warmed=[warm])
    assert not found.estimate.biases
    assert any("the warm-up is not checked" in note and "Sniper" in note for note in found.notes)


def test_results_of_points_that_are_not_checked(folder: Folder, tmp_path: Path) -> None:
    cold = results(folder, tmp_path / "cold.csv", 3000)
    with pytest.raises(DataError):
        Run(folder.path).estimate([cold], warmed=[cold])
    made = three_phases(tmp_path / "run")
    run("points", made.path, "--per-phase", 3)
    with pytest.raises(UsageError, match="no point's warm-up is to be checked"):
        Run(made.path).estimate([results_of(made, tmp_path)], warmed=[cold])


def results_of(folder: Folder, tmp_path: Path) -> Path:
    of = points_csv.read(folder.points)
    path = tmp_path / "of.csv"
    path.write_text("interval,cycles\n" + "".join(f"{row},3000\n" for row in of.interval.tolist()))
    return path


def test_what_is_exported_for_it(folder: Folder) -> None:
    exported = Run(folder.path).export("gem5", warmup_check=True)
    of = points_csv.read(folder.points)
    assert of.check is not None
    place = folder.path / "gem5-warmup-check"
    assert exported.files == (place / "simpoints", place / "weights")
    pair = simpoint_files.read_pair(*exported.files)
    assert set(pair.interval.tolist()) == set(of.interval[of.check > 0].tolist())
    assert pair.weight.sum() == pytest.approx(1)
    assert any("1000,1600" in note for note in exported.notes)  # the length, and 16 times the warm-up
    run("export", folder.path, "--to", "champsim", "--warmup-check", "--quiet")
    rows = (folder.path / "champsim-warmup-check/champsim.csv").read_text().splitlines()[2:]
    assert len(rows) == np.count_nonzero(of.check)
    exported = Run(folder.path).export("threads", warmup_check=True)
    known = tables.read(exported.files[0], {"interval": int, "global_start": int})
    assert len(known["global_start"]) == np.count_nonzero(of.check)
    with pytest.raises(PhasemarkError, match="no point's warm-up"):
        made = three_phases(folder.path.parent / "other")
        run("points", made.path)
        Run(made.path).export("gem5", warmup_check=True)
