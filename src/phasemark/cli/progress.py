"""How far long work is: a bar on a terminal, a plain line now and then elsewhere; on stderr."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

#: Told how much is done, of how much.
Report = Callable[[int, int], None]

#: Seconds between plain lines; shorter work needs no words.
_PATIENCE = 10.0


@contextmanager
def progress(what: str, *, quiet: bool = False) -> Iterator[Report]:
    """Yield a function to call with (done, total).

    Args:
        what: the work, as `Clustering`.
        quiet: say nothing.
    """
    if quiet:
        yield lambda done, total: None
    elif sys.stderr.isatty():
        with _bar(what) as report:
            yield report
    else:
        yield _lines(what)


@contextmanager
def _bar(what: str) -> Iterator[Report]:
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

    columns = (TextColumn(what), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(what, total=None)
        yield lambda done, total: bar.update(task, completed=done, total=total)


def _lines(what: str) -> Report:
    said = time.monotonic()

    def report(done: int, total: int) -> None:
        nonlocal said
        if time.monotonic() - said >= _PATIENCE:
            said = time.monotonic()
            print(f"phasemark: {what.lower()}: {done} of {total}", file=sys.stderr, flush=True)

    return report
