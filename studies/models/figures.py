"""The study's figures, after figures 2 and 3 of "Probabilistic generative models"."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import matplotlib as mpl
import pandas as pd
from experiments import BASELINE, STATES
from matplotlib import pyplot as plt
from pairs import Results, frame

mpl.use("svg")
# Equal figures are equal bytes.
mpl.rcParams.update({"svg.hashsalt": "phasemark", "font.size": 8, "axes.spines.top": False})
mpl.rcParams["axes.spines.right"] = False

#: Line, by model; colour, by representation.
_LINES = {"mixture": "--", "hmm": "-"}
_COLOURS = {"full": "#1f77b4", "reweight": "#ff7f0e", "random": "#2ca02c", "loops": "#9467bd"}
_SHOWN = ("full", "reweight", "random", "loops")

#: Programs of the second figure, as far as they are there.
_SCATTERED = ("cc1", "gzip", "python3", "zstd")


def every(results: Results, out: Path) -> None:
    """All of them, as SVG."""
    likelihood(results, out / "models-likelihood.svg")
    against_error(results, out / "models-likelihood-error.svg")
    against_points(results, out / "models-error.svg")


def likelihood(results: Results, path: Path) -> None:
    """Figure 2, left: mean log likelihood of an instruction that counts, against the number of states."""
    found = pd.DataFrame(
        [
            {
                "program": name,
                "way": fit["way"],
                "states": fit["states"],
                "each": fit["log_likelihood"] / fit["evidence"] / result["intervals"],
            }
            for name, seeds in results.items()
            for result in seeds
            for fit in result["fits"]
            if "log_likelihood" in fit
        ]
    )
    figure, axes = plt.subplots(1, 2, figsize=(7, 3))
    for model, line in _LINES.items():
        for representation in _SHOWN:
            own = found[found["way"] == f"{model} {representation} 1000"]
            means = own.groupby(["states", "program"])["each"].mean().groupby("states").mean()
            look = {"marker": "o", "markersize": 3, "color": _COLOURS[representation]}
            axes[0].plot(means.index, means, line, **look, label=f"{model} {representation}")
            axes[1].plot(means.index, means - means.iloc[0], line, **look)
    for axis in axes:
        _states_below(axis, found["states"])
    axes[0].set_title("log likelihood, nats an instruction")
    axes[1].set_title("what it gains over the fewest states")
    _legend_below(figure, axes[0], 4)
    _save(figure, path)


def _legend_below(figure: Any, axis: Any, columns: int) -> None:
    lines, labels = axis.get_legend_handles_labels()
    figure.legend(
        lines, labels, frameon=False, fontsize=6, ncols=columns, loc="upper center", bbox_to_anchor=(0.5, 0)
    )


def _states_below(axis: Any, states: Any) -> None:
    ticks = sorted(set(states))
    axis.set_xscale("log", base=2)
    axis.set_xticks(ticks, [str(tick) for tick in ticks])
    axis.minorticks_off()
    axis.set_xlabel("states")


def against_error(results: Results, path: Path) -> None:
    """Figure 2, right: a dot a restart, averaged over numbers of states: OBSMODELDIST1 and EPM1."""
    known = [name for name, (first, *_) in results.items() if first["restarts"]]
    names = [name for name in _SCATTERED if name in known] or known[:1]
    if not names:
        return
    figure, axes = plt.subplots(1, len(names), figsize=(7, 2.6), squeeze=False)
    for axis, name in zip(axes[0], names, strict=True):
        found = pd.DataFrame(results[name][0]["restarts"])
        for model, marker in (("mixture", "x"), ("hmm", "o")):
            means = found[found["model"] == model].groupby("seed")[["log_likelihood", "off"]].mean()
            axis.plot(
                means["log_likelihood"] / 1e6,
                100 * means["off"],
                marker,
                markersize=4,
                fillstyle="none",
                label=model,
            )
        axis.set_title(name)
        axis.set_xlabel("log likelihood, millions")
        axis.locator_params(axis="x", nbins=3)
    axes[0][0].set_ylabel("error of intervals' CPI, %")
    axes[0][0].legend(frameon=False, fontsize=7)
    _save(figure, path)


def against_points(results: Results, path: Path) -> None:
    """Figure 3: error against the number of points, with its standard error over programs."""
    rows = frame(results)
    choices = (("cluster-center", "epm1"), ("max-posterior", "epm2"))
    figure, axes = plt.subplots(2, 2, figsize=(7, 5.6), sharex=True, sharey="row")
    for column, (selector, estimator) in enumerate(choices):
        own = rows[(rows["selector"] == selector) & (rows["estimator"] == estimator)]
        for line, measure in enumerate(("off", "error")):
            axis = axes[line][column]
            for model, style in _LINES.items():
                for representation in _SHOWN:
                    some = own[own["way"] == f"{model} {representation} 1000"]
                    label = f"{model} {representation}"
                    _line(axis, some, measure, (style, _COLOURS[representation]), label)
            _baselines(axis, results, rows, measure)
            axis.set_xscale("log", base=2)
            axis.set_yscale("log")
            ticks = (1, 2, 5, 10, 20, 50) if measure == "off" else (0.5, 1, 2, 5, 10, 20)
            axis.set_yticks(ticks, [f"{tick:g}" for tick in ticks])
            counts = [count for count in STATES if count <= 2 * rows["states"].max()]
            axis.set_xticks(counts, [str(count) for count in counts])
            axis.minorticks_off()
        axes[0][column].set_title(f"{selector}, {estimator}")
        axes[1][column].set_xlabel("points")
    axes[0][0].set_ylabel("error of intervals' CPI, %")
    axes[1][0].set_ylabel("error of CPI, %")
    axes[1][0].set_ylim(bottom=0.3)
    _legend_below(figure, axes[1][0], 6)
    _save(figure, path)


def _line(axis: Any, some: pd.DataFrame, measure: str, look: tuple[str, Any], label: str) -> None:
    if not len(some):
        return
    by = some.groupby(["states", "program"])[["points", measure]].mean().groupby("states")
    means, errors = by.mean(), by[measure].sem().fillna(0.0)
    axis.errorbar(
        means["points"],
        100 * means[measure],
        100 * errors,
        linestyle=look[0],
        marker="o",
        markersize=2.5,
        linewidth=1,
        elinewidth=0.5,
        color=look[1],
        label=label,
    )


def _baselines(axis: Any, results: Results, rows: pd.DataFrame, measure: str) -> None:
    """SimPoint's nearest points in black; of the whole run's error also random ones."""
    states = sorted(rows["states"].unique())
    own = rows[(rows["way"] == BASELINE.name) & (rows["selector"] == "nearest")]
    _line(axis, own[own["estimator"] == "weights"], measure, ("-", "black"), "simpoint")
    if measure == "off":
        return
    stratified = rows[(rows["way"] == BASELINE.name) & (rows["selector"] == "two-each")]
    _line(
        axis, stratified[stratified["estimator"] == "weights"], measure, ("--", "black"), "simpoint two-each"
    )
    drawn = pd.DataFrame(
        [
            {
                "program": name,
                "states": row["points"],
                "points": row["points"],
                "error": abs(row["errors"]["cpi"]),
            }
            for name, seeds in results.items()
            for result in seeds
            for row in result["random"]
            if row["points"] in states
        ]
    )
    _line(axis, drawn, measure, (":", "gray"), "random")


def _save(figure: Any, path: Path) -> None:
    figure.tight_layout()
    figure.savefig(path, metadata={"Date": None}, bbox_inches="tight")
    plt.close(figure)
