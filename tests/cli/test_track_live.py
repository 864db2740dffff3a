"""phasemark track --live: what it prints, and its exit status."""

from __future__ import annotations

import json
import os
import pty
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from rich.console import Console
from tests.commands import run
from tests.waiting import LONG, until
from tests.workflow import live_runs

from phasemark.cli.printing import live as words
from phasemark.cli.printing.live_screen import picture
from phasemark.online.course import Expected
from phasemark.workflow.live import track

ONCE = ("track", "--live", "--min-count", "1", "--signature", "address")
PHASES = "AAABBAAABBAAAC"


@pytest.fixture
def perf(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    return live_runs.perf(tmp_path, monkeypatch, PHASES)


@pytest.mark.usefixtures("perf")
def test_lines_are_ours_and_output_and_status_the_programs() -> None:
    done = run(*ONCE, "--", "sh", "-c", "cat; exit 6", stdin=b"given\n")
    assert (done.returncode, done.stdout) == (6, "given\n")
    first, second, *rest = done.stderr.splitlines()
    assert first == "phasemark: tracking sh -c 'cat; exit 6'"
    assert second.endswith(" s: phase 1, new: program+0x410 100%")
    assert rest[0] == "3 phases in 14 intervals, 5.6 s in all; 5 changes of phase"
    assert rest[1] == "foretold rightly: 61.5% of the intervals"
    assert rest[4].split() == [
        *("1", "64.3%", "3.6", "s", "3", "1.2", "s", "1.2", "s", "2", "program+0x410", "100%")
    ]


@pytest.mark.usefixtures("perf")
def test_options_end_at_the_programs_name() -> None:
    done = run(*ONCE, "-q", "sh", "-c", "printf %s $0 $1; exit 6", "--live", "--json")
    assert (done.returncode, done.stdout, done.stderr) == (6, "--live--json", "")


@pytest.mark.usefixtures("perf")
def test_json_is_all_that_stands_on_standard_output() -> None:
    done = run(*ONCE, "-q", "--json", "--", "true")
    found = json.loads(done.stdout)
    assert done.stderr == "" and done.returncode == 0
    assert (found["program"], found["intervals"], found["changes"], found["right"]) == ("true", 14, 6, 8)
    assert [one["phase"] for one in found["phases"]] == [1, 2, 3]
    assert found["phases"][0]["then"] == 2 and found["phases"][0]["hottest"] == [["program+0x410", 1.0]]


def test_a_program_that_ends_at_once_is_told_however_quiet(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    live_runs.perf(tmp_path, monkeypatch, "")
    done = run(*ONCE, "-q", "--", "true")
    assert done.returncode == 1 and done.stderr.startswith("note: no sample was taken")


@pytest.mark.parametrize(
    ("words", "status", "said"),
    [
        (["track"], 2, "0 folders instead of one"),
        (["track", "a", "b"], 2, "2 folders instead of one"),
        (["track", "a", "--live", "--", "b"], 2, "--live behind a folder"),
        (["track", "a", "--pid", "5"], 2, "--pid is for a program that runs"),
        (["track", "a", "--on-change", "x"], 2, "--on-change is for a program that runs"),
        (["track", "--live", "--replace", "--", "true"], 2, "--replace is for a run's folder"),
        (["track", "--live", "-o", "x", "--", "true"], 2, "--out is for a run's folder"),
        (["track", "--live"], 2, "either a command or a process"),
        (["track", "--live", "--predictor", "last,moves", "--", "true"], 2, "several predictors"),
        (["track", "--live", "--threshold", "0", "--", "true"], 2, "threshold is 0"),
        (["track", "--live", "--pid", "0"], 2, "0 is no process"),
        (["track", "a", "--collector", "valgrind"], 2, "--collector is for a program that runs"),
        (
            ["track", "--live", "--collector", "valgrind", "--pid", "1"],
            2,
            "cannot follow one that runs already",
        ),
        (["track", "--live", "--collector", "valgrind", "--unrestricted", "--", "true"], 2, "folds code"),
        (
            ["track", "--live", "--collector", "exp-bbv", "--", "true"],
            2,
            "choose one of perf, valgrind, qemu",
        ),
        (["track", "--live", "--collector", "qemu", "--", "no-such-program"], 127, "no such program"),
        (["track", "--live", "--", "no-such-program"], 127, "no such program"),
    ],
)
@pytest.mark.usefixtures("perf")
def test_what_makes_no_sense_is_refused(words: list[str], status: int, said: str) -> None:
    done = run(*words)
    assert done.returncode == status and said in done.stderr


@pytest.mark.parametrize("number", [signal.SIGHUP])
def test_nothing_is_left_behind_by_who_is_asked_to_end(
    perf: Path, tmp_path: Path, number: signal.Signals
) -> None:
    log = tmp_path / "log"
    with subprocess.Popen(["sleep", str(LONG)]) as sleeper:
        command = [sys.executable, "-m", "phasemark", *ONCE, "--log", log, "--pid", str(sleeper.pid)]
        with subprocess.Popen(command, stderr=subprocess.PIPE, stdin=subprocess.DEVNULL) as process:
            until(lambda: log.exists() and b"change" in log.read_bytes(), process)
            process.send_signal(number)
            assert process.stderr is not None
            said = process.stderr.read()
        assert process.returncode == 128 + number
        assert sleeper.poll() is None
        sleeper.kill()
    assert b"3 phases in 14 intervals" in said and b"Traceback" not in said
    assert not Path(f"/proc/{(perf / 'ran').read_text().split()[0]}").exists()
    assert json.loads(log.read_text().splitlines()[-1])["event"] == "end"


@pytest.mark.usefixtures("perf")
def test_on_a_terminal_there_is_a_view(tmp_path: Path) -> None:
    """Standard error is a terminal, and the program's output is not."""
    ours, theirs = pty.openpty()
    script = f"until [ -e '{tmp_path}/go' ]; do sleep 0.01; done"
    command = [sys.executable, "-m", "phasemark", *ONCE, "--", "sh", "-c", script]
    environment = {**os.environ, "TERM": "xterm-256color", "COLUMNS": "100"}
    with subprocess.Popen(command, stderr=theirs, stdout=subprocess.DEVNULL, env=environment) as process:
        os.close(theirs)
        seen = b""
        while b"no interval yet" not in seen and b"phase 1" not in seen:
            seen += os.read(ours, 4096)
        (tmp_path / "go").touch()
        try:
            while piece := os.read(ours, 4096):
                seen += piece
        except OSError:  # its end, on a terminal
            pass
    os.close(ours)
    assert process.returncode == 0
    text = seen.decode()
    assert text.count("\x1b[?25l") == text.count("\x1b[?25h") == 1, "the cursor is back"
    assert "3 phases in 14 intervals" in text


@pytest.mark.usefixtures("perf")
def test_the_picture_shows_where_it_is_and_what_is_expected() -> None:
    result = track(live_runs.wanted("true", "--port", "80"), live_runs.options())
    result.live.notes.append("a note")
    with Path(os.devnull).open("w") as nowhere:
        console = Console(width=90, record=True, file=nowhere, color_system="truecolor")
        console.print(picture(result.live, 90, idle=5.0))
        lines = [line.rstrip() for line in console.export_text().splitlines()]
    assert lines[0].startswith("true --port 80  ")
    assert lines[2] == "11122111221113"
    assert lines[4] == "phase 3 for 0.4 s, 7.14% of all: program+0x430 100%  (asleep for 5.0 s)"
    assert lines[5].startswith("next: nothing has followed it yet; next interval: phase 3 (right in 61.5%)")
    assert lines[7].split() == words.HEADINGS
    assert lines[-1] == "note: a note"


def test_words() -> None:
    assert [words.duration(seconds) for seconds in (0.04, 9.96, 99, 121, 7300, 90000)] == [
        *("40 ms", "10.0 s", "99 s", "2 min", "2 h 01 min", "25 h 00 min")
    ]
    counts = [words.rounded(count) for count in (7, 1_500, 999_600, 185_432_100, 4e12)]
    assert counts == ["7", "1.5k", "1M", "185M", "4T"]
    assert words.phase_name(0) == "transition" and words.phase_name(7) == "phase 7"
    assert words.then(Expected(2, 3, 4, 1.5)) == "phase 2 (3 of 4) after 1.5 s"
    assert words.short("f" * 60) == "f" * 39 + "…" and words.short("a\x1bb") == "a\\x1bb"
    assert words.functions([]) == "nothing yet"
