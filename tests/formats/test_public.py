"""What `phasemark.formats` shows."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from tests.formats.samples import DATA

from phasemark import formats
from phasemark.model import Points


def test_every_name_is_there_and_listed() -> None:
    assert dir(formats) == sorted(formats.__all__)
    assert all(getattr(formats, name) is not None for name in formats.__all__)
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        formats.nothing  # noqa: B018


def test_naming_the_room_loads_no_numpy() -> None:
    script = (
        "import sys; from phasemark import formats; formats.read_projected; print('numpy' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout == "False\n"


def test_from_another_tools_files_to_its_own(tmp_path: Path) -> None:
    folder = DATA / "gem5-bootcamp"
    profile = formats.read_vectors([folder / "simpoint.bb.gz"])
    readings = formats.read_metrics([folder / "simpoint0-run-stats.txt.gz"], dump=0)
    assert formats.metrics_of_run(readings, 0).counters["instructions"].tolist() == [1]
    pair = formats.read_simpoint(folder / "results.simpts", folder / "results.weights")
    start = profile.interval_table.start[pair.interval]
    end = start + profile.interval_table.length[pair.interval]
    none = [0] * len(start)
    weight = pair.weight / pair.weight.sum()
    points = Points(none, none, pair.interval, pair.cluster, start, end, none, weight)  # type: ignore[arg-type]
    exported = formats.export(formats.Exportable("app", profile, points), "gem5", tmp_path)
    again = formats.read_simpoint(*exported.files)
    assert again.interval.tolist() == pair.interval.tolist()
    assert formats.recognise(folder / "simpoint.bb.gz").holds == "vectors"
