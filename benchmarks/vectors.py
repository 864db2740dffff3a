"""Vector files of the sizes that clustering is measured on.

    python benchmarks/vectors.py {a,b,c,d} OUT.bb

a: 1,000 intervals x 2,000 blocks, 2 MB; b: 20,000 x 10,000, 76 MB; c: 100,000 x 40,000, 390 MB;
d: 1,000,000 x 10,000, 706 MB (some minutes). The true phases go to OUT.bb.labels, one a line.

A phase is a subset of blocks with weights that fall off as Zipf's, and a pool that phases share; an interval
has lognormal noise on each block, a slow drift within its stretch, light blocks that drop out, and a mixture
where phases change. Counts are instructions, about 10 million an interval.
"""

from __future__ import annotations

import argparse
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

INSTRUCTIONS = 10_000_000

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


@dataclass(frozen=True)
class Size:
    """Intervals, blocks in all, blocks of a phase, phases; and the seed."""

    intervals: int
    blocks: int
    named: int
    phases: int
    seed: int


SIZES = {
    "a": Size(1_000, 2_000, 150, 12, 1),
    "b": Size(20_000, 10_000, 300, 20, 2),
    "c": Size(100_000, 40_000, 300, 25, 3),
    "d": Size(1_000_000, 10_000, 50, 20, 4),
}


@dataclass(frozen=True)
class Phase:
    """The ids of its blocks, their shares, and how each drifts."""

    ids: Ints
    shares: Floats
    drift: Floats


def write(size: Size, out: Path) -> None:
    """Write the vectors and their true phases."""
    random = np.random.default_rng(size.seed)
    phases = _phases(size, random)
    labels, drift = _stretches(size, random)
    noise = random.uniform(0.03, 0.2, size.phases)
    with out.open("w", buffering=1 << 22) as file:
        for i, label in enumerate(labels):
            phase = phases[label]
            ids = phase.ids
            shares = phase.shares * np.exp(
                noise[label] * random.standard_normal(len(ids)) + drift[i] * phase.drift
            )
            shares /= shares.sum()
            if i and labels[i - 1] != label:
                ids, shares = _mixed(ids, shares, phases[labels[i - 1]], random.random())
            kept = random.random(len(ids)) < np.minimum(1, 0.55 + shares * len(ids))
            ids, shares = ids[kept], shares[kept]
            counts = np.rint(shares * (INSTRUCTIONS / shares.sum())).astype(np.int64)
            some = counts > 0
            entries = zip(ids[some].tolist(), counts[some].tolist(), strict=True)
            file.write("T" + " ".join(f":{block}:{count}" for block, count in entries) + " \n")
    np.savetxt(f"{out}.labels", labels, fmt="%d")


def _phases(size: Size, random: np.random.Generator) -> list[Phase]:
    pool = random.choice(size.blocks, max(8, size.named // 5), replace=False)
    out = []
    for number in range(size.phases):
        own = random.choice(size.blocks, int(size.named * 1.25), replace=False)
        shared = random.choice(pool, len(pool) * 2 // 3, replace=False)
        blocks = np.unique(np.concatenate([own, shared]))
        if number == 0:  # the largest id is named
            blocks = np.unique(np.append(blocks, size.blocks - 1))
        weights = 1.0 / np.arange(1, len(blocks) + 1) ** random.uniform(0.9, 1.4)
        weights = random.permutation(weights) * random.lognormal(0, 0.3, len(blocks))
        out.append(Phase(blocks + 1, weights / weights.sum(), random.normal(0, 1, len(blocks))))
    return out


def _stretches(size: Size, random: np.random.Generator) -> tuple[Ints, Floats]:
    """The phase of each interval, and how far its stretch has drifted."""
    usual = max(8, size.intervals / (size.phases * 8))
    popularity = random.dirichlet(np.ones(size.phases) * 0.8)
    labels = np.empty(size.intervals, np.int32)
    drift = np.empty(size.intervals)
    at = current = 0
    while at < size.intervals:
        length = 1 + int(random.geometric(1 / (usual * random.uniform(0.3, 1.7))))
        length = min(length, size.intervals - at)
        labels[at : at + length] = current
        angles = np.linspace(0, random.uniform(1, 6), length) + random.uniform(0, 6)
        drift[at : at + length] = 0.25 * np.sin(angles)
        at += length
        others = popularity.copy()
        others[current] = 0
        others += 1e-9
        current = int(random.choice(size.phases, p=others / others.sum()))
    return labels, drift


def _mixed(ids: Ints, shares: Floats, before: Phase, share: float) -> tuple[Ints, Floats]:
    """An interval that begins in the phase before."""
    both = np.concatenate([ids, before.ids])
    ids, places = np.unique(both, return_inverse=True)
    return ids, np.bincount(places, np.concatenate([shares * share, before.shares * (1 - share)]))


def main() -> None:
    """Write one file."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("size", choices=sorted(SIZES))
    parser.add_argument("out", type=Path, metavar="OUT.bb")
    options = parser.parse_args()
    write(SIZES[options.size], options.out)


if __name__ == "__main__":
    main()
