"""Which interval length `auto` takes, and which rows are added up."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.collect import encoding as raw

from phasemark.collect.stream.conversion import profile_of
from phasemark.errors import DataError


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
