"""Fitting hidden Markov models beside others: the promise is 20 times as fast as hmmlearn.

    python benchmarks/states.py [--pairs 3] [--steps 10]

All do the same steps of expectation maximisation from the same start, on one core; CPU time, by turns. The
others are hmmlearn, and in single precision dynamax (JAX, compiled before the clock starts) and pomegranate
(PyTorch, which has no multinomial states: they are written here); those that are not installed are named.
An environment that has one takes phasemark from PYTHONPATH. Then how a step grows with intervals, blocks that
ran and states, and what learning durations adds. With --large, the memory of 100,000 intervals x 40,000
blocks x 64 states: at most 8 GiB.
"""

from __future__ import annotations

import argparse
import logging
import os
import resource
import time
from collections.abc import Callable
from statistics import median

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix

import phasemark._core as core
from phasemark.phases import MultinomialHMM, MultinomialHSMM

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


def ours(counts: csr_matrix, start: Start, steps: int, longest: int = 0) -> Callable[[], object]:
    """The kernel's steps from a start; durations are learnt up to `longest` intervals."""
    rows = (counts.indptr.astype(np.int64), counts.indices.astype(np.int32), counts.data.astype(np.float64))
    sums = np.asarray(counts.sum(axis=0), np.float64).ravel() + 1e-9
    n, moves = len(start[1]), start[1]
    if longest:
        moves = moves * (1 - np.eye(n)) / (1 - np.diag(moves))[:, None]
    leaving = np.repeat(1 - np.diag(start[1])[:, None], longest, axis=1)
    begin = (start[0][0], moves, leaving, start[2])
    lengths = np.array([counts.shape[0]])
    return lambda: core.fit_multinomial_from(
        *rows, lengths, sums / sums.sum(), *begin, True, 1e-6, 4.0, 0.0, steps
    )


def hmmlearn(counts: csr_matrix, start: Start, steps: int) -> Callable[[], object]:
    """Its steps from the same start, on dense counts."""
    import hmmlearn.hmm

    logging.getLogger("hmmlearn").setLevel(logging.CRITICAL)
    dense = counts.toarray()
    states = len(start[1])

    def fit() -> object:
        model = hmmlearn.hmm.MultinomialHMM(
            states, n_trials=dense.sum(axis=1), n_iter=steps, tol=-np.inf, init_params=""
        )
        model.startprob_, model.transmat_, model.emissionprob_ = start[0][0], start[1], start[2]
        return model.fit(dense)

    return fit


def dynamax(counts: csr_matrix, start: Start, steps: int) -> Callable[[], object]:
    """Its steps from the same start, on dense counts of one number of trials: that of the first row."""
    import jax
    import jax.numpy as jnp
    from dynamax.hidden_markov_model import MultinomialHMM as Theirs

    dense = jnp.asarray(counts.toarray()[:, None, :], jnp.float32)
    model = Theirs(len(start[1]), 1, counts.shape[1], int(counts[0].sum()))
    params, props = model.initialize(
        jax.random.PRNGKey(0),
        initial_probs=jnp.asarray(start[0][0]),
        transition_matrix=jnp.asarray(start[1]),
        emission_probs=jnp.asarray(start[2][:, None, :]),
    )

    @jax.jit
    def step(params: object, state: object) -> object:
        found, _ = model.e_step(params, dense)
        return model.m_step(params, props, jax.tree.map(lambda each: each[None], found), state)

    def fit() -> object:
        now, state = params, model.initialize_m_step_state(params, props)
        for _ in range(steps):
            now, state = step(now, state)
        return jax.block_until_ready(now)

    fit()
    return fit


