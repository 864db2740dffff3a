"""Parallel programs with 1 to 4 threads: how alike phases are, how well few points stand for a run.

    python studies/parallel/study.py [-o FOLDER] [--scale 1] [--seeds 10] [--only NAME ...]

Runs six kernels of this project and five programs of Debian's packages with 1, 2, 3 and 4 threads under the
timing model, on inputs made from a seed; finds phases of threads apart, of threads merged, and of all runs of
a program together. Writes results.json, tables.md and figures. What is done is kept: a study that was stopped
goes on where it was. Needs phasemark with its collector and gcc, and takes about ten minutes on two cores.
"""

from __future__ import annotations

import hashlib
import json
import sys
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[1] / "shared"))
sys.path.insert(0, str(Path(__file__).resolve().parent))

import experiments
import figures
import inputs
import tables
from programs import PROGRAMS, Program
from working import arguments_of, keep, kept_in, publish, study_all

import phasemark

SEED = 1
THREADS = (1, 2, 3, 4)

#: Instructions of an interval at scale 1; a run has 500 to 3000.
INTERVAL = 200_000


def main() -> int:
    """The study; 0 if all programs ran."""
    arguments = arguments_of(__doc__, "parallel-study", scale=1.0, seeds=10, programs=PROGRAMS)
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
    program.build(out / "kernels")
    folders = [out / "runs" / f"{program.name}-{threads}" for threads in THREADS]
    for threads, folder in zip(THREADS, folders, strict=True):
        if not (folder / "metrics.csv").exists():
            collect(program.command(out / "kernels", out / "inputs", scale, threads), folder, scale)
    path = out / "results" / f"{program.name}.json"
    asked = {"version": phasemark.__version__, "seeds": seeds, "runs": _digest(folders)}
    if path.exists() and json.loads(path.read_text())["of"] == asked:
        return
    joint = out / "joint" / program.name
    phasemark.workflow.parallel(folders, joint)
    phasemark.open(joint).find_phases(max_k=experiments.BOUND)
    found = {
        "kind": program.kind,
        "runs": {str(t): experiments.of_run(_read(f), seeds) for t, f in zip(THREADS, folders, strict=True)},
        "joint": experiments.of_all(_read(joint), list(THREADS), seeds),
    }
    keep(path, {"of": asked, **found})


def collect(command: list[str], folder: Path, scale: float) -> None:
    """Profile a program under the timing model.

    Raises:
        RuntimeError: it failed.
    """
    run = phasemark.profile(command, out=folder, interval=max(10_000, int(INTERVAL * scale)), timing="modern")
    if run.recording is not None and run.recording.status:
        raise RuntimeError(f"{' '.join(command)} ended with {run.recording.status}")


def _read(folder: Path) -> experiments.Run:
    run = phasemark.open(folder)
    if run.metrics is None:
        raise RuntimeError(f"{folder} was not measured")
    return experiments.Run(run.profile, run.metrics)


def _digest(folders: list[Path]) -> str:
    """What tells one collection from another."""
    digest = hashlib.sha256()
    for folder in folders:
        digest.update((folder / "metrics.csv").read_bytes())
    return digest.hexdigest()[:16]


if __name__ == "__main__":
    sys.exit(main())
