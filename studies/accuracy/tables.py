"""The study's tables, in Markdown."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np
from answers import Answers, Results, Way
from designs import (
    ALL_BUDGETS,
    BUDGETS,
    DEFAULT,
    FIXED,
    NONE,
    OWN,
    SIGNATURES,
    SIMPOINT,
    STRATIFIED,
    WAYS,
)
from machines import MACHINES, METRICS, TITLES
from targets import TARGETS

FIRST = MACHINES[0]
#: Where one number of points has to do.
SHOWN = 40

#: Systematic points are those of SMARTS, with another error bar.
WITH_ERRORS = tuple(way for way in WAYS if way[0] != "systematic")
WITH_BARS = tuple(way for way in WAYS if way[0] not in FIXED)
PLAIN_WAYS = tuple(way for way in WITH_ERRORS if way[0] not in FIXED)


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
    answers = Answers(results)
    parts = [
        ("Programs", programs(results)),
        ("What a user gets by default: mean error by number of points", by_default(answers)),
        ("Mean error of CPI by method and number of points", errors(answers)),
        (f"Mean error of other metrics, {SHOWN} points", of_metrics(answers)),
        ("Mean error of all metrics by number of points", of_all_metrics(answers)),
        (f"The worst program, {SHOWN} points", worst(answers)),
        ("Points needed, by the mean error", needed(answers, "error", PLAIN_WAYS)),
        ("Points needed, by the half-width of the 95% interval", needed(answers, "half_width", WITH_BARS)),
        ("Points of SMARTS, from the deviation of all intervals", smarts(results)),
        (f"Error of CPI by program, {SHOWN} points, {FIRST}", by_program(answers.on(FIRST), SHOWN)),
        (f"Does the 95% interval cover the truth? {SHOWN} points", coverage(answers)),
        ("Does the 95% interval cover the truth? By default", coverage_by_default(answers)),
        ("Half-width of the 95% interval by default", widths(answers)),
        ("What a target error of CPI costs", target_errors(results)),
        ("SimPoint's own number of points", simpoint(answers)),
        ("Homogeneity of CPI", homogeneity(results)),
        ("Criteria for k", criteria(results)),
    ]
    return "\n".join(f"## {title}\n\n{text}" for title, text in parts)


def named(way: Way) -> str:
    """A row's name; the default says so."""
    method, signature = way
    name = method if signature == NONE else f"{method}, {signature}"
    return f"**{name}** (default)" if way == DEFAULT else name


def programs(results: Results) -> str:
    """What was run."""
    rows = [
        [
            name,
            f"{r['instructions'] / 1e6:,.0f}",
            r["intervals"],
            *(
                cell
                for machine in MACHINES
                for cell in (f"{r['truth'][machine]['cpi']:.3f}", _percent(r["whole"][machine]["cov"]))
            ),
        ]
        for name, r in results.items()
    ]
    heads = [head for machine in MACHINES for head in (f"CPI, {machine}", "CoV")]
    return _table(["", "million instructions", "intervals", *heads], rows)


def by_default(answers: Answers) -> str:
    """Errors of all metrics by number of points: machine by machine."""
    rows = []
    for machine in MACHINES:
        for metric in METRICS:
            found = [answers.on(machine).mean("error", DEFAULT, b, metric) for b in BUDGETS]
            rows.append([machine, TITLES[metric], *map(_percent, found)])
    return _table(["", "points", *map(str, BUDGETS)], rows)


def errors(answers: Answers) -> str:
    """Mean over programs of the mean absolute error over seeds, machine by machine."""
    rows = []
    for way in WITH_ERRORS:
        found = [answers.on(machine).mean("error", way, b) for machine in MACHINES for b in BUDGETS]
        rows.append([named(way), *map(_percent, found)])
    heads = [f"{machine}, {b}" if b == BUDGETS[0] else str(b) for machine in MACHINES for b in BUDGETS]
    return _table(["points", *heads], rows)


def of_metrics(answers: Answers) -> str:
    """Mean over programs and machines of the mean absolute error over seeds."""
    rows = [
        [named(way), *(_percent(answers.mean("error", way, SHOWN, metric)) for metric in METRICS)]
        for way in PLAIN_WAYS
    ]
    return _table(["", *(TITLES[metric] for metric in METRICS)], rows)


def of_all_metrics(answers: Answers) -> str:
    """The same at every number of points."""
    rows = []
    for way in PLAIN_WAYS:
        for metric in METRICS:
            found = [answers.mean("error", way, b, metric) for b in BUDGETS]
            rows.append([named(way), TITLES[metric], *map(_percent, found)])
    return _table(["", "points", *map(str, BUDGETS)], rows)


def worst(answers: Answers) -> str:
    """Of each machine the program that is furthest off."""
    rows = []
    for way in PLAIN_WAYS:
        found = [answers.on(machine).worst(way, SHOWN) for machine in MACHINES]
        rows.append([named(way), *(f"{program} {_percent(error)}" for program, _, error in found)])
    return _table(["", *MACHINES], rows)


def needed(answers: Answers, what: str, ways: Sequence[Way]) -> str:
    """Median over programs and machines of the points that an error needs, and how many cases get there."""
    rows = []
    for way in ways:
        found = [answers.needed(what, way, target) for target in TARGETS]
        rows.append([named(way), *map(_points, found)])
    return _table(["", *(f"{target:.0%}" for target in TARGETS)], rows)


