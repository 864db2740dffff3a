"""Every kind of figure in every format, from a run's folder; and what is refused."""

from __future__ import annotations

import re
import subprocess
import sys

import pytest
from tests.plots import synthetic

from phasemark import plots
from phasemark.errors import DataError, UsageError
from phasemark.plots import run as runs
from phasemark.plots import strip

SIGNS = {"png": b"\x89PNG", "svg": b"<?xml", "pdf": b"%PDF"}


@pytest.mark.parametrize("kind", plots.KINDS)
@pytest.mark.parametrize("ending", SIGNS)
def test_a_figure_is_written_and_equal_runs_give_equal_bytes(tmp_path, kind, ending) -> None:
    first, second = tmp_path / f"a.{ending}", tmp_path / f"b.{ending}"
    for file in (first, second):
        plots.write(synthetic.run((0, 1, 2, 1), threads=2), kind, file)
    assert first.read_bytes().startswith(SIGNS[ending])
    assert first.read_bytes() == second.read_bytes()


def test_the_strip_has_a_stretch_for_every_change_of_phase() -> None:
    axes = strip.draw(synthetic.run((0, 0, 1, 0, 2, 2))).axes[0]
    stretches = [len(lane.get_paths()) for lane in axes.collections]
    assert stretches == [2, 1, 1]


def test_an_unknown_kind_is_refused_with_the_list(tmp_path) -> None:
    with pytest.raises(UsageError, match="strip, similarity, scores"):
        plots.write(synthetic.run(), "pie", tmp_path / "a.png")


def test_an_unknown_ending_is_refused(tmp_path) -> None:
    with pytest.raises(UsageError, match=r"\.png, \.svg, \.pdf"):
        plots.write(synthetic.run(), "strip", tmp_path / "a.gif")


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
        runs.read(folder)
    assert caught.value.path == folder / name


def test_phases_of_another_profile_are_refused(tmp_path) -> None:
    folder = synthetic.folder(tmp_path / "out")
    other = synthetic.folder(tmp_path / "other", synthetic.run((0, 1, 2)))
    (folder / "model.h5").write_bytes((other / "model.h5").read_bytes())
    with pytest.raises(DataError, match=r"3 intervals, but the profile has 40"):
        runs.read(folder)


def phasemark(*arguments: object) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", "from phasemark.cli import main; main()", *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def test_the_command_draws_all_figures(tmp_path) -> None:
    folder = synthetic.folder(tmp_path / "out")
    done = phasemark("plot", folder, "all", "-o", tmp_path / "fig.svg")
    assert done.returncode == 0, done.stderr
    assert done.stdout.split() == [str(tmp_path / f"fig-{kind}.svg") for kind in plots.KINDS]


def test_the_command_s_exit_status_is_2_for_an_unknown_kind_and_3_for_bad_data(tmp_path) -> None:
    folder = synthetic.folder(tmp_path / "out")
    wrong = phasemark("plot", folder, "pie", "-o", tmp_path / "fig.svg")
    assert wrong.returncode == 2
    assert re.search("strip, similarity, scores, trajectory, shares", wrong.stderr)
    (folder / "model.h5").write_text("no model")
    assert phasemark("plot", folder, "strip", "-o", tmp_path / "fig.svg").returncode == 3
