"""A program that is run and recorded, for the commands that do so; Typer is not needed here."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from phasemark.collect import Recording
    from phasemark.simulate.config import TimingConfig

#: A program that is run reads what we would.
STDIN = 0


def profile(
    command: list[str],
    *,
    out: str | Path | None = None,
    interval: str = "auto",
    collector: str = "valgrind",
    process: str | None = None,
    timing: str | None = None,
    events: bool = False,
    no_memory: bool = False,
    smc_check: str | None = None,
    signature: str | None = None,
    keep_raw: bool = False,
    quiet: bool = False,
    as_json: bool = False,
) -> None:
    """What `phasemark profile` does; its options are explained there.

    Raises:
        SystemExit: with the program's status, or 1 if it went well but the profile did not.
    """
    out = None if out is None else Path(out)
    from phasemark.cli.printing import recording as shown
    from phasemark.cli.printing import say

    config, memory = machine(timing), False if no_memory else None
    check_request(
        command,
        out,
        interval,
        collector,
        process,
        timing=config,
        events=events,
        memory=memory,
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
        memory=memory,
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
    if timing is None:
        return None
    from phasemark.simulate.config import load

    return load(timing)


def check_request(
    command: list[str],
    out: Path | None,
    interval: str,
    collector: str,
    process: str | None,
    *,
    timing: TimingConfig | None,
    events: bool = False,
    memory: bool | None = None,
    smc_check: str | None = None,
    signature: str | None = None,
    again: bool = False,
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
        memory=memory,
        smc_check=smc_check,
        signature=signature,
        again=again,
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
    memory: bool | None = None,
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
            memory=memory,
            smc_check=smc_check,
            signature=signature,
            keep_raw=keep_raw,
            stdin=STDIN,
            progress=tell,
        )
    tell_discarded(recorded.discarded, "this profile")
    return recorded


def leave(recording: Recording) -> None:
    """Exit as the program did; with 1 if it went well but the profile did not.

    Raises:
        SystemExit: unless the status is 0.
    """
    status = recording.status or int(bool(recording.failure))
    if status:
        sys.exit(status)
