"""What comes next in a run."""

from __future__ import annotations

import dataclasses
import math
from typing import Any

from phasemark.cli.printing.text import finite, phase_name, phase_title
from phasemark.errors import counted
from phasemark.phases import Prediction
from phasemark.views.text import aligned
from phasemark.workflow.predicting import QUANTILES, Outlook, PredictionResult

#: Phases that a line names, and threads that are told.
_MOST = 3
_THREADS = 8

#: Less probable phases are not named; the least that is seen of a share.
_LEAST, _SHOWN = 0.005, 0.0005

#: Of fewer changes the number is told, not a share; of still fewer nothing follows.
_FEW, _FEW_CHANGES = 20, 5


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
        now, no_phase = end.outlook, result.transition
        out.append(f"{of} ends in {phase_title(now.phase, no_phase)}; next: {_following(now, no_phase)}")
    if len(result.ends) > _THREADS:
        out.append(f"and {counted(len(result.ends) - _THREADS, 'more thread')}")
    out += [
        "",
        "intervals until the phase changes, on average and with a probability of so much, and what then:",
    ]
    rows = [["phase", "mean", *(f"{q:.0%}" for q in QUANTILES), "then"]]
    for one in result.outlooks:
        rows.append(
            [
                phase_name(one.phase, result.transition),
                _number(one.mean),
                *map(_number, one.quantiles),
                _then(one, result.transition),
            ]
        )
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
        out += ["", _verdict(accuracy)]
    return [*out, *(f"note: {note}" for note in result.notes)]


def _following(outlook: Outlook, transition: int | None) -> str:
    return _named(dict(enumerate(outlook.following)), transition)


def _then(outlook: Outlook, transition: int | None) -> str:
    others = {phase: p for phase, p in enumerate(outlook.following) if phase != outlook.phase}
    leaving = sum(others.values())
    return _named({phase: p / leaving for phase, p in others.items()}, transition) if leaving > 0 else ""


def _named(probabilities: dict[int, float], transition: int | None) -> str:
    order = sorted(probabilities, key=lambda phase: (-probabilities[phase], phase))[:_MOST]
    told = [p for p in order if probabilities[p] >= _LEAST]
    said = [f"{phase_name(p, transition)} ({probabilities[p]:.1%})" for p in told]
    rest = sum(probabilities.values()) - sum(probabilities[p] for p in told)
    return ", ".join([*said, f"others {rest:.1%}"] if rest >= _SHOWN else said)


def _verdict(accuracy: Prediction) -> str:
    """What the table comes to: what the best predictor makes of changes, beside staying."""
    n, told = accuracy.changes, accuracy.at_changes
    if not n:
        return "no phase changes there: how well changes are foretold is not known"
    few = n < _FEW_CHANGES
    best = max(told, key=lambda name: (told[name], accuracy.accuracy[name], name == "model"))
    hits = round(told[best] * n)
    if not hits:
        tried = f"only {n} to try it on" if few else f"none of {n:,} is foretold"
        return f"nothing foretells changes here: {tried}"
    of = f"{hits} of {n}" if n < _FEW else f"{told[best]:.0%} of {n:,}"
    whose = "the model foretells" if best == "model" else f"`{best}` foretells"
    said = f"{whose} {of} {'change' if n == 1 else 'changes'}, staying none"
    here, stay = accuracy.accuracy[best], accuracy.accuracy["last"]
    lost = f", but fewer intervals: {here:.1%}, staying {stay:.1%}" if here < stay else ""
    return f"{said}{lost}{'; that is too few to tell' if few else ''}"


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
