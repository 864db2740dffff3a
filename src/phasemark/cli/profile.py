"""phasemark profile: run a program and record which code each interval executed."""

from __future__ import annotations

import json

import typer

from phasemark.cli import collecting, simulating


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command(context_settings=collecting.CONTEXT)(profile)


def profile(
    command: collecting.Command,
    *,
    out: collecting.Out = None,
    interval: collecting.Interval = "auto",
    collector: collecting.CollectorName = "valgrind",
    process: collecting.Process = None,
    timing: simulating.Timing = None,
    keep_raw: collecting.KeepRaw = False,
    quiet: collecting.Quiet = False,
    as_json: collecting.Json = False,
) -> None:
    """Run a program unmodified and record its basic block vectors.

    For example: phasemark profile -o out --interval 1M -- gzip -9 -k -f some-file

    Writes profile.h5 and run.json; with --timing metrics.csv, too. The program keeps its input, output,
    working folder and exit status. phasemark itself writes to standard error, and exits with the
    program's status; 126 and 127 if the program cannot be run or is not there; 1 if the program ended
    well but its profile is not what was asked for.
    """
    config = simulating.machine(timing)
    run = collecting.collect(
        command, out, interval, collector, process, keep_raw=keep_raw, quiet=quiet, timing=config
    )
    simulating.keep_metrics(run, config)
    if quiet:
        collecting.warn(run)
    else:
        collecting.show(run)
        collecting.say(f"wrote {run.folder.profile}")
        if config is not None:
            collecting.say(f"wrote {run.folder.metrics}")
    if as_json:
        print(json.dumps(collecting.summary(run)))
    collecting.leave(run)
