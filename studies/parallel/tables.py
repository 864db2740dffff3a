"""The study's tables, in Markdown."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
from experiments import METRICS

#: Numbers of threads that table 1 and figures 3 to 5 and 9 of the paper have.
SHOWN = ("2", "4")
TITLES = {"cpi": "CPI", "l2_miss_rate": "L2 miss rate", "l3_miss_rate": "L3 miss rate"}

Results = dict[str, dict[str, Any]]


def every(results: Results) -> str:
    """All of them."""
    parts = [
        ("Full execution: mean (standard deviation) over intervals, and phases", whole(results)),
        *((f"Reduction of the deviation of {TITLES[m]}", reduction(results, m)) for m in METRICS),
        *((f"Error of {TITLES[m]}", errors(results, m)) for m in METRICS),
        ("How often a 95% interval of random points holds", intervals(results)),
        ("One set of points for all numbers of threads", joint(results)),
        ("Speed-up, and where it is lost", speedup(results)),
    ]
    return "\n".join(f"## {title}\n\n{text}" for title, text in parts)


def whole(results: Results) -> str:
    """Table 1 of the paper, with instructions and intervals."""
    rows = []
    for name, result in results.items():
        for threads in SHOWN:
            run = result["runs"][threads]
            cells = [f"{mean:.3g} ({deviation:.2g})" for mean, deviation in map(run["whole"].get, METRICS)]
            k = np.mean([row["k"] for row in run["separate"]])
            rows.append(
                [
                    name,
                    threads,
                    f"{run['instructions'] / 1e6:,.0f}",
                    f"{run['intervals']:,}",
                    *cells,
                    f"{k:.0f}",
                ]
            )
    head = ["", "threads", "million instructions", "intervals", *TITLES.values(), "phases"]
    return _table(head, rows)


def reduction(results: Results, metric: str) -> str:
    """Threads apart, merged, and phases of the same sizes drawn at random."""
    ways = ("separate", "merged", "shuffled")
    return _by_way(results, ways, lambda row: row["reduction"][metric])


def errors(results: Results, metric: str) -> str:
    """Threads apart and merged, and four random points in each phase of the threads apart."""
    return _by_way(results, ("separate", "merged", "random"), lambda row: abs(row["errors"][metric]))


def intervals(results: Results) -> str:
    """Of all programs and seeds, by metric."""
    rows = []
    for threads in SHOWN:
        found = [row["holds"] for result in results.values() for row in result["runs"][threads]["random"]]
        rows.append([threads, *(f"{np.mean([holds[metric] for holds in found]):.0%}" for metric in METRICS)])
    return _table(["threads", *TITLES.values()], rows)


def joint(results: Results) -> str:
    """CPI of each run from the points of all runs."""
    rows, means = [], []
    for name, result in results.items():
        found = result["joint"]["seeds"]
        each = np.mean([np.abs(row["errors"]) for row in found], axis=0)
        reduced = np.mean([row["reduction"]["cpi"] for row in found])
        k, simulated = (np.mean([row[key] for row in found]) for key in ("k", "simulated"))
        rows.append([name, f"{k:.0f}", f"{simulated:.2%}", f"{reduced:.0%}", *(f"{e:.1%}" for e in each)])
        means.append([k, simulated, reduced, *each])
    mean = np.mean(means, axis=0)
    rows.append(
        ["mean", f"{mean[0]:.0f}", f"{mean[1]:.2%}", f"{mean[2]:.0%}", *(f"{e:.1%}" for e in mean[3:])]
    )
    threads = next(iter(results.values()))["joint"]["threads"]
    heads = [f"error, {n} thread{'s' if n > 1 else ''}" for n in threads]
    return _table(["", "points", "simulated", "deviation reduced by", *heads], rows)


def speedup(results: Results) -> str:
    """Of whole programs, and the phase that loses most time with most threads."""
    rows = []
    for name, result in results.items():
        of = result["joint"]
        threads = np.array(of["threads"])
        lost = [p["elapsed"][-1] - p["elapsed"][0] / threads[-1] for p in of["phases"]]
        worst = int(np.argmax(lost))
        total = sum(p["elapsed"][-1] for p in of["phases"])
        rows.append([name, *(f"{s:.2f}" for s in of["speedup"][1:]), f"{lost[worst] / total:.0%}"])
    threads = next(iter(results.values()))["joint"]["threads"]
    return _table(["", *(f"{n} threads" for n in threads[1:]), "of the time lost in one phase"], rows)


def _by_way(results: Results, ways: tuple[str, ...], value: Any) -> str:
    """Mean over seeds and its standard deviation; the last row is the programs' mean."""
    rows: list[list[str]] = []
    means: dict[tuple[str, str], list[float]] = {}
    for name, result in results.items():
        cells = []
        for threads in SHOWN:
            for way in ways:
                found = np.array([value(row) for row in result["runs"][threads][way]])
                means.setdefault((threads, way), []).append(float(np.nanmean(found)))
                cells.append(f"{np.nanmean(found):.1%} ± {np.nanstd(found):.1%}")
        rows.append([name, *cells])
    for name, of in (("mean", np.nanmean), ("median", np.nanmedian)):
        rows.append([name, *(f"{of(column):.1%}" for column in means.values())])
    return _table(["", *(f"{threads} threads, {way}" for threads in SHOWN for way in ways)], rows)


def _table(head: list[str], rows: Iterable[list[Any]]) -> str:
    lines = [head, ["---"] * len(head), *rows]
    return "".join(f"| {' | '.join(map(str, line))} |\n" for line in lines)
