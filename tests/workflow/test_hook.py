"""A command at each change, which nothing waits for."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from tests.waiting import until

from phasemark.workflow import hook as module
from phasemark.workflow.hook import Hook


def test_it_has_its_variables_and_nothing_to_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    hook = Hook('cat; echo "$PHASE $KEPT" >>out', print)
    monkeypatch.setenv("KEPT", "kept")
    hook.call({"PHASE": "3\0"})
    hook.end()
    assert Path("out").read_text() == "3 kept\n" and (hook.runs, hook.failures, hook.passed_over) == (1, 0, 0)


def test_one_at_a_time_and_the_latest_next(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    os.mkfifo("go")
    hook = Hook('read x <go; echo "$PHASE" >>out', print)
    for phase in "1234":
        hook.call({"PHASE": phase})
    assert hook.runs == 1 and hook.passed_over == 2
    Path("go").write_text("x\n")
    until(lambda: hook.look() or hook.runs == 2)
    Path("go").write_text("x\n")
    hook.end()
    assert Path("out").read_text() == "1\n4\n"


def test_failures_are_said_a_few_times() -> None:
    told: list[str] = []
    hook = Hook("exit 3", told.append)
    for _ in range(6):
        hook.call({})
        hook.end()
    assert hook.failures == 6 and told == ["--on-change 'exit 3' failed: exit status 3"] * 3


def test_what_does_not_end_is_ended_with_all_it_started(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(module, "_PATIENCE", 0.05)
    told: list[str] = []
    hook = Hook('trap "" TERM; sleep 600 & echo $! >new; mv new pid; wait; sleep 600', told.append)
    hook.call({})
    pid = int(until(lambda: Path("pid").exists() and Path("pid").read_text()))
    hook.end()
    until(lambda: not _runs(pid))
    until(lambda: hook.look() or told)  # `end` may have lost its patience before the signal did its work
    assert told == [f"--on-change {hook._command[:60]!r} failed: it was ended by signal 9"]


def _runs(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] not in "ZX"
    except OSError:
        return False


def test_a_shell_that_cannot_be_started_is_a_failure(monkeypatch: pytest.MonkeyPatch) -> None:
    told: list[str] = []

    def fails(*_: object, **__: object) -> None:
        raise OSError(11, "Resource temporarily unavailable")

    monkeypatch.setattr(module.subprocess, "Popen", fails)
    hook = Hook("true", told.append)
    hook.call({})
    hook.end()
    assert told == ["--on-change 'true' failed: Resource temporarily unavailable"] and hook.runs == 0
