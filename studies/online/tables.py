"""How the answers are shown: tables in Markdown, with standard errors over programs or seeds."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np
from experiments import CHANGES, FORETOLD, MIN_COUNTS, STATES, THRESHOLDS

Results = dict[str, dict[str, Any]]


def every(results: Results) -> str:
    """All tables."""
    parts = [
        ("Homogeneity at equal numbers of phases", homogeneity(results)),
        ("Programs, at a threshold of 0.25", programs(results)),
        ("Sizes", sizes(results)),
        ("Prediction", prediction(results)),
        (f"Beside a hidden Markov model of {STATES} states", beside_hmm(results)),
    ]
    return "\n".join(f"## {title}\n\n{table}\n" for title, table in parts)


def homogeneity(results: Results) -> str:
    """A row a threshold and min_count: means over programs, with standard errors over them."""
    rows = [
        ["sightings", "threshold", "phases", "in transition", "CoV", "over offline", "over stretches", "ARI"]
    ]
    for min_count in MIN_COUNTS:
        for threshold in THRESHOLDS:
            at = by_program(
                results,
                "homogeneity",
                lambda row, m=min_count, t=threshold: (row["min_count"], row["threshold"]) == (m, t),
            )
            rows.append([str(min_count), f"{threshold:g}", *compared(at)])
    return table(rows)


def compared(at: list[list[dict[str, Any]]]) -> list[str]:
    """Cells of phases held against as many offline, and against stretches of time."""
    return [
        pm((mean(row["k"] for row in rows) for rows in at), "{:.1f}"),
        pm((mean(row["transition"] for row in rows) for rows in at), "{:.1%}"),
        pm((mean(row["cov"] for row in rows) for rows in at), "{:.1%}"),
        pm((ratio(rows, "offline") for rows in at), "{:.2f}"),
        pm((ratio(rows, "stretches") for rows in at), "{:.2f}"),
        pm((mean(row["agreement"] for row in rows if "agreement" in row) for rows in at), "{:.2f}"),
    ]


def programs(results: Results) -> str:
    """A row a program: means over seeds, with standard errors over them."""
    rows = [["", "CoV, whole", "phases", "in transition", "CoV", "offline", "stretches", "ARI"]]
    for name, result in results.items():
        found = [row for row in result["homogeneity"] if (row["min_count"], row["threshold"]) == (8, 0.25)]
        cells = [pm((row["k"] for row in found), "{:.1f}")]
        cells += [
            pm((row[what] for row in found), "{:.1%}")
            for what in ("transition", "cov", "offline", "stretches")
        ]
        cells.append(pm((row["agreement"] for row in found), "{:.2f}"))
        rows.append([name, f"{result['whole']:.1%}", *cells])
    return table(rows)


def sizes(results: Results) -> str:
    """A row a change; what is over the defaults' is paired by program."""
    rows = [["", "", "phases", "in transition", "CoV over the defaults'", "over offline", "ARI"]]
    usual = by_program(results, "sizes", lambda row: row["what"] == "defaults")
    for what, changes in [("defaults", ({},)), *CHANGES.items()]:
        for change in changes:
            at = by_program(
                results, "sizes", lambda row, w=what, c=change: (row["what"], row["change"]) == (w, c)
            )
            paired = (
                mean(row["cov"] for row in mine) / mean(row["cov"] for row in theirs)
                for mine, theirs in zip(at, usual, strict=True)
            )
            k, transition, _, offline, _, agreement = compared(at)
            said = "" if what in ("defaults", "unrestricted") else shown(next(iter(change.values())))
            rows.append([what, said, k, transition, pm(paired, "{:.2f}"), offline, agreement])
    return table(rows)


def prediction(results: Results) -> str:
    """A row a threshold and predictor: shares over programs, with standard errors over them."""
    rows = [["threshold", "predictor", "intervals", "beside staying", "changes", "false changes", "lengths"]]
    for threshold in FORETOLD:
        names = dict.fromkeys(row["predictor"] for r in results.values() for row in r["prediction"])
        stays = _right(results, threshold, "last", "next_phase")
        for name in names:
            right = _right(results, threshold, name, "next_phase")
            cells = [pm(right, "{:.1%}")]
            cells.append(pm((a - b for a, b in zip(right, stays, strict=True)), "{:+.1%}"))
            cells += [
                pm(_right(results, threshold, name, what), "{:.1%}")
                for what in ("at_changes", "alarms", "run_length")
            ]
            rows.append([f"{threshold:g}", name, *cells])
    return table(rows)


def _right(results: Results, threshold: float, predictor: str, what: str) -> list[float]:
    at = by_program(
        results,
        "prediction",
        lambda row: (row["threshold"], row["predictor"]) == (threshold, predictor),
    )
    return [mean(row[what] for row in rows) for rows in at]


def beside_hmm(results: Results) -> str:
    """A row a kind of phases and predictor; of changes, all programs' together."""
    rows = [["phases", "predictor", "intervals", "of changes"]]
    every = [row for result in results.values() for row in result["beside_hmm"]]
    for phases in dict.fromkeys(row["phases"] for row in every):
        for name in dict.fromkeys(row["predictor"] for row in every if row["phases"] == phases):
            mine = [row for row in every if (row["phases"], row["predictor"]) == (phases, name)]
            changes = sum(row["changes"] for row in mine)
            hits = sum(round(row["changes"] * (row["at_changes"] or 0)) for row in mine)
            rows.append([phases, name, pm((row["right"] for row in mine), "{:.1%}"), f"{hits} of {changes}"])
    return table(rows)


# ---------------------------------------------------------------- numbers


def by_program(
    results: Results, what: str, wanted: Callable[[dict[str, Any]], bool]
) -> list[list[dict[str, Any]]]:
    """Of each program the rows that are wanted: one a seed."""
    return [[row for row in result[what] if wanted(row)] for result in results.values()]


def mean(values: Iterable[float]) -> float:
    """Of those that are defined."""
    known = [value for value in values if value is not None and not math.isnan(value)]
    return float(np.mean(known)) if known else math.nan


def ratio(rows: Sequence[dict[str, Any]], to: str) -> float:
    """CoV over another one, where there are as many phases of it; the geometric mean over seeds."""
    known = [math.log(row["cov"] / row[to]) for row in rows if row.get(to) and row["cov"]]
    return math.exp(np.mean(known)) if known else math.nan


def pm(values: Iterable[float], form: str) -> str:
    """Mean and standard error."""
    known = np.array([value for value in values if not math.isnan(value)])
    if not len(known):
        return "-"
    error = known.std(ddof=1) / math.sqrt(len(known)) if len(known) > 1 else 0.0
    return f"{form.format(known.mean())} ± {form.replace('+', '').format(error)}"


def shown(value: Any) -> str:
    """A size; none is without bound."""
    return "all" if value is None else f"{value:g}" if isinstance(value, float) else str(value)


def table(rows: list[list[str]]) -> str:
    """Rows of cells, the headings first."""
    lines = ["| " + " | ".join(row) + " |" for row in rows]
    return "\n".join([lines[0], "|" + "---|" * len(rows[0]), *lines[1:]])
