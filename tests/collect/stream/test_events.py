"""Events of raw streams: the kernel against its slow twin, and what is used of a damaged stream."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from tests.collect import encoding as raw
from tests.reference import events as slow

import phasemark._core as core
from phasemark.collect.stream.conversion import profile_of
from phasemark.collect.stream.events import packed_events
from phasemark.collect.stream.reader import RawStream
from phasemark.errors import DataError
from phasemark.store.events_h5 import PackedTrace

Happened = list[tuple[int, int, int]]


def fast(packed: bytes, size: int, count: int, start: int, end: int) -> Happened | None:
    found = core.decode_events(np.frombuffer(packed, np.uint8), size, count, start, end)
    return None if found is None else list(zip(*(column.tolist() for column in found), strict=True))


@st.composite
def happened(draw: st.DrawFn) -> Happened:
    rows, position = [], 0
    for _ in range(draw(st.integers(1, 20))):
        since = draw(st.integers(1, 2**40))
        repeats = draw(st.integers(1, min(since, 300)))
        position += since
        rows.append((draw(st.integers(0, 2**31 - 1)), repeats, position))
    return rows


@given(happened(), st.integers(0, 2**40))
@settings(deadline=None)
def test_events_come_back(rows: Happened, start: int) -> None:
    rows = [(site, repeats, start + position) for site, repeats, position in rows]
    data = raw.tokens(start, rows)
    assert fast(raw.literals(data), len(data), len(rows), start, rows[-1][2]) == rows
    assert [tuple(token) for token in slow.tokens(data, start)] == rows


@st.composite
def blocks(draw: st.DrawFn) -> bytes:
    """Blocks of LZ4's, good and bad: literals, and copies from before."""
    block, have = b"", 0
    for _ in range(draw(st.integers(0, 4))):
        literals = draw(st.binary(max_size=20))
        match = draw(st.integers(0, 40))
        have += len(literals)
        back = draw(st.integers(1, max(have, 1)) | st.integers(0, 70_000))
        token = bytes([min(len(literals), 15) << 4 | min(match, 15)])
        more = bytes([len(literals) - 15]) if len(literals) >= 15 else b""
        block += token + more + literals + back.to_bytes(3, "little")[:2]
        block += bytes([match - 15]) if match >= 15 else b""
        have += match + 4
    return block + raw.literals(draw(st.binary(max_size=20)))


@given(blocks() | st.binary(max_size=60), st.integers(0, 3), st.integers(0, 1000))
@example(b"\x50\x02\x01\x02\x01\x02", 0, 0)
@settings(deadline=None, max_examples=500)
def test_any_bytes_are_read_or_refused_alike(packed: bytes, off: int, start: int) -> None:
    try:
        data = slow.unpacked(packed)
        found: Happened | None = [tuple(token) for token in slow.tokens(data, start)]  # type: ignore[misc]
    except (AssertionError, IndexError):
        data, found = b"12", None
    size, count = len(data) + off // 2, len(found or [0]) + off % 2
    end = found[-1][2] if found else start + 1
    assert fast(packed, size, count, start, end) == (None if off else found or None)


@pytest.mark.parametrize(
    ("size", "count", "start", "end"),
    [(2**40, 1, 0, 5), (2, 2**40, 0, 5), (2, 1, -1, 4), (2, 1, 5, 5), (2, 0, 0, 5)],
)
def test_what_cannot_be_is_refused(size: int, count: int, start: int, end: int) -> None:
    assert fast(b"\x20\x02\x05", size, count, start, end) is None


# ---------------------------------------------------------------- streams

CODE = [
    raw.module(0, "/bin/a", offset=0x1000),
    raw.module(1, "", kind=1),
    raw.module(2, "/bin/a", offset=0x3000),
    raw.block(0, (0, 0, [1] * 10)),
]
SITES = [
    raw.site(0, 0, 0x2010, 0, (0, 0x2000)),
    raw.site(1, 1, 0x20, 3),
    raw.site(2, 2, 0x10, 0, (2, 0)),  # the place of 0, mapped once more
    raw.site(3, 0, 0x8, 2, (1, 0x40)),
]
WHOLE = [raw.thread(0), raw.interval(0, 0, 100, {0: 10})]


def trace(tmp_path: Path, *records: bytes, **header: Any) -> tuple[PackedTrace, list[str]]:
    said = {"events": 100_000, "interval": 1000, **header}
    path = raw.write(tmp_path / "1.0.raw", raw.header(**said), *CODE, *WHOLE, *records)
    stream = RawStream(path)
    return packed_events(stream, profile_of(stream))


def rows(packed: PackedTrace, thread: int = 0) -> Happened:
    found = []
    for columns in packed.traces[thread].chunks():
        assert all(len(column) for column in columns)
        found += list(zip(*(column.tolist() for column in columns), strict=True))
    return found


