"""How accurate are simulation points? At least eight real programs, simulated in full and from points.

    python studies/accuracy/study.py [-o FOLDER] [--scale 1] [--seeds 40] [--only NAME ...]

Runs programs of Debian's packages under the timing model, on inputs made from a seed; then compares ways
to choose points, at equal numbers of points, with the value over the whole run, and CoV with CIM. Writes
results.json, tables.md and figures. What is done is kept: a study that was stopped goes on where it was.
Needs phasemark with its collector, and takes about ten minutes on two cores.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import shutil
import subprocess
import sys
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

import experiments
import figures
import inputs
import tables
from programs import PROGRAMS, Program

import phasemark
from phasemark.store import metrics_csv

SEED = 1


def main() -> int:
    """The study; 0 if all programs ran."""
    arguments = _arguments()
    out = arguments.out.absolute()
    chosen = [p for p in PROGRAMS if not arguments.only or p.name in arguments.only]
    inputs.write(out / "inputs", SEED, arguments.scale)
    with ProcessPoolExecutor(arguments.jobs) as pool:
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
    run = out / "runs" / program.name
    collect(program, out / "inputs", run, scale)
    path = out / "results" / f"{program.name}.json"
    asked = {"version": phasemark.__version__, "seeds": seeds, "metrics": _digest(run / "metrics.csv")}
    if path.exists() and json.loads(path.read_text())["of"] == asked:
        return
    found = experiments.everything(
        experiments.Subject(phasemark.read(run), metrics_csv.read(run / "metrics.csv")), seeds
    )
    path.parent.mkdir(parents=True, exist_ok=True)
    partial = path.with_suffix(".partial")
    partial.write_text(json.dumps({"of": asked, **found}))
    partial.rename(path)


def collect(program: Program, folder: Path, run: Path, scale: float) -> None:
    """Profile the program with the timing model on, and find its phases, unless that was done."""
    if (run / "report.html").exists():
        return
    command = program.command(folder)
    if shutil.which(command[0]) is None:
        raise FileNotFoundError(f"{command[0]} is missing: apt install {program.package}")
    interval = max(10_000, int(program.interval * scale))
    stdin = (folder / program.stdin).open("rb") if program.stdin else subprocess.DEVNULL
    _phasemark(
        "profile", "-o", run, "--interval", interval, "--timing", "modern", "--", *command, stdin=stdin
    )
    for step in ("phases", "points", "quality", "report"):
        _phasemark(step, run)


def _phasemark(*arguments: object, stdin: object = subprocess.DEVNULL) -> None:
    command = [sys.executable, "-m", "phasemark", *arguments]
    done = subprocess.run(
        [str(part) for part in command],
        stdin=stdin,  # type: ignore[call-overload]
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        check=False,
    )
    if done.returncode:
        raise RuntimeError(f"phasemark {arguments[0]} ended with {done.returncode}: {done.stderr[-500:]}")


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
