"""phasemark run, with a program that was recorded already: what it says, and how it exits."""

from __future__ import annotations

import dataclasses
import json
import os
import signal
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import Result
from tests import commands
from tests.cli.printing.results import recording
from tests.workflow.runs import three_phases
from tests.workflow.test_simulation import Toy
from typer.testing import CliRunner

from phasemark.cli import interruption
from phasemark.cli import run as command
from phasemark.cli.app import application
from phasemark.collect import Recording
from phasemark.errors import UsageError, WorkError
from phasemark.model import Reuse
from phasemark.store import holding, profile_h5
from phasemark.workflow import Run, simulation

Invoke = Callable[..., Result]


@pytest.fixture
def run(tmp_path: Path) -> Run:
    folder = three_phases(tmp_path / "out")
    folder.record("profile", {"command": ["/bin/gzip", "-9"], "cwd": str(tmp_path)})
    return Run(folder.path)


@pytest.fixture
def invoke(run: Run, monkeypatch: pytest.MonkeyPatch) -> Invoke:
    """Run the command where recording gives a recording of `values`."""
    monkeypatch.setattr(simulation, "TimingModel", Toy)
    monkeypatch.setattr(Toy, "runs", [])

    def invoke(*arguments: str, **values: Any) -> Result:
        def record(*asked: object, **options: object) -> Recording:
            return recording(folder=run.folder, profile=run.profile, cpu_seconds=2.5, **values)

        monkeypatch.setattr(command, "record", record)
        words = ["run", "--out", str(run.path), "--k", "3", *arguments, "--", "gzip"]
        return CliRunner().invoke(application(), words, catch_exceptions=False)

    return invoke


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--signature", "code+behaviour", "--collector", "qemu"), "qemu does not record how memory is used"),
        (("--signature", "code+events"), r"code\+events compares what was measured\n.*add --timing"),
        (("--signature", "loops"), "loops are counted in intervals of variable length"),
    ],
)
def test_what_signatures_need_is_asked_for_before_the_program_runs(
    invoke: Invoke, words: tuple[str, ...], said: str
) -> None:
    with pytest.raises(UsageError, match=said):
        invoke(*words)


def test_phases_are_found_in_the_signature_asked_for(run: Run, invoke: Invoke) -> None:
    counts = np.zeros((60, 15), np.int64)
    counts[:, -1] = np.arange(60) % 2 * 9
    reuse = Reuse(counts, 0 * counts, 64, np.zeros(60, np.int64))
    profile_h5.write(run.folder.profile, dataclasses.replace(run.profile, reuse=reuse))
    assert invoke("--signature", "code+behaviour", "--no-report").exit_code == 0
    assert Run(run.path).folder.entry_of("phases")["signature"] == "code+behaviour"


LINE = "phasemark: gzip: 60,000 instructions in 60 intervals of 1k, 1 thread, 6 blocks"


def test_everything_in_one_go(run: Run, invoke: Invoke) -> None:
    done = invoke()
    assert (done.exit_code, done.stdout) == (0, "")
    text = done.stderr.splitlines()
    assert text[:5] == [
        LINE,
        f"phasemark: wrote {run.folder.report}",
        "60,000 instructions, 60 intervals, 3 phases by code",
        "3 points of 3,000 instructions (5.00% of the run) to stand for 100.00% of it",
        "",
    ]
    assert text[5].split() == ["phase", "share", "weight", "interval", "start", "end", "hottest", "functions"]
    assert len(text) == 12 and text[9].startswith("note: such points may be biased")
    assert text[11] == f"phasemark: everything is in {run.path}"
    assert run.folder.report.exists() and Toy.runs == []


def test_the_check_s_table(run: Run, invoke: Invoke) -> None:
    done = invoke("--check", "--no-report")
    assert done.exit_code == 0 and not run.folder.report.exists()
    text = done.stderr.splitlines()
    assert text[:3] == [LINE, "phasemark: warning: of the toy", "phasemark: warning: of the toy"]
    assert text[5:17] == [
        "",
        "phase   share  weight  interval   start     end  hottest functions",
        "    0  33.33%  0.3333        11  11,000  12,000  block 2 51.8%, "
        "block 1 40.2%, block 3 2.0%, others 6.0%",
        "    1  33.33%  0.3333        27  27,000  28,000  block 4 48.8%, "
        "block 3 43.2%, block 1 2.0%, others 6.0%",
        "    2  33.33%  0.3333        56  56,000  57,000  block 6 50.8%, "
        "block 5 41.2%, block 1 2.0%, others 6.0%",
        "note: such points may be biased, and nothing shows in which program: `phasemark points --guard 20` "
        "tells by how much,",
        "      `--budget 40` takes random points, without bias",
        "",
        "metric  estimate  95% interval    +-  full run  error  covered",
        "cpi            2        2 to 2  0.0%         2  0.00%      yes",
        "ipc          0.5    0.5 to 0.5  0.0%       0.5  0.00%      yes",
        "CPU time: profile 2.5 s, points 1.2 s, whole run 1.2 s",
    ]
    assert text[17].startswith("phasemark: note: nearest points are no random sample")
    assert text[18:] == [f"phasemark: everything is in {run.path}"]
    assert [len(plan) for _, plan in Toy.runs] == [3, 60]


