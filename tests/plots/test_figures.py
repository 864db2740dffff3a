"""Every kind of figure in every format, from a run's folder; and what is refused."""

from __future__ import annotations

import re
from dataclasses import replace

import matplotlib as mpl
import numpy as np
import pytest
from matplotlib.figure import Figure
from tests import commands
from tests.views import synthetic

from phasemark import plots
from phasemark.errors import DataError, UsageError
from phasemark.model import Phases
from phasemark.plots import estimate, metrics, quality, strip, style
from phasemark.store.folder import Folder

SIGNS = {"png": b"\x89PNG", "svg": b"<?xml", "pdf": b"%PDF"}


@pytest.mark.parametrize("kind", plots.KINDS)
@pytest.mark.parametrize("ending", SIGNS)
def test_a_figure_is_written_and_equal_runs_give_equal_bytes(tmp_path, kind, ending) -> None:
    first, second = tmp_path / f"a.{ending}", tmp_path / f"b.{ending}"
    for file in (first, second):
        plots.write(synthetic.run((0, 1, 2, 1), threads=2, metrics=True), kind, file)
    assert first.read_bytes().startswith(SIGNS[ending])
    assert first.read_bytes() == second.read_bytes()


@pytest.mark.parametrize("kind", plots.KINDS)
def test_a_run_of_a_single_interval_is_drawn(tmp_path, kind) -> None:
    plots.write(synthetic.run((0,), metrics=True), kind, tmp_path / "figure.svg")
    assert (tmp_path / "figure.svg").stat().st_size


def test_the_strip_has_a_stretch_for_every_change_of_phase() -> None:
    axes = strip.draw(synthetic.run((0, 0, 1, 0, 2, 2))).axes[0]
    stretches = [len(lane.get_paths()) for lane in axes.collections]
    assert stretches == [2, 1, 1]


def test_a_folder_is_drawn_as_the_values_in_it_are(tmp_path) -> None:
    made = synthetic.run()
    folder = synthetic.folder(tmp_path / "out", made)
    plots.write(made, "strip", tmp_path / "a.svg")
    for run in (folder, str(folder), Folder(folder)):
        plots.write(run, "strip", tmp_path / "b.svg")
        assert (tmp_path / "a.svg").read_bytes() == (tmp_path / "b.svg").read_bytes()
        assert plots.possible(run) == plots.possible(made)


@pytest.mark.parametrize("kind", plots.KINDS)
def test_a_figure_for_a_notebook_is_the_one_that_is_saved(tmp_path, kind) -> None:
    made = synthetic.run((0, 1, 2, 1), metrics=True)
    plots.write(made, kind, tmp_path / "a.png")
    figure = plots.figure(made, kind)
    assert isinstance(figure, Figure)
    style.save(figure, tmp_path / "b.png")
    assert (tmp_path / "a.png").read_bytes() == (tmp_path / "b.png").read_bytes()


def test_the_figure_s_style_stays_its_own() -> None:
    before = dict(mpl.rcParams)
    assert plots.figure(synthetic.run(), "shares").axes[0].spines["top"].get_visible() is False
    assert dict(mpl.rcParams) == before


def test_what_makes_no_sense_is_refused_before_a_folder_is_read(tmp_path) -> None:
    for kind, file, message in (("pie", "a.svg", "no figure 'pie'"), ("strip", "a", "a file without an")):
        with pytest.raises(UsageError, match=message):
            plots.write(tmp_path / "none", kind, tmp_path / file)


def test_an_unknown_kind_is_refused_with_the_list(tmp_path) -> None:
    with pytest.raises(UsageError, match="strip, similarity, scores"):
        plots.write(synthetic.run(), "pie", tmp_path / "a.png")


def test_an_unknown_ending_is_refused(tmp_path) -> None:
    with pytest.raises(UsageError, match=r"\.png, \.svg, \.pdf"):
        plots.write(synthetic.run(), "strip", tmp_path / "a.gif")


def test_the_command_draws_all_figures(tmp_path) -> None:
    folder = synthetic.folder(tmp_path / "out", synthetic.run(metrics=True))
    done = commands.run("plot", folder, "all", "-o", tmp_path / "fig.svg")
    assert done.returncode == 0, done.stderr
    assert done.stdout.split() == [str(tmp_path / f"fig-{kind}.svg") for kind in plots.KINDS]


def test_all_leaves_out_what_was_not_measured() -> None:
    assert plots.possible(synthetic.run()) == ("strip", "similarity", "scores", "trajectory", "shares")
    assert plots.possible(synthetic.run(metrics=True)) == plots.KINDS


