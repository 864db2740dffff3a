"""Records of how long ago memory was used -> that of the profile's intervals."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.collect import encoding

from phasemark.collect.stream.conversion import profile_of
from phasemark.collect.stream.reader import RawStream
from phasemark.errors import DataError

CODE = (
    encoding.header(memory=64, interval=10),
    encoding.module(0, "/bin/prog"),
    encoding.block(0, (0, 0, [1] * 5)),
)


def interval(start: int, times: int, *, thread: int = 0, kind: str = "I") -> bytes:
    return encoding.interval(thread, start, 5 * times, {0: times}, kind=kind)


def stream(folder: Path, *records: bytes) -> RawStream:
    return RawStream(encoding.write(folder / "a.raw", *CODE, encoding.thread(0), *records))


def test_each_interval_has_that_of_its_stretch(tmp_path: Path) -> None:
    read = stream(
        tmp_path,
        encoding.reuse(0, 0, 10, 1, 2, 3, code=(4, 5, 6), surprises=8),
        interval(0, 2),
        encoding.reuse(0, 10, 5, 0, 0, 7),
        interval(10, 1),
        encoding.end(15),
    )
    assert read.reuse is not None and read.reuse.lines == 64
    assert read.reuse.data.tolist() == [[1, 2, 3], [0, 0, 7]]
    assert read.reuse.code.tolist() == [[4, 5, 6], [0, 0, 0]]
    made = profile_of(read).reuse
    assert made is not None and made.lines == 64
    assert made.surprises is not None and made.surprises.tolist() == [8, 0]
    assert made.data.tolist() == [[1, 2, 3], [0, 0, 7]]
    assert made.code.tolist() == [[4, 5, 6], [0, 0, 0]]


def test_recorded_intervals_that_are_put_together_are_added_up(tmp_path: Path) -> None:
    # Where a thread waited an interval was cut short, and goes on; and so threads have their own.
    records = [
        encoding.reuse(0, 0, 5, 1, 0, 3, surprises=2),
        interval(0, 1),
        encoding.reuse(0, 5, 5, 0, 2, 4, surprises=3),
        interval(5, 1),
        encoding.thread(1, 0),
        encoding.reuse(1, 0, 5, 9, 9, 9),
        interval(0, 1, thread=1),
        encoding.end(15),
    ]
    made = profile_of(stream(tmp_path, *records)).reuse
    assert made is not None and made.data.tolist() == [[1, 2, 7], [9, 9, 9]]
    assert made.surprises is not None and made.surprises.tolist() == [5, 0]


def test_a_later_record_of_an_interval_counts(tmp_path: Path) -> None:
    # Of an interval so far; the last record may be of more than was recorded of it.
    so_far = (encoding.reuse(0, 0, 5, 1, 1, 1), interval(0, 1, kind="P"))
    done = (encoding.reuse(0, 0, 10, 1, 2, 2), interval(0, 2))
    for records, expected in (
        (so_far, [1, 1, 1]),
        ((*so_far, *done), [1, 2, 2]),
        ((*so_far, done[0]), [1, 1, 1]),
    ):
        read = stream(tmp_path, *records)
        assert read.reuse is not None and read.reuse.data.tolist() == [expected]


def test_a_stream_without_has_none(tmp_path: Path) -> None:
    path = encoding.write(
        tmp_path / "a.raw", encoding.header(), *CODE[1:], encoding.thread(0), interval(0, 2)
    )
    assert RawStream(path).reuse is None and profile_of(path).reuse is None


@pytest.mark.parametrize(
    ("records", "said"),
    [
        ((interval(0, 2),), "an interval without its reuse"),
        ((encoding.reuse(0, 0, 5, 1, 2), interval(0, 2)), "an interval without its reuse"),
        ((encoding.reuse(0, 0, 10, 1), interval(0, 2)), "reuse of memory in 1 bands"),
        ((encoding.reuse(0, 0, 10, *[1] * 33), interval(0, 2)), "reuse of memory in 33 bands"),
        ((encoding.reuse(0, 0, 10, 1, 2), encoding.reuse(0, 10, 5, 1, 2, 3)), "reuse of memory in 3 bands"),
        (
            (encoding.record("R", encoding.varints(0, 0, 10, 0, 2, 1, 2, 0, 0, 3)), interval(0, 2)),
            "goes on after its end",
        ),
        ((encoding.record("R", encoding.varints(0, 0, 10, 0, 2, 1, 2, 0)), interval(0, 2)), "byte "),
    ],
)
def test_what_is_malformed_is_named(tmp_path: Path, records: tuple[bytes, ...], said: str) -> None:
    with pytest.raises(DataError, match=said) as error:
        stream(tmp_path, *records).reuse  # noqa: B018  reading it is what fails
    assert "a.raw" in str(error.value)


@pytest.mark.parametrize("lines", ["-1", "x", str(2**21)])
def test_a_header_that_looks_at_no_such_share_of_lines(tmp_path: Path, lines: str) -> None:
    with pytest.raises(DataError, match="holds no number"):
        RawStream(encoding.write(tmp_path / "a.raw", encoding.header(memory=lines)))
