"""What `phasemark points` and `phases` print, to the letter."""

from __future__ import annotations

import dataclasses
import json

import numpy as np
import pytest
from tests.cli.printing.results import points

from phasemark.cli.printing import points as shown
from phasemark.model import AnalysedProcess, Intervals, Phases, Points

PHASES = Phases(
    labels=np.array([0, 0, 1, 2]),
    centers=np.zeros((3, 1)),
    distances=np.zeros(4),
    scores={1: 0.5, 3: 2.0},
    model={"name": "simpoint", "notes": ["of the phases"]},
)
INTERVALS = Intervals.of_thread(np.array([3000, 1500, 4500, 1000]))
FUNCTIONS = [{"deflate": 0.6, "crc32": 0.005, "write": 0.0004}, {}, {"longest_match": 0.9996}]


def summary(picked: Points, notes: tuple[str, ...] = ()) -> dict:
    return shown.summary(INTERVALS, PHASES, picked, notes)


def test_a_row_a_point_phase_by_phase() -> None:
    assert shown.lines(summary(points(), ("of the points",))) == [
        "10,000 instructions, 4 intervals, 3 phases, 2 of them single intervals",
        "3 points of 3,000 instructions (30.00% of the run) to stand for 90.00% of it",
        "",
        "phase   share  weight  interval      start        end",
        "    0  45.00%  0.5000     2,000  2,000,000  2,001,000",
        "    1  45.00%  0.2500     3,000  3,000,000  3,001,000",
        "    2  10.00%  0.2500         1      1,000      2,000",
        "note: of the phases",
        "note: of the points",
    ]


def test_weights_of_strata_are_said_to_be_theirs() -> None:
    drawn = dataclasses.replace(points(), strata=np.array([0, 0, 1]))
    said = "note: weights are those of strata, which may cross phases"
    assert shown.lines(summary(drawn, ("another",)))[7:] == [said, "note: of the phases", "note: another"]
    assert summary(drawn)["notes"] == ["of the phases"]
    # The strata of guards are theirs: the points' weights are those of their phases.
    weight, guard = np.array([0.0, 0.5, 0.5]), np.array([0.5, 0.0, 0.0])
    guarded = dataclasses.replace(drawn, weight=weight, guard=guard)
    assert said not in shown.lines(summary(guarded))


def test_lengths_of_samples_are_in_their_unit() -> None:
    told = shown.summary(INTERVALS, PHASES, points(), unit="nanoseconds")
    assert shown.lines(told)[:2] == [
        "10,000 nanoseconds, 4 intervals, 3 phases, 2 of them single intervals",
        "3 points of 3,000 nanoseconds (30.00% of the run) to stand for 90.00% of it",
    ]
    assert told["length_unit"] == "nanoseconds"


def test_what_the_phases_were_found_in_is_said() -> None:
    told = shown.summary(INTERVALS, PHASES, points(), compared_by="code+behaviour")
    assert shown.lines(told)[0].endswith("3 phases by code+behaviour, 2 of them single intervals")
    assert told["signature"] == "code+behaviour"


def test_the_heaviest_phase_comes_first() -> None:
    intervals = Intervals.of_thread(np.array([1000, 500, 2500, 6000]))
    lines = shown.lines(shown.summary(intervals, PHASES, points()))
    assert [line[:13] for line in lines[4:7]] == ["    2  60.00%", "    1  25.00%", "    0  15.00%"]
    # Where the phases' shares are not known, by what the points weigh.
    lines = shown.lines(shown.summary(None, None, points()))
    assert [line[:13] for line in lines[-3:]] == ["    0  0.5000", "    1  0.2500", "    2  0.2500"]


def test_of_several_processes_it_is_said_which_this_is() -> None:
    process = AnalysedProcess(3, 5, "cc1", 0.84)
    found = json.loads(json.dumps(shown.summary(INTERVALS, PHASES, points(), process=process)))
    assert found["process"] == {"number": 3, "processes": 5, "program": "cc1", "share": 0.84}
    assert shown.lines(found)[0] == "process 3 of 5, cc1: 84.00% of all instructions"
    assert shown.lines(found)[1:] == shown.lines(summary(points()))


def test_threads_warm_up_and_functions_where_there_are_some(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "120")
    picked = dataclasses.replace(points((0, 1, 0)), warmup=np.array([0, 5000, 1_000_000]))
    assert shown.lines({**summary(picked), "functions": FUNCTIONS})[3:7] == [
        "phase   share  weight  thread  interval      start        end    warm-up  hottest functions",
        "    0  45.00%  0.5000       1     2,000  2,000,000  2,001,000      5,000  deflate 60.0%, "
        "crc32 0.5%, others 39.5%",
        "    1  45.00%  0.2500       0     3,000  3,000,000  3,001,000  1,000,000",
        "    2  10.00%  0.2500       0         1      1,000      2,000          0  longest_match 100.0%",
    ]


def test_of_several_runs_a_point_is_of_one() -> None:
    several = dataclasses.replace(points(), run=np.array([0, 1, 2]))
    rows = [line.split() for line in shown.lines(shown.summary(None, None, several))]
    at = next(n for n, row in enumerate(rows) if row[:1] == ["phase"])
    assert rows[at][:4] == ["phase", "weight", "run", "interval"]
    assert sorted(row[2] for row in rows[at + 1 : at + 4]) == ["0", "1", "2"]


