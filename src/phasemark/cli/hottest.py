"""Which functions a phase spends its instructions in."""

from __future__ import annotations

from collections import Counter

import numpy as np

from phasemark.model import Phases, Profile
from phasemark.symbols import annotate

#: Blocks looked up a phase: beyond these a function hardly shows.
_BLOCKS = 60


def hottest_functions(profile: Profile, phases: Phases, count: int = 3) -> list[dict[str, float]]:
    """For each phase its functions with the most instructions: name -> share of the phase, descending.

    Names are looked up for the blocks that make up most of a phase only, as looking up takes long.
    """
    vectors = profile.vectors
    phase = np.repeat(phases.labels, np.diff(vectors.indptr)).astype(np.int64)
    sums = np.zeros((phases.k, vectors.columns), np.int64)
    np.add.at(sums, (phase, vectors.indices), vectors.data)
    hot = np.argsort(-sums, axis=1, kind="stable")[:, :_BLOCKS]
    rows = np.unique(hot)
    build_ids = profile.provenance.details.get("build_ids")
    names = annotate(profile.block_table, rows, build_ids=build_ids, lines=False).function or ()
    return [_largest(names, hot[p], sums[p], count) for p in range(phases.k)]


def _largest(names: tuple[str, ...], blocks: np.ndarray, sums: np.ndarray, count: int) -> dict[str, float]:
    functions: Counter[str] = Counter()
    for block in blocks.tolist():
        if sums[block]:
            functions[names[block]] += int(sums[block])
    total = max(int(sums.sum()), 1)
    return {name: instructions / total for name, instructions in functions.most_common(count) if name}
