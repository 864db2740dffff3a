"""Which criterion chooses k best: against known phases, over seeds, over upper bounds.

    python benchmarks/select_k.py [--seeds 10] [--only NAME ...] [FILE ...]

A FILE is a run's folder, a profile.h5 or a vector file; with the true labels in FILE.labels, one a line, if
they are known. Beside them there are the generators of known_phases.py. A seed is that of projection and
clustering both, as in `phasemark phases`. Every k up to 30 is tried, every second up to 60 and every fourth
up to 100; one fit serves all criteria and bounds, since no k depends on the others. Needs scikit-learn, and
a quarter of an hour.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import known_phases
import numpy as np
from numpy.typing import NDArray
from sklearn.metrics import adjusted_rand_score

import phasemark
from phasemark.model import Signatures
from phasemark.phases import SimPoint, selection
from phasemark.phases.search import most_phases
from phasemark.signatures import project, projection_matrix

BOUNDS = (30, 60, 100)
KS = [*range(1, 31), *range(32, 61, 2), *range(64, 101, 4)]
DIMS = 15
RESTARTS = 2


@dataclass(frozen=True)
class Chosen:
    """What a criterion chose on one data set: seeds x bounds; agreement with the truth is NaN if unknown."""

    k: NDArray[np.float64]
    agreement: NDArray[np.float64]

    def row(self) -> str:
        cells = [f"{column.mean():5.1f} {column.min():3.0f}-{column.max():<3.0f}" for column in self.k.T]
        agreements = "  ".join(f"{value:.2f}" for value in self.agreement.mean(axis=0))
        return "  ".join([*cells, agreements])


class Source:
    """Vectors that can be projected with any seed, and their true labels or None."""

    def __init__(self, name: str) -> None:
        if generator := known_phases.GENERATORS.get(name):
            self.shares, self.truth = generator(np.random.default_rng(5))
            self.profile = None
        else:
            self.profile = phasemark.read(name)
            labels = Path(f"{name}.labels")
            self.truth = np.loadtxt(labels, int) if labels.exists() else None

    def project(self, seed: int) -> NDArray[np.float64] | Signatures:
        if self.profile is not None:
            return project(self.profile, DIMS, seed)
        blocks = np.arange(1, self.shares.shape[1] + 1, dtype=np.uint64)
        return self.shares @ projection_matrix(blocks, DIMS, seed)


def measure(source: Source, seeds: int) -> dict[str, Chosen]:
    """criterion -> what it chose."""
    fits = [fit(source, seed) for seed in range(1, seeds + 1)]
    out = {}
    for name in selection.CRITERIA:
        cells = [[outcome(model, name, bound, source.truth) for bound in BOUNDS] for model in fits]
        out[name] = Chosen(*np.moveaxis(np.array(cells, np.float64), 2, 0))
    return out


def fit(source: Source, seed: int) -> SimPoint:
    points = source.project(seed)
    ks = [k for k in KS if k <= most_phases(len(points))]
    return SimPoint(k=ks, seed=seed, restarts=RESTARTS, keep_data=True).fit(points)


def outcome(model: SimPoint, name: str, bound: int, truth: NDArray[np.int64] | None) -> tuple[int, float]:
    k = selection.choose(name, model.evidence_.up_to(bound))
    return k, np.nan if truth is None else adjusted_rand_score(truth, model.phases_of(k).labels)


def overall(results: list[dict[str, Chosen]]) -> Iterator[str]:
    """A line a criterion, over all data sets."""
    for name in selection.CRITERIA:
        chosen = [result[name] for result in results]
        agreement = np.array([c.agreement.mean() for c in chosen if not np.isnan(c.agreement).any()])
        spread = np.mean([(c.k.std(axis=0) / c.k.mean(axis=0)).mean() for c in chosen])
        growth = np.exp(np.mean([np.log(c.k[:, -1] / c.k[:, 0]).mean() for c in chosen]))
        yield (
            f"{name:18} {agreement.mean():9.3f} {agreement.min():9.3f} {spread:14.1%} {growth:17.2f}"
            if len(agreement)
            else f"{name:18} {'':19} {spread:14.1%} {growth:17.2f}"
        )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("files", nargs="*", metavar="FILE")
    parser.add_argument("--seeds", type=int, default=10)
    parser.add_argument("--only", nargs="*", choices=known_phases.GENERATORS, default=None)
    arguments = parser.parse_args()
    names = list(known_phases.GENERATORS) if arguments.only is None else arguments.only
    results = []
    for name in [*names, *arguments.files]:
        source = Source(name)
        results.append(measure(source, arguments.seeds))
        truth = "" if source.truth is None else f", {len(set(source.truth.tolist()))} true phases"
        print(f"\n{name}{truth}")
        print(f"{'':18} " + "  ".join(f"k, bound {bound:<4}" for bound in BOUNDS) + "  adjusted Rand index")
        for criterion, chosen in results[-1].items():
            print(f"{criterion:18} {chosen.row()}", flush=True)
    print(f"\n{'over all':18} {'mean ARI':>9} {'worst':>9} {'spread by seed':>14} {'k at 100 / at 30':>17}")
    print("\n".join(overall(results)))


if __name__ == "__main__":
    main()