def test_sites_are_told_apart_by_place_and_kind(tmp_path: Path) -> None:
    packed, warnings = trace(
        tmp_path,
        *SITES,
        raw.events(0, 0, [(0, 1, 10), (3, 2, 30)]),
        raw.events(0, 30, [(2, 1, 40), (1, 1, 99)]),
    )
    sites = packed.sites
    assert warnings == []
    assert [sites.name(row) for row in range(3)] == [
        "call /bin/a+0x1008",
        "loop /bin/a+0x3010",
        "return [anonymous 0]+0x20",
    ]
    assert sites.target_module.tolist() == [1, 0, -1]
    assert sites.target.tolist() == [0x40, 0x3000, 0]
    assert rows(packed) == [(1, 1, 10), (0, 2, 30), (1, 1, 40), (2, 1, 99)]
    (one,) = packed.traces
    assert (one.instructions, one.thread, one.run, len(one)) == (100, 0, 0, 4)


def test_the_latest_of_what_was_so_far_is_used(tmp_path: Path) -> None:
    packed, warnings = trace(
        tmp_path,
        *SITES,
        raw.events(0, 0, [(0, 1, 10)], kind="U"),
        raw.events(0, 0, [(0, 2, 20)], kind="U"),
        raw.events(0, 0, [(0, 3, 30)]),
        raw.events(0, 30, [(1, 1, 40)], kind="U"),
        raw.events(0, 30, [(1, 1, 40), (0, 1, 120)], kind="U"),
    )
    # Of 120 instructions' events only 100 were executed as the vectors know.
    assert warnings == [] and rows(packed) == [(1, 3, 30), (2, 1, 40)]


BAD = {
    "missing": raw.events(0, 31, [(0, 1, 40)]),
    "of an unknown site": raw.events(0, 30, [(7, 1, 40)]),
    "no block of LZ4's": raw.record("V", raw.varints(0, 30, 40, 1, 2) + b"\xf0"),
    "ends elsewhere": raw.record("V", raw.varints(0, 30, 41, 1, 2) + b"\x20\x00\x0a"),
}


@pytest.mark.parametrize("bad", BAD)
def test_what_is_before_the_damage_is_used(bad: str, tmp_path: Path) -> None:
    packed, warnings = trace(
        tmp_path, *SITES, raw.events(0, 0, [(0, 1, 30)]), BAD[bad], raw.events(0, 40, [(0, 1, 50)])
    )
    assert rows(packed) == [(1, 1, 30)]
    assert warnings == [
        "of the events of thread 0 those of the first 30 of 100 instructions were recorded whole; the others "
        "are left out"
    ]


@pytest.mark.parametrize("cut", range(1, 30))
def test_a_stream_cut_off_anywhere_in_its_events_is_used(cut: int, tmp_path: Path) -> None:
    last = raw.events(0, 30, [(0, 1, 40), (1, 7, 50)])
    records = [*SITES, raw.events(0, 0, [(0, 1, 30)]), last[: -min(cut, len(last))]]
    packed, _ = trace(tmp_path, *records)
    assert rows(packed) == [(1, 1, 30)]


@pytest.mark.parametrize(
    ("site", "message"),
    [
        (raw.site(2**28, 0, 0), "too large"),
        (raw.site(4, 9, 0), "a module that was not recorded"),
        (raw.site(4, 0, 0, 4), "unknown kind"),
        (raw.site(4, 0, 2**60), "impossible offset"),
        (raw.site(4, 0, 0, 0, (9, 0)), "leads to"),
    ],
)
def test_what_is_before_an_impossible_site_is_used(site: bytes, message: str, tmp_path: Path) -> None:
    number = 4 if message != "too large" else 2**28
    before = [*SITES, raw.events(0, 0, [(0, 1, 30)])]
    after = [raw.events(0, 30, [(number, 1, 40)]), raw.events(0, 40, [(0, 1, 50)])]
    packed, warnings = trace(tmp_path, *before, site, *after)
    assert rows(packed) == [(1, 1, 30)]
    assert len(warnings) == 2 and message in warnings[0] and "first 30 of 100" in warnings[1]


@pytest.mark.parametrize("lasting", range(8))
def test_a_head_that_is_no_head_ends_the_events_of_all_threads(lasting: int, tmp_path: Path) -> None:
    """As one flipped bit makes of a number: one without an end, or above all that can be."""
    heads = [raw.events(0, 10 * at, [(0, 1, 10 * at + 10)]) for at in range(8)]
    bad = bytearray(heads[lasting])
    bad[5:] = b"\xff" * (len(bad) - 5)
    heads[lasting] = bytes(bad)
    packed, warnings = trace(tmp_path, *SITES, *heads)
    assert rows(packed) == [(1, 1, 10 * at + 10) for at in range(lasting)]
    (said,) = warnings
    assert said.startswith("1.0.raw is damaged from byte ") and said.endswith("after it are left out")


def test_a_stream_without_events_says_so(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="without events"):
        trace(tmp_path, events=0)


def test_a_thread_may_have_none(tmp_path: Path) -> None:
    packed, warnings = trace(tmp_path)
    assert warnings == [] and rows(packed) == [] and len(packed.sites) == 0
