"""How good are phases that are found while a program runs? Real programs, each simulated in full.

    python studies/online/study.py [-o FOLDER] [--scale 1] [--seeds 10] [--only NAME ...]

Runs programs of Debian's packages under the timing model, on inputs made from a seed; tracks them with
several thresholds and sizes and holds their phases against SimPoint's at equal numbers of phases, and against
equal stretches of time; tries predictors on them, beside a hidden Markov model. Writes online.json, tables.md
and figures. What is done is kept: a study that was stopped goes on where it was. Needs phasemark with its
collector, and takes about ten minutes on two cores.
"""

from __future__ import annotations

import hashlib
import json
import sys
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[1] / "shared"))

import experiments
import figures
import inputs
import tables
from programs import PROGRAMS, Program
from subject import Subject
from working import arguments_of, keep, kept_in, publish, record, study_all

import phasemark

SEED = 1


def main() -> int:
    """The study; 0 if all programs ran."""
    arguments = arguments_of(__doc__, "online-study", scale=1.0, seeds=10)
    out = arguments.out.absolute()
    chosen = [p for p in PROGRAMS if not arguments.only or p.name in arguments.only]
    inputs.write(out / "inputs", SEED, arguments.scale)
    done = study_all(chosen, arguments.jobs, study, out, arguments.scale, arguments.seeds)

    return publish(
        out,
        chosen,
        done,
        answers=kept_in(out / "online"),
        show=tables.every,
        draw=lambda results: figures.every(results, out),
        name="online.json",
    )


def study(program: Program, out: Path, scale: float, seeds: int) -> None:
    """Collect and analyse one program, but for what is done."""
    folder = out / "runs" / program.name
    record(program, out / "inputs", folder, max(10_000, int(program.interval * scale)))
    path = out / "online" / f"{program.name}.json"
    digest = hashlib.sha256((folder / "metrics.csv").read_bytes()).hexdigest()[:16]
    asked = {"version": phasemark.__version__, "seeds": seeds, "metrics": digest}
    if path.exists() and json.loads(path.read_text())["of"] == asked:
        return
    run = phasemark.open(folder)
    keep(path, {"of": asked, **experiments.everything(Subject(run.profile, run.metrics), seeds)})


if __name__ == "__main__":
    sys.exit(main())
