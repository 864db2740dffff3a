"""The hottest functions of each phase, on counts a person can add up."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from phasemark.model import Blocks, Counts, Intervals, Phases, Profile, Provenance
from phasemark.views import functions

NAMES = ("copy", "sort", "copy", "main")


@pytest.fixture
def profile() -> Profile:
    """Two intervals over four blocks; blocks 0 and 2 are both called `copy`, in two modules."""
    offsets = np.arange(4).astype(np.uint64)
    blocks = Blocks(
        ("/a", "/b"), np.array([0, 0, 1, 0], np.int32), offsets, np.ones(4, np.int64), np.ones(4, np.int64)
    )
    counts = Counts(
        np.array([0, 3, 5]), np.array([0, 1, 2, 1, 3], np.int32), np.array([30, 45, 25, 90, 10]), 4
    )
    return Profile(blocks, Intervals.of_thread(np.array([100, 100])), counts, Provenance("test"))


@pytest.fixture
def asked(monkeypatch) -> list[list[int]]:
    """The rows looked up, in symbols' place."""
    rows_asked: list[list[int]] = []

    def annotate(blocks, rows, *, build_ids, lines):
        rows_asked.append(rows.tolist())
        return replace(blocks, function=tuple(n if row in rows else "" for row, n in enumerate(NAMES)))

    monkeypatch.setattr(functions, "annotate", annotate)
    return rows_asked


PHASES = Phases(np.array([0, 1], np.int32), np.zeros((2, 1)), np.zeros(2))


def test_functions_come_by_their_share_and_one_name_is_one_function(profile, asked) -> None:
    found = functions.hottest_functions(profile, PHASES)
    assert [list(phase.items()) for phase in found] == [
        [("copy", 0.55), ("sort", 0.45)],
        [("sort", 0.9), ("main", 0.1)],
    ]


def test_only_hot_blocks_are_looked_up_and_named(profile, asked, monkeypatch) -> None:
    monkeypatch.setattr(functions, "_BLOCKS", 1)
    assert functions.hottest_functions(profile, PHASES) == [{"sort": 0.45}, {"sort": 0.9}]
    assert asked == [[1]]
