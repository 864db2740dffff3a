"""Which folder the steps on a file write to, and how its profile comes there."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

import phasemark
from phasemark.errors import UsageError
from phasemark.store.folder import Folder
from phasemark.workflow import sources

BASE = Path(__file__).parents[1] / "data" / "edge-cases" / "base.bb"


def test_folders_of_files(tmp_path: Path) -> None:
    for source, out, expected in (
        ("a/b.bb.gz", None, Path("a/b.bb.gz.phasemark")),
        ("a/profile.h5", None, Path("a")),
        ("profile.h5", None, Path()),
        ("a/b.bb", "c", Path("c")),
        (tmp_path, None, tmp_path),
        (tmp_path, "c", Path("c")),
    ):
        assert sources.folder_of(source, out).path == expected


def test_a_file_is_brought_in(tmp_path: Path) -> None:
    vectors = Path(shutil.copy(BASE, tmp_path / "v.bb"))
    brought = sources.bring_in(vectors)
    assert brought.folder.path == tmp_path / "v.bb.phasemark" and brought.discarded == ()
    entry = brought.folder.entry_of("profile")
    assert (entry["source"], entry["tool"]) == ("v.bb", phasemark.read(vectors).provenance.tool)
    phasemark.Run(brought.folder.path).find_phases()
    again = sources.bring_in(vectors, cached=False)
    assert again.discarded == tuple(f"{name} is removed" for name in ("labels", "model.h5", "phases.csv"))
    assert phasemark.open(vectors, cached=False).discarded == ()


def test_a_folder_is_its_own_source_whatever_it_holds(tmp_path: Path) -> None:
    folder = Folder(tmp_path)
    folder.profile.touch()
    for source in (tmp_path, folder.profile, str(tmp_path)):
        brought = sources.bring_in(source, cached=False)
        assert (brought.folder.path, brought.discarded) == (tmp_path, ())
    assert list(tmp_path.iterdir()) == [folder.profile]


def test_only_recorded_runs_are_in_the_way(tmp_path: Path) -> None:
    folder = Folder(tmp_path)
    sources.require_not_recorded(folder)
    folder.record("profile", {"command": "import"})
    sources.require_not_recorded(folder)
    folder.record("profile", {"command": ["ls", "-l"]})
    with pytest.raises(UsageError, match="recorded run of ls -l, which would be lost\n  hint: choose"):
        sources.require_not_recorded(folder)
