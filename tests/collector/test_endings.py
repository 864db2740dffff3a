"""However a process ends, its stream holds what it executed."""

from __future__ import annotations

import signal
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.collector.harness import collect, command, labels, notes_of, qemu_command, read_all
from tests.waiting import LONG, until

Build = Callable[..., Path]
STATIC = ("-static", "-no-pie")


@pytest.mark.parametrize(
    ("how", "returncode"),
    [
        ("return", 7),
        ("exit", 8),
        ("_exit", 9),
        ("abort", -signal.SIGABRT),
        ("SIGSEGV", -signal.SIGSEGV),
        (int(signal.SIGTERM), -signal.SIGTERM),
        (int(signal.SIGINT), -signal.SIGINT),
        (int(signal.SIGPIPE), -signal.SIGPIPE),
    ],
)
def test_every_ending_is_complete(
    how: object, returncode: int, engine: str, program: Build, tmp_path: Path
) -> None:
    built = program("ends.c", *STATIC)
    run = collect(tmp_path, built, how, engine=engine)
    root = run.root
    assert run.returncode == returncode
    assert run.stderr == "" or (engine == "qemu" and run.stderr.startswith("qemu: uncaught target signal"))
    assert root.total == root.instructions()
    assert not root.truncated
    assert all(interval.complete for interval in root.intervals())
    assert root.executions()[labels(built)["work_loop"]] == 1000


@pytest.mark.parametrize("ending", [signal.SIGTERM, signal.SIGKILL])
def test_killed_from_outside(ending: signal.Signals, engine: str, program: Build, tmp_path: Path) -> None:
    built = program("ends.c", *STATIC)
    words = [*command(tmp_path, interval=1 << 40), str(built)]
    if engine == "qemu":
        words = qemu_command(tmp_path, str(built), interval=1 << 40)
    process = subprocess.Popen([*words, "forever"])
    try:
        until(lambda: any(stream.snapshots for stream in read_all(tmp_path)), process)
        process.send_signal(ending)
        assert process.wait(LONG) == -ending
    finally:
        process.kill()
    (root,) = read_all(tmp_path)
    assert (root.total is not None) == (ending == signal.SIGTERM)
    assert root.executions()[labels(built)["work_loop"]] > 1_000_000


def test_the_output_folder_must_exist(program: Build, tmp_path: Path) -> None:
    done = subprocess.run(
        [*command(tmp_path, f"--out-dir={tmp_path}/missing"), program("ends.c", *STATIC)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 1
    assert done.stderr.startswith("phasemark: cannot create ")
    assert done.stderr.count("\n") == 1


@pytest.mark.parametrize(
    ("engine", "room"), [("valgrind", 1 << 14), ("valgrind", 1 << 18), ("qemu", 1 << 14)]
)
def test_a_full_disk_leaves_the_program_alone(room: int, engine: str, program: Build, tmp_path: Path) -> None:
    """A file size limit acts like a full disk, down to a signal that would end the program."""
    built = program("ends.c")
    limited = f"ulimit -f {room // 1024}; exec " + '"$@"'
    words = [*command(tmp_path, interval=1), str(built)]
    if engine == "qemu":
        words = qemu_command(tmp_path, str(built), interval=1)
    done = subprocess.run(
        ["bash", "-c", limited, "bash", *words],
        capture_output=True,
        text=True,
        check=False,
    )
    (root,) = read_all(tmp_path)
    assert done.returncode == 7
    assert done.stderr == ""
    assert "could not be written" in notes_of(tmp_path)
    assert "could not be written" in root.warnings[0]
    assert root.total is None and not root.truncated


def test_a_program_that_repairs_faults_goes_on(engine: str, program: Build, tmp_path: Path) -> None:
    run = collect(tmp_path, program("repair.c", *STATIC), engine=engine)
    assert run.returncode == 3
    assert run.root.total == run.root.instructions()
