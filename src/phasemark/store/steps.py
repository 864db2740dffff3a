"""The steps of a run: which files each writes, and the steps whose files it is made from."""

from __future__ import annotations

import re
from dataclasses import dataclass

# SimPoint's files: one set a thread where there are several, a second pair where coverage is asked for.
_PER_THREAD = r"(\.r\d+)?(\.t\d+)?(\.lpt[\d.e-]+)?"


@dataclass(frozen=True)
class Step:
    """A step.

    Attributes:
        files: a regular expression of its files' names.
        sources: the steps whose files it is made from, as far as they are there.
    """

    files: str
    sources: tuple[str, ...] = ()


#: Every step, none before its sources.
STEPS = {
    "profile": Step(r"profile\.h5"),
    "events": Step(r"events\.h5", ("profile",)),
    "intervals": Step(r"hierarchy\.h5|fixed\.h5|fixed-metrics\.csv", ("profile", "events")),
    "metrics": Step(r"metrics\.csv", ("profile", "intervals")),
    "stability": Step(r"stability\.csv", ("profile", "intervals")),
    "track": Step(r"track\.(csv|h5)", ("profile", "intervals")),
    "phases": Step(rf"phases\.csv|model\.h5|labels{_PER_THREAD}", ("profile", "intervals")),
    "points": Step(rf"points\.csv|(simpoints|weights){_PER_THREAD}", ("phases",)),
    "simulation": Step(r"point-metrics\.csv", ("points",)),
    "warmup": Step(r"warmup-metrics\.csv", ("points", "simulation")),
    "estimate": Step(r"estimate\.csv", ("points", "simulation", "warmup", "metrics")),
    "quality": Step(r"quality(-k)?\.csv", ("phases", "metrics")),
    "models": Step(r"models(-points)?\.csv", ("profile", "intervals", "metrics")),
    "report": Step(
        r"report\.html",
        (
            *("profile", "intervals", "phases", "points", "metrics", "simulation", "models"),
            *("estimate", "quality"),
        ),
    ),
}

#: What is said after the name of a file that is gone.
REMOVED = " is removed"

#: Files that may be of another tool, where their step's entry names `files`: how such a one is brought back.
IMPORTED = {
    "metrics.csv": "phasemark import --metrics {file} -o {folder}",
    "point-metrics.csv": "phasemark import --metrics {file} -o {folder}",
    "points.csv": "phasemark points {folder} --from {file}",
}


def steps_made_from(step: str) -> list[str]:
    """The step and all that are made from its files, in order."""
    later = {step}
    for name, other in STEPS.items():
        if later & set(other.sources):
            later.add(name)
    return [name for name in STEPS if name in later]


def step_of_file(name: str) -> str | None:
    """The step that writes a file of this name; None where none does."""
    return next((step for step, what in STEPS.items() if re.fullmatch(what.files, name)), None)
