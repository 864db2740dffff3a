"""Intervals of fixed and of variable length: real programs cut in six ways, at equal simulated instructions.

    python studies/variable-length/study.py [-o FOLDER] [--scale 3] [--seeds 20] [--only NAME ...]

Runs programs of Debian's packages under the timing model, on inputs made from a seed; cuts each run into
intervals of four fixed lengths, and by its own structure in two ranges; then compares how homogeneous phases
are, how wrong CPI is from one point a phase, and what that costs. Writes results.json, tables.md and
figures. What is done is kept: a study that was stopped goes on where it was. Needs phasemark with its
collector, and takes about two hours on two cores.
"""

from __future__ import annotations

import hashlib
import json
import shutil
import sys
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[1] / "shared"))

import experiments
import figures
import inputs
import tables
from experiments import Cut
from programs import PROGRAMS, Program
from working import arguments_of, keep, kept_in, publish, record, standard_input, study_all

import phasemark

SEED = 1

#: Lengths at scale 1, instructions: a hundredth of the paper's 100, 300, 500 and 1000 millions.
UNIT = 1_000_000
FIXED = (1, 3, 5, 10)
RANGES = ((1, 5), (5, 10))


def main() -> int:
    """The study; 0 if all programs ran."""
    arguments = arguments_of(__doc__, "variable-length-study", scale=3.0, seeds=20)
    out = arguments.out.absolute()
    chosen = [p for p in PROGRAMS if not arguments.only or p.name in arguments.only]
    inputs.write(out / "inputs", SEED, arguments.scale)
    done = study_all(chosen, arguments.jobs, study, out, arguments.scale, arguments.seeds)
    return publish(
        out,
        chosen,
        done,
        answers=kept_in(out / "results"),
        show=tables.every,
        draw=lambda results: figures.every(results, out),
    )


def study(program: Program, out: Path, scale: float, seeds: int) -> None:
    """Collect and analyse one program, but for what is done."""
    folder = out / "runs" / program.name
    unit = max(10_000, int(UNIT * scale))
    collect(program, out / "inputs", folder, unit)
    path = out / "results" / f"{program.name}.json"
    asked = {
        "version": phasemark.__version__,
        "seeds": seeds,
        "phases": max(experiments.PAID),
        "runs": _digest(folder),
    }
    if path.exists() and json.loads(path.read_text())["of"] == asked:
        return
    keep(path, {"of": asked, **experiments.everything(cuts(folder, unit), seeds)})


def collect(program: Program, inputs: Path, folder: Path, unit: int) -> None:
    """Record the program once in fixed intervals, and once in each range of lengths, unless that was done."""
    whole = folder / "fixed"
    record(program, inputs, whole, unit)
    for shortest, longest in RANGES:
        cut = folder / f"variable-{shortest}-{longest}"
        if (cut / "done").exists():
            continue
        shutil.rmtree(cut, ignore_errors=True)
        shutil.copytree(whole, cut)
        with standard_input(program, inputs) as stdin:
            run = phasemark.open(cut)
            run.find_intervals(minimum=shortest * unit, maximum=longest * unit, timing="modern", stdin=stdin)
        (cut / "done").touch()


def cuts(folder: Path, unit: int) -> dict[str, Cut]:
    """The six ways to cut the run, by their names in tables."""
    whole = phasemark.open(folder / "fixed")
    finest = Cut(whole.profile, whole.metrics, unit, unit)
    found = {f"{times}": experiments.coarser(finest, times) for times in FIXED}
    for shortest, longest in RANGES:
        run = phasemark.open(folder / f"variable-{shortest}-{longest}")
        found[f"{shortest} to {longest}"] = Cut(run.profile, run.metrics, shortest * unit, longest * unit)
    return found


def _digest(folder: Path) -> str:
    """What tells one collection from another."""
    digest = hashlib.sha256()
    for path in sorted(folder.glob("*/metrics.csv")):
        digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


if __name__ == "__main__":
    sys.exit(main())
