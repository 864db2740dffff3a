"""The metrics that a figure shows, and its size."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from matplotlib.image import imread
from tests.parallel.test_scaling import runs
from tests.views import comparisons, machines, nested, synthetic
from tests.views.threaded import analysis_of

from phasemark import plots
from phasemark.errors import DataError, UsageError
from phasemark.views import MetricEstimate


def titles(**how: object) -> list[str]:
    run = synthetic.run((0, 1, 2), metrics=True)
    return [axes.get_title(loc="left") for axes in plots.figure(run, "metrics", **how).axes[1:]]  # type: ignore[arg-type]


def test_metrics_are_drawn_as_they_are_asked_for() -> None:
    assert titles(metrics=("ipc", "cpi")) == ["IPC", "CPI"]
    assert titles(metrics=["l1d_misses"]) == ["l1d_misses per instruction"]


def test_quality_is_drawn_of_what_is_asked_for() -> None:
    run = synthetic.run((0, 1, 2), metrics=True)
    cov, _ = plots.figure(run, "quality", metrics=["l1d_mpki"]).axes
    assert [line.get_label() for line in cov.lines][:1] == ["l1d_mpki"] and len(cov.lines) == 2


ESTIMATES = tuple(
    MetricEstimate(name, 1.0, 0.9, 1.1, 1.0) for name in ("l1d_miss_rate", "epi", "l1d_mpki", "cpi")
)


def test_estimates_are_drawn_in_the_report_s_order_without_what_doubles_them() -> None:
    run = replace(synthetic.run(metrics=True), estimates=ESTIMATES)

    def rows(**how: object) -> list[str]:
        axes = plots.figure(run, "estimate", **how).axes[0]  # type: ignore[arg-type]
        return [label.get_text().split()[0] for label in axes.get_yticklabels()]

    assert rows() == ["cpi", "l1d_mpki", "epi"]
    assert rows(metrics=["l1d_miss_rate", "cpi"]) == ["l1d_miss_rate", "cpi"]


def test_one_row_s_error_does_not_press_the_others_together() -> None:
    far = (*ESTIMATES, MetricEstimate("l3_mpki", 40.0, 39.0, 41.0, 1.0))
    run = synthetic.run(metrics=True)
    axes = plots.figure(replace(run, estimates=far), "estimate").axes[0]
    assert axes.get_xscale() == "symlog" and "logarithmic beyond" in axes.get_xlabel()
    assert plots.figure(replace(run, estimates=ESTIMATES), "estimate").axes[0].get_xscale() == "linear"


@pytest.mark.parametrize("kind", plots.OF_METRICS)
def test_a_metric_that_is_not_known_is_refused_with_those_that_are(kind) -> None:
    with pytest.raises(DataError, match="brightness") as caught:
        plots.figure(nested.with_hierarchy(synthetic.run(metrics=True)), kind, metrics=["brightness"])
    assert "cpi" in (caught.value.hint or "")


def test_a_figure_without_metrics_refuses_them() -> None:
    with pytest.raises(UsageError, match="the figure strip shows no metrics"):
        plots.write("none", "strip", "a.svg", metrics=["cpi"])


@pytest.mark.parametrize("kind", plots.KINDS)
def test_a_picture_has_the_size_that_was_asked_for(tmp_path: Path, kind: str) -> None:
    made = nested.with_hierarchy(synthetic.run((0, 1, 2, 1), metrics=True))
    run = replace(machines.with_states(made), compared=comparisons.compared(), tracked=made.phases)
    if kind in ("scaling", "comparison"):
        run = analysis_of(*runs(1, 2))
    plots.write(run, kind, tmp_path / "a.png", size="1300x900")
    plots.write(run, kind, tmp_path / "b.png", size="6x5in", dpi=100)
    shapes = [imread(tmp_path / name).shape[:2] for name in ("a.png", "b.png")]
    assert shapes == [(900, 1300), (500, 600)]


def test_a_figure_without_room_is_refused_and_leaves_no_file(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="no room"):
        plots.write(synthetic.run(metrics=True), "metrics", tmp_path / "a.svg", size="0.6x0.6in")
    assert list(tmp_path.iterdir()) == []


def test_threads_without_points_of_their_own_need_no_room_for_any(tmp_path: Path) -> None:
    run = synthetic.run((0, 1, 2, 3) * 3, threads=5)
    axes = plots.figure(run, "strip").axes[4]
    assert not axes.lines[0].get_xydata().size and not axes.lines[0].get_in_layout()
    plots.write(run, "strip", tmp_path / "a.png")


def test_similarity_names_its_axes() -> None:
    matrix, _, left, _ = plots.figure(synthetic.run(), "similarity").axes
    assert matrix.get_xlabel() == left.get_ylabel() == "interval"
    matrix, _, left, _ = plots.figure(synthetic.run((0, 1, 2), threads=3), "similarity").axes
    assert matrix.get_xlabel() == left.get_ylabel() == "thread"
    assert matrix.get_xticks().tolist() == left.get_yticks().tolist() == [1.5, 4.5, 7.5]
    assert [label.get_text() for label in left.get_yticklabels()] == ["0", "1", "2"]


def test_threads_without_room_are_not_named() -> None:
    run = synthetic.run((0, 1), threads=100)
    matrix = plots.figure(run, "similarity").axes[0]
    assert np.diff(matrix.get_xticks()).min() >= 10


def test_trajectory_has_ticks_and_rings() -> None:
    run = synthetic.run((0, 1, 2, 1), threads=2)
    axes = plots.figure(run, "trajectory").axes[0]
    rings = axes.collections[-1]
    assert len(rings.get_edgecolor()) and len(rings._offsets3d[0]) == 3
    assert axes.get_zlabel() == "principal axis 3"
