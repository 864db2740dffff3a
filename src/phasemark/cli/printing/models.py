"""Models of phases side by side."""

from __future__ import annotations

import dataclasses
import math
import shutil
import textwrap
from typing import Any

from phasemark.cli.printing.text import finite
from phasemark.errors import counted
from phasemark.store.models_csv import FitRow, PointsRow
from phasemark.views.compared_words import nats, sentences
from phasemark.views.text import folded, percent
from phasemark.views.verdicts import Verdict
from phasemark.workflow import ModelsResult


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
    out += ["", *(line for verdict in result.verdicts for line in _wrapped(verdict))]
    return [*out, *(f"note: {note}" for note in result.notes)]


#: Columns of a sentence.
_WIDTH = 80

_KEYS = ["model", "sees", "states"]


def _fit(fit: FitRow, result: ModelsResult, several: bool, measured: bool) -> list[str]:
    cells = [fit.model, fit.representation, str(fit.states), *([str(fit.seed)] if several else [])]
    cells += [str(fit.used), nats(fit.log_likelihood), nats(fit.bic)]
    cells += [nats(fit.held_out)] if result.options.held_out else []
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


def _wrapped(verdict: Verdict) -> list[str]:
    best, *others = sentences(verdict)
    return [
        line
        for indent, sentence in ((0, best), *((2, other) for other in others))
        for line in textwrap.wrap(
            sentence,
            _WIDTH,
            initial_indent=" " * indent,
            subsequent_indent=" " * (indent + 2),
            break_long_words=False,
            break_on_hyphens=False,
        )
    ]


def _signed(error: float) -> str:
    return "-" if math.isnan(error) else f"{error:+.2%}"


def _plain(value: Any) -> dict[str, Any]:
    return {name: finite(v) for name, v in dataclasses.asdict(value).items()}
