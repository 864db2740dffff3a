"""With which calls and loops phases begin, to the letter."""

from __future__ import annotations

import json

import numpy as np
import pytest
from tests.cli.printing.results import points
from tests.cli.printing.test_points import INTERVALS, PHASES

from phasemark.cli.printing import markers as shown
from phasemark.cli.printing import points as of_points
from phasemark.intervals import PhaseMarkers, phase_markers
from phasemark.model import Sites

CALLED = "std::map<std::string, std::vector<int>>::find(std::string const&) const"

SITES = Sites(
    ("/bin/a",),
    [0, 0],
    [16, 32],
    [2, 0],
    [-1, -1],
    [0, 0],
    function=("main", "sort"),
    file=("/src/main.cpp", "/src/sort.cpp"),
    line=[214, 7],
    callee=(CALLED, ""),
)


def markers() -> PhaseMarkers:
    """Phase 0 begins with the loop, in one of its two intervals; 1 with the call; 2 with none."""
    return phase_markers(INTERVALS, PHASES.labels, [-1, 1, 0, -1], SITES, [4, 1])


def test_a_row_a_phase(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "150")
    called = f"call of {CALLED}, main.cpp:214"
    assert shown.lines(shown.summary(markers())) == [
        f"phase  {'begins with':{len(called)}}  of its intervals  of its events",
        f"    0  {'loop in sort, sort.cpp:7':{len(called)}}            50.00%        100.00%",
        f"    1  {called}           100.00%         25.00%",
        "    2  no call or loop",
    ]


@pytest.mark.parametrize("width", [80, 100])
def test_names_are_cut_to_the_terminal_and_lines_are_not(width: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", str(width))
    lines = shown.lines(shown.summary(markers()))
    assert max(map(len, lines)) <= width
    assert "loop in sort, sort.cpp:7 " in lines[1]
    assert lines[2].startswith("    1  call of std::map") and ", main.cpp:214 " in lines[2]


def test_long_names_of_files_are_cut_but_for_the_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    share = {"of_intervals": 1.0, "of_events": 1.0}
    event = "after __memcpy_avx_unaligned_erms, memmove-vec-unaligned-erms.S:604"
    lines = shown.lines([{"event": event, **share}, {"event": "loop in gzip:0x4710 at 0x4f8d", **share}])
    assert max(map(len, lines)) <= 80
    assert lines[1].startswith("    0  after __mem") and "rms.S:604 " in lines[1]
    assert "loop in gzip:0x4710 at 0x4f8d " in lines[2]


def test_the_points_have_it_below_them(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    plain = of_points.summary(INTERVALS, PHASES, points())
    found = json.loads(json.dumps(of_points.summary(INTERVALS, PHASES, points(), begins=markers())))
    lines = of_points.lines(found)
    at = lines.index("") + len(points()) + 2
    assert lines[:at] == of_points.lines(plain)[:at]
    assert lines[at : at + 5] == ["", *shown.lines(found["begins"])]
    assert lines[at + 5 :] == of_points.lines(plain)[at:] == ["note: of the phases"]
    assert "begins" not in plain


def test_json_has_names_whole_and_null_without_a_marker() -> None:
    found = shown.summary(markers())
    assert found[1:] == [
        {
            "event": f"call of {CALLED}, main.cpp:214",
            "kind": "call",
            "name": f"{CALLED}, main.cpp:214",
            "intervals": 1,
            "of_intervals": 1.0,
            "of_instructions": 1.0,
            "of_events": 0.25,
        },
        None,
    ]
    unknown = phase_markers(INTERVALS, PHASES.labels, [-1, 1, 0, -1], SITES)
    first = shown.summary(unknown)[0]
    assert first is not None and first["of_events"] is None
    assert shown.lines(shown.summary(unknown))[1].endswith("50.00%      not known")
    assert np.isnan(unknown.of_events).all()
