"""Progress: nothing where nobody wants it, a bar on a terminal, a line now and then elsewhere."""

from __future__ import annotations

import io
import sys

import pytest

from phasemark.cli import progress as shown
from phasemark.collect import Headway

#: As it is for a user; while tests run nothing takes so long that it is told.
PATIENCE = shown._PATIENCE


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


class Clock:
    """Seconds, as the test has them go by."""

    def __init__(self) -> None:
        self.now = 100.0

    def monotonic(self) -> float:
        return self.now


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    clock = Clock()
    monkeypatch.setattr(shown, "time", clock)
    monkeypatch.setattr(shown, "_PATIENCE", PATIENCE)
    return clock


def test_a_line_every_ten_seconds(clock: Clock, capsys: pytest.CaptureFixture[str]) -> None:
    with shown.progress("Clustering") as tell:
        for done, now in enumerate((100, 109.9, 110, 115, 119.9, 120, 131)):
            clock.now = now
            tell(done, 7)
    assert capsys.readouterr() == (
        "",
        "phasemark: clustering: 2 of 7\nphasemark: clustering: 5 of 7\nphasemark: clustering: 6 of 7\n",
    )


def test_how_far_a_program_is(clock: Clock, capsys: pytest.CaptureFixture[str]) -> None:
    for total in (None, lambda: 8000):
        with shown.watching("profiling", total=total) as tell:
            assert tell is not None
            tell(Headway(1.0, 10, 1, 0))
            clock.now += 10
            tell(Headway(10.4, 2000, 1, 0))
            clock.now += 10
            tell(Headway(20.6, 9000, 3, 0))
    assert capsys.readouterr().err.splitlines() == [
        "phasemark: profiling: 2,000 instructions in 10 s",
        "phasemark: profiling: 9,000 instructions in 21 s, 3 processes",
        "phasemark: profiling: 2,000 instructions (25%) in 10 s",
        "phasemark: profiling: 9,000 instructions in 21 s, 3 processes",
    ]


def test_quiet_is_silent(clock: Clock, capsys: pytest.CaptureFixture[str]) -> None:
    with shown.progress("Clustering", quiet=True) as tell, shown.watching("profiling", quiet=True) as watch:
        clock.now += 100
        tell(1, 2)
        assert watch is None
    assert capsys.readouterr() == ("", "")


def test_a_bar_on_a_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    monkeypatch.setenv("TERM", "xterm")
    with shown.progress("Clustering") as tell:
        tell(3, 7)
    assert "Clustering" in terminal.getvalue() and "3/7" in terminal.getvalue()


def test_a_line_drawn_anew_where_it_garbles_nothing(
    monkeypatch: pytest.MonkeyPatch, clock: Clock, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("TERM", "xterm")
    for output, drawn in ((io.StringIO(), True), (Terminal(), False)):
        terminal = Terminal()
        with monkeypatch.context() as patched:
            patched.setattr(sys, "stderr", terminal)
            patched.setattr(sys, "stdout", output)
            with shown.watching("profiling") as tell:
                assert tell is not None
                tell(Headway(1.0, 1000, 1, 0))
        assert ("profiling: 1,000 instructions in 1 s" in terminal.getvalue()) is drawn


def test_without_standard_error_the_work_is_done(monkeypatch) -> None:
    monkeypatch.setattr("sys.stderr", None)
    with shown.progress("Clustering") as tell, shown.watching("profiling") as watch:
        tell(1, 2)
        assert watch is not None
