"""What is kept of work that was interrupted, and the command that goes on from there."""

from __future__ import annotations

from collections.abc import Mapping

from phasemark.store.folder import Folder

_NAMES = {
    "profile": "the profile",
    "intervals": "the intervals",
    "phases": "the phases",
    "points": "the points",
    "simulation": "what was simulated of the points",
    "metrics": "what was simulated of the whole run",
    "estimate": "the estimates",
    "report": "the report",
}


def interrupted(*, variable: bool, check: bool) -> str:
    """What was not done since the profiled program was told to end: all that runs it again."""
    without = ["cut into intervals of variable length"] * variable + ["simulated"] * check
    return (
        f"told to end while profiling: the program was not run again to be {' or '.join(without)}; let the "
        "same command come to its end for that"
    )


def line(folder: Folder, commands: Mapping[str, str]) -> str:
    """One sentence.

    Args:
        folder: the run's.
        commands: step -> the command that does it, in order; the first step that is not done goes on.
    """
    names = [name for step, name in _NAMES.items() if folder.holds(step)]
    *others, last = names or ["nothing"]
    kept = f"{', '.join(others)} and {last}" if others else last
    verb = "is" if len(names) < 2 else "are"
    further = next((command for step, command in commands.items() if not folder.holds(step)), None)
    go_on = "" if further is None else f"; go on with `{further}`"
    return f"{kept} {verb} kept in {folder.path}{go_on}"
