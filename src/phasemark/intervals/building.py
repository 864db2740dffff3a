"""Building: leaves -> a hierarchy of intervals, by what resembles one another."""

from __future__ import annotations

import math
from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

import phasemark._core as core
from phasemark.errors import DataError, UsageError
from phasemark.intervals.counting import blocks_of, listed
from phasemark.intervals.cutting import DEFAULT_COVERAGE, DEFAULT_SHORTEST, LeavesOfThread, check
from phasemark.intervals.grammar import sequitur
from phasemark.intervals.tree import Tree
from phasemark.model import Events, Hierarchy, Recipe, Signatures
from phasemark.model.intervals import concatenate
from phasemark.model.options import require_given, require_whole
from phasemark.model.trace import Trace
from phasemark.phases import SimPoint
from phasemark.progress import Progress
from phasemark.signatures import DEFAULT_DIMS
from phasemark.signatures.projection import site_keys

DEFAULT_SEED = 1

#: Phases that are looked for on a level, at most.
DEFAULT_MAX_K = 100

#: Intervals of a level that are clustered, at most; the others get the phase of the nearest centre.
DEFAULT_SAMPLE_SIZE = 20_000

#: A thread of fewer intervals is not united further.
_FEW = 10

#: In such parts of 1 the kernel gives the entries of the projection, whole numbers.
_UNIT = 2**20


def hierarchy(
    events: Events | Iterable[Events],
    *,
    traces: Trace | Iterable[Trace] | None = None,
    coverage: float = DEFAULT_COVERAGE,
    shortest: int = DEFAULT_SHORTEST,
    max_k: int = DEFAULT_MAX_K,
    sample_size: int | None = DEFAULT_SAMPLE_SIZE,
    seed: int = DEFAULT_SEED,
    progress: Progress | None = None,
) -> Hierarchy:
    """Unite the leaves of threads, level by level, where phases follow one another in the same way.

    "Variable-length intervals", section 8.2: weighted SimPoint finds the phases of a level's intervals, from
    how often each loop, call and return happens in them; Sequitur finds what recurs in the sequence of
    phases of each thread, all threads having the same phases; the symbols of its start rule are the
    intervals of the next level. A thread with fewer than 10 of them stays as it is; when no thread gets
    shorter, that was the coarsest level.

    For m intervals in the longest thread that is still united, no more than sqrt(m) - 1 phases are looked
    for: a sequence without a pair that recurs is then shorter than m, so that each level is shorter than the
    one before.

    Args:
        events: of each thread, pruned (`prune`).
        traces: the same threads' events before pruning, to be counted; None: those given.
        coverage, shortest: of the leaves, see `leaves`.
        max_k: phases of a level, at most.
        sample_size: intervals of a level that are clustered, at most; None: all.
        seed: of projection and clustering.
        progress: told how many levels are done, of how many there are so far.

    Returns:
        The hierarchy, coarsest level first, with the phases of each level. The rules of the grammars lie
        between the levels, and long leaves have parts: see `parts.parts`.

    Raises:
        UsageError: a parameter makes no sense, or is no trace.
        DataError: there are no events, two threads are the same one, threads have different sites, or no
            thread has an instruction.
        WorkError: a grammar is too large.
    """
    check(coverage, shortest)
    require_given(max_k=max_k, seed=seed)
    require_whole(max_k=max_k, sample_size=sample_size, seed=seed)
    if max_k < 1 or (sample_size is not None and sample_size < 1):
        raise UsageError(
            f"at most {max_k} phases, found in {sample_size:,} intervals", hint="give at least 1"
        )
    threads = [one for one in listed(events) if one.instructions]
    if not threads:
        raise DataError("no thread has an instruction", hint="record a program that does something")
    counted = list[Trace](threads) if traces is None else listed(traces)
    if not counted:
        raise UsageError("there are no traces to count", hint="give those of the same threads, or None")
    leaves = [LeavesOfThread(one, coverage, shortest) for one in threads]
    vectors = _Vectors(counted, leaves, seed)
    tree, phases = Tree(leaves), []
    del leaves
    while True:
        active = {number for number, rows in enumerate(tree.current) if len(rows) >= _FEW}
        longest = max((len(tree.current[number]) for number in active), default=0)
        most = min(max_k, max(1, math.isqrt(longest) - 1)) if active else max_k
        model = SimPoint(most, search="binary", init="kmeans++", seed=seed, sample_size=sample_size)
        phases.append(model.fit(vectors.signatures(tree.lengths(), seed)).phases_)
        labels = np.split(phases[-1].labels, np.cumsum([len(rows) for rows in tree.current[:-1]]))
        grammars = {number: sequitur(labels[number]) for number in active}
        if progress:
            progress(len(phases), len(phases) + bool(grammars))
        if all(len(grammar.rules[0]) == len(labels[number]) for number, grammar in grammars.items()):
            return tree.done(phases)
        before = [len(rows) for rows in tree.current]
        firsts = tree.unite(grammars)
        offsets = np.cumsum(before) - before
        vectors.unite(np.concatenate([first + offset for first, offset in zip(firsts, offsets, strict=True)]))


class _Vectors:
    """Counts of events, projected: whole numbers, so that those of united intervals are exact sums."""

    def __init__(self, traces: list[Trace], leaves: list[LeavesOfThread], seed: int) -> None:
        intervals = concatenate([one.intervals for one in leaves])
        keys = site_keys(traces[0].sites)
        rows = core.projection_rows(keys, seed % 2**64, DEFAULT_DIMS).astype(np.int64)
        self._projected = np.zeros((len(intervals), DEFAULT_DIMS), np.int64)
        self._total = np.zeros(len(intervals), np.int64)
        for first, block in blocks_of(traces, intervals):
            part = slice(first, first + block.shape[0])
            self._projected[part], self._total[part] = block @ rows, block.sum(axis=1).ravel()

    def unite(self, first: NDArray[np.int64]) -> None:
        """Add up those of neighbours; `first` are those with which each united interval begins."""
        self._projected = np.add.reduceat(self._projected, first)
        self._total = np.add.reduceat(self._total, first)

    def signatures(self, lengths: NDArray[np.int64], seed: int) -> Signatures:
        """Of each interval, the projected shares of its events; zeros where it has none."""
        matrix = self._projected / (np.maximum(self._total, 1)[:, None] * float(_UNIT))
        recipe = Recipe("l1", "uniform", DEFAULT_DIMS, seed, "site")
        return Signatures(matrix, lengths / lengths.sum(), recipe)
