"""Forks, execs and threads: whose instructions are whose."""

from __future__ import annotations

import subprocess
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.collector.harness import Run, collect, labels
from tests.reference.raw_stream import Stream

Build = Callable[..., Path]
STATIC = ("-static", "-no-pie")


def worked(stream: Stream, built: Path, thread: int | None = None) -> int:
    intervals = None if thread is None else stream.intervals(thread)
    return stream.executions(intervals)[labels(built)["work_loop"]]


def test_a_tree_of_processes(engine: str, program: Build, tmp_path: Path) -> None:
    built = program("tree.c", *STATIC)
    run = collect(tmp_path, built, engine=engine)
    root_pid = run.root.header["pid"]
    found = Counter(
        (
            stream.header["origin"],
            stream.header["pid"] == root_pid,
            worked(stream, built),
            stream.total is not None,
        )
        for stream in run.streams
    )
    assert run.returncode == 0
    assert found == Counter(
        [
            ("start", True, 500, False),  # 100 and 400, then replaced by exec
            ("fork", False, 200, True),
            ("fork", False, 0, False),  # vfork, replaced by exec
            ("exec", False, 300, True),
            ("exec", True, 500, True),
        ]
    )
    assert run.stderr == ""


def test_a_child_names_its_parent(engine: str, program: Build, tmp_path: Path) -> None:
    run = collect(tmp_path, program("tree.c", *STATIC), engine=engine)
    assert {s.header["ppid"] for s in run.streams if s.header["origin"] == "fork"} == {run.root.header["pid"]}


@pytest.mark.parametrize("interval", [100, 1000])
def test_short_threads(interval: int, engine: str, program: Build, tmp_path: Path) -> None:
    built = program("many_threads.c", *STATIC, "-pthread")
    root = collect(tmp_path, built, interval=interval, engine=engine).root
    assert sorted(root.threads) == list(range(26))
    # Numbered as they were created, whichever ran first.
    assert [worked(root, built, thread) for thread in range(1, 26)] == [1000 + i for i in range(25)]
    assert all(root.threads[t].creator == 0 for t in range(1, 26))
    assert all(root.threads[t].total == root.instructions(t) for t in range(26))


def test_a_timer_does_not_disturb_the_counts(engine: str, program: Build, tmp_path: Path) -> None:
    built = program("alarm.c", *STATIC)
    root = collect(tmp_path, built, engine=engine).root
    counts, places = root.executions(), labels(built)
    rounds, handled = counts[places["rounds_at"]], counts[places["handled_at"]]
    assert handled >= 200
    assert counts[places["work_loop"]] == 500 * rounds
    assert counts[places["fill_at"]] == rounds + handled


def test_failed_locked_instructions_do_not_count(engine: str, program: Build, tmp_path: Path) -> None:
    built = program("shared_counter.c", *STATIC)
    run = collect(tmp_path, built, interval=100_000, engine=engine)
    places = labels(built)
    assert run.returncode == 0
    for stream in run.streams:
        counts = stream.executions()
        assert counts[places["locked_at"]] == counts[places["after_at"]] == 300_000


def test_code_mapped_anew_is_a_new_module(engine: str, program: Build, tmp_path: Path) -> None:
    root = collect(tmp_path, program("remap.S"), engine=engine).root
    anonymous = [m for m in root.modules.values() if m.start == 0x10000000]
    assert [(m.kind, m.length) for m in anonymous] == [(1, 4096), (1, 4096)]


def test_scripts_run_in_their_interpreter(tmp_path: Path) -> None:
    script = tmp_path / "script"
    script.write_text('#!/bin/sh\necho "$0" "$1"\n')
    script.chmod(0o755)
    run = collect(tmp_path / "out", script, "argument")
    assert run.stdout == f"{script} argument\n"
    assert run.root.total


def run_foreign(program: Build, tmp_path: Path) -> Run:
    foreign = program("exit32.S", "-m32")
    try:
        subprocess.run([foreign], check=False)
    except OSError:
        pytest.skip("this machine runs no 32-bit programs")
    return collect(tmp_path, "/bin/sh", "-c", f"'{foreign}'; echo $?")


def test_a_foreign_program_runs_without(program: Build, tmp_path: Path) -> None:
    run = run_foreign(program, tmp_path)
    assert run.stdout == "4\n"
    assert run.stderr == ""
    assert "is no program for 64-bit x86, and ran without being recorded" in run.notes


def canonical(stream: Stream) -> Counter[tuple[str, int]]:
    counts: Counter[tuple[str, int]] = Counter()
    for interval in stream.by_place.values():
        for block, times in interval.full:
            for piece in stream.blocks[block].pieces:
                module = stream.modules[piece.module]
                at = module.file_offset + piece.offset
                for length in piece.lengths:
                    counts[module.name, at] += times
                    at += length
    return counts


def test_address_randomisation_changes_nothing(program: Build, tmp_path: Path) -> None:
    built = program("ends.c")
    first, second = (collect(tmp_path / name, built, interval=1 << 40).root for name in ("a", "b"))
    assert canonical(first) == canonical(second)


def test_doubling(program: Build, tmp_path: Path) -> None:
    """The length doubles when a thread reaches 4096 intervals of it."""
    root = collect(tmp_path, program("ends.c"), interval=2, options=("--auto=yes",)).root
    *full, _ = root.intervals()
    for interval in full:
        length = 2
        while interval.start >= 4096 * length:
            length *= 2
        assert interval.length == length
    assert root.header["auto"] == "1"
