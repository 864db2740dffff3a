"""Records of the timing model -> counters of intervals."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.collect import encoding

from phasemark.collect.stream import counting
from phasemark.collect.stream.reader import RawStream

NAMES = ("instructions", "cycles")


def stream(path: Path, *records: tuple[int, int, int, int]) -> RawStream:
    """Records of (thread, start, length, cycles)."""
    lines = [encoding.counts(t, start, length, length, cycles) for t, start, length, cycles in records]
    return RawStream(encoding.write(path, encoding.header(), encoding.counter_names(*NAMES), *lines))


def test_records_of_an_interval_are_added_up(tmp_path: Path) -> None:
    recorded = stream(tmp_path / "a.raw", (0, 0, 10, 7), (0, 10, 10, 9), (0, 20, 10, 1), (2, 0, 10, 5))
    metrics, missing = counting.metrics(recorded, [0, 0, 2], [0, 1, 0], [0, 20, 0], [20, 41, 10])
    assert metrics.counters["cycles"].tolist() == [16, 5]
    assert metrics.counters["instructions"].tolist() == [20, 10]
    assert metrics.thread.tolist() == [0, 2] and metrics.length.tolist() == [20, 10]
    assert missing.tolist() == [1]


def test_an_interval_of_which_half_was_counted_is_there(tmp_path: Path) -> None:
    recorded = stream(tmp_path / "a.raw", (0, 0, 500, 300), (0, 1000, 499, 300))
    metrics, missing = counting.metrics(recorded, [0, 0], [0, 1], [0, 1000], [1000, 2000])
    assert metrics.index.tolist() == [0] and missing.tolist() == [1]
    assert metrics.length.tolist() == [1000] and metrics.counters["instructions"].tolist() == [500]


def test_records_outside_the_intervals_count_nowhere(tmp_path: Path) -> None:
    recorded = stream(tmp_path / "a.raw", (0, 0, 10, 7), (0, 15, 10, 9), (1, 0, 10, 3))
    metrics, missing = counting.metrics(recorded, [0], [3], [10], [20])
    assert not len(metrics) and missing.tolist() == [0]


def test_the_latest_record_of_a_stretch_counts(tmp_path: Path) -> None:
    recorded = stream(tmp_path / "a.raw", (0, 0, 5, 3), (0, 0, 10, 7))
    metrics, _ = counting.metrics(recorded, [0], [0], [0], [10])
    assert metrics.counters["cycles"].tolist() == [7]


@settings(deadline=None, max_examples=50)
@given(
    lengths=st.lists(st.lists(st.integers(1, 20), min_size=1, max_size=12), min_size=1, max_size=3),
    merged=st.integers(1, 4),
)
def test_any_grouping_of_records_keeps_the_sums(
    tmp_path_factory: pytest.TempPathFactory, lengths: list[list[int]], merged: int
) -> None:
    records, thread, index, start, end = [], [], [], [], []
    for t, sizes in enumerate(lengths):
        bounds = np.concatenate(([0], np.cumsum(sizes))).tolist()
        records += [(t, at, size, 3 * size + at) for at, size in zip(bounds, sizes, strict=False)]
        groups = bounds[::merged] + ([bounds[-1]] if (len(bounds) - 1) % merged else [])
        for i, (first, last) in enumerate(pairwise(groups)):
            thread.append(t), index.append(i), start.append(first), end.append(last)
    recorded = stream(tmp_path_factory.mktemp("s") / "a.raw", *records)
    metrics, missing = counting.metrics(recorded, thread, index, start, end)
    assert not len(missing)
    assert metrics.counters["instructions"].tolist() == metrics.length.tolist()
    assert metrics.counters["cycles"].sum() == sum(cycles for *_, cycles in records)
