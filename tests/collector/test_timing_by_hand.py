"""Real programs through the tool, every count worked out by hand from their source.

On the machine `modern` without gshare: 6-wide, 224 in flight, first levels of 64 sets x 8 ways x 64 bytes,
512K behind. Each program's code lies within one line of 64 bytes, unless said.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from tests.collector.harness import collect

from phasemark.collect.stream.reader import RawStream
from phasemark.simulate import config
from phasemark.simulate.config import TimingConfig

Build = Callable[..., Path]
Count = Callable[..., dict[str, int]]

MODERN = config.load("modern")
BIMODAL = replace(MODERN, branches=replace(MODERN.branches, gshare=0, history=0))

#: The first fetch: a new page, from memory.
FETCH = 20 + 200
#: What of a latency the window of 224 hides, at 6 a cycle.
FILLING = 37


def timed(folder: Path, *command: object, machine: TimingConfig = BIMODAL) -> list[Path]:
    """The streams of a run on a machine."""
    (folder / "timing").write_text(machine.flat())
    options = (f"--timing={folder / 'timing'}",)
    assert collect(folder / "raw", *command, interval=10**9, options=options).returncode == 0
    return list((folder / "raw").glob("*.raw"))


@pytest.fixture
def count(tmp_path: Path, program: Build) -> Count:
    def run(source: str, machine: TimingConfig = BIMODAL) -> dict[str, int]:
        (raw,) = timed(tmp_path, program(source), machine=machine)
        counters = RawStream(raw).counters
        return dict(zip(counters.names, counters.counts.sum(axis=0).tolist(), strict=True))

    return run


def mispredicted(*waiting: int) -> int:
    """Cycles: 12 stages of front end, and the root of how many instructions wait."""
    return sum(12 + int(min(instructions, 224) ** 0.5) for instructions in waiting)


def test_a_chain_of_pointers_longer_than_the_first_level(count: Count) -> None:
    # Walked in order, 1,000 lines in 64 sets of 8 ways: each is gone before it is needed again. The
    # second level keeps them.
    instructions = 1 + 10 * 2 + 10_000 * 3 + 10 * 2 + 3
    # The jump back is wrong once at first and at each end; the one around it at first and at the end.
    wrong = mispredicted(3, 3 + 3000 - (3 + 3 * 976), 2, *[999] * 9, 2)
    # Only the first walk waits for memory. That first wrong guess leaves its first load alone; after it
    # 75 loads lie in a window. A new page, in every group but the last, takes 20 longer.
    memory = (200 + 20 - FILLING) + 14 * (200 - FILLING) + 13 * 20
    counted = count("timing_chase.S")
    assert counted == dict.fromkeys(counted, 0) | {
        "instructions": instructions,
        "cycles": instructions // 6 + FETCH + memory + wrong,
        "l1i_references": instructions,
        "l1i_misses": 1,
        "l1d_references": 10_000,
        "l1d_misses": 10_000,
        "l2_references": 10_000 + 1,
        "l2_misses": 1_000 + 1,
        "l3_references": 1_000 + 1,
        "l3_misses": 1_000 + 1,
        "itlb_references": 1,
        "itlb_misses": 1,
        "dtlb_references": 10_000,
        "dtlb_misses": 16,
        "branches": 10_010,
        "branch_mispredictions": 13,
        "conditional_branches": 10_010,
        "conditional_mispredictions": 13,
        "loads": 10_000,
    }


def test_strides_of_a_word_and_of_a_page(count: Count) -> None:
    # Writing misses once a line. A byte of each page: all in one set, 16 lines for 8 ways.
    instructions = 2 + 4 * 8192 + 1 + 20 * 2 + 4 * 320 + 20 * 2 + 3
    wrong = mispredicted(6, 999, 7, 60, 2, 66, *[68] * 18, 2)
    counted = count("timing_stride.S")
    assert counted == dict.fromkeys(counted, 0) | {
        "instructions": instructions,
        "cycles": instructions // 6 + FETCH + wrong,  # stores wait for nothing; the window hides the L2
        "l1i_references": instructions,
        "l1i_misses": 1,
        "l1d_references": 8192 + 320,
        "l1d_misses": 1024 + 320,
        "l2_references": 1024 + 320 + 1,
        "l2_misses": 1024 + 1,
        "l3_references": 1024 + 1,
        "l3_misses": 1024 + 1,
        "itlb_references": 1,
        "itlb_misses": 1,
        "dtlb_references": 8192 + 320,
        "dtlb_misses": 16,
        "branches": 8192 + 320 + 20,
        "branch_mispredictions": 2 + 21 + 2,
        "conditional_branches": 8192 + 320 + 20,
        "conditional_mispredictions": 2 + 21 + 2,
        "loads": 320,
        "stores": 8192,
    }


def test_branches_calls_and_returns(count: Count) -> None:
    counted = count("timing_branches.S")
    assert counted["instructions"] == 8_137
    assert counted["conditional_branches"] == 1000 + 1000 + 10 + 400 + 300 + 100 + 50
    # In the source's order. Alternating: always. Loops: at first, at the end. Depth: where it ends.
    # Three methods: at first and each third time.
    assert counted["conditional_mispredictions"] == 1000 + 2 + 2 + 10 + (1 + 100) + 2 + 2
    assert counted["returns"] == counted["stores"] == 400 + 300 + 50
    assert counted["return_mispredictions"] == 10 * (40 - MODERN.branches.returns)
    assert counted["indirect_branches"] == 300 + 50
    assert counted["indirect_mispredictions"] == 300 + 1
    assert counted["loads"] == counted["indirect_branches"] + counted["returns"]
    assert counted["branches"] == 2_860 + 750 + 350 + 400
    assert counted["branch_mispredictions"] == 1_119 + 80 + 301


def test_history_learns_what_a_branch_by_itself_does_not_tell(count: Count) -> None:
    # Of the 1,119 above the alternating branch's 1,000 and the methods' 100 have a pattern.
    assert count("timing_branches.S", MODERN)["conditional_mispredictions"] < 60


def test_threads_have_cores_of_their_own_and_take_lines_from_each_other(
    tmp_path: Path, program: Build
) -> None:
    (raw,) = timed(tmp_path, program("timing_threads.S"))
    counters = RawStream(raw).counters
    first, other = (
        dict(zip(counters.names, counters.counts[counters.thread == t].sum(axis=0).tolist(), strict=True))
        for t in (0, 1)
    )
    assert (other["loads"], other["stores"]) == (100, 100)
    # The line of both, what the first waits for, and the line of both once more.
    assert (first["l1d_misses"], other["l1d_misses"]) == (3, 1)
    # Its code; of the other one the line that it begins in, and its own.
    assert (first["l1i_misses"], other["l1i_misses"]) == (3, 2)
    # Every miss of the first level is one of the second, which is a core's own, too.
    assert (first["l2_misses"], other["l2_misses"]) == (3 + 3, 1 + 2)
    # Nobody had touched: two lines of data and three of code; the other one's own code.
    assert (first["l3_misses"], other["l3_misses"]) == (2 + 3, 1)
    assert (first["dtlb_misses"], other["dtlb_misses"]) == (1, 1)
    # The loop jumps back from the start, and does not at its end.
    assert other["conditional_mispredictions"] == 1 + 1 + 1  # `jz child`, too


def test_a_forked_child_begins_cold_whatever_its_parent_did(tmp_path: Path, program: Build) -> None:
    counted = []
    for arguments in ([], ["more", "of", "them"]):
        folder = tmp_path / str(len(arguments))
        folder.mkdir()
        streams = [RawStream(raw) for raw in timed(folder, program("timing_fork.S"), *arguments)]
        (child,) = [stream for stream in streams if stream.header.origin == "fork"]
        counted.append(dict(zip(child.counters.names, child.counters.counts[0].tolist(), strict=True)))
    assert counted[0] == counted[1]
    assert counted[0]["l1d_misses"] == counted[0]["l3_misses"] - 2 == 64  # two lines of code
