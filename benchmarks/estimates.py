"""Whether error bars are true, and which points are best: real runs whose every interval was measured.

    python benchmarks/estimates.py [--seeds 40] [--metric cpi] [--confidence 0.95] [--out trials.csv] RUN...

RUN is a folder with profile.h5 and a metrics.csv of every interval (`phasemark profile --timing modern`, or
`phasemark simulate --full`). Each seed finds the phases anew and chooses other points. Budgets are 1, 2, 4
and 8 times the number of phases, the same for every method. Prints, for each budget, the root mean square
error, the bias, the median half-width and the share of the intervals that cover the full run's value.
"""

from __future__ import annotations

import argparse
import csv
import sys
from collections import defaultdict
from pathlib import Path

from phasemark import phases, signatures
from phasemark.estimates.trials import TRIED, Summary, Trial, trial
from phasemark.model import Intervals, Metrics, Phases
from phasemark.store import metrics_csv
from phasemark.store.folder import Folder
from phasemark.workflow.reading import read

TIMES = (1, 2, 4, 8)
SHOWN = {
    "rms": "root mean square error, %",
    "bias": "bias, %",
    "half_width": "median half-width, %",
    "covered": "intervals that cover the full run's value, %",
}

#: (times the number of phases, method) -> trials
Trials = dict[tuple[int, str], list[Trial]]


def clusterings(folder: Folder, seeds: int) -> tuple[Intervals, list[Phases]]:
    """The phases of a run, found with each seed."""
    profile = read(folder.path)
    found = []
    for seed in range(1, seeds + 1):
        projected = signatures.project(profile, seed=seed)
        found.append(phases.SimPoint(seed=seed).fit(projected).phases_)
    return profile.interval_table, found


def trials_of(
    intervals: Intervals, found: list[Phases], metrics: Metrics, metric: str, level: float
) -> Trials:
    """Every method and budget, once for each clustering."""
    out: Trials = defaultdict(list)
    for seed, each in enumerate(found, 1):
        for times in TIMES:
            for method in TRIED:
                one = trial(
                    intervals,
                    each,
                    metrics,
                    method,
                    budget=times * each.k,
                    seed=seed,
                    metric=metric,
                    confidence=level,
                )
                out[times, method].append(one)
    return out


def show(runs: dict[str, Trials]) -> None:
    """Tables by budget: a row a run, a column a method; and the mean over the runs."""
    for times in TIMES:
        points = [t.points for trials in runs.values() for t in trials[times, TRIED[0]]]
        print(f"\n{times} x phases: {sum(points) / len(points):.0f} points")
        for field, heading in SHOWN.items():
            rows = {
                name: [100 * getattr(Summary.of(trials[times, method]), field) for method in TRIED]
                for name, trials in runs.items()
            }
            rows["mean"] = [sum(column) / len(column) for column in zip(*rows.values(), strict=True)]
            print(f"\n{heading:44}" + "".join(f"{method:>12}" for method in TRIED))
            for name, values in rows.items():
                print(f"{name:44}" + "".join(f"{value:12.2f}" for value in values))


def write(path: Path, runs: dict[str, Trials]) -> None:
    """Every trial, a row each."""
    with path.open("w", newline="") as file:
        rows = csv.writer(file)
        rows.writerow(["run", "times", "method", "seed", "points", "error", "half_width", "covered"])
        for name, trials in runs.items():
            for (times, method), each in trials.items():
                rows.writerows(
                    [name, times, method, t.seed, t.points, t.error, t.half_width, int(t.covered)]
                    for t in each
                )


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--seeds", type=int, default=40)
    parser.add_argument("--metric", default="cpi")
    parser.add_argument("--confidence", type=float, default=0.95)
    parser.add_argument("--out", type=Path)
    parser.add_argument("runs", nargs="+", type=Path)
    said = parser.parse_args()
    runs = {}
    for path in said.runs:
        print(f"{path} ...", file=sys.stderr, flush=True)
        metrics = metrics_csv.read(Folder(path).metrics)
        intervals, found = clusterings(Folder(path), said.seeds)
        runs[path.name] = trials_of(intervals, found, metrics, said.metric, said.confidence)
    show(runs)
    if said.out:
        write(said.out, runs)


if __name__ == "__main__":
    main()
