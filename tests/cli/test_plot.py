"""The command that draws figures."""

from __future__ import annotations

import re

from tests import commands
from tests.views import synthetic

import phasemark
from phasemark import plots


def test_the_command_draws_all_figures(tmp_path) -> None:
    folder = synthetic.folder(tmp_path / "out", synthetic.run(metrics=True))
    done = commands.run("plot", folder, "all", "-o", tmp_path / "fig.svg")
    assert done.returncode == 0, done.stderr
    assert done.stdout.split() == [str(tmp_path / f"fig-{kind}.svg") for kind in plots.possible(folder)]


def test_a_run_without_points_is_drawn_without_them(tmp_path) -> None:
    folder = synthetic.folder(tmp_path / "out", synthetic.run(metrics=True))
    kinds = plots.possible(folder)
    (folder / "points.csv").unlink()
    drawn = phasemark.open(folder).plot("all", tmp_path / "fig.svg")
    assert drawn == tuple(tmp_path / f"fig-{kind}.svg" for kind in kinds)


def test_the_command_s_exit_status_is_2_for_an_unknown_kind_and_3_for_bad_data(tmp_path) -> None:
    folder = synthetic.folder(tmp_path / "out")
    wrong = commands.run("plot", folder, "pie", "-o", tmp_path / "fig.svg")
    assert wrong.returncode == 2
    assert re.search("strip, lanes, machine, posterior, similarity, scores", wrong.stderr)
    (folder / "model.h5").write_text("no model")
    assert commands.run("plot", folder, "strip", "-o", tmp_path / "fig.svg").returncode == 3


def test_the_command_draws_the_metrics_asked_for_at_the_size_asked_for(tmp_path) -> None:
    folder = synthetic.folder(tmp_path / "out", synthetic.run(metrics=True))
    figure = tmp_path / "fig.svg"
    how = ("--metric", "cpi,ipc", "--metric", "l1d_mpki", "--size", "10x4in")
    done = commands.run("plot", folder, "metrics", "-o", figure, *how)
    assert done.returncode == 0, done.stderr
    text = figure.read_text()
    assert 'width="720pt" height="288pt"' in text
    assert all(f">{title}<" in text for title in ("CPI", "IPC", "L1D misses per 1000 instructions"))
    assert "L1D miss rate" not in text
    wrong = commands.run("plot", folder, "metrics", "-o", figure, "--size", "wide")
    assert wrong.returncode == 2 and "1200x400" in wrong.stderr
