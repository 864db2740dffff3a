"""What do caches hold when a simulation point begins? Points, and the same intervals of a full simulation.

    python studies/warming/study.py [-o FOLDER] [--scale 1] [--only NAME ...] [--config modern] [--seeds 1]

Profiles programs of Debian's packages on inputs made from a seed, picks 40 points, simulates the points and
then everything, and compares each point with the same interval of the full run. Writes results.json and
tables.md. What is done is kept. Needs phasemark with its collector, and takes a quarter of an hour.

    FOLDER/runs/NAME               the run, with its points and both simulations
    FOLDER/results/NAME.json       what came out
"""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[1] / "shared"))

import comparing
import inputs
import tables
from programs import PROGRAMS, SECOND, Program
from working import arguments_of, command_of, keep, kept_in, publish, standard_input, study_all

import phasemark
from phasemark.workflow.run import Run

SEED, BUDGET = 1, 40

#: So that two runs do the same; there is nothing of the kind in lua5.4 and ruby.
STEADY = {"PYTHONHASHSEED": "0", "PERL_HASH_SEED": "0"}


def main() -> int:
    """The study; 0 if all programs ran."""
    everything = (*PROGRAMS, *SECOND)
    arguments = arguments_of(
        __doc__, "warming-study", scale=1.0, seeds=1, programs=everything, more=_config_option
    )
    os.environ.update(STEADY)
    out = arguments.out.absolute()
    chosen = [p for p in everything if not arguments.only or p.name in arguments.only]
    inputs.write(out / "inputs", SEED, arguments.scale)
    done = study_all(chosen, arguments.jobs, study, out, arguments.scale, arguments.seeds, arguments.config)
    return publish(
        out,
        chosen,
        done,
        answers=kept_in(out / "results"),
        show=tables.every,
        draw=lambda results: None,
    )


def study(program: Program, out: Path, scale: float, seeds: int, config: str) -> None:
    """Simulate one program's points and all of it, unless that was done; `seeds` runs, the fastest counts."""
    path = out / "results" / f"{program.name}.json"
    if path.exists():
        return
    run = profiled(program, out, scale)
    seconds = [simulated(run, program, out, config, full=False) for _ in range(seeds)]
    full = [simulated(run, program, out, config, full=True) for _ in range(seeds)]
    keep(
        path,
        {
            "cpu_seconds": min(seconds),
            "full_cpu_seconds": min(full),
            **comparing.compared(run.points, run.point_metrics, run.metrics),
        },
    )


def profiled(program: Program, out: Path, scale: float) -> Run:
    """The program's run, with points."""
    folder = out / "runs" / program.name
    if not (folder / "points.csv").exists():
        # Python's -I would have it leave the seed of its hashes aside.
        command = ["-s" if part == "-I" else part for part in command_of(program, out / "inputs")]
        with standard_input(program, out / "inputs") as stdin:
            run = phasemark.profile(
                command, out=folder, interval=max(10_000, int(program.interval * scale)), stdin=stdin
            )
        run.find_phases()
        run.pick_points(budget=BUDGET)
    return phasemark.open(folder)


def simulated(run: Run, program: Program, out: Path, config: str, *, full: bool) -> float:
    """CPU seconds of a simulation of the points, or of everything.

    Raises:
        RuntimeError: the program did not come to all points.
    """
    with standard_input(program, out / "inputs") as stdin:
        result = run.simulate(config, full=full, stdin=stdin)
    if result.status:
        raise RuntimeError(f"{program.name}: {result.missing or f'ended with {result.status}'}")
    return result.simulation.cpu_seconds


def _config_option(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--config", default="modern", help="of the timing model [modern]")


if __name__ == "__main__":
    sys.exit(main())