def test_one_of_each_is_not_many() -> None:
    one = {name: value[:1] for name, value in vars(points()).items() if isinstance(value, np.ndarray)}
    picked = Points(**{**one, "phase": [0], "weight": [1.0], "start": [0], "end": [1]})
    single = Phases(np.zeros(1, int), np.zeros((1, 1)), np.zeros(1))
    found = shown.summary(Intervals.of_thread(np.ones(1, int)), single, picked)
    assert found["shares"] == [1.0]
    assert shown.lines(found)[:2] == [
        "1 instruction, 1 interval, 1 phase",
        "1 point of 1 instruction (100.00% of the run) to stand for 100.00% of it",
    ]


def test_as_json() -> None:
    picked = dataclasses.replace(points(), method="stratified", population=np.array([1, 2, 1]))
    found = json.loads(json.dumps(summary(picked, ("of the points",))))
    assert found.pop("points")[1] == {
        "run": 0,
        "thread": 0,
        "interval": 2000,
        "phase": 0,
        "start": 2_000_000,
        "end": 2_001_000,
        "warmup": 0,
        "weight": 0.5,
        "population": 2,
        "spread": None,
    }
    assert found == {
        "process": None,
        "instructions": 10_000,
        "length_unit": "instructions",
        "intervals": 4,
        "k": 3,
        "signature": None,
        "coverage": 0.9,
        "method": "stratified",
        "point_instructions": 3000,
        "phase_intervals": [2, 1, 1],
        "shares": [pytest.approx(0.45), 0.45, 0.1],
        "states": None,
        "scores": {"1": 0.5, "3": 2.0},
        "notes": ["of the phases", "of the points"],
    }


def test_what_is_little_is_not_nothing_and_what_lacks_a_little_is_not_all() -> None:
    weight = np.where(points().phase == 0, 1 - 2e-5, 1e-5)
    rare = dataclasses.replace(points(), weight=weight, coverage=0.99997)
    intervals = Intervals.of_thread(np.array([3_000_000, 15_000_000, 100, 100]))
    found = shown.lines(shown.summary(intervals, PHASES, rare))
    assert found[1].endswith("to stand for 99.997% of it")
    assert [line.split()[1:3] for line in found[4:7]] == [
        ["99.999%", "1.0000"], ["<0.01%", "1.0e-05"], ["<0.01%", "1.0e-05"]
    ]  # fmt: skip


def test_long_names_are_cut_to_the_line_and_whole_in_json(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "120")
    name = "std::map<std::string, std::vector<int>>::find(std::string const&) const"
    found = {**summary(points()), "functions": [{name: 0.7, "write": 0.3}, {}, {}]}
    row = shown.lines(found)[4]
    assert (
        row.endswith("std::map<...>::find(std::string const&) const 70.0%, write 30.0%") and len(row) <= 120
    )
    monkeypatch.setenv("COLUMNS", "80")
    lines = shown.lines(found)
    assert lines[3:5] == shown.lines(summary(points()))[3:5] and max(map(len, lines[3:11])) <= 80
    # As the points, so the functions: a row of each phase.
    assert lines[8] == "phase   share  hottest functions" and lines[7] == ""
    assert lines[9] == "    0  45.00%  std::map<...>::find(std::string const&) const 70.0%, write 30.0%"
    monkeypatch.setenv("COLUMNS", "400")
    assert f"{name} 70.0%" in shown.lines(found)[4]
    assert name in json.dumps(found)


def test_functions_in_a_narrow_table_can_be_told_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "100")
    names = [f"VeryLongNameOfAFunction{end}OfThisProgram(int, int)" for end in "ABC"]
    rows = [
        {names[0]: 0.4, names[1]: 0.3, "a.out:0x4290": 0.2},
        {names[2]: 0.5, names[0]: 0.4},
        {names[0]: 1.0},
    ]
    lines = shown.lines({**summary(points()), "functions": rows})[3:7]
    cells = [line[lines[0].index("hottest") :] for line in lines[1:]]
    every = [part.rpartition(" ")[0] for cell in cells for part in cell.split(", ")]
    short = cells[2].rpartition(" ")[0]
    assert cells[0].startswith(f"{short} 40.0%, ") and not cells[1].startswith(f"{short} ")
    # Fewer functions, not names that look the same; an address that fits nowhere is left out, never cut.
    assert len({name for name in every if name.startswith("Very")}) == 2 and every.count("others") == 2


def _classified(labels: list[int], select: str = "bic-threshold", k: int | None = None) -> dict:
    sizes = np.array(labels)
    phases = Phases(
        sizes, np.zeros((sizes.max() + 1, 1)), np.zeros(len(labels)), model={"select": select, "k": k}
    )
    return shown.summary(Intervals.of_thread(np.full(len(labels), 10)), phases, points())


def test_many_phases_of_single_intervals_hint_at_another_criterion() -> None:
    found = _classified([0, 0, 0, 1, 1, 2, 3, 4])
    assert shown.lines(found)[0].endswith("5 phases, 3 of them single intervals")
    assert found["phase_intervals"] == [3, 2, 1, 1, 1]
    assert [note for note in found["notes"] if "--select noise-floor" in note]
    for others in (
        _classified([0, 0, 0, 1, 1, 2, 3]),
        _classified([0, 0, 0, 1, 1, 2, 3, 4], select="noise-floor"),
        _classified([0, 0, 0, 1, 1, 2, 3, 4], k=5),
    ):
        assert others["notes"] == []
    assert ", 1 of them a single interval" in shown.lines(_classified([0, 0, 1, 1, 2]))[0]


def test_what_was_not_picked_is_not_called_points() -> None:
    """`phasemark phases` shows typical intervals; points.csv may hold others, or not be there."""
    every, typical = shown.lines(summary(points())), shown.lines(summary(points()), picked=False)
    assert typical[1] == "the interval nearest to each phase's centre, as `phasemark points` picks it:"
    assert (every[0], every[2:]) == (typical[0], typical[2:])
