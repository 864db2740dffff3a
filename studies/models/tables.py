"""The study's tables, in Markdown. *More*: than SimPoint with as many points, in percentage points."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any

import numpy as np
import pandas as pd
from experiments import BASELINE, ESTIMATORS, METRICS, RANDOM, SELECTORS, WAYS
from pairs import Mean, Results, between, chosen_elsewhere, comparisons, frame, over_programs

#: Of which selectors and estimators are compared.
USUAL = "hmm full 1000"

#: The paper's two of figure 3, and SimPoint's own.
SHOWN = (("cluster-center", "epm1"), ("max-posterior", "epm2"), ("nearest", "weights"))

#: Whose points are drawn at random.
DRAWN = (BASELINE.name, "simpoint loops", "mixture full 1000", "hmm full 1000", "hmm loops 1000")


def every(results: Results) -> str:
    """All of them."""
    rows = frame(results)
    parts = [
        ("Programs", programs(results)),
        ("What the models find", fits(results)),
        *(
            (f"Error by model: {selector}, {estimator}", ways(rows, selector, estimator))
            for selector, estimator in SHOWN
        ),
        (f"Error by selector and estimator, {USUAL}", selectors(rows)),
        ("Does order help? hmm less mixture", order(rows)),
        ("Random points", drawn(results, rows)),
        ("Does the 95% interval cover the truth?", coverage(rows)),
        ("The best of all, and what remains of it", best(rows)),
        ("The best of the other programs", elsewhere(rows)),
        ("Likelihood and error", likelihood(results)),
        ("Prediction", prediction(results)),
    ]
    return "\n".join(f"## {title}\n\n{text}" for title, text in parts)


def programs(results: Results) -> str:
    """What was run, and with how many restarts and seeds its models were fitted."""
    lines = []
    for name, (r, *others) in results.items():
        lines.append(
            [
                name,
                f"{r['instructions'] / 1e6:,.0f}",
                f"{r['intervals']:,}",
                f"{r['blocks']:,}",
                f"{r['loops']:,}",
                f"{r['truth']['cpi']:.3f}",
                _percent(r["cov"]),
                1 + len(others),
                r["of"]["restarts"],
            ]
        )
    head = ["", "million instructions", "intervals", "blocks", "sites", "CPI", "CoV", "seeds", "restarts"]
    return _table(head, lines)


def fits(results: Results) -> str:
    """Of so many states, the mean number that intervals are in, and the CoV of CPI within them."""
    found = pd.DataFrame(
        [{"program": p, **fit} for p, seeds in results.items() for r in seeds for fit in r["fits"]]
    )
    states = sorted(found["states"].unique())
    lines = []
    for way in WAYS:
        cells = []
        for k in states:
            some = found[(found["way"] == way.name) & (found["states"] == k)]
            means = some.groupby("program")[["used", "cov"]].mean().mean()
            cells.append(f"{means['used']:.1f}, {_percent(means['cov'])}")
        lines.append([way.name, *cells])
    return _table(["used, CoV", *map(str, states)], lines)


def ways(rows: pd.DataFrame, selector: str, estimator: str) -> str:
    """Every way to find phases, with one selector and estimator; over all numbers of states."""
    some = rows[(rows["selector"] == selector) & (rows["estimator"] == estimator)]
    lines = []
    for way in WAYS:
        own = some[some["way"] == way.name]
        if len(own):
            lines.append([way.name, f"{over_programs(own, 'points').mean:.1f}", *_both(own)])
    return _table(["", "points", *_HEAD], lines)


def selectors(rows: pd.DataFrame) -> str:
    """Every selector and estimator, with one way to find phases."""
    lines = []
    for selector in SELECTORS:
        for estimator in ESTIMATORS:
            own = rows[
                (rows["way"] == USUAL) & (rows["selector"] == selector) & (rows["estimator"] == estimator)
            ]
            if len(own):
                lines.append([selector, estimator, f"{over_programs(own, 'points').mean:.1f}", *_both(own)])
    return _table(["", "", "points", *_HEAD], lines)


_HEAD = ["error", "more", "better : worse", "of intervals", "more", "better : worse"]


def _both(own: pd.DataFrame) -> list[str]:
    """Mean error of the whole run and of intervals, each beside the baseline's."""
    cells = []
    for column in ("error", "off"):
        more = over_programs(own, f"{column}_more")
        cells += [_percent(over_programs(own, column).mean), _more(more), _wins(more)]
    return cells


