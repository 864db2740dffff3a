"""Time and deviation of k-means against the size of a sample ("Variable length intervals", figures 4 and 5).

    python studies/sampling/study.py RUN... -o sampling.svg

RUN is a run's folder with a profile of many intervals. Each size is drawn with several seeds: a dot is the
mean, a bar the range. Time is CPU time of one run of k-means, the assignment of every interval included; the
deviation is the mean distance of all intervals to their centres, by instructions, over that without a sample.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Sequence
from pathlib import Path

import matplotlib as mpl
import numpy as np

import phasemark
from phasemark.model import Signatures
from phasemark.phases import SimPoint
from phasemark.signatures import project

mpl.use("svg")
mpl.rcParams.update({"svg.hashsalt": "phasemark", "font.size": 8})

#: Shares of the intervals that are drawn, and numbers of phases as in the paper.
SHARES = (0.01, 0.02, 0.05, 0.1, 0.15, 0.25, 0.5, 1.0)
K = 10


def measured(signatures: Signatures, size: int | None, seed: int, k: int = K) -> tuple[float, float]:
    """CPU seconds, and the mean distance to the centres of all intervals, by instructions."""
    begin = time.process_time()
    phases = SimPoint(k=k, restarts=1, seed=seed, sample_size=size).fit(signatures).phases_
    seconds = time.process_time() - begin
    return seconds, float(phases.distances @ signatures.weights / signatures.weights.sum())


def of_run(folder: Path, seeds: Sequence[int]) -> tuple[int, np.ndarray]:
    """The number of intervals, and (seconds, deviation) by size and seed; deviations over that of all."""
    signatures = project(phasemark.open(folder).profile)
    n = len(signatures)
    sizes = [None if share == 1 else max(K, round(share * n)) for share in SHARES]
    values = np.array([[measured(signatures, size, seed) for seed in seeds] for size in sizes])
    values[:, :, 1] /= values[-1, :, 1].mean() or 1
    return n, values


def draw(results: dict[str, tuple[int, np.ndarray]], path: Path) -> None:
    """Both figures side by side."""
    from matplotlib import pyplot as plt

    figure, panels = plt.subplots(1, 2, figsize=(7, 2.8), layout="constrained")
    for column, (axes, label) in enumerate(
        zip(panels, ("CPU time, s", "deviation, by that of all intervals"), strict=True)
    ):
        for name, (n, values) in results.items():
            of = values[:, :, column]
            mean = of.mean(axis=1)
            spread = np.abs(np.stack([of.min(axis=1), of.max(axis=1)]) - mean)
            axes.errorbar(
                100 * np.array(SHARES), mean, spread, fmt="o-", ms=3, lw=1.2, label=f"{name}, {n:,}"
            )
        axes.set_xscale("log")
        axes.set_xlabel("sample, % of the intervals")
        axes.set_ylabel(label)
        axes.xaxis.set_major_formatter("{x:g}")
        axes.grid(axis="y", color="#dfdfda")
    panels[0].set_ylim(bottom=0)
    panels[0].legend(frameon=False, title="run, intervals")
    figure.savefig(path, metadata={"Date": None})


def main() -> None:
    """Measure and draw."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("runs", nargs="+", type=Path, metavar="RUN")
    parser.add_argument("-o", "--output", type=Path, default=Path("sampling.svg"))
    parser.add_argument("--seeds", type=int, default=5)
    options = parser.parse_args()
    results = {folder.resolve().name: of_run(folder, range(1, options.seeds + 1)) for folder in options.runs}
    for name, (n, values) in results.items():
        for share, (seconds, deviation) in zip(SHARES, values.mean(axis=1), strict=True):
            print(f"{name} {n:,} intervals: {share:.0%} {seconds:.2f} s, deviation {deviation:.3f}")
    draw(results, options.output)


if __name__ == "__main__":
    main()