def _points(found: list[float]) -> str:
    middle = float(np.median(found))
    there = f"{sum(map(math.isfinite, found))} of {len(found)}"
    if math.isinf(middle):
        return f"> {ALL_BUDGETS[-1]} ({there})"
    return f"{'<= ' if middle <= ALL_BUDGETS[0] else ''}{middle:.0f} ({there})"


def smarts(results: Results) -> str:
    """What n = (z V / error)^2 asks for, by program."""
    targets = list(next(iter(results.values()))["smarts"][FIRST])
    rows = [
        [name, r["intervals"], *(r["smarts"][machine][target] for machine in MACHINES for target in targets)]
        for name, r in results.items()
    ]
    middle = [
        f"{np.median([r['smarts'][machine][target] for r in results.values()]):.0f}"
        for machine in MACHINES
        for target in targets
    ]
    heads = [f"{machine}, {t}" if t == targets[0] else t for machine in MACHINES for t in targets]
    return _table(["", "intervals", *heads], [*rows, ["median", "", *middle]])


def by_program(answers: Answers, budget: int) -> str:
    """Bias and mean absolute error of each method."""
    rows = []
    for case in answers.cases():
        cells = [answers.one(case, way, budget) for way in PLAIN_WAYS]
        shown = (f"{_percent(c['bias'], sign=True)} ({_percent(c['error'])})" for c in cells)
        rows.append([case[0], *shown])
    return _table(["", *map(named, PLAIN_WAYS)], rows)


def coverage(answers: Answers) -> str:
    """Share of seeds whose interval covers the truth: over all programs, and of the worst program."""
    rows = [
        [named(way), *(_share(answers.each("covered", way, SHOWN, metric)) for metric in METRICS)]
        for way in WITH_BARS
    ]
    return _table(["", *(TITLES[metric] for metric in METRICS)], rows)


def coverage_by_default(answers: Answers) -> str:
    """The same at every number of points, for what is the default and its like."""
    rows = []
    for way in WAYS:
        if way[0] == STRATIFIED:
            for metric in METRICS:
                found = [answers.each("covered", way, b, metric) for b in BUDGETS]
                rows.append([named(way), TITLES[metric], *map(_share, found)])
    return _table(["", "points", *map(str, BUDGETS)], rows)


def widths(answers: Answers) -> str:
    """Median over programs and machines of the mean half-width, relative to the truth."""
    rows = []
    for metric in METRICS:
        found = [answers.median("half_width", DEFAULT, b, metric) for b in BUDGETS]
        rows.append([TITLES[metric], *map(_percent, found)])
    return _table(["points", *map(str, BUDGETS)], rows)


def target_errors(results: Results) -> str:
    """Means over programs, the lowest of those that are shares, of the rounds that a target error takes."""
    rows = []
    first = next(iter(results.values()))["targets"]
    for key in ((row["machine"], row["signature"], row["target"]) for row in first):
        of = [
            next(row for row in r["targets"] if (row["machine"], row["signature"], row["target"]) == key)
            for r in results.values()
        ]
        points, least, ratio, rounds = (
            float(np.mean([row[name] for row in of])) for name in ("points", "needed", "ratio", "rounds")
        )
        shares = (_share([row[name] for row in of]) for name in ("within", "covered", "bar"))
        machine, signature, target = key
        numbers = (f"{points:.0f}", f"{least:.0f}", f"{ratio:.2f}", f"{rounds:.1f}")
        rows.append([machine, signature, f"{target:.0%}", *numbers, *shares])
    heads = ["points", "needed", "times", "rounds", "error within", "interval holds", "interval within"]
    return _table(["", "", "target", *heads], rows)


def _share(shares: list[float]) -> str:
    """Mean and lowest; of how many, where intervals of others have no end."""
    known = [share for share in shares if not math.isnan(share)]
    if not known:
        return "-"
    of = "" if len(known) == len(shares) else f" of {len(known)}"
    return f"{np.mean(known):.0%} ({min(known):.0%}){of}"


def simpoint(answers: Answers) -> str:
    """k up to 30 by SimPoint's rule, one nearest point each: points, errors, and the worst program."""
    rows = []
    for signature in SIGNATURES:
        way = (SIMPOINT, signature)
        for machine in MACHINES:
            of = answers.on(machine)
            program, _, error = of.worst(way, OWN)
            found = [of.mean("error", way, OWN, metric) for metric in METRICS]
            n = f"{of.mean('points', way, OWN):.0f}"
            rows.append([signature, machine, n, *map(_percent, found), f"{program} {_percent(error)}"])
    heads = (TITLES[metric] for metric in METRICS)
    return _table(["", "", "points", *heads, "worst program's CPI"], rows)


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
                _percent(r["whole"][FIRST]["cov"]),
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


def _percent(value: float, *, sign: bool = False) -> str:
    if math.isnan(value):
        return "-"
    return f"{100 * value:{'+' if sign else ''}.1f}%"


def _table(head: list[Any], rows: Iterable[list[Any]]) -> str:
    lines = [head, ["---"] * len(head), *rows]
    return "".join(f"| {' | '.join(map(str, line))} |\n" for line in lines)
