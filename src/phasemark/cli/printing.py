"""The summary of a run, for people or for scripts."""

from __future__ import annotations

import json
from typing import Any


def show(summary: dict[str, Any], *, quiet: bool = False, as_json: bool = False) -> None:
    """Print what steps.summary says: as JSON, as text, or not at all."""
    if as_json:
        print(json.dumps(summary))
    elif not quiet:
        print("\n".join(lines(summary)))


def lines(summary: dict[str, Any]) -> list[str]:
    """The summary as lines of text."""
    run, simulated = summary["instructions"], summary["point_instructions"]
    out = [
        f"{run:,} instructions, {summary['intervals']:,} intervals, {summary['k']} phases",
        f"{len(summary['points'])} points of {simulated:,} instructions ({simulated / run:.2%} of the run) "
        f"stand for {summary['coverage']:.2%} of it",
        "",
        " phase   share  thread  interval             start               end    warm-up  weight",
    ]
    for point in sorted(summary["points"], key=lambda p: int(p["phase"])):
        out.append(
            f"{point['phase']:6}  {summary['shares'][point['phase']]:6.2%}  {point['thread']:6}  "
            f"{point['interval']:8}  {point['start']:16,}  {point['end']:16,}  {point['warmup']:9,}  "
            f"{point['weight']:.4f}"
        )
    return out + [f"note: {note}" for note in summary["notes"]]