def pomegranate(counts: csr_matrix, start: Start, steps: int) -> Callable[[], object]:
    """Its steps from the same start, on dense counts, with multinomial states as its users write them."""
    import torch
    from pomegranate.distributions._distribution import Distribution
    from pomegranate.hmm import DenseHMM

    torch.set_num_threads(1)
    dense = torch.tensor(counts.toarray()[None], dtype=torch.float32)

    class Multinomial(Distribution):  # type: ignore[misc]
        def __init__(self, probs: torch.Tensor) -> None:
            super().__init__(inertia=0.0, frozen=False, check_data=False)
            self.name, self.d, self._initialized = "Multinomial", len(probs), True
            self.register_buffer("probs", probs)
            self.register_buffer("_sums", torch.zeros_like(probs))

        def log_probability(self, X: torch.Tensor) -> torch.Tensor:
            return X @ torch.log(self.probs)

        def summarize(self, X: torch.Tensor, sample_weight: torch.Tensor | None = None) -> None:
            self._sums += sample_weight.reshape(len(X), -1)[:, 0] @ X

        def from_summaries(self) -> None:
            self.probs.copy_((self._sums + 1e-12) / (self._sums + 1e-12).sum())
            self._sums.zero_()

        def _reset_cache(self) -> None:
            self._sums.zero_()

    def fit() -> object:
        states = [Multinomial(torch.tensor(each, dtype=torch.float32)) for each in start[2]]
        ends = np.full(len(states), 1e-9, np.float32)
        edges, begin = start[1].astype(np.float32), start[0][0].astype(np.float32)
        model = DenseHMM(states, edges, begin, ends, max_iter=steps, tol=1e-12, check_data=False)
        return model.fit(dense)

    return fit


OTHERS = {"hmmlearn": hmmlearn, "dynamax": dynamax, "pomegranate": pomegranate}


def seconds(work: Callable[[], object]) -> float:
    before = time.process_time()
    work()
    return time.process_time() - before


def compare(intervals: int, blocks: int, ran: int, states: int, arguments: argparse.Namespace) -> None:
    counts, start = counts_of(intervals, blocks, ran), start_of(blocks, states)
    size = f"{intervals:,} x {blocks:,}, {ran} ran, {states} states"
    for name, other in OTHERS.items():
        try:
            one, two = ours(counts, start, arguments.steps), other(counts, start, arguments.steps)
        except ImportError as error:
            print(f"{size:40} {name:12} left out: {error}")
            continue
        pairs = [(seconds(one), seconds(two)) for _ in range(arguments.pairs)]
        mine, its = (median(column) for column in zip(*pairs, strict=True))
        ratio = median(b / a for a, b in pairs)
        print(f"{size:40} {name:12} {mine:8.3f} s {its:8.3f} s {ratio:7.1f} times", flush=True)


def grow(intervals: int, ran: int, states: int, steps: int, longest: int = 0) -> None:
    counts = counts_of(intervals, 10_000, ran)
    took = seconds(ours(counts, start_of(10_000, states), steps, longest)) / steps
    size = f"{intervals:9,} x 10,000, {ran:4} ran, {states:3} states, durations to {longest:3}"
    print(f"{size} {1000 * took:10.2f} ms a step", flush=True)


def large(model: type[MultinomialHMM]) -> None:
    counts = counts_of(100_000, 40_000, 100)
    before = time.process_time()
    model(64, restarts=1, max_iter=3).fit(counts)
    used = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20
    took = time.process_time() - before
    print(f"100,000 x 40,000 x 64 states: {used:.2f} GiB (promise: 8), {took:.0f} s for 3 steps")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--pairs", type=int, default=3)
    parser.add_argument("--steps", type=int, default=10)
    parser.add_argument("--large", action="store_true")
    parser.add_argument("--durations", action="store_true", help="with --large: learn them, too")
    arguments = parser.parse_args()
    os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
    if arguments.large:
        large(MultinomialHSMM if arguments.durations else MultinomialHMM)
        return
    for ran in (50, 1000):
        compare(2_000, 1_000, ran, 8, arguments)
    for intervals, ran, states in (
        *((2_000, 100, 8), (8_000, 100, 8), (32_000, 100, 8)),
        *((8_000, 25, 8), (8_000, 400, 8)),
        *((8_000, 100, 2), (8_000, 100, 32), (8_000, 100, 64)),
    ):
        grow(intervals, ran, states, arguments.steps)
    for intervals, states, longest in ((8_000, 8, 32), (8_000, 8, 128), (32_000, 8, 128), (8_000, 32, 128)):
        grow(intervals, 100, states, arguments.steps, longest)


if __name__ == "__main__":
    main()
