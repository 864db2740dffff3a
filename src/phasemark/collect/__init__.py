"""A command line -> Profile.

`record` runs a program under one of `engines` and writes its profile; `count` runs it with the timing model
on in some windows. `stream` reads what an engine wrote.
"""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from pathlib import Path

from phasemark.collect import interval_length
from phasemark.collect.engines.registry import COLLECTORS
from phasemark.collect.process_tree import listing
from phasemark.collect.recording import Recording
from phasemark.collect.request import Request
from phasemark.collect.session import rebuild, record
from phasemark.collect.watching import Headway
from phasemark.collect.windows import Counted, count
from phasemark.errors import WorkError
from phasemark.model import Profile

__all__ = [
    "COLLECTORS",
    "Counted",
    "Headway",
    "Recording",
    "Request",
    "count",
    "listing",
    "profile",
    "rebuild",
    "record",
]


def __dir__() -> list[str]:
    return sorted(__all__)


def profile(
    command: Sequence[str],
    *,
    interval: str | int = "auto",
    out: str | Path | None = None,
    collector: str = "valgrind",
    process: str | None = None,
) -> Profile:
    """Run a program unmodified and record what code each interval executed.

    Args:
        command: the program and its arguments; its output is ours, and it has nothing to read.
        interval: instructions per interval, also as text (`10k`, `1M`); `auto`: about 1000 intervals.
        out: a folder to leave profile.h5 and run.json in.
        collector: `valgrind`, or `exp-bbv` for comparison.
        process: of a program that starts others, the process to analyse: a number, a pid or a name; the
            one with the most instructions if not given.

    Returns:
        The profile. The program's exit status is no error: out/run.json has it.

    Raises:
        UsageError: no program, or no such interval.
        MissingTool: the collector is not on this machine.
        CollectorError: the program cannot be run, nothing was recorded, or no process is `process`.
    """
    request = Request(tuple(map(str, command)), interval_length.parse(interval), collector, process)
    with tempfile.TemporaryDirectory(prefix="phasemark-") as temporary:
        recording = record(request, temporary if out is None else out)
        if recording.failure:
            raise WorkError(recording.failure, hint="; ".join(recording.warnings))
        return recording.profile
