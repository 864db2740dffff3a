"""The hottest functions of each phase, on counts a person can add up."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from tests.views import synthetic

from phasemark.model import Blocks, Counts, Intervals, Phases, Profile, Provenance
from phasemark.views import functions, names, places
from phasemark.views.cards import cards

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
def asked(monkeypatch) -> list[object]:
    """The rows looked up, in symbols' place."""
    rows_asked: list[object] = []

    def annotate(blocks, rows=None, *, build_ids, lines):
        rows_asked.append(rows)
        return replace(blocks, function=NAMES)

    monkeypatch.setattr(names, "annotate", annotate)
    return rows_asked


PHASES = Phases(np.array([0, 1], np.int32), np.zeros((2, 1)), np.zeros(2))


def test_functions_come_by_their_share_and_those_of_one_name_have_their_module(profile, asked) -> None:
    found = functions.hottest_functions(profile, PHASES)
    assert [list(phase.items()) for phase in found] == [
        [("sort", 0.45), ("copy (a)", 0.3), ("copy (b)", 0.25)],
        [("sort", 0.9), ("main", 0.1)],
    ]
    assert asked == [None]


def test_the_hottest_line_is_one_of_the_hottest_function(profile, asked, monkeypatch) -> None:
    def annotate(blocks, rows, *, build_ids):
        return replace(blocks, function=NAMES, file=("a.c",) * 4, line=np.array([1, 2, 3, 4], np.int64))

    monkeypatch.setattr(functions, "annotate", annotate)
    one = replace(profile, vectors=profile.vectors.select(np.array([0, 0])))
    known = replace(one, block_table=replace(one.block_table, function=("f", "g", "f", "h")))
    # Block 1 is hotter than any other, but f has blocks 0 and 2 in one module.
    known = replace(known, block_table=replace(known.block_table, module=np.zeros(4, np.int32)))
    assert functions.hottest_functions(known, PHASES, 1) == [{"f": 0.55}] * 2
    assert functions.hottest_lines(known, PHASES) == ["a.c:1"] * 2


def test_names_that_a_profile_has_are_kept(profile, asked) -> None:
    known = replace(profile, block_table=replace(profile.block_table, function=("a", "b", "c", "d")))
    assert functions.hottest_functions(known, PHASES, 1) == [{"b": 0.45}, {"b": 0.9}]
    assert asked == []


def test_a_function_of_many_cool_blocks_is_hotter_than_one_of_a_few_hot_ones() -> None:
    """As bzip2's loops, unrolled: 1,000 blocks of 6 beside 100 of 40."""
    n = 1100
    names_of = ("unrolled",) * 1000 + ("loop",) * 100
    counts = np.repeat([6, 40], [1000, 100])
    blocks = Blocks(("/a",), np.zeros(n, np.int32), np.arange(n), np.ones(n), np.ones(n), function=names_of)
    whole = int(counts.sum())
    profile = Profile(
        blocks, Intervals.of_thread([whole]), Counts([0, n], np.arange(n), counts, n), Provenance("test")
    )
    found = functions.hottest_functions(profile, Phases([0], [[0.0]], [0.0]))
    assert found == [{"unrolled": 0.6, "loop": 0.4}]


def test_the_page_names_the_same_shares(asked) -> None:
    run = synthetic.run()
    page = cards(run, places.functions(run.profile.block_table), places.lines(run.profile.block_table), 3)
    found = functions.hottest_functions(run.profile, run.phases)
    assert [list(phase.values()) for phase in found] == [[share for *_, share in c.functions] for c in page]
