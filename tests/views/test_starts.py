"""Where the intervals of phases begin, counted by hand."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from tests.views import counted, nested

from phasemark.model import Markers
from phasemark.views.starts import Start, starting_blocks, starts


def begun(blocks: list[int]) -> object:
    run = counted.run()
    counts = np.array([int(block >= 0) for block in blocks])
    return replace(run, profile=replace(run.profile, markers=Markers(blocks, counts, counts)))


def test_a_phase_begins_where_most_of_its_instructions_do() -> None:
    # Phase 0: 10 at block 1, 10 at block 0, 10 at block 0; phase 1: 10 and 3; phase 2: 20 at none, 30 at 2.
    run = begun([1, 0, -1, 0, 1, -1, 2])
    blocks, shares = starting_blocks(run)
    assert blocks.tolist() == [0, 1, 2]
    assert shares.tolist() == [20 / 30, 3 / 13, 30 / 50]
    assert starts(run)[0] == Start("a.c:7", "copy", 20 / 30)


def test_of_equals_the_block_that_comes_first_in_the_code() -> None:
    assert starting_blocks(begun([1, 0, 2, -1, -1, 0, 0]))[0].tolist() == [0, 2, 0]


def test_where_it_was_not_recorded_nothing_is_said() -> None:
    assert starts(counted.run()) == [None] * 3
    assert starts(begun([-1] * 7)) == [None] * 3
    assert starts(nested.run()) == [None] * 5
