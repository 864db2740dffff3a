"""A file that lines are added to."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from phasemark.errors import WorkError
from phasemark.store.lines import Lines


def test_lines_are_there_at_once_and_behind_those_before(tmp_path: Path) -> None:
    path = tmp_path / "log"
    path.write_text("before\n")
    log = Lines(path)
    assert log.add("one") and path.read_text() == "before\none\n"
    assert log.add("two\udc80") and path.read_bytes() == b"before\none\ntwo\\udc80\n"
    log.close()
    log.close()
    assert log.lost == 0


def test_a_full_disk_loses_lines_and_no_more(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    log = Lines(tmp_path / "log")
    write = os.write
    room = [3, 0, 100, 100]

    def full(handle: int, content: bytes) -> int:
        left = room.pop(0)
        if not left:
            raise OSError(28, "No space left on device")
        return write(handle, content[:left])

    monkeypatch.setattr(os, "write", full)
    assert [log.add(line) for line in ("first", "second", "third", "fourth")] == [False, False, True, True]
    assert (log.lost, log.why) == (2, "No space left on device")
    assert (tmp_path / "log").read_text() == "fir\nthird\nfourth\n", "what was torn is a line of its own"
    log.close()


def test_a_device_that_is_full(tmp_path: Path) -> None:
    log = Lines("/dev/full")
    assert not log.add("x") and log.why == "No space left on device"
    log.close()


def test_a_pipe_is_never_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(WorkError, match="a pipe that nobody reads"):
        Lines(tmp_path / "pipe")
    reader = os.open(tmp_path / "pipe", os.O_RDONLY | os.O_NONBLOCK)
    log = Lines(tmp_path / "pipe")
    while log.add("x" * 4000):
        pass
    assert log.lost == 1
    os.close(reader)
    log.close()


@pytest.mark.parametrize("name", ["none/log", ".", "x" * 300, "a\0b"])
def test_what_cannot_be_written_is_said_before_anything_is(tmp_path: Path, name: str) -> None:
    with pytest.raises(WorkError):
        Lines(tmp_path / name)
