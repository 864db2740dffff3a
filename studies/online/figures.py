"""The study's figures: homogeneity against the threshold, and predictors by program."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import matplotlib as mpl
import numpy as np
from experiments import FORETOLD, MIN_COUNTS, THRESHOLDS
from matplotlib import pyplot as plt
from tables import Results, by_program, mean, ratio

mpl.use("svg")
# Equal figures are equal bytes.
mpl.rcParams.update({"svg.hashsalt": "phasemark", "font.size": 8, "axes.spines.top": False})
mpl.rcParams["axes.spines.right"] = False

_COLOURS = {1: "#3c72c3", 8: "#de8d21"}


def every(results: Results, out: Path) -> None:
    """All of them, as SVG."""
    homogeneity(results, out / "online-homogeneity.svg")
    prediction(results, out / "online-prediction.svg")


def homogeneity(results: Results, path: Path) -> None:
    """CoV over that of as many phases offline, and of stretches, against the threshold; bars: programs."""
    figure, panels = plt.subplots(1, 2, figsize=(7, 2.8), sharex=True)
    for axes, to, title in zip(
        panels, ("offline", "stretches"), ("SimPoint's phases", "stretches of time"), strict=True
    ):
        for min_count in MIN_COUNTS:
            points = []
            for threshold in THRESHOLDS:
                at = by_program(
                    results,
                    "homogeneity",
                    lambda row, m=min_count, t=threshold: (row["min_count"], row["threshold"]) == (m, t),
                )
                ratios = np.array([ratio(rows, to) for rows in at])
                there = ~np.isnan(ratios)
                if there.sum() > 1:
                    error = ratios[there].std(ddof=1) / np.sqrt(there.sum())
                    points.append((threshold, ratios[there].mean(), error))
            if points:
                x, y, error = np.array(points).T
                label = "nothing in transition" if min_count == 1 else f"phases seen {min_count} times"
                axes.errorbar(x, y, error, fmt="o-", ms=3, lw=1, color=_COLOURS[min_count], label=label)
        axes.axhline(1, color="#999999", lw=0.8)
        axes.set_title(f"CoV of CPI over that of as many {title}", loc="left", fontsize=8)
        axes.set_xscale("log")
        axes.set_xticks([0.05, 0.1, 0.25, 0.5, 1], ["0.05", "0.1", "0.25", "0.5", "1"])
        axes.minorticks_off()
        axes.set_xlabel("threshold")
        axes.set_ylim(bottom=0)
    panels[0].legend(frameon=False)
    _save(figure, path)


def prediction(results: Results, path: Path) -> None:
    """How much more often than staying predictors are right, program by program."""
    figure, panels = plt.subplots(1, len(FORETOLD), figsize=(7, 2.8), sharey=True)
    names = list(results)
    for axes, threshold in zip(panels, FORETOLD, strict=True):
        for offset, (predictor, colour) in enumerate(
            (("moves", "#8496ba"), ("rle-markov", "#3c72c3"), ("rle-markov-2", "#de8d21"))
        ):
            values = [_gain(results[name], threshold, predictor) for name in names]
            axes.bar(np.arange(len(names)) + 0.27 * (offset - 1), values, 0.26, color=colour, label=predictor)
        axes.axhline(0, color="#999999", lw=0.8)
        axes.set_xticks(range(len(names)), names, rotation=60, ha="right")
        axes.set_title(f"threshold {threshold:g}", loc="left", fontsize=8)
    panels[0].set_ylabel("right more often than staying, %")
    panels[0].legend(frameon=False)
    _save(figure, path)


def _gain(result: dict[str, Any], threshold: float, predictor: str) -> float:
    def right(name: str) -> float:
        return mean(
            row["next_phase"]
            for row in result["prediction"]
            if (row["threshold"], row["predictor"]) == (threshold, name)
        )

    return 100 * (right(predictor) - right("last"))


def _save(figure: Any, path: Path) -> None:
    figure.tight_layout()
    figure.savefig(path, metadata={"Date": None})
    plt.close(figure)
