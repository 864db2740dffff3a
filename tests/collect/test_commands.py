"""phasemark profile and phasemark run, as a user types them."""

from __future__ import annotations

import json
import os
import pty
import subprocess
import sys
import threading
from pathlib import Path

import pytest
from tests.commands import run
from tests.waiting import LONG, until

import phasemark
from phasemark.collect.engines.valgrind import tool_folder
from phasemark.collect.stream.reader import RawStream
from phasemark.errors import DataError, MissingTool

try:
    tool_folder()
except MissingTool as missing:
    pytest.skip(str(missing), allow_module_level=True)

PHASEMARK = (sys.executable, "-c", "from phasemark.cli import main; main()")
BUSY = "i=0; while [ $i -lt 100000000 ]; do i=$((i+1)); done"


def instructions(out: Path) -> int:
    """Recorded so far."""
    total = 0
    for path in out.glob("raw/*.raw"):
        try:
            total += RawStream(path).instructions
        except DataError:
            continue
    return total


def test_run_does_everything_in_one_go(tmp_path: Path) -> None:
    done = run(
        "run", "-o", "out", "--max-k", "5", "--interval", "20k", "--json", "seq", "20000", cwd=tmp_path
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines()[:2] == ["1", "2"]
    said = json.loads(done.stdout.splitlines()[-1])
    profile = phasemark.read(tmp_path / "out")
    assert said["instructions"] == profile.instructions
    assert said["intervals"] == len(profile.interval_table)
    assert 1 <= said["k"] <= 5 and said["coverage"] == pytest.approx(1)
    assert sum(point["weight"] for point in said["points"]) == pytest.approx(1)
    wanted = {"start", "end", "interval", "phase", "thread", "weight", "warmup"}
    assert all(wanted <= set(point) for point in said["points"])
    assert len(said["functions"]) == said["k"]
    assert all(0 <= share <= 1 for names in said["functions"] for share in names.values())
    made = {"profile.h5", "phases.csv", "model.h5", "points.csv", "simpoints", "weights", "labels"}
    assert {path.name for path in (tmp_path / "out").iterdir()} == made | {"run.json", "report.html"}
    assert "hottest functions" in done.stderr


def test_run_keeps_the_exit_status_and_says_nothing_with_quiet(tmp_path: Path) -> None:
    done = run("run", "-q", "--no-report", "--k", "2", "sh", "-c", "exit 3", cwd=tmp_path)
    assert (done.returncode, done.stdout) == (3, "")
    assert done.stderr == "phasemark: the program's exit status is 3\n"
    assert (tmp_path / "sh.phasemark" / "points.csv").exists()
    assert not (tmp_path / "sh.phasemark" / "report.html").exists()


@pytest.mark.parametrize(
    ("arguments", "status", "message"),
    [
        (["profile"], 2, "Missing argument"),
        (["profile", "--interval", "3q", "true"], 2, "no interval length"),
        (["profile", "--collector", "magic", "true"], 2, "no collector"),
        (["run", "--smc-check", "some", "touch", "ran"], 2, "choose one of none, stack, all"),
        (["profile", "--", "no-such-program"], 127, "no such program"),
        (["profile", "./"], 126, "directory"),
        (["profile", "-o", "/proc/x", "true"], 1, "cannot be written"),
        (["run", "--max-k", "0", "touch", "ran"], 2, "max_k is 0"),
        (["run", "--search", "odd", "touch", "ran"], 2, "search"),
        (["run", "--dims", "0", "touch", "ran"], 2, "dimensions"),
        (["run", "--coverage", "7", "touch", "ran"], 2, "coverage"),
    ],
)
def test_mistakes_are_told_before_anything_runs(
    arguments: list[str], status: int, message: str, tmp_path: Path
) -> None:
    done = run(*arguments, cwd=tmp_path)
    assert done.returncode == status, done.stderr
    assert message in done.stderr
    assert list(tmp_path.iterdir()) == []


def test_ctrl_c_at_a_terminal_ends_the_program_and_keeps_its_profile(tmp_path: Path) -> None:
    ours, theirs = pty.openpty()
    # setsid -c: the terminal is the session's, so that its keys send signals.
    command = ["setsid", "-c", *PHASEMARK, "profile", "-o", str(tmp_path), "sh", "-c", BUSY]
    with subprocess.Popen(command, stdin=theirs, stdout=theirs, stderr=theirs) as process:
        os.close(theirs)
        rescue = threading.Timer(LONG, process.kill)
        rescue.start()
        until(lambda: instructions(tmp_path), process)
        os.write(ours, b"\x03")
        said = b""
        while True:
            try:
                new = os.read(ours, 4096)
            except OSError:  # the terminal's other end was closed
                break
            if not new:
                break
            said += new
    rescue.cancel()
    os.close(ours)
    assert process.returncode == 130, said
    assert b"exit status is 130" in said
    kept = phasemark.read(tmp_path)
    assert kept.instructions and not kept.provenance.complete
