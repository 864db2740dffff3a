"""A change counts when what it consists of is on the disk."""

from __future__ import annotations

import errno
import os
from pathlib import Path

import pytest

from phasemark.errors import WorkError
from phasemark.store import syncing
from phasemark.store.folder import Folder


@pytest.fixture
def told(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Names of what is brought to the disk, and of what is renamed, in order."""
    told: list[str] = []
    fsync, rename, replace = os.fsync, Path.rename, Path.replace

    def synced(handle: int) -> None:
        told.append(Path(os.readlink(f"/proc/self/fd/{handle}")).name)  # noqa: PTH115
        fsync(handle)

    monkeypatch.setattr(os, "fsync", synced)
    monkeypatch.setattr(
        Path, "rename", lambda self, to: told.append(f"-> {Path(to).name}") or rename(self, to)
    )
    monkeypatch.setattr(
        Path, "replace", lambda self, to: told.append(f"-> {Path(to).name}") or replace(self, to)
    )
    return told


def test_all_of_a_change_is_on_the_disk_before_it_counts(tmp_path: Path, told: list[str]) -> None:
    folder = Folder(tmp_path / "run").create()
    with folder.change("import") as new:
        for name in ("points.csv", "weights"):
            new[name].write_text(name)
        new.record("points", {})
        staged = new.path.name
    counts = told.index("-> .phasemark-change")
    assert {"points.csv", "weights", "run.json", ".plan", staged} <= set(told[:counts])
    assert told[counts + 1] == "run", "the folder's own names, too"
    assert "-> points.csv" in told[counts + 2 :]


def test_a_change_of_one_file_is_on_the_disk(tmp_path: Path, told: list[str]) -> None:
    folder = Folder(tmp_path / "run").create()
    folder.record("profile", {})
    assert told == ["run.json", "-> run.json", "run"]


def test_a_disk_that_fails_leaves_the_folder_as_it_was(tmp_path: Path, monkeypatch) -> None:
    folder = Folder(tmp_path).create()
    folder.record("profile", {"n": 1})
    before = folder.run_json.read_bytes()
    monkeypatch.setattr(os, "fsync", lambda _: (_ for _ in ()).throw(OSError(errno.EIO, "a bad disk")))
    with pytest.raises(WorkError, match="a bad disk"):
        folder.record("profile", {"n": 2})
    with pytest.raises(WorkError, match="a bad disk"), folder.change("points") as new:
        new.points.write_text("points")
        new.record("points", {})
    assert [path.name for path in tmp_path.iterdir()] == ["run.json"]
    assert folder.run_json.read_bytes() == before


def test_a_file_system_that_cannot_be_asked_is_not(tmp_path: Path, monkeypatch) -> None:
    monkeypatch.setattr(os, "fsync", lambda _: (_ for _ in ()).throw(OSError(errno.EINVAL, "cannot")))
    syncing.sync([tmp_path])
    Folder(tmp_path).record("profile", {"n": 1})
    assert Folder(tmp_path).entry_of("profile")["n"] == 1
