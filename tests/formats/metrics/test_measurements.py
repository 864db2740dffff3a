"""Files of metrics of any kind, and the run that they join."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest
from tests.cli.runs import analysed
from tests.formats.metrics.files import FULL, GEM5, STATS, command, of_simpoint, perf, write

from phasemark.errors import DataError, UsageError
from phasemark.formats.metrics import measurements
from phasemark.workflow import Run


def test_mends_name_options_that_there_are(tmp_path: Path) -> None:
    folder = of_simpoint(tmp_path)
    with pytest.raises(DataError) as caught:
        Run(folder.path).import_metrics(STATS[:1])
    assert "--of points" in caught.value.hint


def test_unlike_units_are_refused(tmp_path: Path) -> None:
    folder = analysed(tmp_path / "run")
    files = [
        write(tmp_path / f"{unit}.csv", f"phase,heat [{unit}]\n{phase},1\n")
        for phase, unit in enumerate(("J", "kJ"))
    ]
    with pytest.raises(DataError, match="heat comes in J and in kJ"):
        Run(folder.path).import_metrics(files)


def test_kinds_are_told_by_content(tmp_path: Path) -> None:
    zipped = tmp_path / "perf"
    zipped.write_bytes(gzip.compress(perf((0.1, "5", "", "instructions", 100)).encode()))
    table = write(tmp_path / "stats.txt", "phase,cycles\n0,1\n")
    kinds = [measurements.recognise(path).name for path in (FULL, zipped, table)]
    assert kinds == ["gem5's stats.txt", "perf stat -x or -j", "CSV with a heading"]
    with pytest.raises(DataError, match="T:id:count"):
        measurements.recognise(GEM5 / "simpoint.bb.gz")
    with pytest.raises(UsageError, match="no file"):
        measurements.read([])


def test_results_need_a_run_to_belong_to(tmp_path: Path) -> None:
    table = write(tmp_path / "a.csv", "phase,cycles\n0,1\n")
    with pytest.raises(DataError, match="phasemark points"):
        Run(tmp_path).import_metrics([table])
    with pytest.raises(DataError, match="run `phasemark profile` or `phasemark import` first"):
        Run(tmp_path).import_metrics([FULL])
    with pytest.raises(UsageError, match="metrics of 'all'"):
        Run(tmp_path).import_metrics([FULL], of="all")


def test_profiles_read_before_are_left_alone(tmp_path: Path) -> None:
    folder = analysed(tmp_path / "run")
    before = folder.profile.read_bytes(), folder.points.read_bytes()
    command(write(tmp_path / "a.csv", "phase,cycles\n0,1\n"), "-o", folder.path, "--quiet")
    assert (folder.profile.read_bytes(), folder.points.read_bytes()) == before


@pytest.mark.parametrize("text", ["phase,cycles\n", "interval,cpi\n\n"])
def test_a_table_without_a_row_is_none(text: str, tmp_path: Path) -> None:
    with pytest.raises(DataError, match="holds no row of counters"):
        measurements.read([write(tmp_path / "none.csv", text)])
