"""What killed processes leave is swept, and what live ones write is not."""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest

from phasemark.store import cache, leftovers
from phasemark.store.atomic import replacing, together, write_text
from phasemark.store.folder import Folder

HERE = leftovers.place()
DAY = 86_400


@pytest.fixture(scope="module")
def gone() -> int:
    """A process that is no more."""
    child = os.fork()
    if not child:
        os._exit(0)
    os.waitpid(child, 0)
    return child


def made(path: Path, age: float = 0.0) -> Path:
    path.write_text("half")
    os.utime(path, (time.time() - age,) * 2)
    return path


def test_what_a_dead_process_left_goes_with_the_next_change(tmp_path: Path, gone: int) -> None:
    made(tmp_path / f".points.csv.{HERE}.{gone}.0.tmp")
    made(tmp_path / f".points.csv.{gone}.0.tmp")  # as earlier phasemarks named it
    made(tmp_path / ".writable")
    made(tmp_path / ".changing")
    made(tmp_path / ".points.csv.00000000.1.0.tmp", 2 * DAY)
    (tmp_path / f".phasemark-change.{HERE}.{gone}.0.new").mkdir()
    made(tmp_path / f".phasemark-change.{HERE}.{gone}.0.new" / "points.csv")
    made(tmp_path / ".phasemark-lock")
    Folder(tmp_path).record("points", {})
    assert [path.name for path in tmp_path.iterdir()] == ["run.json"]


def test_what_may_still_be_written_stays(tmp_path: Path, gone: int) -> None:
    kept = [
        made(tmp_path / f".points.csv.{HERE}.{os.getpid()}.0.tmp"),
        made(tmp_path / f".points.csv.{os.getpid()}.1.tmp"),
        made(tmp_path / ".points.csv.00000000.1.0.tmp"),  # of another host, and young
        made(tmp_path / f".mine.{gone}.tmp"),
        made(tmp_path / f"points.csv.{HERE}.{gone}.0.tmp"),
        made(tmp_path / ".hidden"),
    ]
    Folder(tmp_path).record("points", {})
    write_text(tmp_path / "points.csv", "")
    assert all(path.exists() for path in kept)


def test_a_number_that_another_process_has_by_now_is_not_the_one_that_wrote(tmp_path: Path) -> None:
    old = made(tmp_path / f".points.csv.{HERE}.{os.getpid()}.0.tmp", 30 * DAY)
    Folder(tmp_path).record("points", {})
    assert not old.exists()


def test_a_process_that_nobody_waited_for_is_dead() -> None:
    child = os.fork()
    if not child:
        os._exit(0)
    os.waitid(os.P_PID, child, os.WEXITED | os.WNOWAIT)
    assert not leftovers.is_alive(child, time.time())
    os.waitpid(child, 0)
    assert leftovers.is_alive(os.getpid(), time.time()) and leftovers.is_alive(1, time.time())


def test_writing_a_file_sweeps_its_own(tmp_path: Path, gone: int) -> None:
    mine = made(tmp_path / f".a.{HERE}.{gone}.0.tmp")
    other = made(tmp_path / f".b.{HERE}.{gone}.0.tmp")
    alike = made(tmp_path / f".a.b.{HERE}.{gone}.0.tmp")
    write_text(tmp_path / "a", "text")
    assert not mine.exists() and other.exists() and alike.exists()


def test_a_long_name_can_be_written(tmp_path: Path) -> None:
    for name in ("n" * 255, "ä" * 127):
        write_text(tmp_path / name, "text")
        assert (tmp_path / name).read_text() == "text"
    assert len(list(tmp_path.iterdir())) == 2


def test_the_cache_is_swept(tmp_path: Path, gone: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(cache.VARIABLE, str(tmp_path))
    left = made(tmp_path / f".0123.cache.{HERE}.{gone}.0.tmp")
    cache.save("name", {}, {}, [memoryview(b"part")])
    assert not left.exists() and cache.load("name", {}) is not None


def test_files_written_together_take_their_places_together(tmp_path: Path) -> None:
    write_text(tmp_path / "a", "before")
    with pytest.raises(ValueError, match="broken"), together():
        write_text(tmp_path / "a", "after")
        raise ValueError("broken")
    assert (tmp_path / "a").read_text() == "before"
    with together():
        write_text(tmp_path / "a", "after")
        with replacing(tmp_path / "b") as temporary:
            temporary.write_text("b")
        assert (tmp_path / "a").read_text() == "before" and not (tmp_path / "b").exists()
    assert (tmp_path / "a").read_text() == "after" and (tmp_path / "b").read_text() == "b"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a", "b"]
