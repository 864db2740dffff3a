"""Waiting for what a test needs, be the machine as busy as it likes."""

from __future__ import annotations

import os
import subprocess
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

Value = TypeVar("Value")

#: Seconds after which something never comes: a net for a test that hangs, no measure of speed.
LONG = 600.0


def until(happened: Callable[[], Value], process: subprocess.Popen[Any] | None = None) -> Value:
    """The first true value of `happened`; the process that is to make it so must not end before."""
    deadline = time.monotonic() + LONG
    while True:
        ended = process is not None and process.poll() is not None
        if value := happened():
            return value
        assert not ended, f"exit status {process and process.returncode}, and what was awaited did not happen"
        assert time.monotonic() < deadline, "what was awaited did not happen"
        time.sleep(0.02)


def cpu_seconds(pid: int) -> float:
    """What a running process has used so far, all its threads together."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
