"""A program that is tracked while it runs, and who is told of it."""

from __future__ import annotations

import json
import urllib.request
from pathlib import Path

import pytest
from tests.workflow import live_runs
from tests.workflow.live_runs import options, wanted

from phasemark.collect.live import following
from phasemark.errors import UsageError, WorkError
from phasemark.online.course import Change
from phasemark.workflow import live
from phasemark.workflow.live import Viewer, track
from phasemark.workflow.live_state import Live

PHASES = "AAABBAAABBAAAC"


def test_phases_are_found_as_they_come(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    live_runs.perf(tmp_path, monkeypatch, PHASES)
    seen: list[tuple[int, int | None]] = []

    class Looks(Viewer):
        def changed(self, live: Live, change: Change) -> None:
            seen.append((change.phase, change.before))

    result = track(wanted("sh", "-c", "exit 4"), options(), Looks())
    assert result.status == 4 and not result.failure and result.notes == ()
    assert seen == [(1, None), (2, 1), (1, 2), (2, 1), (1, 2), (3, 1)]
    course = result.live.course
    assert {code.offset for code in result.live._names} == {0x410, 0x420, 0x430}, "named while it ran"
    assert [(one.number, one.intervals, one.length) for one in course.ranked()] == [
        (1, 9, 3_600_000_000),
        (2, 4, 1_600_000_000),
        (3, 1, 400_000_000),
    ]
    assert list(course.strip) == list(course.latest) and course.foretold == 13
    assert result.live.named(course.phases[2].hottest()) == [("program+0x420", 1.0)]


def test_the_log_has_a_line_a_change_and_says_what_made_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    live_runs.perf(tmp_path, monkeypatch, PHASES)
    track(wanted(), options(log=tmp_path / "log"))
    begin, *changes, end = map(json.loads, (tmp_path / "log").read_text().splitlines())
    assert (begin["event"], begin["program"], begin["unit"]) == ("begin", "true", "nanoseconds")
    assert begin["phasemark"] and begin["tracker"]["min_count"] == 1 and begin["interval"] == 400_000_000
    assert [one["phase"] for one in changes] == [1, 2, 1, 2, 1, 3]
    third = changes[2]
    assert (third["number"], third["before"], third["new"], third["lasted"]) == (3, 2, False, 0.798)
    assert third["expected"] == {"phase": 2, "share": 1.0, "after": 1.198}
    assert third["hottest"] == [["program+0x410", 1.0]] and third["time"].endswith("Z")
    assert (end["event"], end["intervals"], end["changes"], end["samples"]) == ("end", 14, 6, 2800)


def test_a_command_runs_at_changes_with_the_phase_in_its_environment(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    live_runs.perf(tmp_path, monkeypatch, "AABB")
    command = f'echo "$PHASE,$PHASE_BEFORE,$PHASE_LASTED,$PHASE_NEW,$PHASE_HOTTEST" >>"{tmp_path}/out"'
    track(wanted(), options(on_change=command))
    lines = (tmp_path / "out").read_text().splitlines()
    assert lines == ["1,,0.000,1,program+0x410", "2,1,0.798,1,program+0x420"]


def test_a_command_that_fails_is_said_and_no_more(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    live_runs.perf(tmp_path, monkeypatch, "AABB")
    result = track(wanted(), options(on_change="exit 9"))
    assert result.status == 0 and not result.failure
    assert result.live.notes == ["--on-change 'exit 9' failed: exit status 9"] * 2
    assert result.notes == (
        "--on-change ran 2 times and failed 2 times; 0 changes came and went while it ran",
    )


def test_metrics_are_in_a_file_and_by_http(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    live_runs.perf(tmp_path, monkeypatch, PHASES)
    seen: list[bytes] = []

    class Asks(Viewer):
        def tick(self, live: Live) -> None:
            if not seen:
                with urllib.request.urlopen(live.url) as answer:
                    seen.append(answer.read())

    script = f"until [ -e '{tmp_path}/asked' ]; do sleep 0.01; done"
    ticks = Asks()
    asks = ticks.tick
    monkeypatch.setattr(ticks, "tick", lambda live: (asks(live), (tmp_path / "asked").touch()))
    track(wanted("sh", "-c", script), options(metrics=tmp_path / "m", listen="0"), ticks)
    assert (
        seen[0].endswith(b"# EOF\n")
        and b"\nphasemark_tracking 1\n" in seen[0]
        and b"phasemark_info{" in seen[0]
    )
    text = (tmp_path / "m").read_text()
    for line in (
        "phasemark_tracking 0",
        "phasemark_phase 3",
        "phasemark_phase_changes_total 6",
        'phasemark_phase_intervals_total{phase="1"} 9',
        'phasemark_phase_cpu_seconds_total{phase="2"} 1.6',
        "phasemark_samples_total 2800",
        "# EOF",
    ):
        assert line in text.splitlines()


def test_a_full_disk_does_not_stop_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    live_runs.perf(tmp_path, monkeypatch, "AABB")
    result = track(wanted(), options(log=Path("/dev/full")))
    assert result.status == 0 and result.live.course.changes == 2
    assert result.live.notes == ["/dev/full: cannot be written: No space left on device"]
    assert result.notes == ("4 lines are missing in /dev/full: No space left on device",)


def test_metrics_that_cannot_be_written_later_are_said_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    live_runs.perf(tmp_path, monkeypatch, "AABB")
    monkeypatch.setattr(live, "_METRICS", 0.0)
    written = []

    def full(path: Path, text: str) -> None:
        written.append(text)
        if len(written) > 2:
            (tmp_path / "go").touch()
        if len(written) > 1:
            raise WorkError(f"{path}: cannot be written: No space left on device")

    monkeypatch.setattr(live, "write_text", full)
    script = f"until [ -e '{tmp_path}/go' ]; do sleep 0.01; done"
    result = track(wanted("sh", "-c", script), options(metrics=tmp_path / "m"))
    assert len(result.live.notes) == 1 and result.status == 0


@pytest.mark.parametrize(
    ("more", "error", "said"),
    [
        ({"log": Path("/nowhere/log")}, WorkError, "/nowhere/log: cannot be written"),
        ({"metrics": Path("/nowhere/m")}, WorkError, "/nowhere/m: cannot be written"),
        ({"listen": "x"}, UsageError, "is no address"),
        ({"on_change": " "}, UsageError, "--on-change is empty"),
        ({"predictor": "x"}, UsageError, "there is no predictor 'x'"),
    ],
)
def test_what_cannot_be_done_is_said_before_the_program_runs(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    more: dict[str, object],
    error: type[Exception],
    said: str,
) -> None:
    live_runs.perf(tmp_path, monkeypatch, "A")
    with pytest.raises(error, match=said):
        track(wanted("touch", str(tmp_path / "ran")), options(**more))
    assert not (tmp_path / "ran").exists()


def test_a_program_that_ends_at_once_or_soon(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    live_runs.perf(tmp_path, monkeypatch, "")
    result = track(wanted(), options())
    assert result.failure.startswith("no sample was taken") and result.notes == (result.failure,)
    live_runs.perf(tmp_path, monkeypatch, "A")
    monkeypatch.setattr(following, "SAMPLES", 500)
    result = track(wanted(), options())
    assert not result.failure and result.notes == (
        "it ran for less than an interval (1,000,000,000 nanoseconds): no phase was found",
    )


def test_what_was_known_of_its_phases_does_not_grow(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every interval is of another phase: all that is kept stays within its bounds."""
    live_runs.perf(tmp_path, monkeypatch, "".join(chr(48 + n) for n in range(300)))
    result = track(wanted(), options(log=tmp_path / "log"))
    course = result.live.course
    assert course.intervals == 300 and course.changes > 200, "some hashes are alike"
    assert len(course.phases) == 64 and result.live.tracker.stored == 20 and course.forgotten > 100
    assert result.notes == (f"{course.forgotten} phases were not met for long, and are forgotten",)
