"""Whatever import takes and export writes, check knows; what it does not know is not wrong."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.formats.samples import DATA, SAMPLES
from tests.formats.test_import_command import run

from phasemark import formats
from phasemark.checking import check, check_file
from phasemark.errors import DataError, UsageError
from phasemark.formats.vectors import profiles, registry
from phasemark.workflow import PhaseOptions, Run
from phasemark.workflow.importing import import_vectors

#: Files beside the data that are no data.
NO_DATA = {".md", ".c", ".sh"}
FILES = sorted(
    str(path.relative_to(DATA)) for path in DATA.rglob("*") if path.is_file() and path.suffix not in NO_DATA
)

#: Runs unlike one another: one thread, threads of which one is idle, gaps between intervals.
RUNS = {
    "gem5": ["gem5-bootcamp/simpoint.bb.gz"],
    "threads": [f"reader-faults/exp-bbv-short-thread/bb.out.77{more}" for more in ("", ".2", ".3")],
    "gaps": ["reader-faults/just-below-round/vectors.bb"],
    "functions": ["reader-faults/pc-file-check/bb.out.1", "reader-faults/pc-file-check/pc.out.1"],
}


def wrong(paths: list[Path]) -> list[str]:
    return [f"{checked.path.name}: {checked.error}" for checked in check(paths) if checked.error is not None]


@pytest.mark.parametrize("name", FILES)
def test_every_file_that_other_tests_import_is_known(name: str) -> None:
    checked = check_file(DATA / name)
    assert checked.error is None, str(checked.error)
    assert checked.found and checked.known


def test_files_of_a_set_are_known_together() -> None:
    folder = DATA / "reader-faults"
    assert wrong(sorted((folder / "pc-file-check").iterdir())) == []
    found = [c.found for c in check(sorted((folder / "exp-bbv-short-thread").iterdir()))]
    assert found[2] == "vectors: holds no interval: 450 instructions ran, less than one interval"


@pytest.mark.parametrize("name", sorted(RUNS))
def test_whatever_is_exported_is_known(tmp_path: Path, name: str) -> None:
    """Every target of the registry: a new one that check does not know fails here."""
    import_vectors([DATA / file for file in RUNS[name]], tmp_path)
    steps = Run(tmp_path)
    steps.find_phases(PhaseOptions(k=2))
    steps.pick_points()
    assert wrong([tmp_path]) == []
    for target in formats.TARGETS:
        try:
            written = steps.export(target, tmp_path / "to" / target).files
        except (UsageError, DataError):
            # Not every format can say threads, vectors of other tools have no places in the code, and
            # nothing says when their threads ran.
            assert name == "threads" or target in ("looppoint", "markers")
            continue
        assert written
        assert wrong(list(written)) == []


@pytest.mark.parametrize("source", sorted(SAMPLES))
@pytest.mark.parametrize("dialect", [d.name for d in registry.DIALECTS if d.write is not None])
def test_vectors_written_in_every_dialect_are_known(tmp_path: Path, source: str, dialect: str) -> None:
    (tmp_path / "v").write_bytes(SAMPLES[source].content)
    write = registry.named(dialect).write
    assert write is not None
    assert wrong(list(write(profiles.read([tmp_path / "v"]), tmp_path / "bb.out"))) == []


@pytest.mark.parametrize(
    ("content", "why"),
    [
        (b"root:x:0:0:root:/root:/bin/sh\n", "line 1 is neither a vector nor a comment: 'root:x:0:0:root:"),
        (b"# notes\nhello\n", "line 2 is neither a vector nor a comment: 'hello'"),
        (b"\x7fELF\0\0", "line 1 holds binary data"),
        (b"", "is empty"),
    ],
)
def test_what_is_of_no_known_kind_is_not_called_wrong(tmp_path: Path, content: bytes, why: str) -> None:
    path = tmp_path / "x"
    path.write_bytes(content)
    checked = check_file(path)
    assert not checked.known and checked.error is not None
    assert checked.error.message == f"{path}: no kind of file that check knows"
    assert f"docs/formats.md lists them; read as vectors: {why}" in checked.error.hint
    done = run("check", path)
    assert done.returncode == 3
    assert done.stdout.startswith(f"unknown {path}: no kind of file that check knows\n")
    (said,) = json.loads(run("check", "--json", path).stdout)
    assert (said["ok"], said["known"]) == (False, False)


def test_vectors_that_begin_late_in_the_file_are_known(tmp_path: Path) -> None:
    path = tmp_path / "x"
    path.write_text("# a comment\n" * 40_000 + "T:1:10 :2:5\nT:1:15\n")
    assert check_file(path).found == "simpoint vectors: 30 instructions, 2 intervals, 2 blocks"
