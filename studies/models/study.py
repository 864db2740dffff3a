"""Does a mixture or a hidden Markov model find better points than SimPoint? Real programs, every combination.

    python studies/models/study.py [-o FOLDER] [--scale 3] [--seeds 3] [--states 4 ...] [--only NAME ...]

Runs programs of Debian's packages under the timing model, on inputs made from a seed; finds their phases
with SimPoint, mixtures and hidden Markov models, in several representations and temperings; chooses points in
eleven ways and estimates in three; holds all of it against SimPoint with as many points. Writes results.json,
tables.md and figures. What is done is kept, for each seed and number of states: a study that was stopped goes
on where it was, and more can follow. Needs phasemark with its collector, and takes hours on two cores.
"""

from __future__ import annotations

import argparse
import dataclasses
import functools
import hashlib
import json
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

sys.path.append(str(Path(__file__).resolve().parents[1] / "shared"))

import experiments
import figures
import inputs
import tables
from programs import PROGRAMS, Program
from scipy.sparse import load_npz, save_npz
from subject import Subject
from working import arguments_of, keep, publish, record, study_all

import phasemark
from phasemark import intervals
from phasemark.model import Counts

SEED = 1

#: Instructions of an interval at scale 1.
INTERVAL = 1_000_000


def main() -> int:
    """The study; 0 if all programs ran."""
    arguments = arguments_of(__doc__, "models-study", scale=3.0, seeds=3, more=_options)
    out = arguments.out.absolute()
    chosen = [p for p in PROGRAMS if not arguments.only or p.name in arguments.only]
    inputs.write(out / "inputs", SEED, arguments.scale)
    asked = Asked(arguments.seeds, sorted(set(arguments.states)), arguments.restarts, arguments.single)
    done = study_all(chosen, arguments.jobs, study, out, arguments.scale, asked)
    return publish(
        out,
        chosen,
        done,
        answers=lambda name: read(out / "results" / name, asked),
        show=tables.every,
        draw=lambda results: figures.every(results, out),
    )


def _options(parser: argparse.ArgumentParser) -> None:
    known = " ".join(map(str, experiments.STATES))
    most = experiments.RESTARTS
    parser.add_argument(
        "--states", type=int, nargs="+", default=experiments.STATES, help=f"of the models [{known}]"
    )
    parser.add_argument("--restarts", type=int, default=most, help=f"of a fit [{most}]")
    parser.add_argument("--single", type=int, default=most, help=f"restarts looked at one by one [{most}]")


@dataclass(frozen=True)
class Asked:
    """How much is to be done."""

    seeds: int
    states: list[int]
    restarts: int
    single: int


def study(program: Program, out: Path, scale: float, asked: Asked) -> None:
    """Collect and analyse one program, but for what is done."""
    folder = out / "runs" / program.name
    record(program, out / "inputs", folder, max(10_000, int(INTERVAL * scale)))
    run = functools.cache(lambda: subject(folder))
    digest = hashlib.sha256((folder / "metrics.csv").read_bytes()).hexdigest()[:16]
    of = {"version": phasemark.__version__, "metrics": digest, "restarts": asked.restarts}
    for seed in range(1, asked.seeds + 1):
        kept = out / "results" / program.name / str(seed)
        do = functools.partial(experiments.whatever_states, restarts=asked.restarts, seed=seed)
        _once(kept / "any.json", of, lambda do=do: do(run()))
        for states in asked.states:
            do = functools.partial(
                experiments.of_states,
                states=states,
                restarts=asked.restarts,
                single=asked.single,
                seed=seed,
            )
            _once(kept / f"{states}.json", {**of, "single": asked.single}, lambda do=do: do(run()))


def _once(path: Path, of: dict[str, Any], answer: Callable[[], dict[str, Any]]) -> None:
    """Keep an answer, unless there is one to the same question."""
    if not path.exists() or json.loads(path.read_text())["of"] != of:
        keep(path, {"of": of, **answer()})


def read(folder: Path, asked: Asked) -> list[dict[str, Any]]:
    """What was kept of a program: all answers of each seed, whatever the number of states."""
    found = []
    for seed in range(1, asked.seeds + 1):
        answers = json.loads((folder / str(seed) / "any.json").read_text())
        parts = [json.loads((folder / str(seed) / f"{k}.json").read_text()) for k in asked.states]
        joined = {
            name: [row for part in parts for row in part[name]] for name in ("fits", "rows", "restarts")
        }
        found.append({**answers, **joined})
    return found


def subject(folder: Path) -> Subject:
    """The run, with its loops, calls and returns counted in each interval."""
    run = phasemark.open(folder)
    traces, kept = run.events, folder / "loops.npz"
    if not kept.exists():  # counting takes longer than to fit a model
        found = intervals.count_events(traces, run.profile.interval_table)
        partial = kept.with_suffix(".partial.npz")
        save_npz(partial, found.to_scipy())
        partial.rename(kept)
    loops = load_npz(kept)
    counts = Counts(loops.indptr, loops.indices, loops.data, loops.shape[1])
    profile = dataclasses.replace(run.profile, sites=traces[0].sites, events=counts)
    return Subject(profile, run.metrics)


if __name__ == "__main__":
    sys.exit(main())
