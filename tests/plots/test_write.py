"""Figures drawn and saved, in every kind and format; and what is refused."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import matplotlib as mpl
import numpy as np
import pytest
from matplotlib.figure import Figure
from tests.views import comparisons, machines, nested, synthetic

import phasemark
from phasemark import plots
from phasemark.errors import DataError, UsageError
from phasemark.model import Phases
from phasemark.plots import style
from phasemark.store.folder import Folder
from phasemark.views import Analysis

#: Those of one run whose threads have no clock; the others have tests of their own.
KINDS = tuple(kind for kind in plots.KINDS if kind not in ("lanes", "scaling", "comparison"))

SIGNS = {"png": b"\x89PNG", "svg": b"<?xml", "pdf": b"%PDF"}


def full(pattern: Sequence[int], threads: int = 1) -> Analysis:
    """A run with everything that there is a figure of."""
    made = nested.with_hierarchy(synthetic.run(pattern, threads=threads, metrics=True))
    return replace(machines.with_states(made), compared=comparisons.compared(), tracked=made.phases)


@pytest.mark.parametrize("kind", KINDS)
def test_a_figure_is_written_as_it_is_made_for_a_notebook(tmp_path, kind) -> None:
    """And equal runs give equal bytes."""
    plots.write(full((0, 1, 2, 1), threads=2), kind, tmp_path / "a.svg")
    figure = plots.figure(full((0, 1, 2, 1), threads=2), kind)
    assert isinstance(figure, Figure)
    style.save(figure, tmp_path / "b.svg")
    assert (tmp_path / "a.svg").read_bytes() == (tmp_path / "b.svg").read_bytes()


@pytest.mark.parametrize("kind", ["strip", "similarity", "machine"])
@pytest.mark.parametrize("ending", SIGNS)
def test_equal_figures_are_equal_files_in_each_format(tmp_path, kind, ending) -> None:
    first, second = tmp_path / f"a.{ending}", tmp_path / f"b.{ending}"
    for file in (first, second):
        plots.write(full((0, 1, 2, 1), threads=2), kind, file)
    assert first.read_bytes().startswith(SIGNS[ending])
    assert first.read_bytes() == second.read_bytes()


@pytest.mark.parametrize("kind", KINDS)
def test_a_run_of_a_single_interval_is_drawn(tmp_path, kind) -> None:
    plots.write(full((0,)), kind, tmp_path / "figure.svg")
    assert (tmp_path / "figure.svg").stat().st_size


def test_a_folder_is_drawn_as_the_values_in_it_are(tmp_path) -> None:
    made = synthetic.run()
    folder = synthetic.folder(tmp_path / "out", made)
    plots.write(made, "strip", tmp_path / "a.svg")
    for run in (folder, str(folder), Folder(folder), phasemark.open(folder)):
        plots.write(run, "strip", tmp_path / "b.svg")
        assert (tmp_path / "a.svg").read_bytes() == (tmp_path / "b.svg").read_bytes()
        assert plots.possible(run) == plots.possible(made)


def test_the_figure_s_style_stays_its_own() -> None:
    before = dict(mpl.rcParams)
    assert plots.figure(synthetic.run(), "shares").axes[0].spines["top"].get_visible() is False
    assert dict(mpl.rcParams) == before


def test_what_makes_no_sense_is_refused_before_a_folder_is_read(tmp_path) -> None:
    for kind, file, message in (("pie", "a.svg", "no figure 'pie'"), ("strip", "a", "a file without an")):
        with pytest.raises(UsageError, match=message):
            plots.write(tmp_path / "none", kind, tmp_path / file)


def test_an_unknown_kind_is_refused_with_the_list(tmp_path) -> None:
    with pytest.raises(UsageError, match="strip, lanes, machine, posterior"):
        plots.write(synthetic.run(), "pie", tmp_path / "a.png")


def test_an_unknown_ending_is_refused(tmp_path) -> None:
    with pytest.raises(UsageError, match=r"\.png, \.svg, \.pdf"):
        plots.write(synthetic.run(), "strip", tmp_path / "a.gif")


def test_all_leaves_out_what_was_not_measured() -> None:
    always = ("strip", "similarity", "scores", "trajectory", "accumulated", "shares")
    made = synthetic.run(metrics=True)
    assert plots.possible(synthetic.run()) == always
    assert plots.possible(nested.with_hierarchy(synthetic.run())) == always
    assert plots.possible(full((0, 1))) == KINDS
    without = {"machine", "posterior", "hierarchy", "models", "track"}
    assert plots.possible(made) == tuple(kind for kind in KINDS if kind not in without)


def test_all_leaves_out_estimates_that_are_unknown() -> None:
    made = synthetic.run(metrics=True)
    nothing = replace(made.estimates[0], value=np.nan, full=np.nan)
    assert "estimate" in plots.possible(made)
    assert "estimate" not in plots.possible(replace(made, estimates=(nothing,)))


@pytest.mark.parametrize(
    ("kind", "hint"),
    [
        ("metrics", "simulate --full"),
        ("hierarchy", "phasemark intervals"),
        ("quality", "--against-k"),
        ("estimate", "phasemark estimate"),
        ("machine", "--model hmm"),
        ("posterior", "--model hmm"),
        ("models", "phasemark models"),
        ("track", "phasemark track"),
    ],
)
def test_a_figure_of_what_was_not_measured_names_the_command(tmp_path, kind, hint) -> None:
    with pytest.raises(DataError, match=hint):
        plots.write(synthetic.run(), kind, tmp_path / "a.svg")


def test_phases_of_a_model_without_scores_and_centres_have_the_other_figures() -> None:
    made = replace(nested.with_hierarchy(synthetic.run(metrics=True)), compared=comparisons.compared())
    made = replace(made, tracked=made.phases)
    labels = made.phases.labels
    bare = replace(made, phases=Phases(labels, None, np.zeros(len(labels)), k=3))
    without = {"scores", "machine", "posterior"}
    assert plots.possible(bare) == tuple(kind for kind in KINDS if kind not in without)
    for kind in plots.possible(bare):
        plots.figure(bare, kind)
    with pytest.raises(DataError, match="run `phasemark phases` again without a given k"):
        plots.figure(bare, "scores")
