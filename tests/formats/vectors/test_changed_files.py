"""A file of vectors that is written to while it is read: nothing of it is kept, and it is said."""

from __future__ import annotations

import gzip
import os
from collections.abc import Callable
from pathlib import Path

import pytest

from phasemark.errors import DataError
from phasemark.formats.vectors import profiles, runs, scanning
from phasemark.workflow.importing import import_vectors

LINE = b"T:1:4000 :2:5000 :3:1000 \n"
CONTENT = LINE * 50_000


def cut_between_lines(path: Path) -> None:
    os.truncate(path, path.stat().st_size // 2 // len(LINE) * len(LINE))


def cut_within_a_line(path: Path) -> None:
    os.truncate(path, path.stat().st_size // 2 // len(LINE) * len(LINE) + 9)


def cut_to_nothing(path: Path) -> None:
    os.truncate(path, 0)


def hollow(path: Path) -> None:
    """Cut, and as long as before again."""
    size = path.stat().st_size
    os.truncate(path, size // 2)
    os.truncate(path, size)


def rewrite(path: Path) -> None:
    """Lines of the same length in its second half."""
    size = path.stat().st_size
    at = size // 2 // len(LINE) * len(LINE)
    with path.open("r+b") as file:
        file.seek(at)
        file.write(LINE.replace(b"4000", b"3000") * ((size - at) // len(LINE)))


def grow(path: Path) -> None:
    with path.open("ab") as file:
        file.write(LINE)


CHANGES: dict[str, tuple[Callable[[Path], None], str]] = {
    "cut between lines": (cut_between_lines, "was cut from 1,300,000 to 650,000 bytes while it was read"),
    "cut within a line": (cut_within_a_line, "was cut from 1,300,000 to 650,009 bytes while it was read"),
    "cut to nothing": (cut_to_nothing, "was cut from 1,300,000 to 0 bytes while it was read"),
    "hollow": (hollow, "was written to while it was read"),
    "rewritten": (rewrite, "was written to while it was read"),
    "grown": (grow, "was grown from 1,300,000 to 1,300,026 bytes while it was read"),
}
changes = pytest.mark.parametrize(("change", "said"), CHANGES.values(), ids=CHANGES)


def settled(path: Path, content: bytes) -> Path:
    """A file whose time no change of a moment later repeats."""
    path.write_bytes(content)
    os.utime(path, ns=(10**18, 10**18))
    return path


def once(action: Callable[[], None]) -> Callable[..., int]:
    """Does it when called for the first time."""
    left = [action]

    def call(*_: object) -> int:
        if left:
            left.pop()()
        return 1

    return call


@changes
def test_an_import_of_it_is_refused(tmp_path: Path, change: Callable[[Path], None], said: str) -> None:
    path = settled(tmp_path / "v.bb", CONTENT)
    with pytest.raises(DataError) as caught:
        import_vectors([path], tmp_path / "out", progress=once(lambda: change(path)))
    assert caught.value.reason == said and caught.value.path == path
    assert "wait until what writes it is done" in caught.value.hint
    assert not (tmp_path / "out" / "profile.h5").exists()


@pytest.mark.parametrize("threads", [1, 2])
@changes
def test_it_is_not_projected(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, change: Callable[[Path], None], said: str, threads: int
) -> None:
    path = settled(tmp_path / "v.bb", CONTENT)
    act = once(lambda: change(path))
    monkeypatch.setattr(scanning, "thread_count", lambda: act() * threads)  # asked once the file is open
    with pytest.raises(DataError) as caught:
        runs.read_projected(path, 3, 1)
    assert caught.value.reason == said


@pytest.mark.parametrize("change", [cut_within_a_line, cut_to_nothing, hollow, grow])
def test_nor_is_one_that_is_zipped(tmp_path: Path, change: Callable[[Path], None]) -> None:
    noise = b"".join(b"T:1:%d :2:%d \n" % (i * 7919 % 10**9, i * 104729 % 10**9) for i in range(100_000))
    path = settled(tmp_path / "v.bb.gz", gzip.compress(noise))
    with pytest.raises(DataError, match="while it was read"):
        profiles.read([path], progress=once(lambda: change(path)))


def test_a_fault_in_a_file_that_did_not_change_is_told_as_it_is(tmp_path: Path) -> None:
    path = settled(tmp_path / "v.bb", CONTENT + b"T:1:x\n" + CONTENT)
    for read in (lambda: profiles.read([path]), lambda: runs.read_projected(path, 3, 1)):
        with pytest.raises(DataError, match=r"v\.bb:50001: an entry has no whole count"):
            read()


def test_one_put_in_its_place_is_another_file(tmp_path: Path) -> None:
    path = settled(tmp_path / "v.bb", CONTENT)
    other = settled(tmp_path / "other", LINE)
    profile = profiles.read([path], progress=once(lambda: os.replace(other, path)))  # type: ignore[arg-type]  # noqa: PTH105
    assert len(profile.interval_table) == 50_000
