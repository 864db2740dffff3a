"""Online phases of a run: which there are, how alike their metrics are, how well they are foretold."""

from __future__ import annotations

import math
import shutil
from typing import Any

import numpy as np
from numpy.typing import NDArray

from phasemark.cli.printing import quality, to_width
from phasemark.cli.printing.text import finite
from phasemark.errors import counted
from phasemark.online import Accuracy
from phasemark.quality.measured import foremost
from phasemark.views.text import aligned, folded, percent
from phasemark.workflow import TrackResult


def summary(result: TrackResult) -> dict[str, Any]:
    """Everything in one JSON object; what is not defined is null."""
    return {
        **{k: v for k, v in result.phases.model.items() if k != "notes"},
        "intervals": len(result.intervals),
        "k": result.phases.k,
        "phases": _phases(result),
        "offline": result.offline or None,
        "agreement": result.agreement,
        "settled_agreement": result.settled,
        "replaced": result.replaced,
        "predictors": {one.predictor: _plain(one) for one in result.accuracy},
        "quality": None if result.quality is None else quality.summary(result.quality)["metrics"],
        "notes": list(result.notes),
    }


def lines(result: TrackResult, largest: int) -> list[str]:
    """What was found, the largest phases, their metrics beside the whole's, and the predictors."""
    found, n = result.phases, len(result.intervals)
    lasting = found.k - (result.transition is not None)
    out = to_width(f"{counted(lasting, 'online phase')} in {counted(n, 'interval')}{_transition(result)}")
    if result.agreement is not None:
        out += to_width(_agreement(result))
    of_phases = sorted(_phases(result), key=lambda row: (row["transition"], -row["share"], row["phase"]))
    of_phases = [row for row in of_phases if not row["transition"]][:largest] + [
        row for row in of_phases if row["transition"]
    ]
    rows = [["phase", "share", "intervals", "stretches", "mean length"]]
    for row in of_phases:
        rows.append(
            [
                _name(result, row["phase"]),
                percent(row["share"]),
                f"{row['intervals']:,}",
                f"{row['stretches']:,}",
                f"{row['intervals'] / row['stretches']:,.1f}",
            ]
        )
    out += ["", *aligned(rows, left=[0])]
    if result.quality is not None:
        room = shutil.get_terminal_size((120, 24)).columns
        told = result.quality
        out += ["", f"mean (deviation / mean), measured by {told.source or 'an unnamed source'}:", ""]
        out += folded(quality.beside(told, foremost(told.metrics), largest), room, keys=2)
    if result.accuracy:
        out += ["", *_foretold(result.accuracy)]
    return [*out, *(f"note: {note}" for note in result.notes)]


def _phases(result: TrackResult) -> list[dict[str, Any]]:
    labels, k = result.phases.labels, result.phases.k
    shares = result.phases.shares(result.signatures.weights)
    intervals = np.bincount(labels, minlength=k)
    begins = np.bincount(labels[_begins(result)], minlength=k)
    return [
        {
            "phase": phase,
            "transition": phase == result.transition,
            "share": float(shares[phase]),
            "intervals": int(intervals[phase]),
            "stretches": int(begins[phase]),
        }
        for phase in range(k)
    ]


def _begins(result: TrackResult) -> NDArray[np.bool_]:
    """Which intervals begin a stretch of one phase."""
    labels = result.phases.labels
    first = result.intervals.first_of_thread()
    return np.asarray(first | np.append(first[:1], labels[1:] != labels[:-1]), np.bool_)


def _transition(result: TrackResult) -> str:
    if result.transition is None:
        return ""
    there = result.phases.labels == result.transition
    count = result.phases.model["min_count"]
    seen = f"before their signature was seen {count} times" if count > 1 else "of no phase"
    return f"; {int(there.sum()):,} in transition ({percent(there.mean())}), {seen}"


def _agreement(result: TrackResult) -> str:
    settled = "" if result.settled is None else f", {result.settled:.2f} without those in transition"
    return (
        f"agreement with the run's own phases, of {result.offline}: {result.agreement:.2f}{settled} "
        "(adjusted Rand index)"
    )


def _name(result: TrackResult, phase: int) -> str:
    return f"{phase} (transition)" if phase == result.transition else str(phase)


def _foretold(accuracy: tuple[Accuracy, ...]) -> list[str]:
    first = accuracy[0]
    out = to_width(
        f"foretold rightly, of {counted(first.intervals, 'interval')}, {counted(first.changes, 'change')} of "
        f"phase among them, and of {counted(first.runs, 'stretch', 'stretches')}, how long:"
    )
    rows = [["predictor", "intervals", "changes", "false changes", "lengths"]]
    for one in accuracy:
        told = (one.next_phase, one.at_changes, one.alarms, one.run_length)
        rows.append([one.predictor, *("-" if math.isnan(share) else percent(share) for share in told)])
    return [*out, "", *aligned(rows, left=[0])]


def _plain(one: Accuracy) -> dict[str, Any]:
    plain = {name: value for name, value in vars(one).items() if name != "predictor"}
    return {**{name: finite(value) for name, value in plain.items()}, "confusion": one.confusion.tolist()}
