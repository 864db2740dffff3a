"""What the engine leaves out of each process image, and that nothing else changes by it."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.collector.harness import collect, command, labels
from tests.reference.raw_stream import Stream

Build = Callable[..., Path]
STATIC = ("-static", "-no-pie", "-pthread")


def pages_touched(folder: Path, script: str) -> int:
    """By a shell and all that it starts."""
    folder.mkdir()
    words = [*command(folder, "--max-threads=5000"), "/bin/sh", "-c", script]
    process = subprocess.Popen(words)
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    assert process.returncode == 0
    return used.ru_minflt


def test_an_image_and_a_fork_touch_little_memory(tmp_path: Path) -> None:
    """3,000 and 400 pages; with symbols and records of 5,000 threads 18,000 and 6,000."""
    shell = pages_touched(tmp_path / "shell", ":")
    assert shell < 8000
    assert pages_touched(tmp_path / "forks", "(:); (:); (:); (:)") - shell < 4 * 2000


def works(stream: Stream, place: int) -> list[int]:
    """How often each thread executed a place, in the order in which they were created."""
    return [stream.executions(stream.intervals(thread))[place] for thread in sorted(stream.threads)]


@pytest.mark.parametrize("most", [35, 100])
def test_forks_among_many_threads(most: int, program: Build, tmp_path: Path) -> None:
    """More than there are records of at first, as many as there may be (and one to spare)."""
    built = program("forks.c", *STATIC)
    run = collect(tmp_path, built, 33, options=(f"--max-threads={most}",), interval=1 << 40)
    place = labels(built)["work_loop"]
    assert run.returncode == 0 and run.notes == ""
    assert works(run.root, place) == [0, *range(1000, 1033)]
    assert [s.header["origin"] for s in run.followed] == ["fork", "fork"]
    for child in run.followed:
        assert works(child, place) == [0, *range(2000, 2016), *range(2000, 2033)]
        assert child.total == child.instructions()


def test_one_thread_too_many_is_refused_as_by_the_kernel(program: Build, tmp_path: Path) -> None:
    """And the program, which returns 2 then, goes on."""
    run = collect(tmp_path, program("forks.c", *STATIC), 33, options=("--max-threads=34",))
    assert run.returncode == 2
    assert run.notes.count("more threads than the collector has at once") == 1 and "EAGAIN" in run.notes
