"""The study's figures, after those of "Detecting phases in parallel applications"."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import matplotlib as mpl
import numpy as np
from experiments import METRICS
from matplotlib import pyplot as plt
from tables import SHOWN, TITLES

import phasemark

mpl.use("svg")
# Equal figures are equal bytes.
mpl.rcParams.update({"svg.hashsalt": "phasemark", "font.size": 8, "axes.spines.top": False})
mpl.rcParams["axes.spines.right"] = False

_COLOURS = {"separate": "#3c72c3", "merged": "#de8d21", "shuffled": "#b8bec6", "random": "#8f7fd1"}

#: Programs of which lanes and phases against threads are drawn, as the paper does.
LANES, SCALING = ("ft", "mg"), ("bt", "ft")

Results = dict[str, dict[str, Any]]


def every(results: Results, out: Path) -> None:
    """All of them, as SVG: figures 3 to 5, 9, and of some programs 1, 2, 6, 7 and 8."""
    for metric in METRICS:
        bars(
            results,
            ("separate", "merged", "shuffled"),
            lambda row, metric=metric: 100 * row["reduction"][metric],
            f"deviation of {TITLES[metric]} reduced by, %",
            out / f"reduction-{metric}.svg",
        )
    bars(
        results,
        ("separate", "merged", "random"),
        lambda row: 100 * abs(row["errors"]["cpi"]),
        "error of CPI, %",
        out / "error-cpi.svg",
    )
    for name in results:
        run = phasemark.open(out / "joint" / name)
        if name in LANES:
            run.pick_points()
            run.plot("lanes", out / f"lanes-{name}.svg")
        if name in SCALING:
            run.pick_points()
            run.plot("scaling", out / f"scaling-{name}.svg")


def bars(
    results: Results, ways: tuple[str, ...], value: Callable[[dict[str, Any]], float], label: str, path: Path
) -> None:
    """A panel a number of threads, a group a program, a bar a way: the mean over seeds, and its deviation."""
    figure, panels = plt.subplots(len(SHOWN), 1, figsize=(7.2, 4.0), sharex=True)
    names = [*results, "mean"]
    width = 0.8 / len(ways)
    for axis, threads in zip(panels, SHOWN, strict=True):
        for place, way in enumerate(ways):
            found = [
                np.array([value(row) for row in result["runs"][threads][way]]) for result in results.values()
            ]
            heights = [float(np.nanmean(f)) for f in found]
            at = np.arange(len(names)) + (place - (len(ways) - 1) / 2) * width
            axis.bar(
                at,
                [*heights, float(np.mean(heights))],
                width,
                color=_COLOURS[way],
                label=way,
                yerr=[*(float(np.nanstd(f)) for f in found), 0.0],
                error_kw={"lw": 0.6},
            )
        axis.set_title(f"{threads} threads", loc="left", fontsize=8)
        axis.set_ylabel(label, fontsize=7)
        axis.set_xticks(np.arange(len(names)), names)
    panels[0].legend(frameon=False, ncols=3, fontsize=7)
    figure.tight_layout()
    figure.savefig(path, metadata={"Date": None})
    plt.close(figure)
