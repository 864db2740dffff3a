"""Whatever lies in a file's place: read within bounds, or refused in words."""

from __future__ import annotations

import gzip
import os
import socket
from collections.abc import Callable
from pathlib import Path

import pytest

from phasemark.errors import DataError, UsageError, WorkError
from phasemark.formats import source
from phasemark.reading import TABLE, Limit, Unforeseen, content, opened, reading_as, whole_number

SMALL = Limit("a small thing", 100, 50)


def fifo(path: Path) -> None:
    os.mkfifo(path)


def folder(path: Path) -> None:
    path.mkdir()


def loop(path: Path) -> None:
    path.symlink_to(path)


def device(path: Path) -> None:
    path.symlink_to("/dev/zero")


def a_socket(path: Path) -> None:
    with socket.socket(socket.AF_UNIX) as listening:
        os.chdir(path.parent)
        listening.bind(path.name)


@pytest.mark.parametrize("make", [fifo, folder, loop, device, a_socket])
@pytest.mark.parametrize("read", [lambda p: content(p, SMALL), lambda p: source.content(p, SMALL)])
def test_what_is_no_file_is_refused(
    make: Callable[[Path], None],
    read: Callable[[Path], bytes],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    make(tmp_path / "x")
    with pytest.raises(DataError, match=r"no regular file|is a folder|cannot be found") as error:
        read(tmp_path / "x")
    assert error.value.path == tmp_path / "x" and error.value.hint


@pytest.mark.parametrize("name", ["a\0b", "n" * 300, "\udcff"])
def test_names_that_can_be_of_no_file(name: str) -> None:
    with pytest.raises(DataError, match=r"cannot be found|there is no such file"):
        content(name, SMALL)


def test_a_small_file_is_read_up_to_its_limit(tmp_path: Path) -> None:
    path = tmp_path / "x"
    path.write_bytes(b"a" * 100)
    assert content(path, SMALL) == source.content(path, SMALL) == b"a" * 100
    path.write_bytes(b"a" * 101)
    for read in (content, source.content):
        with pytest.raises(DataError, match="larger than 100 bytes, the most that is read of a small thing"):
            read(path, SMALL)
    path.write_bytes(gzip.compress(b"a" * 50))
    assert source.content(path, SMALL) == b"a" * 50
    path.write_bytes(gzip.compress(b"a" * 51))
    with pytest.raises(DataError, match="more than 50 bytes, the most that is unzipped") as error:
        source.content(path, SMALL)
    assert "gunzip" in error.value.hint


def test_a_file_without_a_size_is_read_within_the_limit() -> None:
    assert content("/proc/self/comm", SMALL)
    with pytest.raises(DataError, match="larger than"):
        content("/proc/self/maps", SMALL)


def test_lines_are_cut_anywhere_and_are_the_same(tmp_path: Path) -> None:
    path = tmp_path / "x"
    for text in (b"", b"\n", b"a", b"a\n", b"a\n\nb", b"a\r\nb\n", b"\n\n\nc\n"):
        path.write_bytes(text)
        expected = list(enumerate(text.split(b"\n"), 1))
        assert list(source.lines(path)) == (expected if expected[-1][1] else expected[:-1])
    many = b"".join(b"%d\n" % i for i in range(200_000))
    path.write_bytes(gzip.compress(many))
    assert [line for _, line in source.lines(path)] == many.split(b"\n")[:-1]


def test_a_line_without_end_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "x"
    path.write_bytes(b"a\n" + b"x" * 2_000_000)
    with pytest.raises(DataError, match=r":2: the line is longer than 1 MiB"):
        list(source.lines(path, longest=2**20))


def test_a_bomb_is_refused_before_its_first_line_is_read(tmp_path: Path) -> None:
    path = tmp_path / "x"
    path.write_bytes(gzip.compress(b"1 1\n" * (2**26 + 1), 1))
    with pytest.raises(DataError, match=r"more than 256 MiB, the most that is unzipped of a table"):
        next(source.lines(path, TABLE))


def test_the_guard_names_the_file_and_keeps_the_cause(tmp_path: Path) -> None:
    path = tmp_path / "x"
    with pytest.raises(Unforeseen, match="x: cannot be read as a table: 'no'") as error, \
            reading_as(path, "a table", hint="do"):  # fmt: skip
        raise KeyError("no")
    assert isinstance(error.value.__cause__, KeyError) and error.value.hint == "do"
    with pytest.raises(DataError, match="x: bad"), reading_as(path, "a table"):
        raise DataError("bad")
    with pytest.raises(UsageError), reading_as(path, "a table"):
        raise UsageError("no")
    with pytest.raises(WorkError, match="x: cannot be read: Input/output"), reading_as(path, "a table"):
        raise OSError(5, "Input/output error")
    with pytest.raises(AssertionError), reading_as(path, "a table"):
        raise AssertionError  # our own fault, never the file's


def test_a_file_that_may_not_be_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "x").touch()

    def refuse(*_: object) -> int:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(os, "open", refuse)
    with pytest.raises(WorkError, match="cannot be read: Permission denied"), opened(tmp_path / "x"):
        pass


@pytest.mark.parametrize(
    "text, value",
    [
        ("0", 0), (b"007", 7), (str(2**63 - 1), 2**63 - 1), (str(2**63), None), ("9" * 5000, None),
        ("0" * 5000 + "1", 1), ("", None), ("-1", None), ("1_0", None), ("\u0663", None), (" 1", None),
    ],
)  # fmt: skip
def test_whole_numbers(text: str | bytes, value: int | None) -> None:
    assert whole_number(text) == value