def order(rows: pd.DataFrame) -> str:
    """What a hidden Markov model gains over a mixture: all selectors and estimators, at equal states."""
    lines = []
    for way in WAYS:
        if way.model != "hmm":
            continue
        other = way.name.replace("hmm", "mixture")
        cells = []
        for column in ("error", "off"):
            more = between(rows, way.name, other, column)
            cells += [_more(more), _wins(more)]
        lines.append([way.name.removeprefix("hmm "), *cells])
    return _table(["", "error", "better : worse", "of intervals", "better : worse"], lines)


def drawn(results: Results, rows: pd.DataFrame) -> str:
    """Random points of phases, and of the whole run, beside SimPoint's nearest ones."""
    lines = []
    for way in DRAWN:
        for selector in RANDOM:
            own = rows[
                (rows["way"] == way) & (rows["selector"] == selector) & (rows["estimator"] == "weights")
            ]
            if len(own):
                lines.append([way, selector, *_drawn(own)])
    whole = {
        name: [{**r, "rows": [{**row, **_WHOLE} for row in r["random"]]} for r in seeds]
        for name, seeds in results.items()
    }
    lines.append(["whole run", "random", *_drawn(frame(whole))])
    head = ["", "", "points", "error", "more", "better : worse", "covered", "worst program", "half-width"]
    return _table(head, lines)


_WHOLE = {"way": "random", "states": 0, "selector": "random", "estimator": "weights"}


def _drawn(own: pd.DataFrame) -> list[str]:
    more = over_programs(own, "error_more")
    covered = own.groupby("program")["covered_cpi"].mean()
    # A few intervals have no bounds; the median tells of the others.
    half = own.groupby("program")["half_width"].median().mean()
    return [
        f"{over_programs(own, 'points').mean:.1f}",
        _percent(over_programs(own, "error").mean),
        _more(more),
        _wins(more),
        f"{covered.mean():.0%}",
        f"{covered.min():.0%}",
        _percent(half),
    ]


def coverage(rows: pd.DataFrame) -> str:
    """Share of estimates by weights whose interval covers the truth: over programs, and of the worst one."""
    lines = []
    for selector in SELECTORS:
        cells = []
        for model in ("simpoint", "mixture", "hmm"):
            own = rows[(rows["model"] == model) & (rows["selector"] == selector)]
            own = own[own["estimator"] == "weights"]
            if not len(own):
                cells.append("-")
                continue
            by = own.groupby("program")[[f"covered_{name}" for name in METRICS]].mean()
            cells.append(", ".join(f"{by[c].mean():.0%} ({by[c].min():.0%})" for c in by))
        lines.append([selector, *cells])
    return _table([", ".join(METRICS), "simpoint", "mixture", "hmm"], lines)


def best(rows: pd.DataFrame) -> str:
    """The five combinations with the least error, and how many of all are better or worse for certain."""
    lines = []
    for column, title in (("error", "error"), ("off", "of intervals")):
        found = comparisons(rows, column)
        apart = found[found["half_width"] < found["mean"].abs()]
        sure = found[found["holm"] < 0.05]
        lines.append(
            [
                title,
                f"all {len(found)}",
                _sides(apart["mean"]),
                "",
                _sides(sure["mean"]),
            ]
        )
        for row in found.head(5).to_dict("records"):
            what = f"{row['way']}, {row['selector']}, {row['estimator']}"
            mean = Mean(row["mean"], row["half_width"], row["p"], row["below"], row["above"])
            lines.append(["", what, _more(mean), _p(row["p"]), _p(row["holm"])])
    return _table(["", "", "more", "p", "after Holm"], lines)


