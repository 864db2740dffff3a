"""A command line -> a recorded run in a folder, perhaps with the metrics of its intervals."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from phasemark.collect import Headway, Recording, Request, interval_length
from phasemark.collect import record as record_program
from phasemark.collect.again import require_one
from phasemark.collect.engines.registry import MEMORY_COLLECTORS, SAMPLING_COLLECTORS
from phasemark.collect.process_tree import ONE
from phasemark.collect.session import check as check_request
from phasemark.errors import UsageError
from phasemark.model import Metrics
from phasemark.signatures import CODE_AND_BEHAVIOUR, CODE_AND_EVENTS
from phasemark.store import metrics_csv
from phasemark.store.folder import Folder
from phasemark.workflow.arguments import words_of

if TYPE_CHECKING:
    from phasemark.simulate.config import TimingConfig


def record(
    command: Sequence[str],
    out: str | Path | None = None,
    *,
    interval: str | int = "auto",
    collector: str = "valgrind",
    process: str | int | None = None,
    timing: TimingConfig | None = None,
    events: bool = False,
    memory: bool | None = None,
    smc_check: str | None = None,
    signature: str | None = None,
    keep_raw: bool = False,
    cwd: str | Path | None = None,
    stdin: int | None = None,
    progress: Callable[[Headway], None] | None = None,
) -> Recording:
    """Run a program under a collector; write profile.h5, and with the timing model on metrics.csv.

    Args:
        command: the program and its arguments.
        out: the folder to write to; None: PROGRAM.phasemark in the working folder.
        interval: instructions per interval, also as text (`10k`, `1M`); `auto`: about 1000 intervals.
        collector: what records: a name in collect.COLLECTORS.
        process: of a program that starts others, the process to analyse: a number, a pid, a name, `one`
            (that with the most instructions) or `all`, together; None: one if it has 80% of them, else all.
        timing: configuration of the timing model, which then counts during the same run.
        events: record loops, calls and returns, too, and write events.h5.
        memory: record how long ago memory was used, in profile.h5; None: where the collector does.
        smc_check: which code is looked at each time it is executed, in case it was rewritten: none, stack,
            all or all-non-file; None: all once a file or mapping of the program is written and executed.
        signature: what samples are a count of: block, loop, function or address; of `perf` alone.
        keep_raw: leave what the collector wrote in OUT/raw.
        cwd: the folder to start it in; None: ours.
        stdin: file descriptor that the program reads; None: it has no input.
        progress: called about twice a second while the program runs.

    Raises:
        UsageError: no program, or no such interval or collector.
        MissingTool: the collector is not on this machine.
        CollectorError: the program cannot be run, or nothing was recorded.
        WorkError: `out` cannot be written, or another run is being written to it.
    """
    request = _request(
        command,
        interval,
        collector,
        process,
        timing,
        events=events,
        memory=memory,
        smc_check=smc_check,
        signature=signature,
        cwd=cwd,
        stdin=stdin,
    )
    run = Folder(folder_for(request.command, out))
    if timing is None:
        with run.create().held("profile", takes_long=True):
            recording = record_program(request, run.path, keep_raw=keep_raw, progress=progress)
            if recording.metrics is not None and not recording.failure:
                _keep_sampled(recording, recording.metrics)
        return recording
    with run.create().held("profile --timing", takes_long=True):
        recording = record_program(request, run.path, keep_raw=keep_raw, progress=progress)
        from phasemark.workflow.simulation import keep_metrics

        keep_metrics(recording, timing)
    return recording


def _keep_sampled(recording: Recording, metrics: Metrics) -> None:
    """Write metrics.csv of what was sampled beside the measure of length."""
    with recording.folder.change("profile") as new:
        metrics_csv.write(new.metrics, metrics, made_by={"command": "profile", "of": "intervals"})
        new.record("metrics", {"of": "intervals", "rows": len(metrics), "source": metrics.source})


def check(
    command: Sequence[str],
    out: str | Path | None = None,
    *,
    interval: str | int = "auto",
    collector: str = "valgrind",
    process: str | int | None = None,
    timing: TimingConfig | None = None,
    events: bool = False,
    memory: bool | None = None,
    smc_check: str | None = None,
    signature: str | None = None,
    again: bool = False,
) -> None:
    """Find what is wrong with what `record` is asked for, before anything is made.

    Args:
        command, out, interval, collector, process, timing, events, memory, smc_check, signature: as for
            `record`.
        again: the program is to be run once more after that, as `simulate` does.

    Raises:
        PhasemarkError: as `record`.
    """
    request = _request(
        command,
        interval,
        collector,
        process,
        timing,
        events=events,
        memory=memory,
        smc_check=smc_check,
        signature=signature,
    )
    if again:
        require_one(request.process)
    check_request(request, folder_for(request.command, out))


def require_recorded(signature: str | None, *, collector: str, timed: bool, events: bool) -> None:
    """See that what a signature of intervals compares is recorded, before a program runs for hours.

    Args:
        signature: as PhaseOptions has it; None: what there is.
        collector: what records.
        timed: the timing model counts.
        events: loops, calls and returns are counted in each interval.

    Raises:
        UsageError: it is not.
    """
    if signature == CODE_AND_BEHAVIOUR and collector not in MEMORY_COLLECTORS:
        raise UsageError(
            f"{collector} does not record how memory is used, which {signature} compares",
            hint=f"leave out --collector {collector}, or --signature {signature}",
        )
    if signature == CODE_AND_EVENTS and not timed and collector not in SAMPLING_COLLECTORS:
        raise UsageError(f"{signature} compares what was measured", hint="add --timing modern")
    if signature == "loops" and not events:
        raise UsageError("loops are counted in intervals of variable length", hint="add --intervals variable")


def _request(
    command: Sequence[str],
    interval: str | int,
    collector: str,
    process: str | int | None,
    timing: TimingConfig | None,
    *,
    events: bool = False,
    memory: bool | None = None,
    smc_check: str | None = None,
    signature: str | None = None,
    cwd: str | Path | None = None,
    stdin: int | None = None,
) -> Request:
    return Request(
        words_of(command),
        interval_length.parse(interval),
        collector,
        None if process is None else str(process),
        None if timing is None else timing.flat(),
        events=events,
        memory=memory,
        smc_check=smc_check,
        signature=signature,
        cwd=None if cwd is None else Path(cwd),
        stdin=stdin,
    )


def followed(process: str | None, *, again: bool) -> str | None:
    """The process to analyse where a program is run again, in which a single one is followed."""
    return ONE if again and process is None else process


def folder_for(command: Sequence[str], out: str | Path | None = None) -> Path:
    """Where the run of a command goes: `out`, else PROGRAM.phasemark in the working folder.

    Raises:
        UsageError: there is no command.
    """
    if not command:
        raise UsageError("there is no program to profile", hint="name it after --")
    return Path(f"{Path(command[0]).name}.phasemark") if out is None else Path(out)
