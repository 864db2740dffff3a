"""Reading raw streams: whole, cut short and bent."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.collect import encoding as raw
from tests.collect.programs import Engine, Program, Recorder, engines, programs
from tests.reference import raw_stream

from phasemark.collect.stream import framing
from phasemark.collect.stream.conversion import profile_of
from phasemark.collect.stream.reader import RawStream
from phasemark.errors import DataError

GOOD = (
    raw.header(),
    raw.module(0, "/bin/prog"),
    raw.thread(0),
    raw.block(0, (0, 0, [1, 2])),
    raw.interval(0, 0, 10, {0: 5}),
    raw.interval(0, 10, 4, {0: 2}),
    raw.end(14),
)


@given(programs(), engines(), st.integers(1, 40))
@settings(deadline=None, max_examples=60)
def test_it_reads_what_the_plain_reader_reads(program: Program, engine: Engine, interval: int) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Recorder(program, engine).write(Path(folder) / "a.raw", interval)
        plain, fast = raw_stream.read(path), RawStream(path)
        table = fast.intervals
        expected = [(i.thread, i.start, i.length) for _, i in sorted(plain.by_place.items())]
        assert list(zip(table.thread, table.start, table.length, strict=True)) == expected
        entries = fast.entries(slice(None))
        full = [(b, n) for _, i in sorted(plain.by_place.items()) for b, n in i.full]
        assert list(zip(fast.blocks.ids[entries.block], entries.times, strict=True)) == full
        lengths = [n for b in sorted(plain.blocks) for p in plain.blocks[b].pieces for n in p.lengths]
        assert fast.blocks.lengths.tolist() == lengths


def test_header_threads_and_warnings(tmp_path: Path) -> None:
    said = raw.header(["prog", "a b", "c=d"], pid=7, auto=1, exe="/bin/\u00fc")
    threads = raw.thread(0), raw.thread(1, parent=0, system=9)
    stream = RawStream(raw.write(tmp_path / "a.raw", said, *threads, raw.warning("Hot.")))
    assert (stream.header.pid, stream.header.auto, stream.header.exe) == (7, True, "/bin/\u00fc")
    assert stream.header.args == ("prog", "a b", "c=d")
    assert [(t.serial, t.parent, t.system_id) for t in stream.threads] == [(0, None, 100), (1, 0, 9)]
    assert stream.warnings == ("Hot.",)
    assert (stream.instructions, stream.total, stream.truncated) == (0, None, False)


def test_every_cut_through_a_stream_is_readable_or_an_error_that_names_the_file(tmp_path: Path) -> None:
    whole = raw.write(tmp_path / "whole.raw", *GOOD).read_bytes()
    seen = set()
    for size in range(len(whole)):
        path = tmp_path / "cut.raw"
        path.write_bytes(whole[:size])
        try:
            profile = profile_of(path)
            seen.add(profile.instructions)
            boundaries = np.cumsum([8, *map(len, GOOD)])
            assert profile.provenance.complete == (size in boundaries)
        except DataError as error:
            assert "cut.raw" in str(error)
    assert seen == {0, 10, 14}


def test_unknown_records_are_skipped(tmp_path: Path) -> None:
    path = raw.write(tmp_path / "a.raw", GOOD[0], raw.record("?", b"\xff" * 9), *GOOD[1:])
    assert profile_of(path).instructions == 14


def test_a_later_snapshot_replaces_an_earlier_one_and_an_interval_both(tmp_path: Path) -> None:
    snapshots = [raw.interval(0, 0, 2 * n, {0: n}, kind="P") for n in (1, 2)]
    assert profile_of(raw.write(tmp_path / "a.raw", *GOOD[:4], *snapshots)).instructions == 4
    assert profile_of(raw.write(tmp_path / "b.raw", *GOOD[:4], *snapshots, *GOOD[4:])).instructions == 14


BENT: dict[str, tuple[Callable[[], tuple[bytes, ...]], str]] = {
    "no header": (lambda: GOOD[1:], "no header"),
    "another format": (lambda: (raw.header(format=2), *GOOD[1:]), "format 2 is not known"),
    "a header without pid": (lambda: (raw.header(pid="x"), *GOOD[1:]), "the header"),
    "an unknown module": (lambda: (*GOOD[:4], raw.block(1, (9, 0, [1]))), "module that was not recorded"),
    "a block twice": (lambda: (*GOOD[:4], GOOD[3]), "was given before"),
    "no bytes": (lambda: (*GOOD[:4], raw.block(1, (0, 0, [3, 0]))), "no bytes"),
    "an empty piece": (lambda: (*GOOD[:4], raw.block(1, (0, 0, []))), "no instruction"),
    "a short block": (lambda: (*GOOD[:4], raw.record("B", raw.varints(1, 1, 0, 0, 9))), "longer than"),
    "too few pieces": (lambda: (*GOOD[:4], raw.record("B", raw.varints(1, 9))), "before its 3 numbers"),
    "a cut number": (lambda: (*GOOD[:4], raw.record("B", b"\x80")), "cut off"),
    "a long text": (lambda: (*GOOD, raw.record("W", b"\x05abc")), "longer than its record"),
    "a kind of module": (lambda: (*GOOD[:3], raw.module(1, "x", kind=7)), "unknown kind"),
    "a gap": (lambda: (*GOOD[:5], raw.interval(0, 12, 2, {0: 1})), "instruction 12"),
    "an overlap": (lambda: (*GOOD[:5], raw.interval(0, 8, 2, {0: 1})), "instruction 8"),
    "a wrong sum": (lambda: (*GOOD[:5], raw.interval(0, 10, 3, {0: 1})), "counts 2 of them"),
    "an unknown block": (lambda: (*GOOD[:5], raw.interval(0, 10, 2, {7: 1})), "names block 7"),
    "a part too long": (lambda: (*GOOD[:5], raw.interval(0, 10, 3, {}, [(0, 0, 3, 1)])), "beyond the block"),
    "a short record": (lambda: (*GOOD[:5], raw.record("I", raw.varints(0, 10, 2, 4, 1))), "shorter than it"),
    "a long record": (
        lambda: (*GOOD[:5], raw.record("I", raw.varints(0, 10, 2, 1, 0, 1, 0, 5))),
        "goes on after",
    ),
}


@pytest.mark.parametrize("what", BENT)
def test_a_bent_stream_is_an_error_that_names_file_and_byte(what: str, tmp_path: Path) -> None:
    records, message = BENT[what]
    path = raw.write(tmp_path / "bent.raw", *records())
    with pytest.raises(DataError, match=rf"bent\.raw: byte \d+: .*{message}") as caught:
        profile_of(path)
    assert str(caught.value).count(": byte ") == 1  # told once, not as the cause of another


@pytest.mark.parametrize("content", [b"", b"PMRAW", b"PMRAW002", b"#!/bin/sh\n"])
def test_another_file_is_refused(content: bytes, tmp_path: Path) -> None:
    path = tmp_path / "other.raw"
    path.write_bytes(content)
    with pytest.raises(DataError, match=r"other\.raw"):
        RawStream(path)


@pytest.mark.parametrize("begin", [b"PMLIVE01", b"PMP1"])
def test_a_live_stream_is_no_profile(begin: bytes, tmp_path: Path) -> None:
    path = tmp_path / "live.raw"
    path.write_bytes(begin + b"".join(GOOD))
    with pytest.raises(DataError, match=r"live\.raw: byte 0: a live stream, which holds no vectors"):
        RawStream(path)


@given(st.data())
@settings(deadline=None, max_examples=300)
def test_no_change_of_a_byte_crashes_the_reader(data: st.DataObject) -> None:
    whole = bytearray(b"PMRAW001" + b"".join(GOOD))
    for _ in range(data.draw(st.integers(1, 3))):
        whole[data.draw(st.integers(0, len(whole) - 1))] = data.draw(st.integers(0, 255))
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "a.raw"
        path.write_bytes(whole)
        try:
            assert profile_of(path).instructions >= 0
        except DataError as error:
            assert "a.raw" in str(error)


@pytest.mark.parametrize(("window", "gap"), [(1, 0), (40, 3), (7, 1 << 14)])
@given(program=programs(), engine=engines(), interval=st.integers(1, 40))
@settings(deadline=None, max_examples=10, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_what_is_read_does_not_depend_on_how_much_is_read_at_a_time(
    window: int, gap: int, program: Program, engine: Engine, interval: int
) -> None:
    with tempfile.TemporaryDirectory() as folder, pytest.MonkeyPatch.context() as patch:
        path = Recorder(program, engine).write(Path(folder) / "a.raw", interval)
        expected = RawStream(path)
        blocks, entries = expected.blocks, expected.entries(slice(None))
        for name, value in (("_WINDOW", window), ("_GAP", gap), ("_HEADS", 8)):
            patch.setattr(framing, name, value)
        found = RawStream(path)
        assert np.array_equal(found.intervals.start, expected.intervals.start)
        assert np.array_equal(found.blocks.lengths, blocks.lengths)
        again = found.entries(slice(None))
        for name in ("row", "block", "times", "partial_row", "partial_from", "partial_times"):
            assert np.array_equal(getattr(again, name), getattr(entries, name))


def test_rows_are_read_in_any_order(tmp_path: Path) -> None:
    path = raw.write(tmp_path / "a.raw", *GOOD)
    frames = RawStream(path).frames
    begin, end = frames.where("I")
    values, first, stop = frames.varints(begin[::-1], end[::-1])
    one, _, at = frames.varints(begin, end)
    half = len(one) // 2
    assert values.tolist() == [*one.tolist()[half:], *one.tolist()[:half]] and values[1] == 10
    assert first.tolist() == [0, half, 2 * half]
    assert stop.tolist() == at[::-1].tolist() == end[::-1].tolist()


@pytest.mark.parametrize("size", [0, 3, 60])
def test_a_stream_that_becomes_shorter_is_an_error_and_no_fault(tmp_path: Path, size: int) -> None:
    path = raw.write(tmp_path / "a.raw", *GOOD)
    stream = RawStream(path)
    os.truncate(path, size)
    with pytest.raises(DataError, match=r"a\.raw: byte \d+: the file has become shorter while it was read"):
        stream.entries(slice(None))
    os.truncate(path, 0)
    with pytest.raises(DataError, match="has become shorter"):
        _ = stream.blocks


def test_a_stream_that_grows_is_read_as_it_was(tmp_path: Path) -> None:
    path = raw.write(tmp_path / "a.raw", *GOOD)
    stream = RawStream(path)
    with path.open("ab") as file:
        file.write(raw.interval(0, 14, 4, {0: 2}))
    assert profile_of(stream).instructions == 14 and not stream.truncated


def test_a_pipe_in_place_of_a_stream_is_refused(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "a.raw")
    with pytest.raises(DataError, match="is no regular file"):
        RawStream(tmp_path / "a.raw")
