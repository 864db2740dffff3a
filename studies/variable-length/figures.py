"""The study's figures, after figures 7 to 9 of "Variable-length intervals"."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import matplotlib as mpl
import numpy as np
from experiments import BUDGETS
from matplotlib import pyplot as plt

mpl.use("svg")
# Equal figures are equal bytes.
mpl.rcParams.update({"svg.hashsalt": "phasemark", "font.size": 8, "axes.spines.top": False})
mpl.rcParams["axes.spines.right"] = False

_FIXED = plt.get_cmap("Greys")(np.linspace(0.35, 0.85, 4))
_VARIABLE = plt.get_cmap("Blues")(np.linspace(0.55, 0.9, 2))

Results = dict[str, dict[str, Any]]


def every(results: Results, out: Path) -> None:
    """All of them, as SVG."""
    bars(results, lambda row, _: 100 * row["cov"], "CoV of CPI, %", out / "cov.svg")
    bars(results, lambda row, _: 100 * abs(row["errors"]["cpi"]), "error of CPI, %", out / "error.svg")
    bars(
        results,
        lambda row, result: 100 * row["simulated"] / result["instructions"],
        "instructions simulated, % of the run",
        out / "simulated.svg",
    )
    against_cost(results, out / "against-cost.svg")


def bars(
    results: Results, value: Callable[[dict[str, Any], dict[str, Any]], float], label: str, path: Path
) -> None:
    """A group a program and a bar a way to cut it: the mean over seeds, with its standard deviation."""
    ways = _ways(results)
    figure, axis = plt.subplots(figsize=(7.2, 2.8))
    names = [*results, "mean"]
    width = 0.8 / len(ways)
    for place, (way, colour) in enumerate(zip(ways, _colours(ways), strict=True)):
        found = [
            np.array([value(row, result) for row in result["cuts"][way]["chosen"]])
            for result in results.values()
        ]
        heights = [float(f.mean()) for f in found]
        deviations = [float(f.std()) for f in found]
        at = np.arange(len(names)) + (place - (len(ways) - 1) / 2) * width
        axis.bar(
            at,
            [*heights, float(np.mean(heights))],
            width,
            color=colour,
            label=way,
            yerr=[*deviations, 0.0],
            error_kw={"elinewidth": 0.5},
        )
    axis.set_xticks(np.arange(len(names)), names, rotation=30, ha="right")
    axis.set_ylabel(label)
    axis.legend(frameon=False, fontsize=6, ncols=len(ways), title="length of intervals", title_fontsize=6)
    _save(figure, path)


def against_cost(results: Results, path: Path) -> None:
    """Mean error and CoV of CPI against what is simulated, a line a way to cut."""
    ways = _ways(results)
    figure, axes = plt.subplots(1, 2, figsize=(7.2, 3))
    values: list[Callable[[dict[str, Any]], float]] = [
        lambda row: 100 * abs(row["errors"]["cpi"]),
        lambda row: 100 * row["cov"],
    ]
    for axis, value, title in zip(axes, values, ["error of CPI, %", "CoV of CPI, %"], strict=True):
        for way, colour in zip(ways, _colours(ways), strict=True):
            means = [_mean(results, way, budget, value) for budget in BUDGETS]
            axis.plot(BUDGETS, means, marker="o", markersize=3, color=colour, label=way)
        axis.set_xscale("log")
        axis.set_xticks(BUDGETS, [f"{budget:.0%}" for budget in BUDGETS])
        axis.minorticks_off()
        axis.set_ylim(0)
        axis.set_title(title)
        axis.set_xlabel("of the run simulated")
    axes[1].legend(frameon=False, fontsize=7)
    _save(figure, path)


def _mean(results: Results, way: str, budget: float, value: Callable[[dict[str, Any]], float]) -> float:
    """Over the programs that every way can cut so."""
    means = []
    for result in results.values():
        rows = {w: [r for r in result["cuts"][w]["budgets"] if r["budget"] == budget] for w in _ways(results)}
        if all(rows.values()):
            means.append(np.mean([value(row) for row in rows[way]]))
    return float(np.mean(means)) if means else float("nan")


def _ways(results: Results) -> list[str]:
    return list(next(iter(results.values()))["cuts"])


def _colours(ways: list[str]) -> list[Any]:
    fixed, variable = iter(_FIXED), iter(_VARIABLE)
    return [next(variable) if " to " in way else next(fixed) for way in ways]


def _save(figure: Any, path: Path) -> None:
    figure.tight_layout()
    figure.savefig(path, metadata={"Date": None})
    plt.close(figure)
