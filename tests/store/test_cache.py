"""The cache: what is not exactly what was kept, of exactly the same file, is not there."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from tests.waiting import LONG

from phasemark.formats.vectors import runs
from phasemark.simpoint import command
from phasemark.store import cache

KEY = {"path": "/a", "size": 3}
FACTS = {"interval": 10, "warnings": ["one"]}
PARTS = (memoryview(np.arange(6.0).reshape(3, 2)), memoryview(np.arange(3)))


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv(cache.VARIABLE, str(tmp_path / "cache"))
    monkeypatch.setattr(cache, "_SETTLED", 0.0)
    monkeypatch.setattr(runs, "WORTH_KEEPING", 0)
    return tmp_path / "cache"


def test_gives_back_what_was_kept_for_this_key_alone(folder: Path) -> None:
    cache.save("n", KEY, FACTS, PARTS)
    found = cache.load("n", KEY)
    assert found and found.facts == FACTS
    assert [bytes(part) for part in found.parts] == [bytes(part) for part in PARTS]
    assert cache.load("n", {**KEY, "size": 4}) is None
    assert cache.load("other", KEY) is None
    assert len(list(folder.iterdir())) == 1


def test_a_damaged_entry_is_none(folder: Path) -> None:
    cache.save("n", KEY, FACTS, PARTS)
    (entry,) = folder.iterdir()
    whole = entry.read_bytes()
    for at in range(0, len(whole), 7):
        entry.write_bytes(whole[:at] + bytes([whole[at] ^ 1]) + whole[at + 1 :])
        assert cache.load("n", KEY) is None
        entry.write_bytes(whole[:at])
        assert cache.load("n", KEY) is None
    cache.save("n", KEY, FACTS, PARTS)
    assert cache.load("n", KEY) is not None


def test_a_folder_that_cannot_be_is_no_cache(folder: Path) -> None:
    folder.write_text("a file")
    cache.save("n", KEY, FACTS, PARTS)
    assert cache.load("n", KEY) is None


def test_the_oldest_go_when_there_are_too_many(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for number in range(5):
        cache.save(str(number), KEY, FACTS, PARTS)
        (newest,) = (path for path in folder.iterdir() if path.stat().st_mtime > 1e9)
        os.utime(newest, (number, number))
    monkeypatch.setattr(cache, "LARGEST", 3 * newest.stat().st_size)
    cache.save("5", KEY, FACTS, PARTS)
    assert [cache.load(str(number), KEY) is not None for number in range(6)] == [False] * 3 + [True] * 3


def write(path: Path, count: int, mtime_ns: int | None = None) -> None:
    path.write_text(f"T:1:{count} :2:30\nT:1:5 :3:70\n" * 10)
    if mtime_ns is not None:
        os.utime(path, ns=(mtime_ns, mtime_ns))


def read(path: Path, dims: int = 15, seed: int = 1) -> runs.ProjectedRun:
    cached = runs.read_projected(path, dims, seed, cached=True)
    fresh = runs.read_projected(path, dims, seed)
    assert bytes(cached.matrix) == bytes(fresh.matrix) and bytes(cached.lengths) == bytes(fresh.lengths)
    assert (cached.warnings, cached.interval, cached.largest) == (
        fresh.warnings,
        fresh.interval,
        fresh.largest,
    )
    return cached


def test_a_kept_projection_is_that_of_the_file_as_it_is(tmp_path: Path, folder: Path, monkeypatch) -> None:
    path = tmp_path / "v.bb"
    write(path, 20)
    for _ in range(2):
        read(path)
        read(path, dims=3)
        read(path, seed=2)
    assert len(list(folder.iterdir())) == 3
    before = path.stat().st_mtime_ns
    write(path, 30, before)  # as long, with the same time, but in place: the inode's content changed
    read(path)
    write(tmp_path / "new", 40, before + 1)
    (tmp_path / "new").replace(path)
    read(path)
    write(path, 400)
    read(path)


def test_the_second_run_does_not_read_the_file(tmp_path: Path, monkeypatch) -> None:
    path = tmp_path / "v.bb"
    write(path, 20)
    runs.read_projected(path, 15, 1, cached=True)
    monkeypatch.setattr(runs, "scan_projected", None)
    runs.read_projected(path, 15, 1, cached=True)


def test_no_cache_keeps_nothing(tmp_path: Path, folder: Path) -> None:
    path = tmp_path / "v.bb"
    write(path, 20)
    command.run_command(["-loadFVFile", str(path), "-k", "1", "-noCache"])
    assert not folder.exists()
    command.run_command(["-loadFVFile", str(path), "-k", "1"])
    assert len(list(folder.iterdir())) == 1


def test_a_file_of_this_moment_is_not_kept(tmp_path: Path, folder: Path, monkeypatch) -> None:
    monkeypatch.setattr(cache, "_SETTLED", LONG)
    path = tmp_path / "v.bb"
    write(path, 20)
    read(path)
    assert not folder.exists()


def test_a_name_that_is_no_text_is_kept_too(folder: Path) -> None:
    name = os.fsdecode(b"/\xff/a.bb")
    cache.save(name, {"path": name}, FACTS, PARTS)
    assert cache.load(name, {"path": name}) is not None


def test_a_pipe_in_the_place_of_an_entry_is_none(folder: Path) -> None:
    cache.save("n", KEY, FACTS, PARTS)
    (entry,) = folder.iterdir()
    entry.unlink()
    os.mkfifo(entry)
    assert cache.load("n", KEY) is None


@pytest.mark.parametrize(
    ("facts", "parts"),
    [
        ({"largest": 3, "interval": 10, "warnings": 7}, PARTS),
        ({"largest": "x", "interval": 10, "warnings": []}, PARTS),
        ({"largest": 3, "warnings": []}, PARTS),
        ({"largest": 3, "interval": [], "warnings": []}, PARTS),
        ({"largest": 3, "interval": 10, "warnings": []}, PARTS[:1]),
        ({"largest": 3, "interval": 10, "warnings": []}, (PARTS[0], PARTS[0])),
        ({"largest": 3, "interval": 10, "warnings": []}, (memoryview(b"1"), memoryview(b"123"))),
    ],
)
def test_an_entry_that_somebody_else_made_is_computed_anew(
    facts: dict[str, object], parts: tuple[memoryview, ...], tmp_path: Path
) -> None:
    path = tmp_path / "a.bb"
    path.write_text("T:1:10 :2:5\nT:1:15\n")
    made = runs.read_projected(path, 2, 1, cached=True)
    key = runs._cache_key(path, 2, 1)
    assert key is not None
    cache.save(f"projected {key['path']} 2 1", key, facts, parts)
    again = runs.read_projected(path, 2, 1, cached=True)
    assert again.matrix.tolist() == made.matrix.tolist() and again.lengths.tolist() == [15, 15]


@pytest.mark.parametrize("sizes", [[-8, 56], [48, 23], ["x"], [2**70], 7, None])
def test_sizes_that_the_entry_does_not_have(sizes: object, folder: Path) -> None:
    cache.save("n", KEY, FACTS, PARTS)
    (entry,) = folder.iterdir()
    content = entry.read_bytes()[:-32].replace(b'"sizes": [48, 24]', f'"sizes": {json.dumps(sizes)}'.encode())
    entry.write_bytes(content + cache._digest(content))
    assert cache.load("n", KEY) is None


@pytest.mark.parametrize("make", [os.mkfifo, lambda path: path.symlink_to("/dev/zero"), os.mkdir])
def test_what_is_no_file_in_an_entrys_place(make: Callable[[Path], None], folder: Path) -> None:
    cache.save("n", KEY, FACTS, PARTS)
    (entry,) = folder.iterdir()
    entry.unlink()
    make(entry)
    assert cache.load("n", KEY) is None
    cache.save("n", KEY, FACTS, PARTS)
