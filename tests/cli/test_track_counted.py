"""phasemark track --live --collector: what it prints, and its exit status."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from tests.collector.harness import build, collector_folder
from tests.commands import run
from tests.waiting import until

COUNTED = ("track", "--live", "--collector", "valgrind")


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> str:
    if collector_folder() is None:
        pytest.skip("the collector was not built")
    return str(build("alternating.S", tmp_path_factory.mktemp("programs") / "alternating"))


def test_what_is_told_of_a_program_that_is_counted(program: str, tmp_path: Path) -> None:
    metrics, log = tmp_path / "metrics", tmp_path / "log"
    told = ("--log", str(log), "--metrics", str(metrics), "--interval", "1000", "--min-count", "2")
    # Named by a short path: a long line is cut.
    words = ("sh", "-c", "./alternating; exit 6")
    done = run(*COUNTED, *told, "--", *words, cwd=Path(program).parent)
    assert done.returncode == 6 and done.stdout == ""
    lines = done.stderr.splitlines()
    assert lines[0] == "phasemark: tracking sh -c './alternating; exit 6'"
    assert any("instructions in all" in line for line in lines)
    begin, *changes, end = map(json.loads, log.read_text().splitlines())
    assert (begin["collector"], begin["unit"], begin["interval"]) == ("valgrind", "instructions", 1000)
    assert "event_sampled" not in begin and begin["tracker"]["counters"] == 32
    assert end["processes"] == 2 and end["threads"] == 2 and end["changes"] == len(changes)
    assert any(one["hottest"][0][0] == "first" for one in changes), "named by the program's symbols"
    text = metrics.read_text().splitlines()
    assert "phasemark_processes_total 2" in text and "phasemark_tracking 0" in text
    assert any(line.startswith('phasemark_phase_instructions_total{phase="1"}') for line in text)


def test_intervals_that_no_counter_holds_are_told(program: str) -> None:
    done = run(*COUNTED, "--interval", "1000", "--bits", "8", "-q", "--json", "--", program)
    found = json.loads(done.stdout)
    assert done.returncode == 0 and (found["length"], found["intervals"]) == (30035, 31)
    assert found["event"] == "instructions" and found["processes"] == found["threads"] == 1
    assert found["notes"][0].startswith("in 30 of 31 intervals a counter of 8 bits was full")


def test_who_is_interrupted_tells_what_there_was(program: str, tmp_path: Path) -> None:
    script = "i=0; while [ $i -lt 100000000 ]; do i=$((i+1)); done"
    log = tmp_path / "log"
    command = [sys.executable, "-m", "phasemark", *COUNTED, "--interval", "1M", "--log", str(log)]
    with subprocess.Popen(
        [*command, "--", "sh", "-c", script], stdin=subprocess.DEVNULL, stderr=subprocess.PIPE
    ) as process:
        until(lambda: log.exists() and b"change" in log.read_bytes(), process)
        process.send_signal(signal.SIGINT)
        _, said = process.communicate()
    assert process.returncode == 130
    assert b"instructions in all" in said and b"Traceback" not in said
    assert json.loads(log.read_text().splitlines()[-1])["event"] == "end"
