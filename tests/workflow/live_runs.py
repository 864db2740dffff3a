"""Programs that are tracked, by a perf that is made up: phases alternate as a test has it."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from tests.collect.live import fake
from tests.formats.perf import piping

from phasemark.collect.live.feed import Wanted
from phasemark.workflow.live import LiveOptions

STEP = 2_000_000

#: Intervals of 200 samples, one phase a letter; seen once, a signature is a phase.
ONCE = {"min_count": 1}


def perf(tmp_path: Path, patch: pytest.MonkeyPatch, phases: str) -> Path:
    """Have a program be seen in these phases, each interval a letter; the made-up perf's folder."""
    stream = piping.HEADER + piping.attributes()
    stream += piping.mapping(7, 0x1000, 0x10000, "/opt/program")
    for number, phase in enumerate(phases):
        begin = (number * 200 + 1) * STEP
        ip = 0x1000 + 16 * ord(phase)
        stream += piping.samples(7, [ip] * 200, begin, STEP) + piping.turn()
    folder = fake.perf(tmp_path / "fake", stream)
    patch.setenv("PATH", f"{folder}:{os.environ['PATH']}")
    return folder


def wanted(*command: str) -> Wanted:
    return Wanted(command=command or ("true",), signature="address")


def options(**more: object) -> LiveOptions:
    return LiveOptions(tracker=ONCE, **more)  # type: ignore[arg-type]
