"""perf's stream, taken apart while it comes."""

from __future__ import annotations

from contextlib import suppress
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.formats.perf import piping

from phasemark.errors import DataError
from phasemark.formats.perf.lines import Lost, Mapping, Name, Task
from phasemark.formats.perf.piped import At, Batch, Piece, Piped, Round
from phasemark.formats.perf.rounds import Rounds

STREAM = b"".join(
    (
        piping.HEADER,
        piping.attributes(),
        piping.record(80, bytes(20)),  # a feature of the recording
        piping.mapping(5, 0x1000, 0x2000, "/bin/cat", offset=0x400),
        piping.executes(5, "cat", 40),
        piping.samples(5, [0x1010, 0x1020], 50),
        piping.lost(3),
        piping.sample(5, 1 << 63, 60),
        piping.task(6, 6, 5, 5, 70),
        piping.task(6, 6, 5, 5, 80, begins=False),
        piping.turn(),
    )
)


def told(*pieces: bytes) -> list[Piece]:
    stream = Piped()
    return [one for piece in pieces for one in stream.feed(piece)]


def plain(pieces: list[Piece]) -> list[object]:
    """Batches as their samples."""
    out: list[object] = []
    for one in pieces:
        if isinstance(one, Batch):
            out += zip(*(getattr(one, name).tolist() for name in Batch.COLUMNS), strict=True)
        else:
            out.append("round" if isinstance(one, Round) else one)
    return out


def test_records_and_samples_come_as_they_stand() -> None:
    assert plain(told(STREAM)) == [
        At(0, Mapping(5, 0x1000, 0x2000, 0x400, b"/bin/cat", "", True)),
        At(40, Name(True, b"cat", 5, 5)),
        (5, 0x1010, 50, 2_000_000),
        (5, 0x1020, 2_000_050, 2_000_000),
        At(0, Lost(3)),
        (5, 1 << 63, 60, 2_000_000),
        At(70, Task(True, 6, 6, 5, 5)),
        At(80, Task(False, 6, 6, 5, 5)),
        "round",
    ]


@given(st.lists(st.integers(0, len(STREAM)), max_size=8))
@settings(deadline=None)
def test_it_may_be_cut_anywhere(cuts: list[int]) -> None:
    ends = sorted({0, len(STREAM), *cuts})
    pieces = [STREAM[first:last] for first, last in pairwise(ends)]
    assert plain(told(*pieces)) == plain(told(STREAM))


def test_samples_may_say_their_period() -> None:
    parts = piping.PARTS | piping.PERIOD
    stream = piping.HEADER + piping.attributes(1000, parts, 1 << 10 | 1 << 18)
    (batch,) = told(stream + piping.sample(1, 2, 3, period=77) + piping.sample(1, 2, 4, period=2**63))
    assert isinstance(batch, Batch) and batch.period.tolist() == [77, 2**53]


def test_samples_of_another_size_are_read_apart() -> None:
    longer = piping.sample(1, 5, 6, period=1)  # with a part behind those that are asked for
    found = told(BEGUN + piping.sample(1, 2, 3) + longer + longer)
    assert [one.ip.tolist() for one in found if isinstance(one, Batch)] == [[2], [5, 5]]


def test_the_first_events_parts_count() -> None:
    """perf has another event for itself, which is never sampled."""
    other = piping.attributes(4000, piping.PARTS | piping.PERIOD)
    (batch,) = told(piping.HEADER + piping.attributes(5) + other + piping.sample(1, 2, 3))
    assert isinstance(batch, Batch) and batch.period.tolist() == [5]


BEGUN = piping.HEADER + piping.attributes()


@pytest.mark.parametrize(
    ("stream", "reason"),
    [
        (b"# perf script writes\n", "it is not what perf record writes to a pipe"),
        (BEGUN + bytes(8), "a record of 0 bytes"),
        (piping.HEADER + piping.sample(1, 2, 3), "a sample has other parts than were announced"),
        (BEGUN + piping.record(9, bytes(12)), "a sample has other parts than were announced"),
        (BEGUN + piping.record(9, bytes(16)), "a sample has other parts than were announced"),
        (BEGUN + piping.record(7, bytes(8)), "a record of kind 7 is cut"),
        (BEGUN + piping.record(10, bytes(40)), "a record of kind 10 is cut"),
        (BEGUN + piping.record(66, bytes(8)), "tracepoints were recorded"),
        (piping.HEADER + piping.attributes(parts=1), "samples have no address, thread or time"),
    ],
)
def test_what_is_no_such_stream_is_refused(stream: bytes, reason: str) -> None:
    with pytest.raises(DataError, match=reason):
        told(stream)


@given(st.binary(max_size=200))
@settings(deadline=None)
def test_bent_bytes_are_read_or_refused(tail: bytes) -> None:
    with suppress(DataError):
        told(BEGUN, tail)


# ------------------------------------------------------------ rounds


def test_what_was_read_late_is_put_in_order() -> None:
    """A program is executed on one processor and goes on on another, whose buffer is read first."""
    first = piping.samples(5, [0x1010], 100) + piping.turn()
    second = piping.samples(5, [0x2010], 300) + piping.mapping(5, 0x2000, 64, "/b", time=250)
    stream = Piped()
    rounds = Rounds()
    assert plain([*rounds.take(stream.feed(BEGUN + first))]) == []
    assert plain([*rounds.take(stream.feed(second + piping.turn()))]) == [(5, 0x1010, 100, 2_000_000)]
    assert plain([*rounds.take(stream.feed(piping.turn()))]) == [
        Mapping(5, 0x2000, 64, 0, b"/b", "", True),
        (5, 0x2010, 300, 2_000_000),
    ]


@given(st.lists(st.tuples(st.integers(1, 50), st.booleans(), st.booleans()), max_size=30))
@settings(deadline=None)
def test_nothing_is_lost_and_all_is_in_order_within_rounds(events: list[tuple[int, bool, bool]]) -> None:
    """What comes in a round is later than all that came until the one before the last."""
    stream, seen, latest, known = BEGUN, [0], 0, 0
    for delay, is_sample, ends in events:
        time = known + delay
        stream += piping.sample(1, time, time) if is_sample else piping.task(2, 2, 1, 1, time)
        seen.append(time)
        if ends:
            stream += piping.turn()
            known, latest = latest, max(seen)
    rounds = Rounds()
    out = [*rounds.take(Piped().feed(stream)), *rounds.rest()]
    times = [time for one in out if isinstance(one, Batch) for time in one.time.tolist()]
    tasks = sum(isinstance(one, Task) for one in out)
    assert times == sorted(times) and len(times) + tasks == len(seen) - 1
