"""An analysed run, read from its folder; and what is refused."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from tests.views import nested, synthetic

from phasemark import plots
from phasemark.errors import DataError, UsageError
from phasemark.model import Metrics
from phasemark.store import metrics_csv, tables
from phasemark.store.folder import Folder
from phasemark.views import as_analysis, read


def test_what_is_read_is_what_was_written(tmp_path) -> None:
    made = synthetic.run((0, 1, 2, 1), threads=2)
    analysis = read(synthetic.folder(tmp_path, made))
    assert analysis.profile.counts.toarray().tolist() == made.profile.counts.toarray().tolist()
    assert analysis.signatures.matrix.tolist() == made.signatures.matrix.tolist()
    assert analysis.phases.labels.tolist() == made.phases.labels.tolist()
    assert analysis.points.frame().equals(made.points.frame())
    assert (analysis.metrics, analysis.against_k, analysis.estimates, analysis.sample) == (None, {}, (), 100)


def test_what_was_simulated_of_the_points_and_how_it_was_estimated_is_read(tmp_path) -> None:
    made = synthetic.run(metrics=True)
    folder = synthetic.folder(tmp_path / "out", made)
    metrics_csv.write(folder / "point-metrics.csv", made.metrics)
    columns = {"metric": ["cpi"], "value": [2.0], "low": [1.0], "high": [3.0], "full": [""], "missing": [0]}
    tables.write(folder / "estimate.csv", columns, made_by={"confidence": 0.9})
    processes = [{"number": n, "program": "cc1", "instructions": n} for n in (1, 2, 3)]
    entry = {"began": "2026-01-02T03:04:05+0000", "analysed": 3, "processes": processes}
    Folder(folder).record("profile", entry)
    found = read(folder)
    assert found.point_metrics is not None and len(found.point_metrics) == 40
    assert (found.confidence, found.began) == (0.9, "2026-01-02T03:04:05+0000")
    assert str(found.process) == "process 3 of 3, cc1: 50.00% of all instructions"
    other = read(synthetic.folder(tmp_path / "other"))
    assert other.confidence is None and other.process is None


@pytest.mark.parametrize("way", [str, Path, Folder, lambda path: SimpleNamespace(path=path)])
def test_a_folder_is_named_by_a_path_or_by_what_has_one(tmp_path, way) -> None:
    folder = synthetic.folder(tmp_path / "out")
    assert len(read(way(folder)).phases) == len(as_analysis(way(folder)).phases) == 40


def test_an_analysis_is_taken_as_it_is() -> None:
    made = synthetic.run()
    assert as_analysis(made) is made


def test_what_is_no_run_is_refused() -> None:
    with pytest.raises(UsageError, match="list is no analysed run"):
        as_analysis([1, 2])


def test_a_folder_that_is_not_there_is_refused(tmp_path) -> None:
    with pytest.raises(DataError, match="no such file or folder") as caught:
        read(tmp_path / "none")
    assert caught.value.path == tmp_path / "none"


def test_a_run_of_a_single_interval_has_metrics_of_its_intervals(tmp_path) -> None:
    metrics = read(synthetic.folder(tmp_path, synthetic.run((0,), metrics=True))).metrics
    assert metrics is not None and len(metrics) == 1


def test_an_error_within_a_file_names_that_file(tmp_path) -> None:
    folder = synthetic.folder(tmp_path, synthetic.run(metrics=True))
    tables.write(folder / "estimate.csv", {"metric": ["cpi"]}, made_by={})
    with pytest.raises(DataError, match="column value is missing") as caught:
        read(folder)
    assert caught.value.path == folder / "estimate.csv"


def test_an_error_between_files_names_the_folder(tmp_path) -> None:
    folder = synthetic.folder(tmp_path / "out", synthetic.run((0, 0)))
    other = synthetic.folder(tmp_path / "other", synthetic.run((0, 1)))
    (folder / "points.csv").write_bytes((other / "points.csv").read_bytes())
    with pytest.raises(DataError, match="stands for phase 1, and the run has 1 phase") as caught:
        read(folder)
    assert caught.value.path == folder


@pytest.mark.parametrize(
    ("name", "command"),
    [
        ("profile.h5", "phasemark profile"),
        ("model.h5", "phasemark phases"),
        ("points.csv", "phasemark points"),
    ],
)
def test_a_missing_piece_names_the_command_that_makes_it(tmp_path, name, command) -> None:
    folder = synthetic.folder(tmp_path / "out")
    (folder / name).unlink()
    with pytest.raises(DataError, match=command) as caught:
        read(folder)
    assert caught.value.path == folder / name


def test_phases_of_another_profile_are_refused(tmp_path) -> None:
    folder = synthetic.folder(tmp_path / "out")
    other = synthetic.folder(tmp_path / "other", synthetic.run((0, 1, 2)))
    (folder / "model.h5").write_bytes((other / "model.h5").read_bytes())
    with pytest.raises(DataError, match=r"3 intervals, but the profile has 40"):
        read(folder)


def test_metrics_are_read_with_the_folder(tmp_path) -> None:
    made = synthetic.run((0, 1, 2, 1), metrics=True)
    analysis = read(synthetic.folder(tmp_path, made))
    assert analysis.metrics.frame().equals(made.metrics.frame())
    assert (analysis.against_k, analysis.sample) == (made.against_k, 30)
    assert analysis.estimates[0] == made.estimates[0]
    # What is not known or not bounded stays empty in the file.
    assert np.isnan(analysis.estimates[1].full) and analysis.estimates[1].missing == 1


def test_metrics_of_the_whole_run_as_one_are_no_graph(tmp_path) -> None:
    made = synthetic.run((0, 1, 2, 1), metrics=True)
    folder = synthetic.folder(tmp_path, made)
    zero = np.zeros(1, int)
    whole = Metrics(zero, zero, zero, zero, np.array([made.profile.instructions]), {"cycles": [9.0]})
    metrics_csv.write(folder / "metrics.csv", whole, made_by={})
    assert read(folder).metrics is None


def test_metrics_of_another_profile_are_refused(tmp_path) -> None:
    folder = synthetic.folder(tmp_path, synthetic.run((0, 1, 2, 1), metrics=True))
    other = synthetic.folder(tmp_path / "other", synthetic.run((0, 1, 2, 1, 1), metrics=True))
    (folder / "metrics.csv").write_bytes((other / "metrics.csv").read_bytes())
    with pytest.raises(DataError, match="none of the profile's"):
        read(folder)


def test_a_hierarchy_and_the_intervals_of_fixed_length_are_read(tmp_path) -> None:
    made = nested.beside_fixed(nested.run(nested.archiver(passes=1), levels=nested.GRAMMAR), 300_000)
    found = read(synthetic.folder(tmp_path / "out", made))
    assert len(found.hierarchy) == len(made.hierarchy) and found.hierarchy.depth == made.hierarchy.depth
    assert (found.hierarchy.labels == made.hierarchy.labels).all()
    assert len(found.fixed.profile.interval_table) == len(made.fixed.profile.interval_table)
    assert found.fixed.metrics.counters.keys() == made.fixed.metrics.counters.keys()
    assert plots.possible(found)[-1] == "hierarchy"
    (folder,) = tmp_path.iterdir()
    (folder / "fixed-metrics.csv").unlink()
    assert read(folder).fixed.metrics is None
    (folder / "fixed.h5").unlink()
    assert read(folder).fixed is None
