"""The study's tables, in Markdown. Lengths are in units of the shortest fixed interval."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import numpy as np
from experiments import BUDGETS

#: The fixed length that costs about as much, as in the paper.
AGAINST = {"1 to 5": "3", "5 to 10": "10"}

Results = dict[str, dict[str, Any]]
Row = dict[str, Any]


def every(results: Results) -> str:
    """All of them."""
    parts = [
        ("Intervals of the programs", programs(results)),
        ("Intervals within their range", fits(results)),
        ("CoV of CPI within phases, BIC's choice of k", by_program(results, lambda row: row["cov"])),
        ("Error of CPI, BIC's choice of k", by_program(results, _error)),
        ("Instructions simulated, BIC's choice of k", by_program(results, _share(results))),
        ("CoV of CPI at equal simulated instructions", budgets(results, lambda row: row["cov"])),
        ("Error of CPI at equal simulated instructions", budgets(results, _error)),
        ("Who wins at equal simulated instructions", wins(results)),
    ]
    return "\n".join(f"## {title}\n\n{text}" for title, text in parts)


def programs(results: Results) -> str:
    """What was run, and into how many intervals each way cuts it."""
    ways = _ways(results)
    rows = [
        [name, f"{r['instructions'] / 1e6:,.0f}", *(f"{r['cuts'][way]['intervals']:,}" for way in ways)]
        for name, r in results.items()
    ]
    return _table(["", "million instructions", *ways], rows)


def fits(results: Results) -> str:
    """Share of the instructions in intervals within [MIN, MAX]."""
    ways = [way for way in _ways(results) if " to " in way]
    rows = [[name, *(f"{r['cuts'][way]['fits']:.1%}" for way in ways)] for name, r in results.items()]
    return _table(["", *ways], rows)


def by_program(results: Results, value: Callable[[Row], float]) -> str:
    """Mean over seeds and its standard deviation, a column a way; the last row is the programs' mean."""
    ways = _ways(results)
    rows = []
    means: dict[str, list[float]] = {way: [] for way in ways}
    for name, result in results.items():
        cells = []
        for way in ways:
            found = np.array([value({**row, "program": name}) for row in result["cuts"][way]["chosen"]])
            means[way].append(float(found.mean()))
            cells.append(f"{found.mean():.1%} ± {found.std():.1%}")
        rows.append([name, *cells])
    rows.append(["mean", *(f"{np.mean(means[way]):.1%}" for way in ways)])
    return _table(["", *ways], rows)


def budgets(results: Results, value: Callable[[Row], float]) -> str:
    """Mean over programs and seeds, a row a budget; only programs that every way can cut so."""
    ways = _ways(results)
    rows = []
    for budget in BUDGETS:
        able = [name for name in results if all(_paid(results, name, way, budget) for way in ways)]
        means = [
            np.mean([np.mean([value(row) for row in _paid(results, name, way, budget)]) for name in able])
            if able
            else np.nan
            for way in ways
        ]
        rows.append([f"{budget:.0%}", len(able), *("-" if np.isnan(m) else f"{m:.1%}" for m in means)])
    return _table(["simulated", "programs", *ways], rows)


def wins(results: Results) -> str:
    """In how many programs a range has less error than the fixed length, and in how many more."""
    ways = _ways(results)
    variable = [way for way in ways if " to " in way]
    rows = []
    for budget in BUDGETS:
        cells = []
        for way in variable:
            against = AGAINST[way]
            better = worse = 0
            for name in results:
                ours, theirs = (_paid(results, name, w, budget) for w in (way, against))
                if ours and theirs:
                    mine, other = (np.mean([_error(row) for row in rows_]) for rows_ in (ours, theirs))
                    better, worse = better + bool(mine < other), worse + bool(mine > other)
            cells.append(f"{better} : {worse} against {against}")
        rows.append([f"{budget:.0%}", *cells])
    return _table(["simulated", *variable], rows)


def _ways(results: Results) -> list[str]:
    return list(next(iter(results.values()))["cuts"])


def _paid(results: Results, name: str, way: str, budget: float) -> list[Row]:
    return [row for row in results[name]["cuts"][way]["budgets"] if row["budget"] == budget]


def _error(row: Row) -> float:
    return abs(float(row["errors"]["cpi"]))


def _share(results: Results) -> Callable[[Row], float]:
    return lambda row: float(row["simulated"] / results[row["program"]]["instructions"])


def _table(head: list[str], rows: Iterable[list[Any]]) -> str:
    lines = [head, ["---"] * len(head), *rows]
    return "".join(f"| {' | '.join(map(str, line))} |\n" for line in lines)
