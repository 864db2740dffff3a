"""phasemark profile: run a program and record which code each interval executed."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from phasemark.cli import options

if TYPE_CHECKING:
    from phasemark.collect import Recording
    from phasemark.simulate.config import TimingConfig


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command(context_settings=options.CONTEXT)(profile)


def profile(
    command: options.Command,
    *,
    out: options.Out = None,
    interval: options.Interval = "auto",
    collector: options.CollectorName = "valgrind",
    process: options.Process = None,
    timing: options.Timing = None,
    events: options.Events = False,
    smc_check: options.SmcCheck = None,
    signature: options.Signature = None,
    keep_raw: options.KeepRaw = False,
    quiet: options.RunQuiet = False,
    as_json: options.RunJson = False,
) -> None:
    """Run a program unmodified and record its basic block vectors.

    For example: phasemark profile -o out --interval 1M -- gzip -9 -k -f some-file

    Writes profile.h5 and run.json; with --timing also metrics.csv, with --events also events.h5. The
    program keeps its input, output, working folder and exit status. phasemark itself writes to standard
    error, and exits with the program's status; 126 and 127 if the program cannot be run or is not there;
    1 if the program ended well but its profile is not what was asked for.
    """
    from phasemark.cli.printing import recording as shown
    from phasemark.cli.printing import say

    config = machine(timing)
    check_request(
        command,
        out,
        interval,
        collector,
        process,
        timing=config,
        events=events,
        smc_check=smc_check,
        signature=signature,
    )
    recording = record(
        command,
        out,
        interval,
        collector,
        process,
        timing=config,
        events=events,
        smc_check=smc_check,
        signature=signature,
        keep_raw=keep_raw,
        quiet=quiet,
    )
    if quiet:
        shown.warn(recording)
    else:
        shown.show(recording)
        say(f"wrote {recording.folder.profile}")
        if config is not None:
            say(f"wrote {recording.folder.metrics}")
        if recording.folder.events.exists():
            say(f"wrote {recording.folder.events}")
    if as_json:
        print(json.dumps(shown.summary(recording)))
    leave(recording)


def machine(timing: str | None) -> TimingConfig | None:
    """What --timing asks for, checked before a program runs for hours."""
    from phasemark.simulate.config import load

    return None if timing is None else load(timing)


def check_request(
    command: list[str],
    out: Path | None,
    interval: str,
    collector: str,
    process: str | None,
    *,
    timing: TimingConfig | None,
    events: bool = False,
    smc_check: str | None = None,
    signature: str | None = None,
) -> None:
    """Find what is wrong with what `record` is asked for before anything is made or said.

    Raises:
        PhasemarkError: as `record`.
    """
    from phasemark.workflow import recording

    recording.check(
        command,
        out,
        interval=interval,
        collector=collector,
        process=process,
        timing=timing,
        events=events,
        smc_check=smc_check,
        signature=signature,
    )


def record(
    command: list[str],
    out: Path | None,
    interval: str,
    collector: str,
    process: str | None,
    *,
    timing: TimingConfig | None,
    events: bool = False,
    smc_check: str | None = None,
    signature: str | None = None,
    keep_raw: bool,
    quiet: bool,
) -> Recording:
    """Run the program under its collector, perhaps with the timing model on, and show how far it is."""
    from phasemark.cli.printing import say, tell_discarded
    from phasemark.cli.progress import watching
    from phasemark.store.folder import Folder
    from phasemark.workflow import recording

    folder = recording.folder_for(command, out)
    if Folder(folder).holds_run() and not quiet:
        say(f"{folder} holds an earlier run, which stays until this one is done")
    with watching("profiling", quiet=quiet) as tell:
        recorded = recording.record(
            command,
            folder,
            interval=interval,
            collector=collector,
            process=process,
            timing=timing,
            events=events,
            smc_check=smc_check,
            signature=signature,
            keep_raw=keep_raw,
            stdin=options.STDIN,
            progress=tell,
        )
    tell_discarded(recorded.discarded, "this profile")
    return recorded


def leave(recording: Recording) -> None:
    """Exit as the program did; with 1 if it went well but the profile did not.

    Raises:
        Exit: unless the status is 0.
    """
    status = recording.status or int(bool(recording.failure))
    if status:
        raise typer.Exit(status)
