"""What the points say of a run beside what the whole run says, and what each costs."""

from __future__ import annotations

from typing import Any

from phasemark.cli.printing import say, show_aside
from phasemark.cli.printing.text import finite
from phasemark.workflow.full_check import FullCheckResult


def show(result: FullCheckResult) -> None:
    """The comparison, for people, on standard error."""
    seconds = ", ".join(f"{what} {taken:.1f} s" for what, taken in result.cpu_seconds.items())
    show_aside(["", *result.estimates.summary().splitlines(), f"CPU time: {seconds}"])
    for note in result.notes:
        say(f"note: {note}")
    if not result.estimates.full:
        say("warning: the whole run was not compared: it differs too much from the profile")


def summary(result: FullCheckResult) -> dict[str, Any]:
    """The comparison, for scripts."""
    estimated = result.estimates
    return {
        "metrics": {
            name: {
                "estimate": finite(value),
                "interval": [finite(end) for end in estimated.estimate.interval[name]],
                "full": estimated.full.get(name),
                "error": estimated.error(name),
                "covered": estimated.covered(name),
            }
            for name, value in estimated.estimate.value.items()
        },
        "cpu_seconds": result.cpu_seconds,
        "notes": list(result.notes),
    }
