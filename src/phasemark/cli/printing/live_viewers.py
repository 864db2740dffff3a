"""Who looks on while a program is tracked."""

from __future__ import annotations

import sys

from phasemark.cli.printing.live import Lines
from phasemark.workflow.live import Viewer


def viewer(quiet: bool, *, alone: bool) -> Viewer:
    """Who looks on: a view where standard error is a terminal that nobody else writes to, else lines.

    Args:
        quiet: nobody.
        alone: there is no program that shares our terminal.
    """
    if quiet:
        return Viewer()
    if sys.stderr.isatty() and (alone or not sys.stdout.isatty()):
        # Rich takes long to load.
        from phasemark.cli.printing.live_screen import Screen

        return Screen()
    return Lines()
