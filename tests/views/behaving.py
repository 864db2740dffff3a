"""Runs whose use of memory and branches a person can count."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np
from tests.views import synthetic

from phasemark.model import Phases, Recipe, Reuse, Signatures
from phasemark.signatures import SURPRISES
from phasemark.views import Analysis

BANDS = 15

#: Of one line in 64: the bands that begin at 32K, 256K, 2M and 32M, the last one.
AFTER = {"32K": 4, "256K": 7, "2M": 10, "new": 14}


def reuse(
    data: Sequence[Mapping[str, int]],
    surprises: Sequence[int] | None = None,
    code: Sequence[Mapping[str, int]] = (),
) -> Reuse:
    """Of each interval accesses that were seen, by the band's begin."""
    tables = np.zeros((2, len(data), BANDS), np.int64)
    for table, rows in zip(tables, (data, code), strict=True):
        for row, bands in enumerate(rows):
            for begin, count in bands.items():
                table[row, AFTER[begin]] = count
    return Reuse(tables[0], tables[1], 64, None if surprises is None else np.array(surprises))


def alike() -> Analysis:
    """Of 1,000,000 instructions an interval, of phases 0, 1, 0, 1, 0 and 2, the last interval half as long.

    All execute the same code, but for chance. Of accesses seen after 256K phase 0 has 100 an interval, 1 has
    400, and 2, in half the time, 50. All are surprised by 5 branches per 1,000 instructions.
    """
    made = synthetic.run((0, 0, 0, 0, 0, 0), blocks=7, length=1_000_000)
    labels = np.array([0, 1, 0, 1, 0, 2], np.int32)
    weights = made.signatures.weights
    known = reuse([{"256K": n} for n in (100, 400, 100, 400, 100, 50)], [5000] * 5 + [2500])
    matrix = np.c_[np.zeros(6), np.sqrt(known.data[:, AFTER["256K"]] * 64e-6), np.full(6, 0.07)]
    recipe = Recipe("l1", "uniform", 3, 7, "module+offset", f"data_reuse_256K {SURPRISES}")
    phases = Phases(labels, np.zeros((3, 3)), np.zeros(6), model={"seed": 7})
    points = replace(made.points, phase=np.zeros(1), weight=np.ones(1))
    return replace(
        made,
        profile=replace(made.profile, reuse=known),
        signatures=Signatures(matrix, weights, recipe),
        phases=phases,
        points=points,
    )
