"""Paths that are none: whoever takes a path says so, and nothing else."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from tests.workflow import kills

import phasemark
from phasemark import checking, workflow
from phasemark.errors import PhasemarkError, UsageError, WorkError
from phasemark.store.names import usable
from phasemark.workflow import Run

BASE = kills.DATA / "base.bb"


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("names")
    kills.vectors_run(place / "run")
    (place / "loop").symlink_to("loop")
    return place


#: What is wrong with it -> a path, below a folder where there is a link `loop` to itself.
PATHS = {
    "embedded null": "a\0b",
    "File name too long": "n" * 5000,
    "name too long": "d/" * 4000,
    "symbolic links": "loop/x",
    "encode": "a\ud800",
}

#: Whatever takes a path, of a run's folder, a file to read or one to write.
USES: dict[str, Callable[[Run, str], object]] = {
    "open": lambda run, path: phasemark.open(path),
    "open out": lambda run, path: phasemark.open(BASE, path),
    "run_of": lambda run, path: workflow.run_of(path),
    "read": lambda run, path: phasemark.read(path),
    "Run": lambda run, path: repr(Run(path)),
    "save": lambda run, path: phasemark.save(path, run.profile),
    "load": lambda run, path: workflow.load_vectors([BASE], path),
    "load file": lambda run, path: workflow.load_vectors([path], run.path / "other"),
    "load stats": lambda run, path: workflow.load_vectors([BASE], run.path / "other", stats=path),
    "report": lambda run, path: run.report(path),
    "plot": lambda run, path: run.plot("shares", f"{path}.svg"),
    "export": lambda run, path: run.export("simpoint", path),
    "export name": lambda run, path: run.export("pinpoints", name=f"x/{path}"),
    "import": lambda run, path: run.import_metrics(path),
    "points --from": lambda run, path: run.import_points(path),
    "estimate": lambda run, path: run.estimate(path),
    "simulate points": lambda run, path: run.simulate(points=path, command=["true"]),
    "simulate command": lambda run, path: run.simulate(command=[path]),
    "profile": lambda run, path: phasemark.profile(["true"], path),
    "profile command": lambda run, path: phasemark.profile([path], run.path / "other"),
    "profile cwd": lambda run, path: phasemark.profile(["true"], run.path / "other", cwd=path),
}


@pytest.mark.parametrize("use", USES)
def test_a_path_that_is_none_is_said_to_be_none(use: str, place: Path, monkeypatch) -> None:
    monkeypatch.chdir(place)
    before = kills._state(place)
    for path in PATHS.values():
        with pytest.raises(PhasemarkError) as failed:
            USES[use](Run(place / "run"), path)
        assert len(str(failed.value)) < 12_000
    assert kills._state(place) == before


def test_a_check_goes_on_after_one(place: Path, monkeypatch) -> None:
    monkeypatch.chdir(place)
    checked = list(checking.check([Path("n" * 5000), BASE]))
    assert [one.error is None for one in checked] == [False, True]


def test_a_path_is_shown_as_far_as_it_helps(place: Path, monkeypatch) -> None:
    monkeypatch.chdir(place)
    for why, path in PATHS.items():
        with pytest.raises(WorkError, match=why) as failed:
            usable(path)
        assert len(str(failed.value)) < 200 and "\0" not in str(failed.value)
    for good in ("none/there", "n" * 255, place / "run" / "profile.h5" / "x", "caf\udce9"):
        assert usable(good) == Path(good)


def test_a_word_of_a_command_holds_no_nul(place: Path) -> None:
    with pytest.raises(UsageError, match="a word of the command holds a NUL"):
        phasemark.profile(["true", "a\0b"], place / "other")
