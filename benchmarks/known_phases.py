"""Vectors with known phases: programs that nobody wrote, for measuring what a clustering finds.

A phase is a distribution over blocks. An interval draws its blocks' shares from that of its phase, with
lognormal noise; phases come in stretches (a Markov chain). Every generator returns n x blocks shares, rows
that sum to 1, and the n true labels.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

Shares = NDArray[np.float64]
Known = tuple[Shares, NDArray[np.int64]]

BLOCKS = 400
NOISE = 0.15


def one_phase(random: np.random.Generator, n: int = 1500) -> Known:
    """Noise about a single phase."""
    return _noisy(random, _phases(random, 1)[np.zeros(n, np.int64)]), np.zeros(n, np.int64)


def plain(random: np.random.Generator, n: int = 1500) -> Known:
    """10 phases far from one another, in stretches of about 40 intervals."""
    labels = _stretches(random, n, np.ones(10), 40)
    return _noisy(random, _phases(random, 10)[labels]), labels


def restless(random: np.random.Generator, n: int = 1500) -> Known:
    """10 phases that change with every interval or two."""
    labels = _stretches(random, n, np.ones(10), 1.5)
    return _noisy(random, _phases(random, 10)[labels]), labels


def drifting(random: np.random.Generator, n: int = 1500) -> Known:
    """8 phases; over the run each moves a quarter of the way to a code that it shares with none."""
    labels = _stretches(random, n, np.ones(8), 40)
    start, end = _phases(random, 8), _phases(random, 8)
    time = np.linspace(0, 0.25, n)[:, None]
    return _noisy(random, (1 - time) * start[labels] + time * end[labels]), labels


def hierarchical(random: np.random.Generator, n: int = 1500) -> Known:
    """4 programs of 4 phases each, which share three quarters of their code."""
    labels = _stretches(random, n, np.ones(16), 30)
    base = 0.75 * np.repeat(_phases(random, 4), 4, axis=0) + 0.25 * _phases(random, 16)
    return _noisy(random, base[labels]), labels


def rare(random: np.random.Generator, n: int = 3000) -> Known:
    """8 phases, of which two make up 0.1% of the run each."""
    labels = _stretches(random, n, np.ones(6), 40)
    for phase in (6, 7):
        start = int(random.integers(0, n - n // 1000))
        labels[start : start + n // 1000] = phase
    return _noisy(random, _phases(random, 8)[labels]), labels


def twins(random: np.random.Generator, n: int = 1500) -> Known:
    """12 phases in six pairs; twins differ in a tenth of their code."""
    labels = _stretches(random, n, np.ones(12), 40)
    base = 0.9 * np.repeat(_phases(random, 6), 2, axis=0) + 0.1 * _phases(random, 12)
    return _noisy(random, base[labels]), labels


def uneven(random: np.random.Generator, n: int = 1500) -> Known:
    """12 phases whose shares fall by a third each, and whose noise differs up to eightfold."""
    labels = _stretches(random, n, 0.67 ** np.arange(12), 20)
    noise = random.permutation(np.geomspace(0.05, 0.4, 12))
    return _noisy(random, _phases(random, 12)[labels], noise[labels]), labels


GENERATORS: dict[str, Callable[[np.random.Generator], Known]] = {
    "one phase": one_phase,
    "plain": plain,
    "restless": restless,
    "drifting": drifting,
    "hierarchical": hierarchical,
    "rare": rare,
    "twins": twins,
    "uneven": uneven,
}


def _phases(random: np.random.Generator, k: int) -> Shares:
    """k distributions: a few blocks do most of the work, each phase has its own fifth of the blocks."""
    shares = np.zeros((k, BLOCKS))
    for row in shares:
        own = random.choice(BLOCKS, BLOCKS // 5, replace=False)
        row[own] = 1.0 / np.arange(1, len(own) + 1)
    return shares / shares.sum(axis=1, keepdims=True)


def _stretches(random: np.random.Generator, n: int, popularity: Shares, dwell: float) -> NDArray[np.int64]:
    """Labels of n intervals: stretches of geometric length, every phase at least once."""
    labels: list[int] = []
    waiting = random.permutation(len(popularity)).tolist()
    while len(labels) < n:
        chosen = waiting.pop() if waiting else random.choice(len(popularity), p=popularity / popularity.sum())
        labels += [int(chosen)] * int(random.geometric(1 / dwell))
    return np.array(labels[:n])


def _noisy(random: np.random.Generator, shares: Shares, noise: Shares | float = NOISE) -> Shares:
    scale = np.broadcast_to(noise, len(shares))[:, None]
    drawn = shares * np.exp(scale * random.standard_normal(shares.shape))
    return drawn / drawn.sum(axis=1, keepdims=True)
