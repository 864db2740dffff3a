"""Fitting hidden Markov models beside hmmlearn: the promise is 20 times as fast.

    python benchmarks/states.py [--pairs 3] [--steps 10]

Both do the same steps of expectation maximisation from the same start, on one core; CPU time, by turns. Then
how a step grows with intervals, blocks that ran and states. With --large, the memory of 100,000 intervals x
40,000 blocks x 64 states: at most 8 GiB.
"""

from __future__ import annotations

import argparse
import logging
import resource
import time
from collections.abc import Callable
from statistics import median

import hmmlearn.hmm
import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix

import phasemark._core as core
from phasemark.phases import MultinomialHMM

Start = tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]
PROMISE = 20


def counts_of(intervals: int, blocks: int, ran: int, seed: int = 1) -> csr_matrix:
    """Counts of intervals of a hundred kinds, `ran` blocks in each, 1,000 instructions in sum or so."""
    random = np.random.default_rng(seed)
    kinds = [np.sort(random.choice(blocks, ran, replace=False)) for _ in range(100)]
    rows = [kinds[kind] for kind in random.integers(0, 100, intervals)]
    values = random.poisson(max(1000 / ran, 1), intervals * ran) + 1
    pointers = np.arange(0, intervals * ran + 1, ran)
    return csr_matrix((values, np.concatenate(rows), pointers), (intervals, blocks))


def start_of(blocks: int, states: int) -> Start:
    random = np.random.default_rng(2)
    return tuple(
        random.dirichlet(np.ones(n), m) for n, m in ((states, 1), (states, states), (blocks, states))
    )


def ours(counts: csr_matrix, start: Start, steps: int) -> Callable[[], object]:
    """The kernel's steps from a start."""
    rows = (counts.indptr.astype(np.int64), counts.indices.astype(np.int32), counts.data.astype(np.float64))
    sums = np.asarray(counts.sum(axis=0), np.float64).ravel() + 1e-9
    begin = (start[0][0], start[1], start[2])
    lengths = np.array([counts.shape[0]])
    return lambda: core.fit_multinomial_from(
        *rows, lengths, sums / sums.sum(), *begin, True, 1e-6, 0.0, steps
    )


def theirs(counts: csr_matrix, start: Start, steps: int) -> Callable[[], object]:
    """hmmlearn's steps from the same."""
    dense = counts.toarray()
    states = len(start[1])

    def fit() -> object:
        model = hmmlearn.hmm.MultinomialHMM(
            states, n_trials=dense.sum(axis=1), n_iter=steps, tol=-np.inf, init_params=""
        )
        model.startprob_, model.transmat_, model.emissionprob_ = start[0][0], start[1], start[2]
        return model.fit(dense)

    return fit


def seconds(work: Callable[[], object]) -> float:
    before = time.process_time()
    work()
    return time.process_time() - before


def compare(intervals: int, blocks: int, ran: int, states: int, arguments: argparse.Namespace) -> None:
    counts, start = counts_of(intervals, blocks, ran), start_of(blocks, states)
    one, other = ours(counts, start, arguments.steps), theirs(counts, start, arguments.steps)
    pairs = [(seconds(one), seconds(other)) for _ in range(arguments.pairs)]
    mine, its = (median(column) for column in zip(*pairs, strict=True))
    ratio = median(b / a for a, b in pairs)
    size = f"{intervals:,} x {blocks:,}, {ran} ran, {states} states"
    print(f"{size:45} {mine:8.3f} s {its:8.3f} s {ratio:7.1f} times (promise: {PROMISE})", flush=True)


def grow(intervals: int, ran: int, states: int, steps: int) -> None:
    counts = counts_of(intervals, 10_000, ran)
    took = seconds(ours(counts, start_of(10_000, states), steps)) / steps
    print(
        f"{intervals:9,} x 10,000, {ran:4} ran, {states:3} states {1000 * took:10.2f} ms a step", flush=True
    )


def large() -> None:
    counts = counts_of(100_000, 40_000, 100)
    before = time.process_time()
    MultinomialHMM(64, restarts=1, max_iter=3).fit(counts)
    used = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20
    took = time.process_time() - before
    print(f"100,000 x 40,000 x 64 states: {used:.2f} GiB (promise: 8), {took:.0f} s for 3 steps")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--pairs", type=int, default=3)
    parser.add_argument("--steps", type=int, default=10)
    parser.add_argument("--large", action="store_true")
    arguments = parser.parse_args()
    logging.getLogger("hmmlearn").setLevel(logging.CRITICAL)
    if arguments.large:
        large()
        return
    for ran in (50, 1000):
        compare(2_000, 1_000, ran, 8, arguments)
    for intervals, ran, states in (
        *((2_000, 100, 8), (8_000, 100, 8), (32_000, 100, 8)),
        *((8_000, 25, 8), (8_000, 400, 8)),
        *((8_000, 100, 2), (8_000, 100, 32), (8_000, 100, 64)),
    ):
        grow(intervals, ran, states, arguments.steps)


if __name__ == "__main__":
    main()
