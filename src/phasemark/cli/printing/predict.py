"""What comes next in a run."""

from __future__ import annotations

import dataclasses
import math
from typing import Any

from phasemark.cli.printing.text import finite
from phasemark.errors import counted
from phasemark.views.text import aligned
from phasemark.workflow.predicting import QUANTILES, Outlook, PredictionResult

#: Phases that a line names, and threads that are told.
_MOST = 3
_THREADS = 8

#: Less probable phases are not named.
_LEAST = 0.005


def summary(result: PredictionResult) -> dict[str, Any]:
    """Everything in one JSON object; what is not bounded is null."""
    return {
        "model": result.model,
        "by": result.by,
        "ends": [{"run": e.run, "thread": e.thread, **_plain(e.outlook)} for e in result.ends],
        "phases": [_plain(one) for one in result.outlooks],
        "accuracy": None if result.accuracy is None else _finite(dataclasses.asdict(result.accuracy)),
        "notes": list(result.notes),
    }


def lines(result: PredictionResult) -> list[str]:
    """Where the run ended and what would come next, each phase, and how well that is foretold."""
    whence = "of the model's states" if result.by == "model" else "counted among the intervals"
    out = [f"phases of {result.model}; probabilities {whence}", ""]
    several = len(result.ends) > 1
    for end in result.ends[:_THREADS]:
        of = f"thread {end.thread} of run {end.run}" if several else "the run"
        out.append(f"{of} ends in phase {end.outlook.phase}; next: {_following(end.outlook)}")
    if len(result.ends) > _THREADS:
        out.append(f"and {counted(len(result.ends) - _THREADS, 'more thread')}")
    out += [
        "",
        "intervals until the phase changes, on average and with a probability of so much, and what then:",
    ]
    rows = [["phase", "mean", *(f"{q:.0%}" for q in QUANTILES), "then"]]
    for one in result.outlooks:
        rows.append([str(one.phase), _number(one.mean), *map(_number, one.quantiles), _then(one)])
    out += ["", *aligned(rows, left=[5])]
    if result.accuracy is not None:
        accuracy = result.accuracy
        out += [
            "",
            f"foretold rightly, of {counted(accuracy.intervals, 'interval')} that no fit saw, and of "
            f"{counted(accuracy.changes, 'change')} among them:",
            "",
        ]
        heads = [["predictor", "intervals", "changes"]]
        out += aligned(
            [*heads, *([n, _share(a), _share(accuracy.at_changes[n])] for n, a in accuracy.accuracy.items())]
        )
    return [*out, *(f"note: {note}" for note in result.notes)]


def _following(outlook: Outlook) -> str:
    return _named(dict(enumerate(outlook.following)))


def _then(outlook: Outlook) -> str:
    others = {phase: p for phase, p in enumerate(outlook.following) if phase != outlook.phase}
    leaving = sum(others.values())
    return _named({phase: p / leaving for phase, p in others.items()}) if leaving > 0 else ""


def _named(probabilities: dict[int, float]) -> str:
    order = sorted(probabilities, key=lambda phase: (-probabilities[phase], phase))[:_MOST]
    return ", ".join(f"{p} ({probabilities[p]:.1%})" for p in order if probabilities[p] >= _LEAST)


def _number(value: float) -> str:
    return "-" if math.isinf(value) else f"{value:,.1f}" if value % 1 else f"{value:,.0f}"


def _share(value: float) -> str:
    return "-" if math.isnan(value) else f"{value:.1%}"


def _plain(outlook: Outlook) -> dict[str, Any]:
    quantiles = {f"{q:g}": finite(v) for q, v in zip(QUANTILES, outlook.quantiles, strict=True)}
    held = {"phase": outlook.phase, "following": list(outlook.following), "mean": finite(outlook.mean)}
    return {**held, "quantiles": quantiles}


def _finite(values: dict[str, Any]) -> dict[str, Any]:
    return {k: _finite(v) if isinstance(v, dict) else finite(v) for k, v in values.items()}
