"""Online phases: branches a second, and rows of a profile beside copying their bytes.

    python benchmarks/tracking.py [--pairs 9] [PROFILE...]

Promised: at least 20 million branches a second and core, and rows at the speed of memory. CPU time of one
thread, in pairs one after the other; without a profile, of counts from a seed.
"""

from __future__ import annotations

import argparse
import statistics
import time
from collections.abc import Callable

import numpy as np

import phasemark
from phasemark.model import Counts
from phasemark.online import Tracker
from phasemark.signatures import counts as counts_of

BRANCHES = 10_000_000
SITES = 4_000


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("profiles", nargs="*", metavar="PROFILE", help="a run's folder, or a profile.h5")
    parser.add_argument("--pairs", type=int, default=9, help="measurements of each [9]")
    arguments = parser.parse_args()
    branches(arguments.pairs)
    print(f"\n{'rows':<34} {'rows/s':>10} {'GB/s':>6} {'copying':>8} {'part':>6}")
    for row_length in (100, 1000, 5000):
        rows(f"made, {row_length} blocks a row", made(row_length), arguments.pairs)
    for path in arguments.profiles:
        rows(path, counts_of(phasemark.read(path)), arguments.pairs)


def branches(pairs: int) -> None:
    random = np.random.default_rng(1)
    keys = (0x400000 + 16 * random.zipf(1.3, BRANCHES).clip(max=SITES)).astype(np.uint64)
    instructions = random.integers(1, 20, BRANCHES)
    copies = np.empty_like(keys), np.empty_like(instructions)
    interval = Tracker().accumulator()
    seconds = [
        (spent(lambda: interval.add(keys, instructions)), spent(lambda: copy(copies, (keys, instructions))))
        for _ in range(pairs)
    ]
    own, other = (statistics.median(each) for each in zip(*seconds, strict=True))
    print(f"branches: {BRANCHES / own / 1e6:.0f} million a second, promised 20; copying them takes ", end="")
    print(f"{other / own:.0%} of the time")


def rows(name: str, counts: Counts, pairs: int) -> None:
    """Several times over, so that the clock can tell."""
    times = max(1, 4_000_000 // len(counts.data))
    copies = np.empty_like(counts.indices), np.empty_like(counts.data)
    source = (counts.indices, counts.data)

    def tracked() -> None:
        for _ in range(times):
            Tracker().track(counts)

    def copied() -> None:
        for _ in range(times):
            copy(copies, source)

    seconds = [(spent(tracked), spent(copied)) for _ in range(pairs)]
    own = statistics.median(a for a, _ in seconds) / times
    other = statistics.median(b for _, b in seconds) / times
    size = sum(array.nbytes for array in source) / 1e9
    part = statistics.median(b / a for a, b in seconds)
    print(f"{name:<34} {len(counts) / own:>10,.0f} {size / own:>6.1f} {size / other:>8.1f} {part:>6.0%}")


def made(row_length: int) -> Counts:
    random = np.random.default_rng(2)
    n = 8_000_000 // row_length
    kinds = [np.sort(random.choice(20_000, row_length, replace=False)) for _ in range(30)]
    indices = np.concatenate([kinds[kind] for kind in random.integers(0, 30, n)])
    data = random.integers(1, 100_000, n * row_length)
    return Counts(np.arange(0, n * row_length + 1, row_length), indices, data, 20_000)


def copy(to: tuple[np.ndarray, ...], source: tuple[np.ndarray, ...]) -> None:
    for target, array in zip(to, source, strict=True):
        np.copyto(target, array)


def spent(work: Callable[[], object]) -> float:
    began = time.process_time()
    work()
    return time.process_time() - began


if __name__ == "__main__":
    main()
