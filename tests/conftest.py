"""What all tests need of the machine."""

from __future__ import annotations

import math
import os
import re
import signal
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

# How long an example takes says how busy the machine is. Failures are kept where there is a place for them.
kept = {} if os.access(Path.cwd(), os.W_OK) else {"database": None}
settings.register_profile("any machine", deadline=None, suppress_health_check=[HealthCheck.too_slow], **kept)
settings.load_profile("any machine")

# Scripts start background jobs with these ignored, which programs inherit; tests send them to programs.
for number, action in (
    (signal.SIGINT, signal.default_int_handler),
    (signal.SIGQUIT, signal.SIG_DFL),
    (signal.SIGHUP, signal.SIG_DFL),
):
    if signal.getsignal(number) == signal.SIG_IGN:
        signal.signal(number, action)

# A fault of ours is to be seen, not to become a message.
os.environ["PHASEMARK_TRACEBACK"] = "1"


@pytest.fixture(autouse=True, scope="session")
def _a_terminal_of_120_columns() -> Iterator[None]:
    """Whatever the terminal is that tests are started from; tests of widths set their own.

    From first to last: the environment has a part in how many instructions a program executes.
    """
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("COLUMNS", "120")
        yield


@pytest.fixture(autouse=True, scope="session")
def _no_word_of_how_far_it_is() -> Iterator[None]:
    """Commands tell it that take long, and on a busy machine any does; tests of that say what is long."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("phasemark.cli.progress._PATIENCE", math.inf)
        yield


@pytest.fixture
def short_path(tmp_path: Path) -> Iterator[Path]:
    """A folder that the first line of a script can name: without blanks, and well below 255 bytes."""
    if re.fullmatch("[!-~]{1,100}", str(tmp_path)):
        yield tmp_path
    else:
        with tempfile.TemporaryDirectory(dir="/tmp") as folder:
            yield Path(folder)
