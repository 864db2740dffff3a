"""phasemark phases FILE reads a file once, and again whenever anything is in doubt."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest
from tests.waiting import LONG

import phasemark
from phasemark.cli.app import application
from phasemark.model import Profile
from phasemark.store import cache, profile_h5
from phasemark.store.folder import Folder
from phasemark.workflow import Run, origin, sources
from phasemark.workflow.reading import read

BASE = Path(__file__).parents[1] / "data" / "edge-cases" / "base.bb"


class Reads:
    """How often a source was read since this was last asked."""

    def __init__(self) -> None:
        self.count = 0

    def __call__(self, path: Path) -> Profile:
        self.count += 1
        return read(path)

    @property
    def new(self) -> int:
        count, self.count = self.count, 0
        return count


@pytest.fixture
def reads(monkeypatch: pytest.MonkeyPatch) -> Reads:
    reads = Reads()
    monkeypatch.setattr(sources, "read", reads)
    monkeypatch.setattr(cache, "_SETTLED", 0.0)
    return reads


@pytest.fixture
def vectors(tmp_path: Path) -> Path:
    return Path(shutil.copy(BASE, tmp_path / "v.bb"))


@pytest.fixture
def known(vectors: Path, reads: Reads) -> Folder:
    """The folder beside the vectors, with their profile."""
    folder = phasemark.open(vectors).folder
    assert reads.new == 1
    return folder


def lengths(folder: Folder) -> list[int]:
    return [int(n) for n in profile_h5.read_intervals(folder.profile).length]


def is_right(folder: Folder, vectors: Path) -> bool:
    return lengths(folder) == read(vectors).interval_table.length.tolist()


def test_the_same_file_is_read_once(known: Folder, vectors: Path, reads: Reads) -> None:
    Run(known.path).find_phases()
    known.metrics.touch()
    before = known.profile.read_bytes()
    assert phasemark.open(vectors).folder.path == known.path
    assert reads.new == 0
    assert before == known.profile.read_bytes()
    assert known.metrics.exists()  # of this profile, still


def test_a_profile_under_another_name_is_a_source_too(known: Folder, tmp_path: Path, reads: Reads) -> None:
    for source in (known.path, known.profile):
        for expected in (1, 0):
            folder = phasemark.open(source, tmp_path / "other").folder
            assert (reads.new, lengths(folder)) == (expected, lengths(known))


def test_a_file_that_changed_is_read_again(known: Folder, vectors: Path, reads: Reads) -> None:
    text, time = vectors.read_text(), vectors.stat().st_mtime_ns
    first = next(digit for digit in text if digit in "2345")
    changed = text.replace(f":{first}", f":{int(first) + 1}", 1)
    assert len(changed) == len(text) and changed != text
    vectors.write_text(changed)  # in place, as long, and with the time it had
    os.utime(vectors, ns=(time, time))
    phasemark.open(vectors)
    assert reads.new == 1 and is_right(known, vectors)
    (vectors.parent / "new").write_text(text)
    (vectors.parent / "new").replace(vectors)
    phasemark.open(vectors)
    assert reads.new == 1 and is_right(known, vectors)
    phasemark.open(vectors)
    assert reads.new == 0


def test_a_file_of_this_moment_is_read_again(
    known: Folder, vectors: Path, reads: Reads, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cache, "_SETTLED", LONG)
    for _ in range(2):
        phasemark.open(vectors)
        assert reads.new == 1


def test_a_file_that_changes_while_it_is_read_is_read_again(
    known: Folder, vectors: Path, reads: Reads, monkeypatch: pytest.MonkeyPatch
) -> None:
    def changing(path: Path) -> Profile:
        found = reads(path)
        vectors.write_text(vectors.read_text() + "T:1:9\n")
        return found

    with monkeypatch.context() as patched:
        patched.setattr(sources, "read", changing)
        phasemark.open(vectors, cached=False)
    assert reads.new == 1
    phasemark.open(vectors)
    assert reads.new == 1 and is_right(known, vectors)


def import_otherwise(folder: Folder, vectors: Path) -> None:
    arguments = ["import", str(vectors), "-o", str(folder.path), "--interval", "3", "--quiet"]
    application()(arguments, standalone_mode=False)


def replace_the_profile(folder: Folder, vectors: Path) -> None:
    other = read(BASE.with_name("same.bb"))
    profile_h5.write(folder.profile, other)


def copy_the_profile(folder: Folder, vectors: Path) -> None:
    folder["copy"].write_bytes(folder.profile.read_bytes())
    folder["copy"].replace(folder.profile)


def damage_the_profile(folder: Folder, vectors: Path) -> None:
    content = bytearray(folder.profile.read_bytes())
    content[len(content) // 2] ^= 255
    folder.profile.write_bytes(content)


def forget_what_it_was_made_from(folder: Folder, vectors: Path) -> None:
    entry = folder.steps()["profile"]
    folder.record("profile", {name: entry[name] for name in ("source", "tool")})


def say_that_another_version_made_it(folder: Folder, vectors: Path) -> None:
    folder.record("profile", {**folder.steps()["profile"], "phasemark": "0.0.1"})


@pytest.mark.parametrize(
    "change",
    [
        *(import_otherwise, replace_the_profile, copy_the_profile, damage_the_profile),
        *(forget_what_it_was_made_from, say_that_another_version_made_it),
        lambda folder, vectors: folder.profile.unlink(),
        lambda folder, vectors: folder["run.json"].unlink(),
    ],
)
def test_a_folder_that_is_not_as_it_was_left_is_made_anew(
    change, known: Folder, vectors: Path, reads: Reads
) -> None:
    expected = known.profile.read_bytes()
    change(known, vectors)
    reads.count = 0
    phasemark.open(vectors)
    assert reads.new == 1 and known.profile.read_bytes() == expected


def test_killed_between_profile_and_run_json_is_read_again(
    known: Folder, vectors: Path, reads: Reads, monkeypatch: pytest.MonkeyPatch
) -> None:
    def killed(*_: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(Folder, "record", killed)
        with pytest.raises(KeyboardInterrupt):
            phasemark.open(vectors, cached=False)
    assert known.profile.exists()
    reads.count = 0
    phasemark.open(vectors)
    assert reads.new == 1


def test_another_profile_written_at_the_same_time_is_not_taken_for_ours(
    known: Folder, vectors: Path, reads: Reads, monkeypatch: pytest.MonkeyPatch
) -> None:
    write = profile_h5.write

    def overtaken(path: Path, profile: Profile) -> str:
        seal = write(path, profile)
        write(path, read(BASE.with_name("same.bb")))
        return seal

    with monkeypatch.context() as patched:
        patched.setattr(profile_h5, "write", overtaken)
        phasemark.open(vectors, cached=False)
    phasemark.open(vectors)
    assert is_right(known, vectors)


def test_files_of_other_names_leave_their_own_name(vectors: Path, tmp_path: Path, reads: Reads) -> None:
    (tmp_path / "w.bb").symlink_to(vectors)
    for name in ("v.bb", "w.bb"):
        folder = phasemark.open(tmp_path / name, tmp_path / "out").folder
        assert reads.new == 1
        assert profile_h5.read(folder.profile).provenance.details["files"] == [name]


def test_no_cache_reads_again(known: Folder, vectors: Path, reads: Reads) -> None:
    phasemark.open(vectors, cached=False)
    assert reads.new == 1
    application()(["phases", str(vectors), "--no-cache", "--quiet"], standalone_mode=False)
    assert reads.new == 1
    application()(["phases", str(vectors), "--quiet"], standalone_mode=False)
    assert reads.new == 0


def test_what_has_no_identity(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(cache, "_SETTLED", 0.0)
    shutil.copy(BASE, "-")  # a name that means standard input
    shutil.copytree(BASE.parent, "run/raw")
    Folder("run").record("profile", {"state": "running"})
    shutil.copy(BASE, "run/profile.h5")
    os.mkfifo("pipe")
    assert origin.identity(BASE) is not None
    for name in ("-", "run", "pipe", "nothing"):
        assert origin.identity(Path(name)) is None
