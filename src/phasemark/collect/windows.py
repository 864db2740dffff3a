"""Running a program with the timing model on in some windows, and nothing else recorded."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from phasemark.collect.again import run_again
from phasemark.collect.engines.protocol import Job
from phasemark.collect.engines.registry import TIMING_COLLECTORS
from phasemark.collect.process_tree import Image
from phasemark.collect.stream import families as families_of
from phasemark.collect.stream.contents import Ints
from phasemark.collect.watching import Headway
from phasemark.model import Metrics

#: A collector wants one, and cuts none where there are windows.
_INTERVAL = 1_000_000


class Windows(Protocol):
    """n windows of a run, ordered by thread and start; stretches [warm, end) of a thread do not overlap."""

    @property
    def thread(self) -> Ints:
        """The thread of each, in order of birth."""

    @property
    def index(self) -> Ints:
        """The number of the interval in its thread that the window measures."""

    @property
    def warm(self) -> Ints:
        """Where the model is switched on before the window, instructions of the thread."""

    @property
    def start(self) -> Ints:
        """Where counting begins, instructions of the thread."""

    @property
    def end(self) -> Ints:
        """Where it ends."""


@dataclass(frozen=True, eq=False)
class Counted:
    """What the timing model counted in windows.

    Attributes:
        metrics: a row for every window that was run through to its end, or nearly.
        missing: rows of the windows that were not, ascending, int64.
        images: all process images, in the order in which they began.
        analysed: the one in whose windows was counted.
        status: the program's exit status as a shell tells it.
        cpu_seconds: of the program under its collector, with its children.
        warnings: what the user should know, one sentence each.
        interrupted: whether a signal ended the program, or was sent to it to end it.
    """

    metrics: Metrics
    missing: Ints
    images: tuple[Image, ...]
    analysed: Image
    status: int
    cpu_seconds: float
    warnings: tuple[str, ...]
    interrupted: bool = False


def count(
    command: Sequence[str],
    windows: Windows,
    timing: str,
    *,
    collector: str = "valgrind",
    process: str | None = None,
    families: Any = None,
    smc_check: str | None = None,
    cwd: Path | None = None,
    stdin: int | None = None,
    progress: Callable[[Headway], None] | None = None,
) -> Counted:
    """Run a program once, and count in windows what the timing model's machine would do.

    Args:
        command: the program and its arguments; a relative name is one from `cwd`.
        windows: where to count.
        timing: configuration of the timing model, flat text.
        collector: one that has a timing model.
        process: of a program that starts others, the process to count: a number, a pid or a name; None:
            the one with the most instructions.
        families: who created which of the windows' threads, see Cuts.
        smc_check: see Request.
        cwd: the folder to start it in; None: ours.
        stdin: the open file that is its standard input, by number; 0: ours; None: there is nothing to read.
        progress: called about twice a second while the program runs.

    Raises:
        MissingTool: the collector is not on this machine.
        CollectorError: the program cannot be run, nothing was recorded, or no process is `process`.
        WorkError: there is no folder `cwd`.
    """
    engine = TIMING_COLLECTORS[collector]
    job = Job(command, _INTERVAL, cwd, timing, _lines(windows, families), smc_check=smc_check)
    with run_again(engine, job, process=process, stdin=stdin, progress=progress) as again:
        metrics, missing = engine.metrics(
            again.analysed, windows.thread, windows.index, windows.start, windows.end
        )
    return Counted(
        metrics,
        missing,
        again.images,
        again.analysed,
        again.status,
        again.cpu_seconds,
        again.warnings,
        interrupted=again.interrupted,
    )


def _lines(windows: Windows, of_threads: Any) -> str:
    columns = (windows.thread, windows.warm, windows.start, windows.end)
    return families_of.lines(of_threads) + "".join(
        f"{' '.join(map(str, row))}\n" for row in zip(*(c.tolist() for c in columns), strict=True)
    )
