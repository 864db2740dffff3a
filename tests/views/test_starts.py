"""Where the intervals of phases begin, counted by hand."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from tests.views import counted, nested

from phasemark.model import Counts, Markers, Sites
from phasemark.views import Analysis
from phasemark.views.starts import Start, starting_blocks, starts


def begun(blocks: list[int]) -> Analysis:
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


SITES = Sites(
    ("/bin/prog",), [0, 0], [4, 20], [2, 3], [-1, -1], [0, 0],
    function=("main", "read"), file=("/src/main.c", ""), line=[3, 0], callee=("copy", ""),
)  # fmt: skip


def marked(blocks: list[int], sites: list[int]) -> Analysis:
    """The call happens twice in each interval, the return once in each of thread 3."""
    run = begun(blocks)
    assert run.profile.markers is not None
    events = Counts(range(8), [0] * 5 + [1] * 2, [2] * 5 + [1] * 2, 2)
    markers = replace(run.profile.markers, site=np.array(sites, np.int32))
    return replace(run, profile=replace(run.profile, sites=SITES, events=events, markers=markers))


def test_a_phase_begins_with_its_first_marker_and_where_that_leads() -> None:
    # Phase 0: 10 by none at block 0, 10 by the call at block 1, 10 by none at block 0; phase 2: after read.
    run = marked([0, 1, -1, 0, -1, -1, 2], [-1, 0, -1, -1, -1, 1, 1])
    assert starts(run) == [
        Start("a.c:9", "sort", 10 / 30, "call of copy, main.c:3", "copy, main.c:3", 1 / 3, 1 / 10),
        None,
        Start("prog+0x20", "main", 30 / 50, "after read", "after read", 1.0, 1.0),
    ]


def test_a_marker_is_told_where_no_block_is_known() -> None:
    found = starts(marked([-1] * 7, [-1, -1, 0, -1, 0, -1, -1]))
    assert found[1] == Start("", "", 0.0, "call of copy, main.c:3", "copy, main.c:3", 1.0, 2 / 10)
    assert found[0] is None and found[2] is None
