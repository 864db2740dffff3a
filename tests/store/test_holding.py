"""One command at a time works in a folder: who waits, who is told, and who lets go."""

from __future__ import annotations

import fcntl
import os
import signal
import threading
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path

import pytest
from tests.waiting import LONG

from phasemark import progress
from phasemark.errors import WorkError
from phasemark.store import holding
from phasemark.store.folder import Folder


@contextmanager
def another_process(held: AbstractContextManager[None]) -> Iterator[int]:
    """A process that is within something until it is killed."""
    reading, writing = os.pipe()
    child = os.fork()
    if not child:
        try:
            with held:
                os.write(writing, b"ready")
                signal.pause()
        finally:
            os._exit(1)
    try:
        os.close(writing)
        assert os.read(reading, 5) == b"ready"
        yield child
    finally:
        os.close(reading)
        kill(child)


def kill(child: int) -> None:
    try:
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
    except (ProcessLookupError, ChildProcessError):
        pass


@pytest.fixture
def told() -> Iterator[list[str]]:
    sentences: list[str] = []
    progress.tell_waiting(sentences.append)
    yield sentences
    progress._told.clear()


def no_locks(*_: object) -> None:
    raise OSError(37, "No locks available")


@pytest.fixture(params=["locks", "no locks"])
def locks(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    if request.param == "no locks":
        monkeypatch.setattr(fcntl, "flock", no_locks)


def test_who_would_wait_for_hours_is_told_who_is_there(tmp_path: Path, locks: None) -> None:
    folder = Folder(tmp_path)
    with another_process(folder.held("simulate --full", takes_long=True)) as other:
        said = rf"`phasemark simulate --full` \(process {other}\) is at work in it\n  hint: wait for its end"
        with pytest.raises(WorkError, match=said), folder.held("phases"):
            pytest.fail("held twice")
        kill(other)
        with folder.held("phases"):
            pass
    assert list(tmp_path.iterdir()) == []


def test_who_waits_is_told_for_whom(tmp_path: Path, told: list[str], locks: None) -> None:
    folder = Folder(tmp_path)
    with another_process(folder.held("points")) as other:
        progress.tell_waiting(lambda sentence: (told.append(sentence), kill(other)))
        with folder.held("phases"):
            pass
    assert told == [
        f"waiting for `phasemark points` (process {other}), which is at work in {tmp_path}",
    ]
    assert list(tmp_path.iterdir()) == []


def test_threads_wait_for_one_another(tmp_path: Path, told: list[str], locks: None) -> None:
    folder, inside, waits, order = Folder(tmp_path), threading.Event(), threading.Event(), []
    progress.tell_waiting(lambda sentence: waits.set())

    def first() -> None:
        with folder.held("phases"):
            inside.set()
            assert waits.wait(LONG)
            order.append("first")

    thread = threading.Thread(target=first)
    thread.start()
    assert inside.wait(LONG)
    with folder.held("points"):
        order.append("second")
    thread.join()
    assert order == ["first", "second"]


def test_a_thread_may_hold_again_what_it_holds_under_any_name(tmp_path: Path) -> None:
    (tmp_path / "run").mkdir()
    (tmp_path / "link").symlink_to("run")
    with Folder(tmp_path / "run").held("run"), Folder(tmp_path / "link").held("phases"):
        assert (tmp_path / "run" / holding.LOCK).exists()
    assert not (tmp_path / "run" / holding.LOCK).exists()


def test_a_forked_process_does_not_hold_what_its_parent_holds(tmp_path: Path) -> None:
    with Folder(tmp_path).held("simulate", takes_long=True):
        child = os.fork()
        if not child:
            try:
                Folder(tmp_path).held("phases").__enter__()
            except WorkError:
                os._exit(7)
            os._exit(0)
        assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 7


def test_a_lock_that_says_nothing_still_holds(tmp_path: Path) -> None:
    handle = os.open(tmp_path / holding.LOCK, os.O_CREAT | os.O_RDWR)
    fcntl.flock(handle, fcntl.LOCK_EX)
    with pytest.raises(holding.Busy, match="another phasemark is at work"):
        holding.hold(tmp_path, "reading", waits=False).__enter__()
    os.close(handle)
    with holding.hold(tmp_path, "reading", waits=False) as anew:
        assert anew


def test_a_folder_that_is_not_there_or_cannot_be_written_is_told(tmp_path: Path) -> None:
    for path in (tmp_path / "none", tmp_path / "nul\0"):
        with pytest.raises(WorkError, match="cannot be written"):
            holding.hold(path, "phases").__enter__()
    (tmp_path / holding.LOCK).symlink_to("elsewhere")
    with pytest.raises(WorkError, match="cannot be written"):
        holding.hold(tmp_path, "phases").__enter__()
