"""Running a program once more, apart from the folder of its run."""

from __future__ import annotations

import signal
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from phasemark.collect import code_maps, process_tree
from phasemark.collect.ending import Until
from phasemark.collect.engines.protocol import Collector, Job
from phasemark.collect.process_tree import Image
from phasemark.collect.running import execute
from phasemark.collect.watching import Headway, Watch
from phasemark.errors import CollectorError, UsageError, shown


@dataclass(frozen=True)
class Again:
    """What a program that was run once more did.

    Attributes:
        images: all process images, in the order in which they began.
        analysed: the one asked for.
        status: the program's exit status as a shell tells it.
        cpu_seconds: of the program under its collector, with its children.
        interrupted: whether a signal ended it, or was sent to end it, of others than us.
        warnings: what the user should know, one sentence each.
    """

    images: tuple[Image, ...]
    analysed: Image
    status: int
    cpu_seconds: float
    interrupted: bool
    warnings: tuple[str, ...]


@contextmanager
def run_again(
    collector: Collector,
    job: Job,
    *,
    process: str | None = None,
    stdin: int | None = None,
    progress: Callable[[Headway], None] | None = None,
    within: Path | None = None,
    until: Until | None = None,
) -> Iterator[Again]:
    """Run a program; what was recorded is there to be read until the end of the context.

    Args:
        collector: that records it.
        job: what to run.
        process: the process wanted, by number, pid or name; None: the one with the most instructions.
        stdin: the open file that is its standard input, by number; 0: ours; None: there is nothing to read.
        progress: called about twice a second while the program runs.
        within: the folder for what is recorded meanwhile; None: the system's for temporary files.
        until: where it is ended; None: it ends by itself.

    Raises:
        MissingTool: the collector is not on this machine.
        UsageError: all processes are wanted.
        CollectorError: the program cannot be run, nothing was recorded, or no process is `process`.
        WorkError: the folder that it is to start in is not there.
    """
    require_one(process)
    with tempfile.TemporaryDirectory(prefix="phasemark-", dir=within) as temporary:
        raw = Path(temporary).absolute()
        invocation = collector.prepare(job, raw)
        watch = Watch(raw)

        def tick() -> signal.Signals | None:
            headway = watch.update()
            if progress is not None:
                progress(headway)
            return None if until is None else until.signal(headway)

        watched = progress is not None or until is not None
        began = time.time()
        ended = execute(invocation, raw, tick if watched else None, stdin=stdin)
        interrupted = ended.interrupted and not (until is not None and until.reached)
        images, warnings = collector.images(raw)
        code_maps.keep(images, raw, began)
        program = f"{job.command[0]} (exit status {ended.status})"
        analysed = _analysed(images, process, program, warnings)
        yield Again(tuple(images), analysed, ended.status, ended.cpu_seconds, interrupted, tuple(warnings))


def require_one(process: str | None) -> None:
    """See that one process is wanted: a program that runs again is not followed in several.

    Raises:
        UsageError: all are.
    """
    if process == process_tree.ALL:
        raise UsageError(
            "this profile is of several processes, and a program that runs again is followed in one",
            hint="measure all while they are profiled (profile --timing), or profile one: --process one",
        )


def _analysed(images: list[Image], process: str | None, program: str, warnings: list[str]) -> Image:
    recorded = [image for image in images if image.instructions]
    if not recorded:
        raise CollectorError(
            f"nothing was recorded of {program}" + "".join(f"; {warning}" for warning in warnings)
        )
    image = process_tree.chosen(recorded, process)
    if image is None:
        raise CollectorError(
            f"nothing was recorded of a process {shown(process)}",
            hint="profile the run again with --process; its processes were: "
            + ", ".join(dict.fromkeys(image.program for image in recorded)),
        )
    return image
