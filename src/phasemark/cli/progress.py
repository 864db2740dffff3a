"""Progress of long work: a bar on a terminal, a plain line now and then elsewhere; on stderr."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, TextIO

from phasemark.cli.printing import say
from phasemark.progress import Progress

if TYPE_CHECKING:
    from phasemark.collect import Headway

#: Seconds between plain lines; shorter work needs no words.
_PATIENCE = 10.0


@contextmanager
def progress(what: str, *, quiet: bool = False) -> Iterator[Progress]:
    """Yield a function to call with (done, total).

    Args:
        what: the work, as `Clustering`.
        quiet: say nothing.
    """
    if not quiet and _is_terminal(sys.stderr):
        with _bar(what) as report:
            yield report
    else:
        yield plain(what, quiet=quiet)


def plain(what: str, *, quiet: bool = False) -> Progress:
    """A function to call with (done, total), which says a plain line now and then.

    Args:
        what, quiet: see `progress`.
    """
    if quiet:
        return lambda done, total: None
    tell = _now_and_then()
    return lambda done, total: tell(lambda: f"{what.lower()}: {done:,} of {total:,}")


@contextmanager
def watching(
    what: str | Callable[[], str], *, quiet: bool = False, total: Callable[[], int] | None = None
) -> Iterator[Callable[[Headway], None] | None]:
    """Yield a function to call with how far a running program is.

    A line that is drawn anew where it cannot garble the program's output, else one now and then.

    Args:
        what: is being done, as `profiling`; or tells it, where it changes meanwhile.
        quiet: say nothing.
        total: instructions to come to, of all processes; None, or 0: that is not known.
    """
    doing = what if callable(what) else lambda: what
    if quiet:
        yield None
    elif _is_terminal(sys.stderr) and not _is_terminal(sys.stdout):
        from rich.console import Console

        with Console(stderr=True).status(doing()) as status:
            yield lambda headway: status.update(_sentence(headway, doing(), total))
    else:
        tell = _now_and_then()
        yield lambda headway: tell(lambda: _sentence(headway, doing(), total))


def _is_terminal(stream: TextIO | None) -> bool:
    """Whether a standard stream, which may be closed, is a terminal."""
    return stream is not None and stream.isatty()


@contextmanager
def _bar(what: str) -> Iterator[Progress]:
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeElapsedColumn
    from rich.progress import Progress as Bar

    columns = (TextColumn(what), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Bar(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(what, total=None)
        yield lambda done, total: bar.update(task, completed=done, total=total)


def _now_and_then() -> Callable[[Callable[[], str]], None]:
    last = time.monotonic()

    def tell(sentence: Callable[[], str]) -> None:
        nonlocal last
        if time.monotonic() - last >= _PATIENCE:
            last = time.monotonic()
            say(sentence())

    return tell


def _sentence(headway: Headway, what: str, total: Callable[[], int] | None) -> str:
    if headway.kept is not None:
        return f"writing the profile: {headway.kept:.0%} of {headway.size / 1e6:,.0f} MB recorded"
    if not headway.instructions and not headway.size:  # what samples is read when the program has ended
        return f"{what}: {headway.seconds:.0f} s"
    of = total() if total else 0
    share = f" ({headway.instructions / of:.0%})" if headway.instructions <= of else ""
    return f"{what}: {headway.instructions:,} instructions{share} in {headway.seconds:.0f} s" + (
        f", {headway.processes} processes" if headway.processes > 1 else ""
    )
