"""The timing model in real runs: all of a run, windows of it, threads, ends."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from tests.collector.harness import Run, collect

from phasemark.collect.stream.contents import RawCounters
from phasemark.collect.stream.reader import RawStream
from phasemark.simulate import config

Build = Callable[..., Path]

INSTRUCTIONS = 1 + 10 * (1 + 3 * 7 + 1 + 2 + 2) + 1 + 5 + 3 * 8 + 2 * 7 + 3 + 1 + 20 + 3  # of loops.S


def timed(folder: Path, program: Path, *windows: str, interval: int = 50) -> tuple[Run, RawCounters]:
    folder.mkdir()
    (folder / "config").write_text(config.load("modern").flat())
    options = [f"--timing={folder / 'config'}"]
    if windows:
        (folder / "windows").write_text("".join(f"{window}\n" for window in windows))
        options.append(f"--windows={folder / 'windows'}")
    run = collect(folder / "raw", program, interval=interval, options=tuple(options))
    (path, *_) = (folder / "raw").glob("*.raw")
    return run, RawStream(path).counters


def test_the_whole_run_has_a_record_for_each_interval(tmp_path: Path, program: Build) -> None:
    _, counters = timed(tmp_path / "run", program("loops.S"))
    assert counters.names == config.COUNTERS
    assert counters.start.tolist() == list(range(0, INSTRUCTIONS, 50))
    instructions = counters.counts[:, 0]
    assert instructions.tolist() == counters.length.tolist()
    assert instructions.sum() == INSTRUCTIONS
    assert (counters.counts[:, 1] > 0).all()  # cycles


def test_branches_are_those_of_the_source(tmp_path: Path, program: Build) -> None:
    _, counters = timed(tmp_path / "run", program("loops.S"))
    total = dict(zip(counters.names, counters.counts.sum(axis=0).tolist(), strict=True))
    # inner 7 x 10, outer 10, from_top 5 and 8 rounds ... every call is returned from.
    assert total["returns"] == 10
    assert total["return_mispredictions"] == 0
    assert total["indirect_branches"] == 0
    assert total["loads"] == 10  # the returns read the stack,
    assert total["stores"] == 10  # the calls write it


def test_windows_are_exact_and_record_nothing_else(tmp_path: Path, program: Build) -> None:
    run, counters = timed(tmp_path / "run", program("loops.S"), "0 10 60 95", "0 95 95 96", "0 250 300 9999")
    assert counters.start.tolist() == [60, 95, 300]
    assert counters.length.tolist() == [35, 1, INSTRUCTIONS - 300]
    assert counters.counts[:, 0].tolist() == counters.length.tolist()
    assert not run.root.intervals()
    assert not run.root.blocks


def test_a_window_that_is_not_reached_leaves_no_record(tmp_path: Path, program: Build) -> None:
    _, counters = timed(
        tmp_path / "run", program("loops.S"), f"0 {INSTRUCTIONS} {INSTRUCTIONS} 99999", "1 0 0 9"
    )
    assert len(counters) == 0


def test_a_window_warmed_up_from_the_start_counts_what_the_whole_run_counts(
    tmp_path: Path, program: Build
) -> None:
    _, whole = timed(tmp_path / "whole", program("loops.S"))
    _, part = timed(tmp_path / "part", program("loops.S"), "0 0 100 150")
    # A cut may move a few cycles over a boundary, never counts of whole blocks.
    np.testing.assert_allclose(part.counts[0], whole.counts[whole.start == 100][0], atol=1)


def test_the_same_run_gives_the_same_counts(tmp_path: Path, program: Build) -> None:
    _, first = timed(tmp_path / "1", program("rep.S"))
    _, second = timed(tmp_path / "2", program("rep.S"))
    np.testing.assert_array_equal(first.counts, second.counts)


def test_a_repeated_instruction_counts_once_and_accesses_as_often_as_it_repeats(
    tmp_path: Path, program: Build
) -> None:
    _, counters = timed(tmp_path / "run", program("rep.S"))
    total = dict(zip(counters.names, counters.counts.sum(axis=0).tolist(), strict=True))
    assert total["instructions"] == 1 + 100 * 24 + 5 + 3
    assert total["conditional_branches"] == 100  # jnz, and no iteration
    # Moved 64; compared 64 and 2, two loads each; searched 10. At the end 3 are moved.
    assert total["loads"] == 100 * (64 + 2 * 64 + 2 * 2 + 10) + 3
    assert total["stores"] == 100 * (64 + 8) + 3


def test_threads_have_records_of_their_own(tmp_path: Path, program: Build) -> None:
    _, counters = timed(tmp_path / "run", program("threads.S"))
    for thread in np.unique(counters.thread):
        mine = counters.thread == thread
        assert counters.start[mine][0] == 0
        np.testing.assert_array_equal(counters.start[mine][1:], np.cumsum(counters.length[mine])[:-1])


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("timing", "width=6\n", "window is missing"),
        ("windows", "0 10 5 20\n", "windows:1: no window"),
        ("windows", "0 0 5 20\n0 0 19 30\n", "windows:2: no window"),
        ("windows", "0 0 5\n", "windows:1: no window"),
    ],
)
def test_nonsense_is_refused(tmp_path: Path, program: Build, name: str, text: str, message: str) -> None:
    (tmp_path / "timing").write_text(config.load("paper").flat())
    (tmp_path / name).write_text(text)
    options = tuple(f"--{file.name}={file}" for file in sorted(tmp_path.iterdir()))
    run = collect(tmp_path / "raw", program("loops.S"), options=options)
    said = run.stderr + "".join(log.read_text() for log in (tmp_path / "raw").glob("*.log"))
    assert run.returncode != 0
    assert message in said


def test_what_a_large_cache_would_hold_is_there_when_a_window_begins(tmp_path: Path, program: Build) -> None:
    """Two megabytes are walked again and again: too much for a short warm-up, and for the second level."""
    walk = program("walk.c")
    end, window = 11_000_000, 10_000_000
    _, whole = timed(tmp_path / "whole", walk, f"0 0 {window} {end}")
    _, part = timed(tmp_path / "part", walk, f"0 {window - 100_000} {window} {end}")
    misses = whole.names.index("l3_misses")
    references = whole.names.index("l3_references")
    assert whole.counts[0, misses] < 100
    assert whole.counts[0, references] > 10_000
    assert part.counts[0, misses] < 0.02 * part.counts[0, references]


#: Of pages.S: where it turns to the second lines of its pages, and how many instructions it reads them for.
TURN, READ = 1 + 100 * (2 + 4 * 1000 + 2), 2 + 4 * 1000


@pytest.mark.parametrize(
    ("start", "l3_misses"),
    [
        pytest.param(TURN, 1000, id="lines of known pages, never used"),
        pytest.param(TURN + READ, 0, id="lines used before these"),
    ],
)
def test_the_large_cache_holds_the_lines_that_were_used_and_no_others(
    start: int, l3_misses: int, tmp_path: Path, program: Build
) -> None:
    """No warm-up. A page's first lines share a set of the first level, 16 of the second, 128 of the third."""
    _, counters = timed(tmp_path / "run", program("pages.S"), f"0 {start} {start} {start + READ}")
    counted = dict(zip(counters.names, counters.counts[0].tolist(), strict=True))
    code = counted["l1i_misses"]  # of the loop that begins
    assert counted["loads"] == counted["l1d_misses"] == counted["dtlb_misses"] == 1000
    assert counted["l2_misses"] == 1000 + code
    assert counted["l3_misses"] == l3_misses + code


@pytest.mark.parametrize("before", [[], [f"0 0 0 {READ}"]], ids=["off from the start", "off between windows"])
def test_a_window_counts_the_misses_of_the_whole_run_without_a_warm_up(
    before: list[str], tmp_path: Path, program: Build
) -> None:
    start = 50 * READ
    _, whole = timed(tmp_path / "whole", program("pages.S"), f"0 0 {start} {start + READ}")
    _, part = timed(tmp_path / "part", program("pages.S"), *before, f"0 {start} {start} {start + READ}")
    misses = [i for i, name in enumerate(whole.names) if name.endswith("_misses")]
    np.testing.assert_array_equal(part.counts[-1][misses], whole.counts[-1][misses])


def test_windows_give_the_same_counts_in_the_same_run(tmp_path: Path, program: Build) -> None:
    windows = [f"0 {at} {at + 100} {at + 5000}" for at in range(1000, TURN, 50_000)]
    _, first = timed(tmp_path / "1", program("pages.S"), *windows)
    _, second = timed(tmp_path / "2", program("pages.S"), *windows)
    np.testing.assert_array_equal(first.counts, second.counts)
