"""A program is tracked while it runs, from Python."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest
from tests.waiting import LONG
from tests.workflow import live_runs

import phasemark
from phasemark.errors import UsageError
from phasemark.workflow import LiveChange, LiveOptions

PHASES = "AAABBAAABBAAAC"


@pytest.fixture(autouse=True)
def perf(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    live_runs.perf(tmp_path, monkeypatch, PHASES)


def test_phases_are_told_as_they_begin_and_in_the_end(tmp_path: Path) -> None:
    told: list[LiveChange] = []
    log = str(tmp_path / "log")
    result = phasemark.track_live(
        ["sh", "-c", "exit 4"], signature="address", changed=told.append, tracker={"min_count": 1}, log=log
    )
    assert [(one.number, one.phase, one.before, one.new) for one in told] == [
        (1, 1, None, True),
        (2, 2, 1, True),
        (3, 1, 2, False),
        (4, 2, 1, False),
        (5, 1, 2, False),
        (6, 3, 1, True),
    ]
    assert told[0].hottest == (("program+0x410", 1.0),) and told[2].lasted == pytest.approx(0.798)
    assert told[2].expected is not None and told[2].expected.phase == 2 and told[2].pid == result.pid > 0
    assert (result.program, result.status, result.failure, result.notes) == ("sh -c 'exit 4'", 4, "", ())
    assert (result.intervals, result.changes, result.unit) == (14, 6, "nanoseconds")
    assert result.length == 14 * 400_000_000
    assert [(one.phase, one.intervals, one.times, one.then) for one in result.phases] == [
        (1, 9, 3, 2),
        (2, 4, 2, 1),
        (3, 1, 1, None),
    ]
    table = result.frame()
    assert table["phase"].tolist() == [1, 2, 3] and table["hottest"][0] == "program+0x410"
    assert json.loads(Path(log).read_text().splitlines()[-1])["event"] == "end"
    assert repr(result).startswith("<LiveResult: program sh -c 'exit 4'")


def test_an_error_of_the_caller_ends_the_watching_of_a_process() -> None:
    class Enough(Exception):
        pass

    def enough(_: LiveChange) -> None:
        raise Enough

    with subprocess.Popen(["sleep", str(LONG)]) as process:
        try:
            with pytest.raises(Enough):
                phasemark.track_live(pid=process.pid, signature="address", changed=enough)
            assert process.poll() is None
        finally:
            process.kill()


def test_options_are_given_by_name_or_as_a_value_and_make_sense() -> None:
    options = LiveOptions(tracker={"min_count": 1})
    assert phasemark.track_live(["true"], signature="address", options=options).intervals == 14
    for given, said in (
        ({"options": options, "log": "x"}, "options and log are given"),
        ({"threshold": 0.5}, "threshold"),
        ({"tracker": {"threshold": 0}}, "threshold is 0"),
        ({"pid": 1}, "either a command or a process"),
    ):
        with pytest.raises(UsageError, match=said):
            phasemark.track_live(["true"], **given)  # type: ignore[arg-type]
    with pytest.raises(UsageError, match="is one string"):
        phasemark.track_live("true")
