"""A command line -> Profile.

`session` runs a program under a collector and writes its profile; `valgrind` is the default collector;
`rawstream`, `canonical`, `merging` and `conversion` turn what it recorded into a Profile.
"""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from pathlib import Path

from phasemark.collect import interval_length
from phasemark.collect.process_tree import listing
from phasemark.collect.session import COLLECTORS, Request, Run, rebuild, record
from phasemark.collect.watching import Headway
from phasemark.errors import WorkError
from phasemark.model import Profile

__all__ = [
    "COLLECTORS",
    "Headway",
    "Request",
    "Run",
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
        run = record(request, temporary if out is None else out)
        if run.failure:
            raise WorkError(run.failure, hint="; ".join(run.warnings))
        return run.profile
