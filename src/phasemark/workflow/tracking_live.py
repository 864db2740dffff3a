"""A program is tracked while it runs, from Python."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from phasemark.collect.live.feed import PERF, Wanted
from phasemark.online.course import Change
from phasemark.workflow import live
from phasemark.workflow.arguments import options_of, words_of
from phasemark.workflow.live import LiveOptions, Viewer
from phasemark.workflow.live_result import LiveChange, LiveResult

if TYPE_CHECKING:
    from phasemark.collect.live.places import Code
    from phasemark.workflow.live_state import Live


def track_live(
    command: Sequence[str] = (),
    *,
    pid: int | None = None,
    collector: str = PERF,
    interval: int | None = None,
    signature: str | None = None,
    cwd: str | Path | None = None,
    stdin: int | None = None,
    changed: Callable[[LiveChange], object] | None = None,
    options: LiveOptions | None = None,
    **parameters: Any,
) -> LiveResult:
    """Track a program while it runs, to its end: `phasemark track --live`.

    A process that runs already is left as it is. Who raises an error in `changed` ends the watching of it; a
    command then runs to its end, untracked. In the main thread signals are passed on to the command, and of a
    process SIGINT, SIGTERM and SIGHUP end the watching.

    Args:
        command: the program and its arguments, to start; its output is ours. Empty: none.
        pid: a process that runs already, instead.
        collector: `perf`, which samples; or `valgrind`, which counts.
        interval: of perf the least length of an interval, in the unit of what is sampled; of others its
            length, in instructions. None: the default.
        signature: of perf, what samples are a count of: function, block, loop or address; None: function.
        cwd: the folder to start it in; None: ours.
        stdin: file descriptor that the program reads; None: it has no input.
        changed: called as a phase begins, in this thread, which meanwhile takes no interval.
        options: how; or by name, as `log="log"`, `predictor="last"`, `tracker={"threshold": 0.3}`: see
            LiveOptions.

    Raises:
        UsageError: neither command nor pid, or both, or an option makes no sense; nothing was started.
        CollectorError: the program cannot be followed; says what to change.
        MissingTool: perf, or the collector, is not on this machine.
        WorkError: a file cannot be written from the beginning on, or an address not be listened at.
    """
    asked = options_of(LiveOptions, options, parameters)
    wanted = Wanted(
        words_of(command), pid, interval, signature, collector, stdin, None if cwd is None else Path(cwd)
    )
    return LiveResult.of(live.track(wanted, asked, None if changed is None else _Telling(changed)))


class _Telling(Viewer):
    def __init__(self, told: Callable[[LiveChange], object]) -> None:
        self._told = told

    def changed(self, live: Live, change: Change[Code]) -> None:
        self._told(LiveChange.of(live, change))