def _p(value: float) -> str:
    return "-" if math.isnan(value) else f"{value:.3f}"


def _sides(means: pd.Series) -> str:
    return f"{int((means < 0).sum())} better, {int((means > 0).sum())} worse"


def elsewhere(rows: pd.DataFrame) -> str:
    """The combination that is best over all other programs, on each program."""
    if rows["program"].nunique() < 2:
        return "There is no other program.\n"
    error, off = (chosen_elsewhere(rows, column) for column in ("error", "off"))
    lines = [
        [one["program"], _combination(one), _points(one["more"]), _combination(two), _points(two["more"])]
        for one, two in zip(error.to_dict("records"), off.to_dict("records"), strict=True)
    ]
    lines.append(["mean", "", _more(Mean.of(error["more"])), "", _more(Mean.of(off["more"]))])
    return _table(["", "least error", "more", "least of intervals", "more"], lines)


def _combination(row: dict[str, Any]) -> str:
    return f"{row['way']}, {row['selector']}, {row['estimator']}"


def likelihood(results: Results) -> str:
    """Spearman's correlation of likelihood and error: among restarts, and among numbers of states."""
    lines = []
    for name, (first, *_) in results.items():
        if not first["restarts"]:
            continue
        found = pd.DataFrame(first["restarts"])
        cells = []
        for model in ("mixture", "hmm"):
            own = found[found["model"] == model]
            means = own.groupby("seed")[["log_likelihood", "error", "off"]].mean()
            states = own.groupby("states")[["log_likelihood", "error", "off"]].mean()
            for table in (means, states):
                cells += [_correlation(table, column) for column in ("error", "off")]
        lines.append([name, *cells])
    if not lines:
        return "No restart was looked at by itself.\n"
    numbers = np.array([[math.nan if c == "-" else float(c) for c in line[1:]] for line in lines])
    known = np.isfinite(numbers).any(axis=0)
    means = [f"{np.nanmean(numbers[:, i]):+.2f}" if known[i] else "-" for i in range(numbers.shape[1])]
    lines.append(["mean", *means])
    head = [
        f"{model}, {over}: {what}"
        for model in ("mixture", "hmm")
        for over in ("restarts", "states")
        for what in ("error", "of intervals")
    ]
    return _table(["", *head], lines)


def _correlation(table: pd.DataFrame, column: str) -> str:
    ranks = table.rank()
    if len(ranks) < 3 or ranks["log_likelihood"].std() == 0 or ranks[column].std() == 0:
        return "-"
    return f"{ranks['log_likelihood'].corr(ranks[column]):+.2f}"


def prediction(results: Results) -> str:
    """How often the next phase is foretold in the last fifth of the run, and at changes alone."""
    lines = []
    for name, (first, *_) in results.items():
        for row in first["prediction"]:
            cells = [
                f"{row['accuracy'][by]:.0%}, {_share(row['at_changes'][by])}"
                for by in ("last", "frequency", "moves", "model")
            ]
            lines.append([name, row["tempering"], row["intervals"], row["changes"], *cells])
    head = ["", "tempering", "intervals", "changes", "last", "frequency", "moves", "model"]
    return _table(head, lines)


def _more(mean: Mean) -> str:
    """A difference with its interval, in percentage points."""
    if math.isnan(mean.half_width):
        return _points(mean.mean)
    return f"{_points(mean.mean)} ± {100 * mean.half_width:.2f}"


def _wins(mean: Mean) -> str:
    return "-" if math.isnan(mean.mean) else f"{mean.below} : {mean.above}"


def _points(value: float) -> str:
    return "-" if math.isnan(value) else f"{100 * value:+.2f}"


def _percent(value: float) -> str:
    return "-" if math.isnan(value) else f"{100 * value:.1f}%"


def _share(value: float) -> str:
    return "-" if math.isnan(value) else f"{value:.0%}"


def _table(head: list[str], rows: Iterable[list[Any]]) -> str:
    lines = [head, ["---"] * len(head), *rows]
    return "".join(f"| {' | '.join(map(str, line))} |\n" for line in lines)
