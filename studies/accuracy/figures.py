"""The study's figures, after figures 1 to 4 of "Discovering and exploiting program phases"."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import matplotlib as mpl
import numpy as np
from answers import Answers, Way
from designs import BUDGETS, FIXED, NONE, WAYS
from machines import MACHINES
from matplotlib import pyplot as plt

import phasemark
from phasemark.model import Phases, Profile
from phasemark.signatures import project

mpl.use("svg")
# Equal figures are equal bytes.
mpl.rcParams.update({"svg.hashsalt": "phasemark", "font.size": 8, "axes.spines.top": False})
mpl.rcParams["axes.spines.right"] = False

#: Those of which figures 1 to 3 are drawn.
SHOWN = ("gzip", "bunzip2", "sqlite3", "cc1")
_COLOURS = plt.get_cmap("tab20").colors  # type: ignore[attr-defined]


#: Metrics over the time of a run.
MEASURES = ("cpi", "l1d_mpki", "branch_mpki")


def every(results: dict[str, Any], runs: dict[str, Path], out: Path) -> None:
    """All of them, as SVG."""
    for name in [name for name in SHOWN if name in runs] or list(runs)[:1]:
        over_time(name, runs[name], out / f"time-{name}.svg")
        similarity(name, runs[name], out / f"similarity-{name}.svg")
    accuracy(results, out / "accuracy.svg")
    homogeneity(results, out / "homogeneity.svg")


def over_time(name: str, folder: Path, path: Path) -> None:
    """Figures 1 and 3: metrics over instructions, and the phases below them."""
    run = phasemark.open(folder)
    profile, metrics, phases = run.profile, run.metrics, run.phases
    figure, axes = plt.subplots(
        len(MEASURES) + 1, figsize=(7, 4.2), sharex=True, height_ratios=[2] * len(MEASURES) + [1]
    )
    at = profile.interval_table.start / 1e6
    for axis, metric in zip(axes, MEASURES, strict=False):
        axis.plot(at, metrics.values(metric), linewidth=0.6, color="#333333")
        axis.set_ylabel(metric)
    _strip(axes[-1], profile, phases)
    axes[0].set_title(f"{name}, {phases.k} phases")
    _save(figure, path)


def _strip(axis: Any, profile: Profile, phases: Phases) -> None:
    table = profile.interval_table
    colours = [_COLOURS[label % len(_COLOURS)] for label in phases.labels]
    axis.bar(table.start / 1e6, 1, table.length / 1e6, color=colours, align="edge")
    axis.set_yticks([])
    axis.set_ylabel("phase")
    axis.set_xlabel("million instructions")


def similarity(name: str, folder: Path, path: Path) -> None:
    """Figure 2: Manhattan distances between the vectors of all pairs of intervals."""
    from scipy.spatial.distance import cdist

    projected = project(phasemark.read(folder), 15, 1).matrix
    rows = np.linspace(0, len(projected) - 1, min(300, len(projected))).astype(int)
    figure, axis = plt.subplots(figsize=(3.4, 3.4))
    axis.imshow(cdist(projected[rows], projected[rows], "cityblock"), cmap="gray", rasterized=True)
    axis.set_title(f"{name}: dark is alike")
    axis.set_xticks([])
    axis.set_yticks([])
    _save(figure, path)


def accuracy(results: dict[str, Any], path: Path) -> None:
    """Figure 4: mean error of CPI against the number of points; with the half-width claimed."""
    figure, (left, right) = plt.subplots(1, 2, figsize=(7, 4), layout="constrained")
    answers = Answers(results, MACHINES[:1])
    for colour, way in zip(_COLOURS, WAYS, strict=False):
        look = {"marker": "o", "markersize": 3, "label": _named(way), "color": colour}
        left.loglog(BUDGETS, _means(answers, way, "error"), **look)
        if way[0] not in FIXED:
            right.loglog(BUDGETS, _means(answers, way, "half_width"), **look)
    left.set_title("mean absolute error of CPI, %")
    right.set_title("half-width of the 95% interval, %")
    for axis in (left, right):
        axis.set_xlabel("points")
        axis.set_xticks(BUDGETS, [str(budget) for budget in BUDGETS])
        axis.set_yticks([0.5, 1, 2, 5, 10, 20, 50], ["0.5", "1", "2", "5", "10", "20", "50"])
        axis.minorticks_off()
    figure.legend(*left.get_legend_handles_labels(), loc="outside lower center", ncols=5, fontsize=6)
    _save(figure, path)


def _means(answers: Answers, way: Way, what: str) -> list[float]:
    return [100 * answers.mean(what, way, budget) for budget in BUDGETS]


def _named(way: Way) -> str:
    method, signature = way
    return method if signature == NONE else f"{method}, {signature}"


def homogeneity(results: dict[str, Any], path: Path) -> None:
    """CoV and CIM of CPI against the number of phases, each relative to the whole run's."""
    figure, axes = plt.subplots(1, 2, figsize=(7, 3), sharex=True)
    for name, result in results.items():
        rows = result["homogeneity"]
        ks = [row["k"] for row in rows]
        axes[0].plot(
            ks, [row["cov"] / result["whole"][MACHINES[0]]["cov"] for row in rows], linewidth=1, label=name
        )
        axes[1].plot(ks, [row["cim"] / row["cim_before"] for row in rows], linewidth=1, label=name)
    axes[0].set_title("CoV within phases / whole run")
    axes[1].set_title("CIM / whole run")
    for axis in axes:
        axis.set_xlabel("phases")
        axis.set_ylim(0)
    axes[1].legend(frameon=False, fontsize=6, ncols=2)
    _save(figure, path)


def _save(figure: Any, path: Path) -> None:
    if figure.get_layout_engine() is None:
        figure.tight_layout()
    figure.savefig(path, metadata={"Date": None})
    plt.close(figure)
