"""How long ago memory was used, of real programs: every access worked out by hand from their source."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from tests.collector.harness import collect, labels
from tests.reference import reuse as slow

from phasemark.collect.stream.reader import RawStream
from phasemark.simulate import config

Build = Callable[..., Path]

#: As many lines are remembered, in powers of two; and the band of those that are new.
LOG, NEW = 13, 14


def streams(folder: Path, *command: object, lines: int = 1, interval: int = 10**9) -> list[RawStream]:
    """Of a run, in the order in which its processes began."""
    run = collect(folder, *command, interval=interval, options=(f"--memory={lines}",))
    assert run.returncode == 0, run.stderr
    return sorted(map(RawStream, folder.glob("*.raw")), key=lambda stream: stream.header.time_ns)


def bands(stream: RawStream, thread: int | None = None, of: str = "data") -> dict[int, int]:
    """Accesses by band, without those that have none."""
    assert stream.reuse is not None
    rows = slice(None) if thread is None else stream.intervals.thread == thread
    counts = getattr(stream.reuse, of)[rows].sum(axis=0).tolist()
    return {band: count for band, count in enumerate(counts) if count}


def test_a_chain_of_pointers(program: Build, tmp_path: Path) -> None:
    # 1,000 lines ten times: each comes again after 999 others.
    (stream,) = streams(tmp_path, program("timing_chase.S"))
    assert bands(stream) == {10: 9_000, NEW: 1_000}
    # All code is in one line, which each of the blocks is in: those that end with a jump, and the last.
    assert bands(stream, of="code") == {0: 10_000 + 10 + 1 - 1, NEW: 1}


def test_lines_that_are_written_and_pages_that_are_read(program: Build, tmp_path: Path) -> None:
    # 1,024 lines, 8 times each in a row; then of 16 pages the first line: that of page p after the
    # 1,023 - 64p that were written later, and p pages. From then on after the 15 others.
    (stream,) = streams(tmp_path, program("timing_stride.S"))
    distances = [1023 - 63 * page for page in range(16)]
    of_pages = [distance.bit_length() for distance in distances]
    expected = {0: 7 * 1024, NEW: 1024, 4: 19 * 16}
    expected |= {band: of_pages.count(band) for band in of_pages}
    assert bands(stream) == expected


def test_accesses_of_every_kind(program: Build, tmp_path: Path) -> None:
    path = program("memory.S")
    at, stack = labels(path), 0x1FFE000000
    a, b, c, text = (at[name] for name in ("a", "b", "c", "text"))
    order = [a, b, a, a, a, b, b, b, c]
    for byte in range(70):
        order += [text + byte, a + byte]
    order += [b, stack, stack, c, text + 56]
    (stream,) = streams(tmp_path, path)
    expected = slow.bands(order, 1, LOG)
    assert bands(stream) == {band: count for band, count in enumerate(expected) if count}


def test_of_some_lines(program: Build, tmp_path: Path) -> None:
    path = program("timing_chase.S")
    chain = labels(path)["chain"]
    chosen = sum(slow.is_chosen(chain + 64 * i, 8) for i in range(1000))
    (stream,) = streams(tmp_path, path, lines=8)
    assert stream.header.memory == 8 and 120 <= chosen <= 130
    assert bands(stream) == {7: 9 * chosen, NEW: chosen}


def test_intervals_share_what_there_is_and_change_nothing(program: Build, tmp_path: Path) -> None:
    # Of 3 instructions a line, 999 do 333 lines; a block that a boundary divides counts before it.
    (stream,) = streams(tmp_path, program("timing_chase.S"), interval=999)
    assert stream.reuse is not None and bands(stream) == {10: 9_000, NEW: 1_000}
    loads = stream.reuse.data.sum(axis=1)
    assert len(loads) == 31 and loads[1:-1].min() >= 331 and loads[1:-1].max() <= 334
    (again,) = streams(tmp_path / "again", program("timing_chase.S"), interval=999)
    assert again.reuse is not None and (again.reuse.data == stream.reuse.data).all()
    assert collect(tmp_path / "plain", program("timing_chase.S"), interval=999).returncode == 0
    (plain,) = map(RawStream, (tmp_path / "plain").glob("*.raw"))
    assert plain.reuse is None
    for name, column in vars(plain.entries(slice(None))).items():
        assert (column == getattr(stream.entries(slice(None)), name)).all(), name


def test_a_forked_child_begins_anew(program: Build, tmp_path: Path) -> None:
    # The parent walks 64 lines twice, and reads the stack once; the child walks them once.
    parent, child = streams(tmp_path, program("timing_fork.S"), "again")
    assert bands(parent) == {NEW: 64 + 1, 6: 64}
    assert bands(child) == {NEW: 64}


def test_each_thread_has_what_it_used_itself(program: Build, tmp_path: Path) -> None:
    (stream,) = streams(tmp_path, program("timing_threads.S"))
    assert bands(stream, thread=1) == {NEW: 1, 0: 199}
    # It goes on in the line that made it, then in its own: a block before the loop's 99 others, and the last.
    assert bands(stream, thread=1, of="code") == {NEW: 2, 0: 99 + 1}
    first = bands(stream, thread=0)
    # `shared`, then `alive`, as often as it looks, then `shared` again.
    assert first.pop(NEW) == 2 and first.pop(1) == 1
    assert set(first) <= {0}


def test_the_timing_model_is_told_the_same_beside_it(program: Build, tmp_path: Path) -> None:
    (tmp_path / "timing").write_text(config.load("modern").flat())
    timing = f"--timing={tmp_path / 'timing'}"
    counted = []
    for name, options in {"alone": (timing,), "both": (timing, "--memory=1")}.items():
        assert collect(tmp_path / name, program("timing_chase.S"), options=options).returncode == 0
        (stream,) = map(RawStream, (tmp_path / name).glob("*.raw"))
        counted.append(stream.counters.counts.tolist())
    assert counted[0] == counted[1] and bands(stream) == {10: 9_000, NEW: 1_000}


@pytest.mark.parametrize("options", [("--memory=3",), ("--memory=-1",), ("--memory=64", "--windows=/none")])
def test_what_makes_no_sense_is_refused(program: Build, tmp_path: Path, options: tuple[str, ...]) -> None:
    assert collect(tmp_path, program("timing_chase.S"), options=options).returncode == 1