def test_the_timing_model_in_the_profile_s_run(run: Run, invoke: Invoke) -> None:
    done = invoke("--check", "--timing", "paper", "--json")
    assert [len(plan) for _, plan in Toy.runs] == [3]
    summary = json.loads(done.stdout)
    assert list(summary["check"]["cpu_seconds"]) == ["profile and whole run", "points"]
    assert run.folder.configuration_of("simulation")["name"] == "paper"


def test_as_json(run: Run, invoke: Invoke) -> None:
    done = invoke("--json", "--check", "--quiet", "--coverage", "60%", "--dims", "4", "--seed", "3")
    summary = json.loads(done.stdout)
    assert (summary["folder"], summary["status"], summary["k"]) == (str(run.path), 0, 3)
    assert len(summary["points"]) == 2 and len(summary["functions"]) == 3
    assert summary["check"]["metrics"]["cpi"]["full"] == 2.0
    assert done.stderr.splitlines() == ["phasemark: warning: of the toy"] * 2
    entry = run.folder.entry_of("phases")
    assert (entry["dims"], entry["seed"], entry["k"]) == (4, 3, 3)
    assert "check" not in json.loads(invoke("--json").stdout)


def test_options_reach_the_phases(run: Run, invoke: Invoke) -> None:
    options = ("--max-k", "9", "--search", "2", "--threshold", "0.8", "--select", "elbow")
    assert invoke(*options, "--no-report").exit_code == 0
    entry = run.folder.entry_of("phases")
    assert [entry[name] for name in ("max_k", "search", "threshold", "select")] == [9, 2, 0.8, "elbow"]


def test_the_exit_status_is_the_program_s(run: Run, invoke: Invoke, monkeypatch: pytest.MonkeyPatch) -> None:
    assert invoke("--no-report", status=7).exit_code == 7
    assert invoke("--no-report", failure="cut short").exit_code == 1
    assert invoke("--no-report", failure="cut short", status=7).exit_code == 7
    monkeypatch.setattr(Toy, "lost", 1)
    assert invoke("--no-report", "--check").exit_code == 1
    assert invoke("--no-report", "--check", status=7).exit_code == 7
    assert invoke("--no-report").exit_code == 0
    monkeypatch.setattr(Toy, "lost", 0)
    assert invoke("--no-report", "--check").exit_code == 0


def test_warnings_are_said_with_quiet_too(run: Run, invoke: Invoke) -> None:
    done = invoke("--quiet", warnings=("beware",), status=2)
    assert done.stdout == "" and run.folder.report.exists()
    assert done.stderr == "phasemark: warning: beware\nphasemark: the program's exit status is 2\n"


def test_one_command_holds_the_folder_from_first_to_last(
    run: Run, invoke: Invoke, monkeypatch: pytest.MonkeyPatch
) -> None:
    held: list[tuple[str, bool]] = []
    hold = holding._lock

    def lock(path: Path, holder: holding.Holder, waits: bool) -> int:
        held.append((holder.command, holder.takes_long))
        return hold(path, holder, waits)

    monkeypatch.setattr(holding, "_lock", lock)
    assert invoke("--check").exit_code == 0
    assert held == [("run", True)]


