"""What the engine cannot do is said, and the program goes on; what others cannot do, it can."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.collector.harness import collect, command, notes_of

import phasemark
from phasemark.workflow.repeating import request_of

Build = Callable[..., Path]

is_root = pytest.mark.skipif(os.geteuid() != 0, reason="only root can give up rights")


@pytest.mark.parametrize("how", ["itself", "memory", "private", "two"])
def test_it_does_as_alone(how: str, program: Build, tmp_path: Path) -> None:
    """An exec of /proc/self/exe, of a file in memory; code rewritten in mapped files."""
    built = program("limits.c")
    alone = subprocess.run([built, how], capture_output=True, text=True, check=True)
    run = collect(tmp_path, built, how)
    assert (run.returncode, run.stdout, run.stderr, run.notes) == (0, alone.stdout, "", "")
    assert run.streams[-1].total


@pytest.mark.parametrize(
    ("check", "looks"), [("none", False), ("stack", False), ("all-non-file", False), ("all", True)]
)
def test_code_is_looked_at_as_asked(check: str, looks: bool, program: Build, tmp_path: Path) -> None:
    """Whatever the mappings suggest; what was rewritten and is not looked at is executed as it was."""
    options = (f"--smc-check={check}", "--watch-rewriting=no")
    run = collect(tmp_path, program("limits.c"), "two", options=options)
    assert run.stdout == ("sum 5050\n" if looks else "sum 100\n")


def test_a_further_run_looks_as_the_first_did(program: Build, tmp_path: Path) -> None:
    built = str(program("selfmod_file.S"))
    sizes = {}
    for check in (None, "none"):
        run = phasemark.profile([built], tmp_path / str(check), interval=100, smc_check=check)
        assert run.folder.entry_of("profile")["smc_check"] == check
        sizes[check] = run.profile.instructions
        assert run.simulate(full=True).simulation.analysed.instructions == sizes[check]
        assert request_of(run.folder, run.profile, (), None, None).smc_check == check
    assert sizes[None] != sizes["none"]


@pytest.mark.parametrize(
    ("how", "note"),
    [
        ("seccomp", "runs unconfined"),
        ("clone", "answered ENOSYS"),
        ("far", "for which the collector's address space has no room"),
    ],
)
def test_it_says_what_it_cannot(how: str, note: str, program: Build, tmp_path: Path) -> None:
    run = collect(tmp_path, program("limits.c"), how)
    assert (run.returncode, run.stderr) == (0, "")
    assert note in run.notes and run.notes.count("\n") == 1
    assert run.root.total


def test_an_instruction_that_it_does_not_know_is_named(program: Build, tmp_path: Path) -> None:
    run = collect(tmp_path, program("limits.c"), "avx512", options=("--sigill-diagnostics=yes",))
    assert run.returncode == -signal.SIGILL and run.stderr == ""
    (log,) = tmp_path.glob("*.log")
    assert "unhandled instruction bytes: 0x62" in log.read_text()
    assert run.root.total == run.root.instructions()


def test_a_program_with_rights_of_its_own_keeps_them(tmp_path: Path) -> None:
    own = Path(shutil.copy(shutil.which("id") or "", tmp_path / "own"))
    own.chmod(0o4755)
    run = collect(tmp_path / "raw", "/bin/sh", "-c", f"'{own}' -u; echo $?")
    assert run.stdout == f"{own.stat().st_uid}\n0\n"
    assert run.notes.startswith(f"{own} runs with rights of its own (setuid") and run.notes.count("\n") == 1


def test_a_collector_runs_beside_another(tmp_path: Path) -> None:
    (tmp_path / "inner").mkdir()
    run = collect(tmp_path / "raw", "/bin/sh", "-c", '"$@"', "sh", *command(tmp_path / "inner"), "/bin/true")
    assert run.returncode == 0 and run.stderr == ""
    assert "is a collector" in run.notes
    assert list((tmp_path / "inner").glob("*.raw"))


@is_root
def test_who_gives_up_rights_is_recorded(tmp_path: Path) -> None:
    script = "setpriv --reuid=65534 --regid=65534 --clear-groups sh -c '(id -u; id -u) | sort; exit 5'"
    run = collect(tmp_path, "/bin/sh", "-c", script)
    assert (run.returncode, run.stdout, run.stderr, run.notes) == (5, "65534\n65534\n", "", "")
    assert len([s for s in run.streams if s.header["origin"] == "exec" and s.total]) == 4  # id, id, sort, sh


@is_root
def test_who_changes_the_root_folder_runs_on(program: Build, tmp_path: Path) -> None:
    """Without /proc there no program can be started under the engine."""
    inner = tmp_path / "root"
    inner.mkdir()
    shutil.copy(program("limits.c", "-static"), inner / "said")
    fork = f"import os; os.chroot({str(inner)!r}); os.fork() and (os.wait(), os._exit(6)); "
    script = fork + "os.execl('/said', 'x', 'said')"
    run = collect(tmp_path / "raw", "/usr/bin/python3", "-S", "-c", script)
    assert (run.returncode, run.stdout, run.stderr) == (6, "x\n", "")
    assert run.notes == "/said runs where there is no /proc, and ran without being recorded\n"
    assert [s.header["origin"] for s in run.streams] == ["start", "fork"]


def test_a_folder_that_is_removed_stops_nothing(tmp_path: Path) -> None:
    raw = tmp_path / "raw"
    script = f"rm -r '{raw}'; /bin/echo ran; (/bin/echo forked; exit 3); exec sh -c 'exit $(({'$?'}+1))'"
    run = collect(raw, "/bin/sh", "-c", script)
    assert (run.returncode, run.stdout, run.stderr) == (1, "ran\nforked\n", "")
    assert notes_of(raw) == ""
