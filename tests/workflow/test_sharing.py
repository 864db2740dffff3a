"""A folder that several commands use at once, that has no room, or that goes while a step is at work."""

from __future__ import annotations

import os
import shutil
import subprocess
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import pytest
from tests.waiting import LONG, until
from tests.workflow import kills

import phasemark
from phasemark import phases, progress
from phasemark.checking import check_folder
from phasemark.errors import DataError, PhasemarkError, WorkError
from phasemark.store import changing, holding, phases_store
from phasemark.store.folder import Folder
from phasemark.workflow import Run
from phasemark.workflow import phases as workflow_phases

BASE = kills.DATA / "base.bb"


@pytest.fixture(autouse=True)
def one_thread(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PHASEMARK_THREADS", "1")


@pytest.fixture(scope="module")
def full(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run with every file there is, and what steps on it read."""
    place = tmp_path_factory.mktemp("full")
    kills.vectors_run(place / "run")
    return place


@contextmanager
def meanwhile(work: Callable[[], object]) -> Iterator[Callable[[], int]]:
    """Another process does something; gives its exit status when asked."""
    child = os.fork()
    if not child:
        status = 1
        try:
            work()
            status = 0
        except PhasemarkError:
            status = 3
        finally:
            os._exit(status)
    yield lambda: os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


def wrong(folder: Path) -> list[str]:
    """What the files of a folder contradict one another in."""
    return [str(checked.error) for checked in check_folder(Folder(folder)) if checked.error]


#: Steps that make of a folder two things at once, if nobody waits.
PAIRS = [
    ("import", "phases"),
    ("import", "points"),
    ("phases", "points"),
    ("phases", "phases FILE"),
    ("points", "points --from"),
    ("import --metrics", "quality"),
    ("save", "report"),
]


@pytest.mark.parametrize("pair", PAIRS, ids=" beside ".join)
def test_two_steps_at_once_leave_a_folder_that_agrees(
    pair: tuple[str, str], full: Path, tmp_path: Path
) -> None:
    for number in range(4):
        place = Path(shutil.copytree(full, tmp_path / str(number)))
        first, second = (kills.STEPS[name][1] for name in pair)
        with meanwhile(lambda: first(place / "run")) as status:  # noqa: B023
            with meanwhile(lambda: second(place / "run")) as other:  # noqa: B023
                ended = {status(), other()}
            assert ended <= {0, 3}, ended
        assert wrong(place / "run") == []
        assert not [path.name for path in (place / "run").glob(".*")]


def test_a_step_waits_for_the_one_that_works_for_its_whole_time(tmp_path: Path, monkeypatch) -> None:
    """Import beside phases: what was clustered is not what lies in the folder when it is written."""
    run = phasemark.open(BASE, tmp_path / "run")
    clusters, waits, told = threading.Event(), threading.Event(), []
    progress.tell_waiting(lambda sentence: (told.append(sentence), waits.set()))
    find = phases.find

    def slow(*arguments, **options):
        clusters.set()
        assert waits.wait(LONG)
        return find(*arguments, **options)

    monkeypatch.setattr(workflow_phases.phases, "find", slow)
    thread = threading.Thread(target=run.find_phases)
    thread.start()
    try:
        assert clusters.wait(LONG)
        result = kills.import_vectors([BASE.with_name("same.bb")], run.path)
    finally:
        thread.join()
        progress._told.clear()
    assert told == [
        f"waiting for `phasemark phases` (process {os.getpid()}), which is at work in {run.path}",
    ]
    assert "phases.csv is removed" in result.discarded and wrong(run.path) == []


def test_who_reads_while_others_write_sees_one_state(tmp_path: Path) -> None:
    run = phasemark.open(BASE, tmp_path / "run")
    run.find_phases(k=2)
    stop = tmp_path / "stop"

    def write() -> None:
        while not stop.exists():
            for k in (3, 2):
                Run(run.path).find_phases(k=k)

    def look() -> tuple[list[int], list[int]]:
        rows = [line.split(",") for line in run.folder.phases.read_text().splitlines()[1:]]
        column = rows[0].index("phase")
        _, found = phases_store.read_model(run.folder.model)
        return [int(row[column]) for row in rows[1:]], found.labels.tolist()

    seen = set()
    with meanwhile(write) as status:
        try:
            until(lambda: seen.add(len(np.unique(run.phases.labels))) or len(seen) == 2)
            for _ in range(200):
                table, model = run.folder.steady(look)
                assert table == model
        finally:
            stop.touch()
        assert status() == 0


def test_a_reader_ends_what_was_cut_short(tmp_path: Path, monkeypatch) -> None:
    folder = Folder(tmp_path)
    folder.record("points", {})
    with folder.change("test") as new:
        new.points.write_text("old")
        new.record("points", {"n": 1})
    with monkeypatch.context() as patched, pytest.raises(KeyboardInterrupt):
        patched.setattr(changing, "finish", raising(KeyboardInterrupt()))
        with holding.hold(tmp_path, "test"), folder.change("test") as new:
            new.points.write_text("new")
            new.record("points", {"n": 2})
    assert changing.is_under_way(tmp_path) and folder.points.read_text() == "old"
    with monkeypatch.context() as patched:
        patched.setattr(holding, "hold", raising(WorkError("read-only")))
        with pytest.raises(WorkError, match="a change of its files was cut short, and cannot be ended here"):
            folder.steady(folder.points.read_text)
    assert folder.steady(folder.points.read_text) == "new" and folder.entry_of("points")["n"] == 2
    assert sorted(path.name for path in tmp_path.iterdir()) == ["points.csv", "run.json"]


def raising(error: BaseException) -> Callable[..., None]:
    def fail(*_: object, **__: object) -> None:
        raise error

    return fail


def test_a_plan_that_cannot_be_read_says_where_the_files_are(tmp_path: Path) -> None:
    Folder(tmp_path).record("points", {})
    (tmp_path / ".phasemark-change").mkdir()
    (tmp_path / ".phasemark-change" / ".plan").write_text("{")
    for use in (lambda: Folder(tmp_path).record("points", {}), lambda: Folder(tmp_path).steady(dict)):
        with pytest.raises(
            DataError, match=r"plan: says not which files change.*\n  hint: look at the files in"
        ):
            use()


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A file system of two megabytes."""
    place = tmp_path / "disk"
    place.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=2m", "tmpfs", str(place)]
    if os.geteuid() or subprocess.run(mount, capture_output=True, check=False).returncode:
        pytest.skip("only root may mount")
    try:
        yield place
    finally:
        subprocess.run(["umount", "-l", str(place)], check=True)


#: Steps that write into the run's folder.
WRITING = [
    name for name, (make, _) in kills.STEPS.items() if make is kills.vectors_run and name != "simpoint"
]


@pytest.mark.parametrize("name", WRITING)
def test_a_full_disk_leaves_what_was_there(name: str, small_disk: Path, full: Path) -> None:
    place = Path(shutil.copytree(full, small_disk / "place"))
    before = kills._state(place)
    step = kills.STEPS[name][1]
    filler = small_disk / "filler"
    with pytest.raises(OSError, match="No space"), filler.open("wb", buffering=0) as file:
        while True:
            file.write(bytes(1 << 12))
    with pytest.raises(WorkError, match="No space left on device") as failed:
        step(place / "run")
    assert failed.value.hint and ".phasemark" not in str(failed.value)
    filler.unlink()
    assert kills._state(place) == before
    step(place / "run")
    assert wrong(place / "run") == []


def test_a_folder_that_cannot_be_written_is_told(small_disk: Path, full: Path) -> None:
    place = Path(shutil.copytree(full, small_disk / "place"))
    before = kills._state(place)
    subprocess.run(["mount", "-o", "remount,ro", str(small_disk)], check=True)
    for name in WRITING:
        with pytest.raises(WorkError, match="cannot be written: Read-only file system\n  hint: "):
            kills.STEPS[name][1](place / "run")
    with pytest.raises(WorkError, match="hint: make it writable, or work in a copy"):
        Run(place / "run").estimate()
    assert kills._state(place) == before
    assert Run(place / "run").phases.k == 3 and wrong(place / "run") == []


def test_a_folder_that_goes_while_a_step_works_is_told(tmp_path: Path, monkeypatch) -> None:
    run = phasemark.open(BASE, tmp_path / "run")
    find = phases.find

    def late(*arguments, **options):
        shutil.rmtree(run.path)
        return find(*arguments, **options)

    monkeypatch.setattr(workflow_phases.phases, "find", late)
    with pytest.raises(WorkError, match="run: cannot be written: No such file or directory\n  hint: "):
        run.find_phases()
    assert not run.path.exists()
