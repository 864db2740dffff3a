"""Which interval length `auto` takes, and which rows are added up."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.collect import encoding as raw

from phasemark.collect.stream.conversion import profile_of
from phasemark.collect.stream.merging import merged
from phasemark.collect.stream.reader import RawStream
from phasemark.errors import DataError
from phasemark.model import OF_CORES


def automatic(path: Path, *totals: int, first: int = 10_000, limit: int = 4096) -> Path:
    """A stream of threads of so many instructions, whose intervals double as docs/raw-stream.md says."""
    records = [raw.header(interval=first, auto=1), raw.module(0, "/p"), raw.block(0, (0, 0, [1]))]
    for thread, total in enumerate(totals):
        records.append(raw.thread(thread))
        at, length = 0, first
        while at < total:
            if at == limit * length:
                length *= 2
            took = min(length, total - at)
            records.append(raw.interval(thread, at, took, {0: took}))
            at += took
    return raw.write(path, *records, raw.end(sum(totals)))


@pytest.mark.parametrize(
    ("total", "length"),
    [
        (5_000, 10_000),
        (10_000_000, 10_000),
        (14_000_000, 10_000),
        (16_000_000, 20_000),
        (40_959_999, 40_000),
        (40_960_001, 40_000),
        (1_000_000_000, 960_000),
    ],
)
def test_auto_gives_about_1000_intervals_of_at_least_10_000(total: int, length: int, tmp_path: Path) -> None:
    profile = profile_of(automatic(tmp_path / "a.raw", total))
    assert profile.provenance.interval == length
    assert len(profile.intervals) == -(-total // length)
    assert profile.instructions == total
    assert total < 2e7 or 700 < len(profile.intervals) < 1500


@given(st.lists(st.integers(1, 300_000), min_size=1, max_size=4))
@settings(deadline=None, max_examples=60)
def test_merged_intervals_tile_every_thread(totals: list[int]) -> None:
    import tempfile

    with tempfile.TemporaryDirectory() as folder:
        path = automatic(Path(folder) / "a.raw", *totals, first=700, limit=16)
        profile = profile_of(path)
        table, length = profile.intervals, profile.provenance.interval
        assert length is not None and length % 700 == 0
        for thread, total in enumerate(totals):
            ours = table[table.thread == thread]
            assert ours.length.sum() == total
            assert (ours.length[:-1] == length).all()
            assert (ours.kind[:-1] == "fixed").all()
            assert ours.kind.iloc[-1] == ("fixed" if total % length == 0 else "tail")


def test_threads_of_unequal_length_share_one_interval_length(tmp_path: Path) -> None:
    profile = profile_of(automatic(tmp_path / "a.raw", 300_000_000, 15_000, 50_000_001))
    assert profile.provenance.interval == 320_000
    assert profile.intervals.groupby("thread").length.sum().tolist() == [300_000_000, 15_000, 50_000_001]


def test_streams_of_unlike_intervals_are_refused(tmp_path: Path) -> None:
    def stream(name: str, interval: int) -> Path:
        return raw.write(tmp_path / name, raw.header(interval=interval))

    with pytest.raises(DataError, match=r"b\.raw was recorded with intervals of 20"):
        profile_of(stream("a.raw", 10), stream("b.raw", 20))


def waiting(path: Path) -> Path:
    """Thread 0 waits for 25 at 15, and for 3 at 20; intervals of 10."""
    return raw.write(
        path,
        raw.header(interval=10), raw.module(0, "/p"), raw.block(0, (0, 0, [1])),
        raw.thread(0), raw.order(0, 0, 0), raw.interval(0, 0, 10, {0: 10}), raw.order(0, 10, 10),
        raw.thread(1), raw.order(1, 0, 15), raw.interval(1, 0, 10, {0: 10}), raw.order(1, 10, 25),
        raw.interval(1, 10, 10, {0: 10}), raw.order(1, 20, 35),
        raw.interval(0, 10, 5, {0: 5}), raw.order(0, 15, 15, 40),
        raw.interval(0, 15, 5, {0: 5}), raw.order(0, 20, 45), raw.order(0, 20, 45, 48),
        raw.interval(1, 20, 8, {0: 8}), raw.order(1, 28, 48, 48),
        raw.interval(0, 20, 2, {0: 2}), raw.order(0, 22, 50, 60),
        raw.end(50),
    )  # fmt: skip


def test_an_interval_ends_where_its_thread_waited_longer_than_one(tmp_path: Path) -> None:
    table = profile_of(waiting(tmp_path / "a.raw")).intervals
    first = table[table.thread == 0]
    assert first.start.tolist() == [0, 10, 15, 20] and first.length.tolist() == [10, 5, 5, 2]
    assert first.kind.tolist() == ["fixed", "tail", "tail", "tail"] and first["index"].tolist() == [
        0,
        1,
        2,
        3,
    ]
    assert first.began.tolist() == [0, 10, 40, 48] and first.ended.tolist() == [10, 15, 45, 50]
    second = table[table.thread == 1]
    assert second.began.tolist() == [15, 25, 35] and second.ended.tolist() == [25, 35, 48]


def test_short_waits_do_not_cut_what_is_merged(tmp_path: Path) -> None:
    """Recorded in intervals of 10: a wait of 3 is within one of 20, a wait of 21 is not."""
    path = raw.write(
        tmp_path / "a.raw",
        raw.header(interval=10), raw.module(0, "/p"), raw.block(0, (0, 0, [1])),
        raw.thread(0), raw.order(0, 0, 0), raw.interval(0, 0, 10, {0: 10}), raw.order(0, 10, 10, 13),
        raw.interval(0, 10, 10, {0: 10}), raw.order(0, 20, 23), raw.interval(0, 20, 10, {0: 10}),
        raw.order(0, 30, 33, 54), raw.interval(0, 30, 10, {0: 10}), raw.order(0, 40, 64, 64), raw.end(40),
    )  # fmt: skip
    first, table = merged(RawStream(path), 20, timed=True)
    assert first.tolist() == [0, 2, 3] and table.length.tolist() == [20, 10, 10]
    assert table.began is not None and table.began.tolist() == [0, 23, 54]


def test_the_clock_is_named_and_kept_of_several_threads_alone(tmp_path: Path) -> None:
    assert profile_of(waiting(tmp_path / "a.raw")).provenance.details["clock"] == OF_CORES
    records = [raw.header(interval=10), raw.module(0, "/p"), raw.block(0, (0, 0, [1])), raw.thread(0)]
    records += [raw.order(0, 0, 0), raw.interval(0, 0, 4, {0: 4}), raw.order(0, 4, 4), raw.end(4)]
    alone = profile_of(raw.write(tmp_path / "b.raw", *records))
    assert "began" not in alone.intervals and "clock" not in alone.provenance.details


def test_a_stream_without_the_order_has_no_clock(tmp_path: Path) -> None:
    profile = profile_of(automatic(tmp_path / "a.raw", 10, 20))
    assert "began" not in profile.intervals and "clock" not in profile.provenance.details


def test_the_last_interval_of_a_killed_thread_ran_by_itself(tmp_path: Path) -> None:
    records = [raw.header(interval=10), raw.module(0, "/p"), raw.block(0, (0, 0, [1]))]
    for thread, began in ((0, 0), (1, 7)):
        records += [raw.thread(thread), raw.order(thread, 0, began)]
        records.append(raw.interval(thread, 0, 6, {0: 6}, kind="P"))
    table = profile_of(raw.write(tmp_path / "a.raw", *records)).intervals
    assert table.began.tolist() == [0, 7] and table.ended.tolist() == [6, 13]


def test_a_clock_that_goes_back_is_refused(tmp_path: Path) -> None:
    records = [raw.header(interval=10), raw.module(0, "/p"), raw.block(0, (0, 0, [1]))]
    for thread in (0, 1):
        records += [raw.thread(thread), raw.order(thread, 0, 50), raw.interval(thread, 0, 10, {0: 10})]
        records += [raw.order(thread, 10, 20), raw.interval(thread, 10, 2, {0: 2})]
    with pytest.raises(DataError, match=r"a\.raw, row 1: an interval began before the one ahead"):
        profile_of(raw.write(tmp_path / "a.raw", *records))
