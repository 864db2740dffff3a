"""The study's tables, in Markdown."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from typing import Any

import numpy as np
from experiments import BUDGETS, FIXED, METRICS, SEEDED

Results = dict[str, dict[str, Any]]


def every(results: Results, suites: Mapping[str, Iterable[str]]) -> str:
    """All of them, suite by suite.

    Args:
        results: by program.
        suites: name -> programs.
    """
    parts = []
    for suite, names in suites.items():
        own = {name: results[name] for name in names if name in results}
        if own:
            parts.append(f"# The {suite} suite\n\n{of_suite(own)}")
    return "\n".join(parts)


def of_suite(results: Results) -> str:
    """The tables of one suite."""
    parts = [
        ("Programs", programs(results)),
        ("Mean error of CPI by method and number of points", errors(results)),
        ("Error of CPI by program, 20 points", by_program(results, 20)),
        ("Error of CPI by program, 40 points", by_program(results, 40)),
        ("Mean error of other metrics", of_metrics(results)),
        ("Does the 95% interval cover the truth?", coverage(results)),
        ("Half-width of the 95% interval", widths(results)),
        ("Homogeneity of CPI", homogeneity(results)),
        ("Criteria for k", criteria(results)),
    ]
    return "\n".join(f"## {title}\n\n{text}" for title, text in parts)


def programs(results: Results) -> str:
    """What was run."""
    rows = [
        [
            name,
            f"{r['instructions'] / 1e6:,.0f}",
            r["intervals"],
            f"{r['truth']['cpi']:.3f}",
            f"{r['whole']['lowest']:.2f} to {r['whole']['highest']:.2f}",
            _percent(r["whole"]["cov"]),
        ]
        for name, r in results.items()
    ]
    return _table(["", "million instructions", "intervals", "CPI", "of intervals", "CoV"], rows)


def errors(results: Results) -> str:
    """Mean over programs of the mean absolute error over seeds."""
    rows = [
        [method, *(_percent(_mean(results, "error", method, budget)) for budget in BUDGETS)]
        for method in (*SEEDED, *FIXED)
    ]
    return _table(["points", *map(str, BUDGETS)], rows)


def by_program(results: Results, budget: int) -> str:
    """Bias and mean absolute error of each method."""
    methods = (*SEEDED, *FIXED)
    rows = []
    for name, r in results.items():
        cells = [_one(r, method, budget) for method in methods]
        rows.append([name, *(f"{_percent(c['bias'], sign=True)} ({_percent(c['error'])})" for c in cells)])
    return _table(["", *methods], rows)


def of_metrics(results: Results) -> str:
    """Mean over programs of the mean absolute error over seeds, metric by metric."""
    rows = []
    for method in SEEDED:
        for metric in METRICS[1:]:
            found = [[_one(r, method, b, metric)["error"] for r in results.values()] for b in BUDGETS]
            rows.append([method, metric, *(_percent(float(np.nanmean(errors))) for errors in found)])
    return _table(["", "points", *map(str, BUDGETS)], rows)


def coverage(results: Results) -> str:
    """Share of seeds whose interval covers the truth: over all programs, and of the worst program."""
    return _of_intervals(results, "covered", _share)


def widths(results: Results) -> str:
    """Median over programs of the mean half-width, relative to the truth."""
    return _of_intervals(results, "half_width", lambda widths: _percent(float(np.nanmedian(widths))))


def _share(shares: list[float]) -> str:
    """Mean and lowest; of how many programs, where intervals of others have no end."""
    known = [share for share in shares if not math.isnan(share)]
    if not known:
        return "-"
    of = "" if len(known) == len(shares) else f" of {len(known)}"
    return f"{np.mean(known):.0%} ({min(known):.0%}){of}"


def _of_intervals(results: Results, what: str, cell: Callable[[list[float]], str]) -> str:
    rows = []
    for method in SEEDED:
        for metric in METRICS:
            found = [[_one(r, method, b, metric)[what] for r in results.values()] for b in BUDGETS]
            rows.append([method, metric, *map(cell, found)])
    return _table(["", "points", *map(str, BUDGETS)], rows)


def homogeneity(results: Results) -> str:
    """CoV and CIM of 2 to 20 phases, and where they disagree on which of two numbers is better."""
    rows = []
    for name, r in results.items():
        at = {row["k"]: row for row in r["homogeneity"]}
        cim = [row["cim"] for row in r["homogeneity"]]
        cov = [row["cov"] for row in r["homogeneity"]]
        rows.append(
            [
                name,
                _percent(r["whole"]["cov"]),
                *(_percent(at[k]["cov"]) for k in (5, 10, 20)),
                f"{at[2]['cim_before']:.2f}",
                *(f"{at[k]['cim']:.2f}" for k in (5, 10, 20)),
                _disagreements(cov, cim),
            ]
        )
    head = ["", "CoV, whole", "5", "10", "20", "CIM, whole", "5", "10", "20", "disagree"]
    return _table(head, rows)


def _disagreements(cov: list[float], cim: list[float]) -> str:
    """Of the steps from k to k+1, those where one falls and the other rises."""
    opposed = sum(
        (b1 - a1) * (b2 - a2) < 0 for a1, b1, a2, b2 in zip(cov, cov[1:], cim, cim[1:], strict=False)
    )
    return f"{opposed} of {len(cov) - 1}"


def criteria(results: Results) -> str:
    """What each criterion chooses and comes to: means over programs."""
    names = [row["criterion"] for row in next(iter(results.values()))["criteria"]]
    rows = []
    for name in names:
        found = [next(c for c in r["criteria"] if c["criterion"] == name) for r in results.values()]
        rows.append(
            [
                f"`{name}`",
                f"{np.mean([c['k'] for c in found]):.1f}",
                f"{np.mean([c['most'] - c['fewest'] for c in found]):.1f}",
                _percent(float(np.mean([c["error"] for c in found]))),
                _percent(max(c["error"] for c in found)),
                _percent(float(np.mean([c["cov"] for c in found]))),
            ]
        )
    return _table(["", "mean k", "range over seeds", "error of CPI", "of the worst program", "CoV"], rows)


def _one(result: dict[str, Any], method: str, budget: int, metric: str = "cpi") -> dict[str, Any]:
    wanted = (method, budget, metric)
    return next(e for e in result["estimates"] if (e["method"], e["budget"], e["metric"]) == wanted)


def _mean(results: Results, what: str, method: str, budget: int) -> float:
    return float(np.mean([_one(r, method, budget)[what] for r in results.values()]))


def _percent(value: float, *, sign: bool = False) -> str:
    if math.isnan(value):
        return "-"
    return f"{100 * value:{'+' if sign else ''}.1f}%"


def _table(head: list[str], rows: Iterable[list[Any]]) -> str:
    lines = [head, ["---"] * len(head), *rows]
    return "".join(f"| {' | '.join(map(str, line))} |\n" for line in lines)
