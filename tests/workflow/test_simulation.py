"""From points, or a whole run, to metrics; with a simulator that counts nothing but calls."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.cli.printing.results import image, points, recording
from tests.cli.printing.results import simulation as simulated
from tests.workflow.runs import LENGTH, three_phases

from phasemark.collect import Headway
from phasemark.errors import DataError, UsageError, WorkError
from phasemark.model import Metrics
from phasemark.simulate import Plan, Program, Simulation
from phasemark.simulate.config import TimingConfig, load
from phasemark.store import metrics_csv, points_csv, tables
from phasemark.store.folder import Folder
from phasemark.workflow import Run, simulation
from phasemark.workflow.simulation import keep_metrics, names_of, program_of
from phasemark.workflow.standard_input import StandardInput


class Toy:
    """Two cycles an instruction, in every window but the first `lost`."""

    runs: list[tuple[Program, Plan]] = []  # noqa: RUF012
    lost = 0
    interrupted = False
    instructions = 60 * LENGTH

    def __init__(self, config: TimingConfig) -> None:
        self.config = config

    def simulate(
        self, program: Program, plan: Plan, progress: Callable[[Headway], None] | None = None
    ) -> Simulation:
        self.runs.append((program, plan))
        there = slice(self.lost, None)
        length = (plan.end - plan.start)[there]
        key = (np.zeros(len(length), int), plan.thread[there], plan.index[there], plan.start[there], length)
        metrics = Metrics(*key, {"instructions": length * 1.0, "cycles": length * 2.0}, source="toy")
        analysed = dataclasses.replace(image(instructions=self.instructions), command=program.command)
        if progress:
            progress(Headway(1.0, 1, 1, 1))
        missing, more = np.arange(self.lost), {"interrupted": self.interrupted}
        return Simulation(metrics, missing, (analysed,), analysed, 0, 1.23456, ("of the toy",), **more)


@pytest.fixture
def toy(monkeypatch: pytest.MonkeyPatch) -> type[Toy]:
    monkeypatch.setattr(simulation, "TimingModel", Toy)
    monkeypatch.setattr(Toy, "runs", [])
    monkeypatch.setattr(Toy, "lost", 0)
    monkeypatch.setattr(Toy, "instructions", 60 * LENGTH)
    return Toy


@pytest.fixture
def run(tmp_path: Path) -> Run:
    folder = three_phases(tmp_path / "run")
    folder.record("profile", {"command": ["/bin/gzip", "-9"], "cwd": str(tmp_path), "process": "gzip"})
    Run(folder.path).pick_points(per_phase=2)
    return Run(folder.path)


def entry(run: Run, step: str) -> dict[str, Any]:
    told = run.folder.entry_of(step)
    told.pop("phasemark")
    return told


def test_points_are_simulated_and_told_of(run: Run, toy: type[Toy], tmp_path: Path) -> None:
    told: list[Headway] = []
    result = run.simulate(warmup=7, progress=told.append)
    ((program, plan),) = toy.runs
    assert program == Program(("/bin/gzip", "-9"), tmp_path, "gzip", None)
    picked = run.points
    assert plan.start.tolist() == picked.start.tolist() and (plan.start - plan.warm).max() == 7
    assert len(told) == 1 and result.path == run.folder.point_metrics
    assert result.profiled == 60 * LENGTH and result.points is not None
    assert result.metrics.index.tolist() == picked.interval.tolist()
    assert (result.notes, result.warnings, result.status) == ((), ("of the toy",), 0)
    machine = {"name": "modern", "digest": load().digest}
    assert list(entry(run, "simulation").items()) == [
        ("command", "simulate"),
        ("warmup", 7),
        ("configuration", machine),
        ("intervals", 6),
        ("program", ["/bin/gzip", "-9"]),
        ("windows", 6),
        ("missing", []),
        ("measured", plan.measured),
        ("simulated", plan.simulated),
        ("instructions", 60 * LENGTH),
        ("status", 0),
        ("cpu_seconds", 1.235),
        ("notes", []),
        ("warnings", ["of the toy"]),
    ]
    comment = tables.comment(run.folder.point_metrics)
    assert (comment["command"], comment["warmup"]) == ("simulate", "7")
    assert comment["configuration"] == f"modern {load().digest}"
    assert run.point_metrics.source == result.metrics.source or run.point_metrics.counters["cycles"].sum()


def test_the_whole_run_is_simulated_and_told_of(run: Run, toy: type[Toy]) -> None:
    result = run.simulate("paper", full=True, command=["/bin/other"], stdin=5)
    ((program, plan),) = toy.runs
    assert program == Program(("/bin/other",), None, "gzip", 5)
    assert len(plan) == 60 and result.path == run.folder.metrics and result.points is None
    told = entry(run, "metrics")
    assert (told["command"], told["windows"], told["intervals"]) == ("simulate --full", 60, 60)
    assert told["configuration"]["name"] == "paper" and "warmup" not in told
    assert not run.folder.point_metrics.exists() and len(run.metrics) == 60


def test_the_usual_warm_up_and_points_of_another_table(run: Run, toy: type[Toy], tmp_path: Path) -> None:
    other = tmp_path / "other.csv"
    six = run.points
    run.pick_points()
    points_csv.write(other, six, made_by={})
    run.simulate(points=other)
    assert toy.runs[0][1].index.tolist() == six.interval.tolist()
    assert entry(run, "simulation")["warmup"] == "500000 to 3000000"
    with pytest.raises(DataError, match=r"none\.csv: there is no .*\n  hint: check the name after --points$"):
        run.simulate(points=tmp_path / "none.csv")
    for more in ({"points": other}, {"warmup": 0}):
        with pytest.raises(UsageError, match="with --full everything"):
            run.simulate(full=True, **more)


def test_what_is_missing_is_told_of(run: Run, toy: type[Toy], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(toy, "lost", 1)
    monkeypatch.setattr(toy, "instructions", 60 * LENGTH + 1)
    result = run.simulate()
    first = int(run.points.interval[0])
    assert entry(run, "simulation")["missing"] == [{"thread": 0, "index": first}]
    assert result.lacks and result.status == 1 and len(result.notes) == 1
    assert entry(run, "simulation")["notes"] == list(result.notes)
    monkeypatch.setattr(toy, "lost", 6)
    with pytest.raises(WorkError, match=r"no interval was simulated: gzip ended after 60,001 .*status 0\)\n"):
        run.simulate()
    assert len(run.point_metrics) == 5


def test_another_machine_is_warned_of(run: Run, toy: type[Toy]) -> None:
    run.simulate("paper")
    paper, modern = (load(name).digest for name in ("paper", "modern"))
    assert run.simulate("paper", full=True).warnings == ("of the toy",)
    assert run.simulate("modern").warnings[1:] == (
        f"the whole run was simulated with another configuration (paper {paper}, here modern {modern}); the "
        "two cannot be compared",
    )
    assert run.simulate("paper", full=True).warnings[1:] == (
        f"the points were simulated with another configuration (modern {modern}, here paper {paper}); the "
        "two cannot be compared",
    )
    assert run.simulate("paper").warnings[1:] == ()
    assert run.simulate("modern", full=True).warnings[1] in entry(run, "metrics")["warnings"]


def test_what_was_made_from_earlier_metrics_goes(run: Run, toy: type[Toy]) -> None:
    run.simulate()
    run.folder.estimate.touch()
    assert run.simulate().discarded == ("estimate.csv is removed",)


def test_how_much_may_be_missing() -> None:
    """A hundredth of a whole run, and of points nothing."""
    for profiled, lacks in ((100_001, False), (100_000, False), (99_999, True)):
        result = simulated(missing=(1,), profiled=profiled)
        assert (result.lacks, result.status) == (lacks, int(lacks))
    assert not simulated().lacks and not simulated(points()).lacks
    assert simulated(points(), missing=(1,), profiled=10**9).lacks
    assert simulated(points(), missing=(1,), length=1).lacks
    assert [simulated(status=9, missing=gone, profiled=1).status for gone in ((), (1,))] == [9, 9]


def test_which_program_runs_again(tmp_path: Path) -> None:
    folder, profile = Folder(tmp_path).create(), recording().profile
    with pytest.raises(DataError, match="nothing says which program ran: its vectors were recorded by test"):
        program_of(folder, profile)
    assert program_of(folder, profile, ["ls", "-l"], 4) == Program(("ls", "-l"), None, None, 4)
    details = {**profile.provenance.details, "families": [[0, 1, 2], [1, 3, 1]]}
    made = dataclasses.replace(profile, provenance=dataclasses.replace(profile.provenance, details=details))
    assert program_of(folder, made, ["ls"]).families == [[0, 1, 2], [1, 3, 1]]
    there = tmp_path / "there"
    folder.record("profile", {"command": ["/bin/gzip"], "cwd": str(there), "process": "gzip"})
    with pytest.raises(WorkError, match="there: the program was started in this folder, which is not there"):
        program_of(folder, profile)
    there.mkdir()
    assert program_of(folder, profile, (), 3) == Program(("/bin/gzip",), there, "gzip", 3)
    assert program_of(folder, profile, ["ls"]) == Program(("ls",), None, "gzip", None)


def test_windows_by_name() -> None:
    plan = simulated(thread=4).plan
    assert names_of(plan, np.array([2, 0])) == [{"thread": 4, "index": 4}, {"thread": 4, "index": 0}]


def test_metrics_counted_with_the_profile_are_kept(tmp_path: Path) -> None:
    counted = simulated().metrics
    others = {*load().energy_per_event, "l3_misses", "itlb_misses", "dtlb_misses"} - counted.counters.keys()
    counters = {**counted.counters, **dict.fromkeys(sorted(others), np.ones(3))}
    counted = dataclasses.replace(counted, counters=counters)
    folder = Folder(tmp_path).create()
    folder.estimate.touch()
    done = recording(folder=folder, metrics=counted, status=3, cpu_seconds=1.23456)
    assert keep_metrics(done, load()) == ("estimate.csv is removed",)
    told = folder.entry_of("metrics")
    told.pop("phasemark")
    assert told == {
        "command": "profile --timing",
        "configuration": {"name": "modern", "digest": load().digest},
        "intervals": 3,
        "program": ["/bin/gzip", "-9"],
        "instructions": 4000,
        "status": 3,
        "cpu_seconds": 1.235,
    }
    assert "energy" in metrics_csv.read(folder.metrics).counters
    for none in (None, simulated(missing=(0, 1, 2)).metrics):
        with pytest.raises(WorkError, match=r"nothing was counted of gzip \(exit status 3\)"):
            keep_metrics(dataclasses.replace(done, metrics=none), load())


def test_points_beside_the_whole_run(run: Run, toy: type[Toy], tmp_path: Path) -> None:
    path = tmp_path / "input"
    path.write_text("0123456789")
    with path.open("rb", buffering=0) as file:
        file.seek(4)
        compared = run.check(stdin=StandardInput.here(file.fileno()))
        assert [program.stdin for program, _ in toy.runs] == [file.fileno()] * 2
    assert [len(plan) for _, plan in toy.runs] == [6, 60]
    assert [len(result.metrics) for result in compared.simulations] == [6, 60]
    assert compared.cpu_seconds == {"profile": 0.0, "points": 1.23456, "whole run": 1.23456}
    assert compared.status == 0 and compared.estimates.full["cpi"] == 2.0
    assert run.folder.entry_of("estimate")["command"] == "run --check"


def test_the_whole_run_is_not_simulated_twice(run: Run, toy: type[Toy]) -> None:
    run.recording = recording(cpu_seconds=2.5)
    told: list[Headway] = []
    compared = run.check("paper", progress=told.append)
    assert [len(plan) for _, plan in toy.runs] == [6] and toy.runs[0][0].stdin is None
    assert compared.simulations[0].config.name == "paper" and len(told) == 1
    assert compared.cpu_seconds == {"profile and whole run": 2.5, "points": 1.23456}
