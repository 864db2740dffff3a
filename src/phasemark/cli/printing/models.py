"""Models of phases side by side."""

from __future__ import annotations

import dataclasses
import math
import shutil
import textwrap
from typing import Any

from phasemark.cli.printing.text import finite, percent
from phasemark.errors import counted
from phasemark.store.models_csv import FitRow, PointsRow
from phasemark.views.text import folded
from phasemark.workflow import ModelsResult
from phasemark.workflow.verdicts import Verdict


def summary(result: ModelsResult) -> dict[str, Any]:
    """Everything in one JSON object; what is not known is null."""
    return {
        **dataclasses.asdict(result.options),
        "full": finite(result.full),
        "full_cov": finite(result.cov),
        "fits": [{**_plain(fit), "seconds": result.seconds.get(fit.key)} for fit in result.fits],
        "estimates": [_plain(row) for row in result.estimates],
        "verdicts": [{**_plain(one), "nothing_better": one.nothing_better} for one in result.verdicts],
        "notes": list(result.notes),
    }


def lines(result: ModelsResult) -> list[str]:
    """The fits, the errors of their points, and what it comes to."""
    room = shutil.get_terminal_size((120, 24)).columns
    several = result.options.seeds > 1
    kept = len(result.fits) - len(result.seconds)
    out = [f"{counted(len(result.fits), 'fit')}{f', {kept:,} of them known from before' if kept else ''}"]
    out.append("likelihoods in nats per instruction of evidence: the nearer to 0 the better")
    measured = not math.isnan(result.full)
    heads = [*_KEYS, *(["seed"] if several else []), "used", "likelihood", "BIC"]
    heads += ["held out"] if result.options.held_out else []
    heads += ["CoV"] if measured else []
    table = [[*heads, "seconds"], *(_fit(fit, result, several, measured) for fit in result.fits)]
    out += ["", *folded(table, room, keys=3)]
    name = result.options.metric
    for estimator in dict.fromkeys(row.estimator for row in result.estimates):
        out += [
            "",
            f"error of {name} by {estimator}: of single intervals (E_I), and in brackets of the run",
            "",
        ]
        out += folded(_errors(result, several, estimator), room, keys=5 if several else 4)
    out += ["", *(line for verdict in result.verdicts for line in _wrapped(_sentences(verdict)))]
    return [*out, *(f"note: {note}" for note in result.notes)]


#: Columns of a sentence.
_WIDTH = 80

#: Criterion -> what it is called.
_TITLES = {
    "log_likelihood": "likelihood of the run",
    "bic": "BIC",
    "held_out": "held-out likelihood",
    "cov": "CoV within phases",
    "interval_error": "error of single intervals (E_I)",
}

_KEYS = ["model", "sees", "states"]


def _fit(fit: FitRow, result: ModelsResult, several: bool, measured: bool) -> list[str]:
    cells = [fit.model, fit.representation, str(fit.states), *([str(fit.seed)] if several else [])]
    cells += [str(fit.used), _nats(fit.log_likelihood), _nats(fit.bic)]
    cells += [_nats(fit.held_out)] if result.options.held_out else []
    cells += [percent(fit.cov)] if measured else []
    seconds = result.seconds.get(fit.key)
    return [*cells, "" if seconds is None else f"{seconds:.1f}"]


def _errors(result: ModelsResult, several: bool, estimator: str) -> list[list[str]]:
    by = {(row.key, row.method): row for row in result.estimates if row.estimator == estimator}
    methods = list(dict.fromkeys(method for _, method in by))
    rows = [[*_KEYS, *(["seed"] if several else []), "points", *methods]]
    for fit in result.fits:
        known = [by.get((fit.key, method)) for method in methods]
        numbers = [row.points for row in known if row is not None]
        if numbers:
            key = [fit.model, fit.representation, str(fit.states), *([str(fit.seed)] if several else [])]
            rows.append([*key, str(max(numbers)), *map(_error, known)])
    return rows


def _error(row: PointsRow | None) -> str:
    return "" if row is None else f"{percent(row.interval_error)} ({_signed(row.error)})"


def _sentences(verdict: Verdict) -> list[str]:
    """The best by a criterion, and how the others stand beside SimPoint."""
    share = verdict.criterion in ("cov", "interval_error")
    value, baseline = (percent(v) if share else _nats(v) for v in (verdict.value, verdict.baseline))
    best = f"{verdict.model} ({verdict.representation}) with {counted(verdict.states, 'state')}"
    text = f"best by {_TITLES[verdict.criterion]}: {best}{f', {verdict.how}' if verdict.how else ''}: {value}"
    if verdict.nothing_better:
        text += "; none is better than SimPoint's best"
    elif not math.isnan(verdict.baseline):
        text += f"; the best of SimPoint {baseline}"
    wins = [f"{name} {won} of {of} times" for name, (won, of) in verdict.better.items()]
    by = f", by {verdict.how_compared}" if verdict.how_compared else ""
    return [text, *([f"  better than SimPoint of as many states{by}: {', '.join(wins)}"] if wins else [])]


def _wrapped(sentences: list[str]) -> list[str]:
    return [
        line
        for sentence in sentences
        for line in textwrap.wrap(
            sentence, _WIDTH, subsequent_indent="  ", break_long_words=False, break_on_hyphens=False
        )
    ]


def _signed(error: float) -> str:
    return "-" if math.isnan(error) else f"{error:+.2%}"


def _nats(value: float) -> str:
    return "-" if math.isnan(value) else f"{value:.4f}"


def _plain(value: Any) -> dict[str, Any]:
    return {name: finite(v) for name, v in dataclasses.asdict(value).items()}
