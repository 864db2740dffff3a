"""Runs of two threads and three kinds of work, whose phases a person can tell."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from phasemark.model import Blocks, Counts, Intervals, Metrics, Profile, Provenance, Signatures
from phasemark.model.intervals import concatenate
from phasemark.signatures import project

LENGTH = 1000
BLOCKS = 6


@dataclass(frozen=True)
class Run:
    """A profile and its signatures; rows of work, in order."""

    work: tuple[int, ...]
    profile: Profile
    signatures: Signatures

    @property
    def intervals(self) -> Intervals:
        return self.profile.interval_table

    def turned(self) -> Run:
        """The same intervals in reverse order: the threads are as long as one another."""
        rows = np.arange(len(self.intervals))[::-1]
        counts = self.profile.vectors.select(rows)
        profile = Profile(self.profile.block_table, self.intervals, counts, self.profile.provenance)
        return Run(self.work[::-1], profile, project(profile))

    def metrics(self) -> Metrics:
        """Cycles per instruction: 1, 2 or 3, by the kind of work, and a little of its own for each row."""
        intervals = self.intervals
        own = np.arange(len(intervals)) % 7 / 100
        counters = {
            "cycles": intervals.length * (1.0 + np.array(self.work) + own),
            "instructions": intervals.length.astype(np.float64),
        }
        key = (intervals.run, intervals.thread, intervals.index, intervals.start, intervals.length)
        return Metrics(*key, counters)


def run(repeats: int = 1, tail_seed: int = 0) -> Run:
    """60 x repeats intervals: each thread does 10 of each kind of work, then again.

    Args:
        repeats: how often.
        tail_seed: of the blocks that the last five intervals execute.
    """
    work = tuple(np.tile(np.repeat([0, 1, 2], 10), 2 * repeats).tolist())
    random = np.random.default_rng(1)
    rows = np.stack([_row(kind, random) for kind in work])
    if tail_seed:
        rows[-5:] = [_row(2, np.random.default_rng(tail_seed)) for _ in range(5)]
    indptr = np.concatenate(([0], np.cumsum((rows > 0).sum(axis=1))))
    counts = Counts(indptr, np.nonzero(rows)[1], rows[rows > 0], BLOCKS)
    blocks = Blocks(("/bin/a",), [0] * BLOCKS, list(range(0, 16 * BLOCKS, 16)), [1] * BLOCKS, [4] * BLOCKS)
    half = np.full(len(work) // 2, LENGTH)
    intervals = concatenate([Intervals.of_thread(half, thread=thread) for thread in (0, 1)])
    profile = Profile(blocks, intervals, counts, Provenance("test"))
    return Run(work, profile, project(profile))


def _row(kind: int, random: np.random.Generator) -> np.ndarray:
    """Two blocks for each kind: about 2/3 of the instructions in the first, the rest in the second."""
    first = int(random.integers(600, 720))
    row = np.zeros(BLOCKS, np.int64)
    row[2 * kind : 2 * kind + 2] = first, LENGTH - first
    return row
