"""Every step, killed at every file operation, and done again.

    python -m tests.workflow.kills [STEP...]     every operation of every step, or of those

A step runs in a forked process that ends, as by SIGKILL, right before its n-th operation on files: opening
for writing, making, renaming, removing, locking. Where the operation opens a file for writing, it ends once
more with half of something in that file. Before the step is done again, the folder must be as it was before,
or as it is after a part of the step that makes sense by itself; and afterwards as if nothing had happened.
"""

from __future__ import annotations

import json
import os
import shutil
import sys
import tempfile
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import pytest
from tests.collect import encoding
from tests.workflow import nested
from tests.workflow.runs import three_phases
from tests.workflow.test_simulation import Toy

import phasemark
from phasemark import checking
from phasemark.collect import session
from phasemark.collect.running import Ended
from phasemark.errors import DataError
from phasemark.simpoint import command as simpoint
from phasemark.store import changing
from phasemark.store.folder import Folder
from phasemark.workflow import Run, repeating, simulation
from phasemark.workflow.importing import import_vectors

DATA = Path(__file__).parents[1] / "data" / "edge-cases"
KILLED = 137

#: What no step may lose, under whatever name.
_DEAR = ("run/metrics.csv", "run/point-metrics.csv", "run/metrics.csv~", "run/notes.txt")

#: A step on a folder, with files beside it in the folder above.
Step = Callable[[Path], object]
State = dict[str, bytes]


def results(path: Path, rows: list[tuple[int, float]], key: str) -> list[Path]:
    """Another tool's measurements."""
    path.write_text(f"{key},cpi\n" + "".join(f"{number},{value}\n" for number, value in rows))
    return [path]


def vectors_run(path: Path) -> None:
    """A run with every file there is, measured by another tool, with earlier measurements set aside."""
    run = phasemark.open(DATA / "base.bb", path)
    run.find_phases()
    points = run.pick_points().points
    run.import_metrics(results(path.parent / "all.csv", [(n, 1 + n / 9) for n in range(8)], "interval"))
    run.import_metrics(results(path.parent / "few.csv", [(n, 2.0) for n in points.phase.tolist()], "phase"))
    results(path.parent / "all-2.csv", [(n, 7.0) for n in range(8)], "interval")
    results(path.parent / "few-2.csv", [(n, 7.0) for n in points.phase.tolist()], "phase")
    (path.parent / "simpoints.2").write_text("0 0\n5 1\n")
    (path.parent / "weights.2").write_text("0.25 0\n0.75 1\n")
    run.estimate()
    run.quality(n=3)
    run.compare_seeds(seeds=2)
    run.report()
    run.export("simpoint")
    (path / "metrics.csv~").write_text("weeks of work")
    (path / "notes.txt").write_text("the user's")
    for name in ("simpoints", "weights", "labels"):
        (path.parent / name).write_text("an earlier result")


def import_points(path: Path) -> None:
    Run(path).import_points([path.parent / "simpoints.2", path.parent / "weights.2"])


def theirs_run(path: Path) -> None:
    """A run with points that another tool chose."""
    vectors_run(path)
    import_points(path)


def aside_run(path: Path) -> None:
    """A run whose points, and what another tool measured at them, are set aside."""
    vectors_run(path)
    Run(path).pick_points(per_phase=2)


def bring_back(path: Path) -> None:
    for name, back in (("points.csv~", Run.import_points), ("point-metrics.csv~", Run.import_metrics)):
        if (path / name).exists():
            back(Run(path), [path / name])  # type: ignore[operator]
    with Folder(path).held("nothing more"):
        pass


def unsealed_run(path: Path) -> None:
    """A run whose profile lost the digest at its end."""
    vectors_run(path)
    profile = path / "profile.h5"
    profile.write_bytes(profile.read_bytes()[:-51])


def repair(path: Path) -> None:
    assert [checked.error for checked in checking.repair([path / "profile.h5"])] == [None]


def recorded_run(path: Path) -> None:
    """A run of a program, with points that another tool measured."""
    folder = three_phases(path)
    folder.record("profile", {"command": ["/bin/true"], "cwd": "/", "state": "done"})
    run = Run(path)
    picked = run.pick_points().points
    run.import_metrics(results(path.parent / "few.csv", [(n, 2.0) for n in picked.phase.tolist()], "phase"))
    run.estimate()


def nested_run(path: Path) -> None:
    """A run with its events, whose intervals and points another tool measured."""
    nested.recorded(path)
    run = Run(path)
    run.find_phases(k=2)
    picked = run.pick_points().points
    rows = [(n, 1 + n / 9) for n in range(len(run.intervals))]
    run.import_metrics(results(path.parent / "all.csv", rows, "interval"))
    run.import_metrics(results(path.parent / "few.csv", [(n, 2.0) for n in picked.phase.tolist()], "phase"))
    run.estimate()
    run.report()


def variable_run(path: Path) -> None:
    """The same, cut into intervals of variable length, which were measured too."""
    nested_run(path)
    intervals(path)
    run = Run(path)
    run.find_phases(k=2)
    rows = [(n, 2 + n / 9) for n in range(len(run.intervals))]
    run.import_metrics(results(path.parent / "all-2.csv", rows, "interval"))