def test_a_wrong_option_is_refused_before_anything_is_said_or_made(run: Run, tmp_path: Path) -> None:
    for name in ("run", "profile"):
        for wrong in (["--interval", "1.5x"], ["--collector", "none"], ["--timing", "none"]):
            for out in (run.path, tmp_path / "new"):
                done = commands.run(name, "--out", out, *wrong, "--", "true")
                assert done.returncode in (2, 3) and "earlier run" not in done.stderr
        assert commands.run(name, "--out", tmp_path / "new", "--", "./no-such").returncode == 127
    done = commands.run("run", "--out", tmp_path / "new", "--check", "--process", "all", "--", "true")
    assert done.returncode == 2 and "a program that runs again is followed in one" in done.stderr
    assert not (tmp_path / "new").exists()


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
@pytest.mark.parametrize(
    ("moment", "kept", "further"),
    [
        ("find_phases", "the profile is kept", "phases {} --k 3 --seed 7"),
        ("pick_points", "the profile and the phases are kept", "points {} --coverage 60%"),
        ("check", "the profile, the phases and the points are kept", "simulate {} --config paper"),
    ],
)
def test_who_is_interrupted_is_told_what_is_kept_and_how_to_go_on(
    *,
    moment: str,
    kept: str,
    further: str,
    number: int,
    run: Run,
    invoke: Invoke,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def interrupted(*_: object, **__: object) -> None:
        os.kill(os.getpid(), number)
        raise AssertionError("the signal came")

    for name in ("phases.csv", "model.h5", "labels"):
        run.folder[name].unlink(missing_ok=True)  # as they are removed with the profile before
    monkeypatch.setattr(Run, moment, interrupted)
    before = signal.getsignal(signal.SIGTERM)
    words = ["--seed", "7", "--coverage", "60%", "--timing", "paper", "--check"]
    told: list[str] = []
    monkeypatch.setattr(interruption, "say", told.append)
    if number == signal.SIGINT:
        assert invoke(*words).exit_code == 130
    else:
        with pytest.raises(interruption.Terminated):
            invoke(*words)
    assert told == [f"interrupted: {kept} in {run.path}; go on with `phasemark {further.format(run.path)}`"]
    assert signal.getsignal(signal.SIGTERM) == before


def test_an_interrupted_simulation_is_not_followed_by_the_next(
    run: Run, invoke: Invoke, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Toy, "interrupted", True)
    monkeypatch.setattr(Toy, "lost", 1)
    with pytest.raises(WorkError, match=r"2 of 3 intervals are in .*point-metrics\.csv") as raised:
        invoke("--check")
    assert raised.value.hint == f"`phasemark simulate {run.path}` does it anew"
    assert raised.value.exit_status == 130
    assert [len(plan) for _, plan in Toy.runs] == [3]
    assert run.folder.report.exists()


@pytest.mark.parametrize(
    ("words", "without"),
    [
        (["--check"], "simulated"),
        (["--intervals", "variable"], "cut into intervals of variable length"),
        (["--intervals", "variable", "--check"], "cut into intervals of variable length or simulated"),
        ([], None),
    ],
)
def test_a_program_that_was_interrupted_is_not_run_again(
    words: list[str], without: str | None, run: Run, invoke: Invoke, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(command, "find", None)
    done = invoke(*words, status=130, interrupted=True)
    assert done.exit_code == 130 and Toy.runs == []
    assert run.folder.report.exists() and run.folder.points.exists()
    said = [line for line in done.stderr.splitlines() if "told to end" in line]
    assert said == (
        []
        if without is None
        else [
            f"phasemark: told to end while profiling: the program was not run again to be {without}; let the "
            "same command come to its end for that"
        ]
    )


def test_a_program_that_a_fault_of_its_own_ended_is_run_again(run: Run, invoke: Invoke) -> None:
    done = invoke("--check", status=139, interrupted=True)
    assert done.exit_code == 139 and [len(plan) for _, plan in Toy.runs] == [3, len(run.intervals)]


@pytest.mark.parametrize(("more", "compared"), [(500, True), (-500, True), (700, False), (-700, False)])
def test_a_whole_run_that_is_not_the_profile_s_is_not_compared(
    more: int, *, compared: bool, run: Run, invoke: Invoke, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Toy, "instructions", 60_000 + more)
    done = invoke("--check", "--json")
    full = json.loads(done.stdout)["check"]["metrics"]["cpi"]["full"]
    assert (full is not None, done.exit_code) == (compared, int(not compared))
    assert ("the whole run was not compared" in done.stderr) != compared
    how = "more" if more > 0 else "fewer"
    assert (f"it had 1.17% {how} instructions than the profile" in done.stderr) != compared


def test_progress_says_what_is_simulated(run: Run, monkeypatch: pytest.MonkeyPatch, invoke: Invoke) -> None:
    said: list[str] = []
    monkeypatch.setattr("phasemark.cli.progress._PATIENCE", 0.0)
    monkeypatch.setattr("phasemark.cli.progress.say", said.append)
    invoke("--check")
    told = [line.split(":")[0] for line in said if line.startswith("simulating")]
    assert told == ["simulating the points", "simulating the whole run"]
