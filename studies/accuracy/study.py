"""How accurate are simulation points? At least eight real programs, simulated in full and from points.

    python studies/accuracy/study.py [-o FOLDER] [--scale 1] [--seeds 40] [--only NAME ...]

Runs programs of Debian's packages under the timing model, on inputs made from a seed; then compares ways
to choose points, at equal numbers of points, with the value over the whole run, and CoV with CIM. Writes
results.json, tables.md and figures. What is done is kept: a study that was stopped goes on where it was.
Needs phasemark with its collector, and takes about ten minutes on two cores.
"""

from __future__ import annotations

import argparse
import contextlib
import hashlib
import json
import os
import shutil
import sys
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

import experiments
import figures
import inputs
import tables
from programs import PROGRAMS, Program

import phasemark

SEED = 1


def main() -> int:
    """The study; 0 if all programs ran."""
    arguments = _arguments()
    out = arguments.out.absolute()
    chosen = [p for p in PROGRAMS if not arguments.only or p.name in arguments.only]
    inputs.write(out / "inputs", SEED, arguments.scale)
    with ProcessPoolExecutor(arguments.jobs, initializer=silence) as pool:
        jobs = {p.name: pool.submit(study, p, out, arguments.scale, arguments.seeds) for p in chosen}
        failed = {}
        for name, job in jobs.items():
            try:
                job.result()
                print(f"{name}: done", flush=True)
            except Exception as error:
                failed[name] = error
                print(f"{name}: {error}", file=sys.stderr, flush=True)
    done = [p for p in chosen if p.name not in failed]
    if not done:
        return 1
    results = {p.name: json.loads((out / "results" / f"{p.name}.json").read_text()) for p in done}
    (out / "results.json").write_text(json.dumps(results, indent=1) + "\n")
    (out / "tables.md").write_text(tables.every(results))
    figures.every(results, {p.name: out / "runs" / p.name for p in done}, out)
    print(f"wrote {out / 'tables.md'} and figures")
    return 1 if failed else 0


def study(program: Program, out: Path, scale: float, seeds: int) -> None:
    """Collect and analyse one program, but for what is done."""
    folder = out / "runs" / program.name
    collect(program, out / "inputs", folder, scale)
    path = out / "results" / f"{program.name}.json"
    asked = {"version": phasemark.__version__, "seeds": seeds, "metrics": _digest(folder / "metrics.csv")}
    if path.exists() and json.loads(path.read_text())["of"] == asked:
        return
    run = phasemark.open(folder)
    answers = experiments.everything(experiments.Subject(run.profile, run.metrics), seeds)
    path.parent.mkdir(parents=True, exist_ok=True)
    partial = path.with_suffix(".partial")
    partial.write_text(json.dumps({"of": asked, **answers}))
    partial.rename(path)


def collect(program: Program, inputs: Path, folder: Path, scale: float) -> None:
    """Profile the program with the timing model on, and find its phases, unless that was done."""
    if (folder / "report.html").exists():
        return
    command = program.command(inputs)
    if shutil.which(command[0]) is None:
        raise FileNotFoundError(f"{command[0]} is missing: apt install {program.package}")
    interval = max(10_000, int(program.interval * scale))
    with (inputs / program.stdin).open("rb") if program.stdin else contextlib.nullcontext() as source:
        stdin = source.fileno() if source else None
        run = phasemark.profile(command, out=folder, interval=interval, timing="modern", stdin=stdin)
    if run.recording is not None and run.recording.status:
        raise RuntimeError(f"{command[0]} ended with {run.recording.status}")
    run.find_phases()
    run.pick_points()
    run.quality()
    run.report()


def silence() -> None:
    """What the programs of a worker print is of no interest, and not to be mixed with what the study says."""
    with Path(os.devnull).open("w") as nowhere:
        os.dup2(nowhere.fileno(), sys.stdout.fileno())


def _digest(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()[:16]


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument(
        "-o",
        "--out",
        type=Path,
        default=Path("accuracy-study"),
        help="folder of inputs, runs, tables and figures [accuracy-study]",
    )
    parser.add_argument("--scale", type=float, default=1.0, help="of inputs and intervals [1]")
    parser.add_argument("--seeds", type=int, default=40, help="of phases and choice of points [40]")
    parser.add_argument("--jobs", type=int, default=2, help="programs at a time [2]")
    parser.add_argument("--only", nargs="*", choices=[p.name for p in PROGRAMS], help="these programs")
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