def test_all_leaves_out_estimates_that_are_unknown() -> None:
    made = synthetic.run(metrics=True)
    nothing = replace(made.estimates[0], value=np.nan, full=np.nan)
    assert "estimate" in plots.possible(made)
    assert "estimate" not in plots.possible(replace(made, estimates=(nothing,)))


@pytest.mark.parametrize(
    ("kind", "hint"),
    [("metrics", "simulate --full"), ("quality", "--against-k"), ("estimate", "phasemark estimate")],
)
def test_a_figure_of_what_was_not_measured_names_the_command(tmp_path, kind, hint) -> None:
    with pytest.raises(DataError, match=hint):
        plots.write(synthetic.run(), kind, tmp_path / "a.svg")


def test_phases_of_a_model_without_scores_and_centres_have_the_other_figures() -> None:
    made = synthetic.run(metrics=True)
    labels = made.phases.labels
    bare = replace(made, phases=Phases(labels, None, np.zeros(len(labels)), k=3))
    assert plots.possible(bare) == tuple(kind for kind in plots.KINDS if kind != "scores")
    for kind in plots.possible(bare):
        plots.figure(bare, kind)
    with pytest.raises(DataError, match="run `phasemark phases` again without a given k"):
        plots.figure(bare, "scores")


def test_scores_are_drawn_with_the_chosen_one_and_without_an_error_that_is_not_known() -> None:
    made = synthetic.run((0, 1, 2))
    bic, error = plots.figure(made, "scores").axes
    curve, chosen, threshold = bic.lines
    assert np.array(curve.get_xdata()).tolist() == list(range(1, 9))
    assert list(curve.get_ydata()) == [made.phases.scores[k] for k in range(1, 9)]
    assert (list(chosen.get_xdata()), list(chosen.get_ydata())) == ([3], [made.phases.scores[3]])
    low, high = min(made.phases.scores.values()), max(made.phases.scores.values())
    assert threshold.get_ydata()[0] == pytest.approx(low + 0.9 * (high - low))
    assert threshold.get_label() == "threshold 0.9"
    assert error.get_visible() and list(error.lines[0].get_ydata()) == [300 / k for k in range(1, 9)]
    made.phases.inertia.clear()
    assert [axes.get_visible() for axes in plots.figure(made, "scores").axes] == [True, False]


def test_metrics_are_drawn_under_the_strip_with_gaps_where_they_are_missing() -> None:
    run = synthetic.run((0, 1, 0, 1, 2), threads=2, metrics=True)
    panels = metrics.draw(run).axes
    assert [axes.get_title(loc="left") for axes in panels[1:]] == [
        "CPI", "L1D miss rate", "L1D misses per 1000 instructions",
    ]  # fmt: skip
    line, points = panels[1].lines
    x, y = line.get_data()
    assert np.array(x[:4]).tolist() == [0, 1e6, 1e6, 2e6]
    assert np.array(y[:6]).tolist() == [1, 1, 2.1, 2.1, 1, 1] and np.isnan(y[6:8]).all()
    assert np.array(points.get_ydata()).tolist() == [1, 2.1, 3]
    assert panels[-1].get_xlabel() == "instructions of thread 0"


def test_quality_is_drawn_against_k_with_the_chosen_one() -> None:
    cov, cim = quality.draw(synthetic.run((0, 1, 2), metrics=True)).axes
    assert np.array(cov.lines[0].get_ydata()) == pytest.approx([50, 20, 3])
    assert np.array(cim.lines[0].get_ydata()).tolist() == [9, 3, 0.4]
    assert cov.lines[-1].get_xdata() == [3, 3] and cim.get_ylabel() == "CIM of a sample of 30, %"


def test_estimates_are_drawn_in_percent_of_the_full_run() -> None:
    axes = estimate.draw(synthetic.run(metrics=True)).axes[0]
    _, bar, value, unbounded = axes.lines
    assert np.array(bar.get_xdata()) == pytest.approx([100 * (1.8 / 2.1 - 1), 100 * (2.2 / 2.1 - 1)])
    assert np.array(value.get_xdata()) == pytest.approx([100 * (2 / 2.1 - 1)])
    assert unbounded.get_markerfacecolor() == "white" and np.array(unbounded.get_xdata()).tolist() == [0]


def test_the_command_s_exit_status_is_2_for_an_unknown_kind_and_3_for_bad_data(tmp_path) -> None:
    folder = synthetic.folder(tmp_path / "out")
    wrong = commands.run("plot", folder, "pie", "-o", tmp_path / "fig.svg")
    assert wrong.returncode == 2
    assert re.search("strip, similarity, scores, trajectory, shares", wrong.stderr)
    (folder / "model.h5").write_text("no model")
    assert commands.run("plot", folder, "strip", "-o", tmp_path / "fig.svg").returncode == 3