def intervals(path: Path, minimum: int = 50_000) -> None:
    """With a program that does the same each time."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(repeating, "recut", nested.recut)
        patch.setattr(repeating.events_h5, "read", lambda _: (nested.events(),))
        Run(path).find_intervals(minimum=minimum)


def fixed_again(path: Path) -> None:
    """Back to fixed length; where they are of fixed length already, that is said."""
    with suppress(DataError):
        Run(path).restore_fixed()


def profile(path: Path) -> None:
    """A program whose stream is there at once."""

    def execute(_invocation: object, raw: Path, *_: object, **__: object) -> Ended:
        encoding.write(
            raw / "100.0.raw",
            encoding.header(),
            encoding.module(0, "/bin/prog"),
            encoding.thread(0),
            encoding.block(0, (0, 0, [1])),
            encoding.interval(0, 0, 4, {0: 4}, kind="P"),
        )
        return Ended(0, 0.0)

    before, session.execute = session.execute, execute
    try:
        session.record(phasemark.collect.Request(("true",), 10), path)
    finally:
        session.execute = before


def simulate(path: Path, *, full: bool = False) -> None:
    """On a simulator that counts nothing but calls."""
    before, simulation.TimingModel = simulation.TimingModel, Toy  # type: ignore[misc, assignment]
    try:
        Run(path).simulate(full=full)
    finally:
        simulation.TimingModel = before  # type: ignore[misc]


def import_metrics(path: Path, file: str) -> None:
    Run(path).import_metrics(path.parent / file)


def drop_in(path: Path) -> None:
    names = [word for name in ("simpoints", "weights", "labels") for word in (name, path.parent / name)]
    words = [f"-save{word[0].upper()}{word[1:]}" if isinstance(word, str) else str(word) for word in names]
    words = [{"-saveWeights": "-saveSimpointWeights"}.get(word, word) for word in words]
    simpoint.run_command(["-loadFVFile", str(DATA / "base.bb"), "-maxK", "3", "-noCache", *words])


#: Name -> the run it is done on, and the step.
STEPS: dict[str, tuple[Step, Step]] = {
    "import": (vectors_run, lambda path: import_vectors([DATA / "same.bb"], path)),
    "phases FILE": (vectors_run, lambda path: phasemark.open(DATA / "same.bb", path, cached=False)),
    "phases": (vectors_run, lambda path: Run(path).find_phases(k=2)),
    "phases --stability": (vectors_run, lambda path: Run(path).compare_seeds(seeds=3)),
    "track": (vectors_run, lambda path: Run(path).track(min_count=1, replace=True)),
    "points": (vectors_run, lambda path: Run(path).pick_points(per_phase=2)),
    "import --metrics": (vectors_run, lambda path: Run(path).import_metrics(path.parent / "all-2.csv")),
    "import --metrics of points": (
        vectors_run,
        lambda path: Run(path).import_metrics(path.parent / "few-2.csv"),
    ),
    "estimate": (vectors_run, lambda path: Run(path).estimate(confidence=0.9)),
    "quality": (vectors_run, lambda path: Run(path).quality(n=2)),
    "report": (vectors_run, lambda path: Run(path).report()),
    "check --repair": (unsealed_run, repair),
    "points --from": (vectors_run, import_points),
    "points after --from": (theirs_run, lambda path: Run(path).pick_points(per_phase=2)),
    "bringing back": (aside_run, bring_back),
    "export": (vectors_run, lambda path: Run(path).export("simpoint")),
    "save": (vectors_run, lambda path: Run(path).save(profile=phasemark.read(DATA / "same.bb"))),
    "simpoint": (vectors_run, drop_in),
    "profile": (vectors_run, profile),
    "intervals": (nested_run, intervals),
    "intervals again": (variable_run, lambda path: intervals(path, 100_000)),
    "intervals --fixed": (variable_run, fixed_again),
    "simulate": (recorded_run, simulate),
    "simulate --full": (recorded_run, lambda path: simulate(path, full=True)),
}


def failures(name: str, place: Path, every: int = 1) -> list[str]:
    """What goes wrong when a step is killed at each operation, or at every n-th; one sentence each.

    Args:
        name: of STEPS.
        place: an empty folder.
        every: n.
    """
    make, step = STEPS[name]
    before = place / "before"
    before.mkdir()
    make(before / "run")
    whole = _copied(before, place / "whole")
    operations, states = _watched(step, whole)
    states = [_state(before), *states, _state(whole)]
    names = (*_DEAR, *["run/points.csv"] * (make is theirs_run))
    dear = [states[0][name] for name in names if name in states[0]]
    assert dear
    assert all(content in state.values() for content in dear for state in states)
    wrong = []
    for number in range(1, operations + 1, every):
        for half in (False, True):
            here = _copied(before, place / "killed")
            status = _forked(lambda here=here, n=number, half=half: _kill_at(n, step, here, half=half))  # type: ignore[misc]
            if status not in (0, KILLED):
                wrong.append(f"{name}: operation {number}: the step failed ({status})")
            elif (now := _state(here)) not in states and not _of_whole_files(name, now, states):
                wrong.append(f"{name}: killed at {number}{' (half)' * half}: {_difference(now, states[0])}")
            elif _forked(lambda here=here: step(here / "run")):  # type: ignore[misc]
                wrong.append(f"{name}: killed at {number}{' (half)' * half}: cannot be done again")
            elif (now := _state(here)) != states[-1]:
                wrong.append(f"{name}: killed at {number}, done again: {_difference(now, states[-1])}")
            elif left := [path.name for path in here.rglob(".*") if name != "check --repair"]:
                # (a repair with nothing left to do leaves the folder alone)
                wrong.append(f"{name}: killed at {number}, done again: {', '.join(left)} stay")
    return wrong


def _of_whole_files(name: str, now: State, states: list[State]) -> bool:
    """SimPoint's own files lie where the user says: each is whole."""
    return name == "simpoint" and all(
        any(state.get(file) == content for state in states) for file, content in now.items()
    )


