"""The program runs as if the user had started it."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time

import pytest

from phasemark.collect.running import run, shell_status
from phasemark.errors import CollectorError


@pytest.mark.parametrize(
    ("script", "status"), [("exit 0", 0), ("exit 7", 7), ("kill -9 $$", 137), ("kill -SEGV $$", 139)]
)
def test_the_exit_status_is_the_programs(script: str, status: int) -> None:
    assert shell_status(run(["sh", "-c", script])) == status


def test_standard_streams_and_open_files_are_inherited(capfd: pytest.CaptureFixture[str]) -> None:
    reading, writing = os.pipe()
    os.set_inheritable(writing, True)
    run(["sh", "-c", f"echo out; echo err >&2; echo more >/proc/self/fd/{writing}"])
    os.close(writing)
    assert os.read(reading, 100) == b"more\n"
    os.close(reading)
    assert capfd.readouterr() == ("out\n", "err\n")


def test_ticks_come_while_the_program_runs() -> None:
    ticks: list[float] = []
    run(["sleep", "0.3"], tick=lambda: ticks.append(time.monotonic()), every=0.02)
    assert len(ticks) >= 3


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP, signal.SIGUSR1])
def test_a_signal_to_us_is_the_programs(number: signal.Signals) -> None:
    sender = threading.Timer(0.2, os.kill, (os.getpid(), number))
    sender.start()
    assert shell_status(run(["sleep", "20"])) == 128 + number
    assert signal.getsignal(number) == signal.SIG_DFL


def test_an_ignored_signal_stays_ignored() -> None:
    before = signal.signal(signal.SIGHUP, signal.SIG_IGN)
    try:
        assert run(["sh", "-c", "kill -HUP $$; exit 3"]) == 3
    finally:
        signal.signal(signal.SIGHUP, before)


def test_ctrl_c_reaches_the_program_once_and_we_stay() -> None:
    """A terminal sends SIGINT to the whole group; here, without a terminal, we pass it on."""
    script = "from phasemark.collect.running import run; print(run(['sleep', '20']), flush=True)"
    with subprocess.Popen(
        [sys.executable, "-c", script], stdout=subprocess.PIPE, text=True, start_new_session=True
    ) as p:
        time.sleep(1.0)
        p.send_signal(signal.SIGINT)
        assert p.communicate(timeout=20)[0] == "-2\n"


def test_what_cannot_be_executed_is_an_error() -> None:
    with pytest.raises(CollectorError, match="cannot be executed"):
        run(["/no/such/launcher"])
