"""phasemark profile: run a program and record which code each interval executed."""

from __future__ import annotations

import typer

from phasemark.cli import options, profiling


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
    no_memory: options.NoMemory = False,
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
    profiling.profile(
        command,
        out=out,
        interval=interval,
        collector=collector,
        process=process,
        timing=timing,
        events=events,
        no_memory=no_memory,
        smc_check=smc_check,
        signature=signature,
        keep_raw=keep_raw,
        quiet=quiet,
        as_json=as_json,
    )
