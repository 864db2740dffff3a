"""The program runs as if the user had started it."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import threading
from pathlib import Path

import pytest
from tests.waiting import LONG

from phasemark.collect.running import Ended, run
from phasemark.errors import CollectorError

SLEEP = ["sleep", str(LONG)]


@pytest.mark.parametrize(
    ("script", "status"), [("exit 0", 0), ("exit 7", 7), ("kill -9 $$", 137), ("kill -SEGV $$", 139)]
)
def test_the_exit_status_is_the_programs(script: str, status: int) -> None:
    assert run(["sh", "-c", script]).status == status


def test_standard_streams_and_open_files_are_inherited(capfd: pytest.CaptureFixture[str]) -> None:
    reading, writing = os.pipe()
    os.set_inheritable(writing, True)
    run(["sh", "-c", f"echo out; echo err >&2; echo more >/proc/self/fd/{writing}"])
    os.close(writing)
    assert os.read(reading, 100) == b"more\n"
    os.close(reading)
    assert capfd.readouterr() == ("out\n", "err\n")


def test_there_is_nothing_to_read_unless_told(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "lines").write_text("some\n")
    script = "from phasemark.collect.running import run; run(['cat']); print('-', flush=True); {}"
    for more, expected in (("", "-\n"), ("run(['cat'], stdin=0)", "-\nsome\n")):
        with (tmp_path / "lines").open() as lines:
            subprocess.run([sys.executable, "-c", script.format(more)], stdin=lines, check=True)
        assert capfd.readouterr().out == expected
    with (tmp_path / "lines").open() as lines:
        run(["cat"], stdin=lines.fileno())
    assert capfd.readouterr().out == "some\n"


def test_ours_is_inherited_even_where_it_is_closed() -> None:
    script = "from phasemark.collect.running import run; print(run(['true'], stdin=0).status)"
    done = subprocess.run(
        ["sh", "-c", '"$0" -c "$1" <&-', sys.executable, script], capture_output=True, text=True, check=True
    )
    assert done.stdout == "0\n"


def test_it_starts_in_the_folder_that_is_named_and_ours_stays(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    before = Path.cwd()
    run(["pwd", "-P"], cwd=tmp_path, tick=lambda: None)
    assert capfd.readouterr().out == f"{tmp_path.resolve()}\n" and Path.cwd() == before


def test_what_a_program_used_is_its_own_in_whatever_thread_others_end() -> None:
    busy = "import time\nwhile time.process_time() < {}: pass"
    ended: dict[float, Ended] = {}

    def use(seconds: float) -> None:
        ended[seconds] = run([sys.executable, "-c", busy.format(seconds)])

    threads = [threading.Thread(target=use, args=(seconds,)) for seconds in (0.1, 1.5)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert 0.1 <= ended[0.1].cpu_seconds < 1.5 <= ended[1.5].cpu_seconds


def test_ticks_come_while_the_program_runs(tmp_path: Path) -> None:
    """The program ends when it was let in by the third one, or does not find it in time."""
    ticks: list[Path] = []

    def tick() -> None:
        ticks.append(tmp_path / str(len(ticks)))
        ticks[-1].touch()

    script = f"i=0; until [ -e 2 ]; do sleep 0.02; i=$((i+1)); [ $i -lt {LONG / 0.02:.0f} ] || exit 1; done"
    assert run(["sh", "-c", script], cwd=tmp_path, tick=tick, every=0.02).status == 0
    assert len(ticks) >= 3


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP, signal.SIGUSR1])
def test_a_signal_to_us_is_the_programs(number: signal.Signals) -> None:
    assert run(SLEEP, tick=lambda: os.kill(os.getpid(), number), every=0.02).status == 128 + number
    assert signal.getsignal(number) == signal.SIG_DFL


@pytest.mark.parametrize(("script", "interrupted"), [("exit 143", False), ("kill -TERM $$", True)])
def test_a_status_above_128_is_no_signal(script: str, interrupted: bool) -> None:
    ended = run(["sh", "-c", script])
    assert (ended.status, ended.interrupted) == (143, interrupted)


@pytest.mark.parametrize(("name", "interrupted"), [("TERM", True), ("HUP", True), ("USR1", False)])
def test_who_is_asked_to_end_and_exits_well_was_interrupted(
    name: str, interrupted: bool, tmp_path: Path
) -> None:
    def tick() -> None:
        if (tmp_path / "ready").exists():
            os.kill(os.getpid(), getattr(signal, f"SIG{name}"))

    script = f"trap 'exit 0' {name}; touch ready; while :; do sleep 0.02; done"
    ended = run(["sh", "-c", script], cwd=tmp_path, tick=tick, every=0.02)
    assert (ended.status, ended.interrupted) == (0, interrupted)


def test_an_ignored_signal_stays_ignored() -> None:
    before = signal.signal(signal.SIGHUP, signal.SIG_IGN)
    try:
        assert run(["sh", "-c", "kill -HUP $$; exit 3"]).status == 3
    finally:
        signal.signal(signal.SIGHUP, before)


@pytest.mark.parametrize("key", [signal.SIGINT, signal.SIGQUIT])
def test_a_key_reaches_the_program_once_and_we_stay(key: signal.Signals) -> None:
    """A terminal sends it to the whole group; here, without a terminal, we pass it on."""
    running = "from phasemark.collect.running import run"
    script = f"{running}; print(run({SLEEP}, tick=lambda: print('runs', flush=True)).status)"
    with subprocess.Popen(
        [sys.executable, "-c", script], stdout=subprocess.PIPE, text=True, start_new_session=True
    ) as p:
        assert p.stdout is not None and p.stdout.readline() == "runs\n"
        p.send_signal(key)
        assert p.communicate(timeout=LONG)[0].splitlines()[-1] == str(128 + key)


@pytest.mark.parametrize("moment", ["before", "after"])
@pytest.mark.parametrize("name", ["TERM", "INT"])
def test_a_signal_while_it_is_started_is_the_programs(name: str, moment: str, tmp_path: Path) -> None:
    """The moment is found by a start that sends the signal itself."""
    script = f"""
import os, signal, subprocess
from phasemark.collect import running

class Popen(subprocess.Popen):
    def __init__(self, *arguments, **options):
        {"os.kill(os.getpid(), signal.SIG" + name + ")" if moment == "before" else "pass"}
        super().__init__(*arguments, **options)
        {"os.kill(os.getpid(), signal.SIG" + name + ")" if moment == "after" else "pass"}

running.subprocess.Popen = Popen
ended = running.run({SLEEP})
print(ended.status, ended.interrupted)
"""
    told = tmp_path / "told"
    with told.open("w") as out:
        process = subprocess.Popen([sys.executable, "-c", script], stdout=out, start_new_session=True)
    try:
        process.wait(LONG)
        assert told.read_text() == f"{128 + getattr(signal, f'SIG{name}')} True\n"
    finally:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)  # the program, where nobody ended it


def test_what_cannot_be_executed_is_an_error() -> None:
    with pytest.raises(CollectorError, match="cannot be executed"):
        run(["/no/such/launcher"])
