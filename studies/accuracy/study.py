"""How accurate are simulation points? Real programs, simulated in full on three machines, and from points.

    python studies/accuracy/study.py [-o FOLDER] [--scale 1] [--seeds 20] [--only NAME ...] [--suite first]

Runs programs of Debian's packages under the timing model, on inputs made from a seed; then compares ways
to choose points, at equal numbers of points, with the value over the whole run, and CoV with CIM. Writes
results.json, tables.md and figures. What is done is kept: a study that was stopped goes on where it was.
Needs phasemark with its collector, and takes about five minutes on two cores; ten with --suite both.

    FOLDER/runs/NAME               the run on the first machine, with its phases and report
    FOLDER/machines/MACHINE/NAME   the same on another machine
    FOLDER/results/NAME.json       what came out

A folder of `phasemark profile --timing MACHINE` that stands there already is taken as it is.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import sys
from collections.abc import Mapping
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[1] / "shared"))

import experiments
import figures
import inputs
import tables
from machines import MACHINES, Runs
from programs import PROGRAMS, SECOND, Program
from working import arguments_of, command_of, keep, kept_in, publish, standard_input, study_all

import phasemark

SEED = 1

#: Name -> programs.
SUITES = {"first": PROGRAMS, "second": SECOND, "both": (*PROGRAMS, *SECOND)}


def main() -> int:
    """The study; 0 if all programs ran."""
    arguments = arguments_of(
        __doc__, "accuracy-study", scale=1.0, seeds=20, programs=SUITES["both"], more=_suite_option
    )
    out = arguments.out.absolute()
    chosen = (
        [p for p in SUITES["both"] if p.name in arguments.only] if arguments.only else SUITES[arguments.suite]
    )
    inputs.write(out / "inputs", SEED, arguments.scale)
    done = study_all(chosen, arguments.jobs, study, out, arguments.scale, arguments.seeds)
    suites = {name: [p.name for p in SUITES[name]] for name in ("first", "second")}
    runs = {name: out / "runs" / name for name in done}
    return publish(
        out,
        chosen,
        done,
        answers=kept_in(out / "results"),
        show=lambda results: tables.every(results, suites),
        draw=lambda results: figures.every(results, runs, out),
    )


def study(program: Program, out: Path, scale: float, seeds: int) -> None:
    """Collect and analyse one program, but for what is done."""
    folders = {machine: folder_of(program, machine, out) for machine in MACHINES}
    for machine, folder in folders.items():
        collect(program, out / "inputs", folder, machine, scale)
    analyse(folders[MACHINES[0]])
    path = out / "results" / f"{program.name}.json"
    of = {machine: _digest(folder / "metrics.csv") for machine, folder in folders.items()}
    asked = {"version": phasemark.__version__, "seeds": seeds, "metrics": of}
    if path.exists() and json.loads(path.read_text())["of"] == asked:
        return
    keep(path, {"of": asked, **experiments.everything(read(folders), seeds)})


def folder_of(program: Program, machine: str, out: Path) -> Path:
    """Where the run on a machine lies."""
    return (
        out / "runs" / program.name if machine == MACHINES[0] else out / "machines" / machine / program.name
    )


def collect(program: Program, inputs: Path, folder: Path, machine: str, scale: float) -> None:
    """Profile the program with the timing model on, unless that was done."""
    if (folder / "metrics.csv").exists():
        return
    command = command_of(program, inputs)
    interval = max(10_000, int(program.interval * scale))
    with standard_input(program, inputs) as stdin:
        run = phasemark.profile(command, out=folder, interval=interval, timing=machine, stdin=stdin)
    if run.recording is not None and run.recording.status:
        raise RuntimeError(f"{command[0]} ended with {run.recording.status}")


def analyse(folder: Path) -> None:
    """Find the phases of a run, and what is made of them, unless that was done."""
    if (folder / "report.html").exists():
        return
    run = phasemark.open(folder)
    run.find_phases()
    run.pick_points()
    run.quality()
    run.report()


def read(folders: Mapping[str, Path]) -> Runs:
    """The runs on all machines."""
    opened = {machine: phasemark.open(folder) for machine, folder in folders.items()}
    return Runs.of(
        {machine: run.profile for machine, run in opened.items()},
        {machine: run.metrics for machine, run in opened.items()},
    )


def _suite_option(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--suite", choices=SUITES, default="first", help="of programs, without --only [first]"
    )


def _digest(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()[:16]


if __name__ == "__main__":
    sys.exit(main())