def _copied(source: Path, target: Path) -> Path:
    shutil.rmtree(target, ignore_errors=True)
    return Path(shutil.copytree(source, target))


def _state(place: Path) -> State:
    """The files as readers see them, but for what says when, and which file on this disk."""
    run = Folder(place / "run")
    for folder in (run, Folder(run["simpoint"])):
        folder.steady(lambda: None)
    files = [path.relative_to(place) for path in sorted(place.rglob("*")) if path.is_file()]
    shown = [path for path in files if not any(part[0] == "." for part in path.parts)]
    kept = [path for path in shown if not {"raw", "recording"} & set(path.parts)]
    state = {str(path): (place / path).read_bytes() for path in kept}
    if "run/run.json" in state:
        record = json.loads(state["run/run.json"])
        for entry in record["steps"].values():
            for key in ("identities", "began", "seconds", "cpu_seconds"):
                entry.pop(key, None)
        state["run/run.json"] = json.dumps(record, sort_keys=True).encode()
    return state


def _difference(now: State, wanted: State) -> str:
    names = [name for name in sorted(now.keys() | wanted.keys()) if now.get(name) != wanted.get(name)]
    return ", ".join(
        f"{name} {'is missing' if name not in now else 'is new' if name not in wanted else 'differs'}"
        for name in names
    )


def _watched(step: Step, place: Path) -> tuple[int, list[State]]:
    """How many operations a step does, and the states of the folder after each of its changes."""
    with tempfile.TemporaryFile("w+") as told:

        def work() -> None:
            count, states, commit = [0], [], changing.commit

            def committed(*arguments: Any) -> None:
                commit(*arguments)
                states.append({name: value.hex() for name, value in _state(place).items()})

            changing.commit = committed
            with _operations(lambda *_: count.__setitem__(0, count[0] + 1)):
                step(place / "run")
            changing.commit = commit
            json.dump([count[0], states], told)
            told.flush()

        assert _forked(work) == 0
        told.seek(0)
        count, states = json.load(told)
    return count, [{name: bytes.fromhex(value) for name, value in state.items()} for state in states]


def _kill_at(number: int, step: Step, place: Path, *, half: bool) -> None:
    left = [number]

    def operation(event: str, path: object) -> None:
        left[0] -= 1
        if left[0]:
            return
        if half and event == "open" and str(place) in str(path):
            with open(str(path), "wb") as file:  # noqa: PTH123
                file.write(b"half of ")
        os._exit(KILLED)

    with _operations(operation):
        step(place / "run")


_EVENTS = {
    "os.rename",
    "os.remove",
    "os.mkdir",
    "os.rmdir",
    "os.truncate",
    "os.link",
    "os.symlink",
    "fcntl.flock",
}


@contextmanager
def _operations(told: Callable[[str, object], None]) -> Iterator[None]:
    """Have a function called before each operation on files of this process, which ends soon."""
    on = [True]

    def hook(event: str, arguments: tuple[Any, ...]) -> None:
        if not on[0]:
            return
        writes = event == "open" and arguments[2] & (os.O_WRONLY | os.O_RDWR | os.O_CREAT)
        if writes or event in _EVENTS:
            on[0] = False
            told(event, arguments[0])
            on[0] = True

    sys.addaudithook(hook)
    try:
        yield
    finally:
        on[0] = False


def _forked(work: Callable[[], object]) -> int:
    """Do something in another process; its exit status."""
    child = os.fork()
    if not child:
        status = 1
        try:
            os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
            work()
            status = 0
        except BaseException:
            traceback.print_exc()
        finally:
            os._exit(status)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


def main() -> None:
    """Try the steps that are named, or all."""
    os.environ["PHASEMARK_THREADS"] = "1"
    wrong = []
    for name in sys.argv[1:] or STEPS:
        with tempfile.TemporaryDirectory() as place:
            found = failures(name, Path(place))
        print(f"{name}: {len(found)} failures", flush=True)
        wrong += found
    print("\n".join(wrong))
    sys.exit(bool(wrong))


if __name__ == "__main__":
    main()
