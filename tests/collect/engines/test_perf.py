"""What is the perf engine's alone."""

from __future__ import annotations

import json
import os
import shutil
from pathlib import Path

import numpy as np
import pytest
from tests.commands import run

import phasemark
from phasemark.collect import Request, record
from phasemark.collect.engines import perf
from phasemark.collect.engines.perf_attached import Attached
from phasemark.collect.engines.protocol import Job
from phasemark.collect.running import run as run_program
from phasemark.errors import CollectorError, MissingTool, UsageError
from phasemark.formats.perf import data

LOOP = "i=0; while [ $i -lt 50000 ]; do i=$((i+1)); done; "


@pytest.fixture(scope="module", autouse=True)
def can_sample() -> None:
    if shutil.which("perf") is None:
        pytest.skip("perf is not there")
    try:
        perf.probed(data.find())
        perf.hold_file()
    except (CollectorError, MissingTool) as error:
        pytest.skip(str(error))


def test_all_processes_are_listed_and_one_is_analysed(tmp_path: Path) -> None:
    script = f"({LOOP}) & wait; sh -c '{LOOP}:'; {LOOP} exit 5"
    recording = record(Request(("sh", "-c", script), collector="perf", process="2"), tmp_path)
    assert recording.status == 5
    images = recording.images
    assert [(image.number, image.origin) for image in images][:2] == [(1, "start"), (2, "fork")]
    assert all(image.ended for image in images) and images[0].command == ("sh", "-c", script)
    assert images[1].parent == images[0].pid and recording.analysed.number == 2
    assert recording.profile.instructions == images[1].instructions > 0


def test_the_program_sees_nothing_of_it(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """Environment, open files, signals and children are as without."""
    told = "env | sort; ls /proc/self/fd; grep -E 'Sig(Blk|Ign|Cgt)' /proc/self/status"
    script = f"{LOOP} {told}; ps -o comm= --ppid $$; :"
    shown = []
    for collector in (None, "perf"):
        if collector is None:
            run_program(["/bin/sh", "-c", script])
        else:
            record(Request(("/bin/sh", "-c", script), collector=collector), tmp_path)
        shown.append(capfd.readouterr().out)
    assert shown[0] == shown[1] and shown[0].endswith("\nps\n"), "its one child"


def test_a_program_too_short_for_a_sample_is_told(tmp_path: Path) -> None:
    """Made of nothing, for on a busy machine the shortest program takes a millisecond now and then."""
    images, warnings = perf.Perf().images(tmp_path)
    assert images == [] and warnings[0].startswith("no sample was taken: none of its threads was on a")


def test_intervals_shorter_than_samples_are_refused_before_the_program_runs(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="too short for samples every 1,000,000"):
        record(Request(("touch", str(tmp_path / "ran")), 10_000, "perf"), tmp_path / "o")
    assert not (tmp_path / "ran").exists()


def test_the_signature_is_as_asked(tmp_path: Path) -> None:
    command = ["profile", "--collector", "perf", "--signature", "function", "--json", "-o", tmp_path / "o"]
    done = run(*command, "--", "sh", "-c", LOOP)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["program"] == "sh" and "nanoseconds" in done.stderr
    profile = phasemark.read(tmp_path / "o")
    assert profile.provenance.block_definition == "sampled: functions"
    assert run("phases", tmp_path / "o").returncode == 0 and run("report", tmp_path / "o").returncode in (
        0,
        3,
    )
    again = run("simulate", tmp_path / "o", "--full")
    assert again.returncode == 2 and "positions must be in instructions" in again.stderr
    wrong = run("profile", "--collector", "perf", "--signature", "x", "-o", tmp_path / "p", "--", "true")
    assert wrong.returncode == 2
    exact = run("profile", "--signature", "loop", "-o", tmp_path / "p", "--", "true")
    assert exact.returncode == 2 and "has no choice of signatures" in exact.stderr


def test_what_was_left_of_a_killed_recording_is_read(tmp_path: Path) -> None:
    """OUT/raw holds all that a profile is made of."""
    recording = record(Request(("sh", "-c", LOOP), collector="perf"), tmp_path, keep_raw=True)
    engine = perf.Perf()
    (image,), _ = engine.images(tmp_path / "raw")
    again = engine.profile(image, "auto", complete=False)
    assert np.array_equal(again.interval_table.length, recording.profile.interval_table.length)
    assert not again.provenance.complete


def test_a_program_that_perf_cannot_attach_to_is_not_run(tmp_path: Path) -> None:
    (tmp_path / "raw").mkdir()
    broken = Attached(data.find(), ["-e", "no-such-event"], tmp_path / "raw")
    with pytest.raises(CollectorError, match=r"perf cannot sample the program: .*"):
        run_program([str(perf.hold_file()), "touch", str(tmp_path / "ran")], beside=broken)
    assert not (tmp_path / "ran").exists()


def test_counters_are_taken_where_they_are() -> None:
    have = "123,,instructions:u,5,100.00,,\n456,,cycles:u,5,100.00,,\n1.25,msec,task-clock:u,5,100.00,,\n"
    lack = have.replace("123", "<not supported>")
    assert perf.chosen(have) is perf.COUNTERS and perf.chosen(lack) is perf.CLOCK


def test_what_is_forbidden_is_said_with_what_to_change(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "level").write_text("4\n")
    monkeypatch.setattr(perf, "_PARANOID", tmp_path / "level")
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    with pytest.raises(CollectorError, match="perf_event_paranoid is 4") as caught:
        perf.chosen("Error:\nNo permission\n")
    assert "sysctl kernel.perf_event_paranoid=2" in caught.value.hint
    (tmp_path / "level").write_text("2\n")
    with pytest.raises(CollectorError, match="perf cannot sample programs here: Error:"):
        perf.chosen("Error:\nNo permission\n")


def test_counters_become_events_of_one_recording(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(perf, "probed", lambda _: perf.COUNTERS)
    made = perf.Perf().prepare(Job(("true",), "auto"), tmp_path)
    assert isinstance(made.beside, Attached)
    command = made.beside._command
    assert [command[at + 1] for at, word in enumerate(command) if word == "-e"] == [
        "instructions:u",
        "cycles:u",
    ]
