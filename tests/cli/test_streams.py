"""`phasemark ... | head`, a closed standard output, a full disk behind it."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from tests.cli.runs import BASE, with_metrics

from phasemark import workflow
from phasemark.cli.app import COMMANDS

#: `phasemark`; but that on a busy machine a command takes so long that it says how far it is.
_MAIN = "import math; from phasemark.cli import main, progress; progress._PATIENCE = math.inf; main()"

#: Each command on a run's folder, and what it needs besides.
WORDS: dict[str, list[str]] = {
    "run": ["run", "-o", "new", "--", "true"],
    "profile": ["profile", "-o", "new", "--", "true"],
    "import_": ["import", str(BASE), "-o", "new"],
    "intervals": ["intervals", "run", "--min", "1k", "--max", "2k"],
    "phases": ["phases", "run"],
    "models": ["models", "run", "--states", "2", "--models", "simpoint,mixture", "--restarts", "1"],
    "predict": ["predict", "run"],
    "track": ["track", "run"],
    "parallel": ["parallel", "run", "-o", "joint"],
    "scaling": ["scaling", "run"],
    "compare": ["compare", "pair"],
    "points": ["points", "run"],
    "simulate": ["simulate", "run"],
    "estimate": ["estimate", "run"],
    "quality": ["quality", "run"],
    "export": ["export", "run", "--to", "champsim", "-o", "new"],
    "check": ["check", "run", str(BASE), str(BASE)],
    "plot": ["plot", "run", "strip", "-o", "strip.svg"],
    "report": ["report", "run"],
    "simpoint": ["simpoint", "-loadFVFile", str(BASE), "-maxK", "2", "-saveLabels", "labels"],
}


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("streams")
    with_metrics(path / "run", [1, 1, 1, 2, 2, 2, 3, 3])
    workflow.load_vectors([BASE, BASE], path / "pair", as_runs=True, same_ids=True).find_phases()
    return path


def ran(
    words: list[str], redirection: str, place: Path, variable: str = ""
) -> subprocess.CompletedProcess[str]:
    """A command in a shell of its own, with its streams as said; it never tells how far it is."""
    script = f'unset PYTHONUNBUFFERED; {variable} "$0" -c "{_MAIN}" "$@" {redirection}'
    done = ["bash", "-c", script, sys.executable, *words]
    return subprocess.run(done, cwd=place, capture_output=True, text=True, check=False)


def test_every_command_is_here() -> None:
    assert set(WORDS) == set(COMMANDS)


#: Of these, tests elsewhere see what becomes of the program's streams.
RUN_PROGRAMS = ("run", "profile", "intervals", "simulate")


@pytest.mark.parametrize("command", [name for name in COMMANDS if name not in RUN_PROGRAMS])
def test_a_reader_who_leaves_is_no_error(command: str, place: Path) -> None:
    done = ran(WORDS[command], "| true; exit ${PIPESTATUS[0]}", place)
    assert (done.returncode, done.stderr) == (0, "")


def test_a_home_that_cannot_be_written_is_no_matter(place: Path) -> None:
    """Matplotlib has no place then for its list of fonts, and makes one."""
    home = "env -u MPLCONFIGDIR -u XDG_CONFIG_HOME -u XDG_CACHE_HOME HOME=/dev/null"
    done = ran(WORDS["plot"], "", place, home)
    assert (done.returncode, done.stdout, done.stderr) == (0, "strip.svg\n", "")


@pytest.mark.parametrize("variable", ["", "PYTHONUNBUFFERED=1"])
@pytest.mark.parametrize("words", [["--help"], ["check", "--help"], WORDS["check"]])
def test_nor_of_messages_or_without_a_buffer(words: list[str], variable: str, place: Path) -> None:
    done = ran(words, "2>&1 | true; exit ${PIPESTATUS[0]}", place, variable)
    assert done.returncode == 0


@pytest.mark.parametrize("command", ["check", "phases", "simpoint"])
def test_a_closed_output_is_no_error(command: str, place: Path) -> None:
    for closed in (">&-", ">&- 2>&-"):
        done = ran(WORDS[command], closed, place)
        assert (done.returncode, done.stdout, done.stderr) == (0, "", ""), closed


def test_what_fails_still_fails_when_nobody_reads(place: Path) -> None:
    done = ran(["check", "/bin/ls"], "| true; exit ${PIPESTATUS[0]}", place)
    assert (done.returncode, done.stderr) == (3, "")


@pytest.mark.parametrize("words", [WORDS["check"], ["--help"], WORDS["phases"], WORDS["simpoint"]])
def test_a_full_disk_behind_the_output_is_told_once(words: list[str], place: Path) -> None:
    done = ran(words, "> /dev/full", place)
    assert (done.returncode, done.stderr) == (1, "phasemark: No space left on device\n")


def test_messages_that_no_disk_has_room_for_are_no_error(place: Path) -> None:
    assert ran(["profile", "-o", "told", "--", "sh", "-c", "exit 5"], "2> /dev/full", place).returncode == 5
    assert ran(["points", "nothing"], "2> /dev/full", place).returncode == 3


def test_messages_go_into_no_file_that_is_opened(place: Path) -> None:
    assert ran(["check", "nothing"], ">&- 2>&-", place).returncode == 3
    done = ran(["import", str(BASE), "-o", "other"], "2>&-", place)
    assert done.returncode == 0
    assert b"phasemark:" not in b"".join(p.read_bytes() for p in (place / "other").glob("*.h5"))


def test_names_move_no_cursor(place: Path) -> None:
    name = os.fsdecode(b"a\x1b[2J\xff")
    (place / name).write_text("no vectors\n")
    done = ran(["check", name, name + "x"], "", place)
    assert done.returncode == 3 and done.stdout.isprintable() is False
    assert "a\\x1b[2J\\xff" in done.stdout and "\x1b" not in done.stdout


def test_a_fault_of_ours_is_a_message_and_a_traceback_when_asked_for(place: Path) -> None:
    script = (
        "import phasemark.cli as cli\ndef fail(words): raise KeyError('x')\ncli._run = fail\ncli.main()\n"
    )
    env = {name: value for name, value in os.environ.items() if name != "PHASEMARK_TRACEBACK"}
    command = [sys.executable, "-c", script]
    told = subprocess.run(command, env=env, capture_output=True, text=True, check=False)
    assert told.returncode == 1
    assert told.stderr.startswith("phasemark: stopped by a KeyError: 'x'\n  hint: ")
    env["PHASEMARK_TRACEBACK"] = "1"
    shown = subprocess.run(command, env=env, capture_output=True, text=True, check=False)
    assert "Traceback" in shown.stderr
