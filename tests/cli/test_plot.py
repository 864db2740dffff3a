"""The command that draws figures."""

from __future__ import annotations

import re

from tests import commands
from tests.views import synthetic

from phasemark import plots


def test_the_command_draws_all_figures(tmp_path) -> None:
    folder = synthetic.folder(tmp_path / "out", synthetic.run(metrics=True))
    done = commands.run("plot", folder, "all", "-o", tmp_path / "fig.svg")
    assert done.returncode == 0, done.stderr
    assert done.stdout.split() == [str(tmp_path / f"fig-{kind}.svg") for kind in plots.KINDS]


def test_the_command_s_exit_status_is_2_for_an_unknown_kind_and_3_for_bad_data(tmp_path) -> None:
    folder = synthetic.folder(tmp_path / "out")
    wrong = commands.run("plot", folder, "pie", "-o", tmp_path / "fig.svg")
    assert wrong.returncode == 2
    assert re.search("strip, similarity, scores, trajectory, shares", wrong.stderr)
    (folder / "model.h5").write_text("no model")
    assert commands.run("plot", folder, "strip", "-o", tmp_path / "fig.svg").returncode == 3
