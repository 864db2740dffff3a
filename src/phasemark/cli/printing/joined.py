"""Runs that were joined."""

from __future__ import annotations

from typing import Any

from phasemark.errors import counted, in_a_line
from phasemark.views.text import aligned
from phasemark.workflow import JoinResult
from phasemark.workflow.joining import described


def summary(result: JoinResult) -> dict[str, Any]:
    """Everything in one JSON object."""
    return described(result)


def lines(result: JoinResult) -> list[str]:
    """A row a run, and what there is to know."""
    told = described(result)
    several = any(run["source_run"] for run in told["runs"])
    rows = [["run", "source", "threads", "intervals", told["unit"]]]
    rows += [
        [
            str(run["run"]),
            _fitted(run["source"]) + (f", run {run['source_run']}" if several else ""),
            f"{run['threads']:,}",
            f"{run['intervals']:,}",
            f"{run['instructions']:,}",
        ]
        for run in told["runs"]
    ]
    measured = ", all measured" if told["measured"] else ""
    return [
        f"{counted(len(told['runs']), 'run')} over {counted(told['blocks'], 'block')}{measured}",
        "",
        *aligned(rows, left=(0, 1)),
        "",
        *(f"note: {note}" for note in result.notes),
    ][: None if result.notes else -1]


def _fitted(name: str, most: int = 30) -> str:
    name = in_a_line(name)
    return name if len(name) <= most else f"...{name[3 - most :]}"
