"""Who is interrupted says what is kept."""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import NoReturn

from phasemark.cli.printing import say

__all__ = ["Terminated", "telling"]


class Terminated(BaseException):
    """SIGTERM came."""


@contextmanager
def telling(kept: Callable[[], str]) -> Iterator[None]:
    """Have Ctrl-C and SIGTERM, where they would end the work, say first what is kept of it."""
    usual = threading.current_thread() is threading.main_thread()
    handled = usual and signal.getsignal(signal.SIGTERM) is signal.SIG_DFL
    if handled:
        signal.signal(signal.SIGTERM, _terminate)
    try:
        yield
    except (KeyboardInterrupt, Terminated):
        say(f"interrupted: {kept()}")
        raise
    finally:
        if handled:
            signal.signal(signal.SIGTERM, signal.SIG_DFL)


def _terminate(_signal: int, _frame: FrameType | None) -> NoReturn:
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    raise Terminated
