"""phasemark phases on a run that is known: the same files to the byte, without reading its profile."""

from __future__ import annotations

import dataclasses
import os
from pathlib import Path

import numpy as np
import pytest

from phasemark import points
from phasemark.cli.printing import points as shown
from phasemark.collect import session
from phasemark.errors import DataError
from phasemark.model import Blocks, Counts, Intervals, Profile, Provenance
from phasemark.model.intervals import concatenate
from phasemark.store import cache, profile_h5
from phasemark.store.folder import Folder
from phasemark.workflow import Run, projecting
from phasemark.workflow.projecting import Projected, project

WRITTEN = ("phases.csv", "model.h5")


@pytest.fixture(autouse=True)
def kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv(cache.VARIABLE, str(tmp_path / "cache"))
    monkeypatch.setattr(projecting, "WORTH_KEEPING", 0)
    return tmp_path / "cache"


@pytest.fixture
def folder(tmp_path: Path) -> Folder:
    folder = Folder(tmp_path / "out").create()
    profile_h5.write(folder.profile, profile())
    return folder


def profile(first: int = 5) -> Profile:
    """Two threads, one of them with an interval without instructions; blocks of a module and of none."""
    data = np.array([first, 3, 9, 1, 2, 2, 40])
    counts = Counts(np.array([0, 2, 3, 3, 5, 7]), np.array([0, 1, 2, 0, 2, 1, 2]), data, 3)
    length = counts.row_sums()
    threads = [Intervals.of_thread(length[:3], nominal=8), Intervals.of_thread(length[3:], thread=1)]
    blocks = Blocks(("/bin/a", ""), [0, 0, 1], [0x10, 0x20, 7], [3, 4, 0], [9, 12, 0], [1, 2, 7])
    return Profile(blocks, concatenate(threads), counts, Provenance("test"))


def parts(projected: Projected) -> list[object]:
    signatures, intervals = projected.signatures, projected.intervals
    columns = [array for array in vars(intervals).values() if array is not None]
    arrays = [signatures.matrix, signatures.weights, *columns]
    return [signatures.recipe, *((array.tobytes(), array.dtype.str, array.shape) for array in arrays)]


def checked(folder: Folder, dims: int = 15, seed: int = 1) -> list[object]:
    """What a run projects to, the cache or no cache."""
    fresh = parts(project(folder, dims, seed, cached=False))
    assert parts(project(folder, dims, seed)) == fresh
    assert parts(project(folder, dims, seed)) == fresh
    return fresh


def test_what_is_kept_is_what_is_computed(folder: Folder, kept: Path) -> None:
    found = [checked(folder), checked(folder, dims=3), checked(folder, seed=2), checked(folder, seed=2**70)]
    assert len(list(kept.iterdir())) == len({str(one) for one in found}) == 4


def test_a_clock_is_kept(tmp_path: Path, kept: Path) -> None:
    made = profile()
    table = dataclasses.replace(made.interval_table, began=np.array([0, 3, 5, 1, 2]))
    folder = Folder(tmp_path / "clock").create()
    profile_h5.write(folder.profile, dataclasses.replace(made, interval_table=table))
    checked(folder)
    assert len(list(kept.iterdir())) == 1
    assert project(folder, 15, 1).intervals.began.tolist() == [0, 3, 5, 1, 2]


def test_the_second_run_writes_the_same_and_does_not_read_the_profile(
    folder: Folder, monkeypatch: pytest.MonkeyPatch
) -> None:
    written = []
    for cached in (False, True, True):
        found = Run(folder.path).find_phases(cached=cached)
        picked = points.nearest(found.intervals, found.phases)
        files = [folder[name].read_bytes() for name in WRITTEN]
        written.append((shown.summary(found.intervals, found.phases, picked), files))
        if cached:
            monkeypatch.setattr(projecting, "read", None)
    assert written[0] == written[1] == written[2]


def test_another_profile_in_its_place_is_another_run(folder: Folder) -> None:
    one = checked(folder)
    time = folder.profile.stat().st_mtime_ns
    profile_h5.write(folder.profile, profile(first=6))
    os.utime(folder.profile, ns=(time, time))
    assert one != checked(folder)
    folder.profile.write_bytes(folder.profile.read_bytes() + b"changed by another program")
    with pytest.raises(DataError, match="check --repair"):
        project(folder, 15, 1)


def test_a_profile_damaged_since_is_told_as_such(folder: Folder) -> None:
    checked(folder)
    content, time = bytearray(folder.profile.read_bytes()), folder.profile.stat().st_mtime_ns
    content[len(content) // 2] ^= 255
    folder.profile.write_bytes(content)  # its seal is still that of the good one
    os.utime(folder.profile, ns=(time, time))
    with pytest.raises(DataError, match="is damaged"):
        project(folder, 15, 1)


def test_a_damaged_cache_is_no_cache(folder: Folder, kept: Path) -> None:
    checked(folder)
    (entry,) = kept.iterdir()
    whole = entry.read_bytes()
    for bad in (b"", whole[:-1], whole[:100] + b"x" + whole[101:]):
        entry.write_bytes(bad)
        checked(folder)


def test_an_entry_of_another_form_is_no_entry(folder: Folder, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(projecting, "_packed", lambda projected: [memoryview(b"x" * 12)] * 8)
    checked(folder)
    monkeypatch.setattr(projecting, "_packed", lambda projected: [])
    checked(folder, seed=2)


def test_a_folder_that_cannot_be_written_is_no_cache(folder: Folder, kept: Path) -> None:
    kept.write_text("a file")
    checked(folder)


def test_small_profiles_and_no_cache_keep_nothing(
    folder: Folder, kept: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    project(folder, 15, 1, cached=False)
    monkeypatch.setattr(projecting, "WORTH_KEEPING", 2**20)
    project(folder, 15, 1)
    assert not kept.exists()


def test_a_run_that_goes_on_is_what_was_recorded_so_far(
    folder: Folder, kept: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    checked(folder)
    folder["raw"].mkdir()
    folder.record("profile", {"state": "running"})
    monkeypatch.setattr(session, "rebuild", lambda path: profile(first=7))
    assert project(folder, 15, 1).intervals.length[0] == 10
    assert len(list(kept.iterdir())) == 1


def test_a_profile_replaced_while_it_is_read_is_not_kept(
    folder: Folder, kept: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def replaced(path: Path) -> Profile:
        profile_h5.write(folder.profile, profile(first=8))
        return profile()

    with monkeypatch.context() as patched:
        patched.setattr(projecting, "read", replaced)
        project(folder, 15, 1)
    assert not kept.exists()
