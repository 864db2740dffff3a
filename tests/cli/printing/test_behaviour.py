"""What `phasemark phases` prints of memory and branches, to the letter."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from tests.views import behaving, synthetic

from phasemark.cli.printing import behaviour as shown
from phasemark.cli.printing import points
from phasemark.workflow import Run

#: Of three phases; of the second one nothing is defined.
TOLD: dict[str, Any] = {
    "remembered": 32 << 20,
    "run": {"data_32K": 7.5, "data_new": 0.004, "code_256K": 0.5, "surprises": 5.25},
    "phases": [
        {"data_32K": 12.0, "data_new": 0.004, "code_256K": 0.0, "surprises": 5.0},
        {"data_32K": None, "data_new": None, "code_256K": None, "surprises": None},
        {"data_32K": 3.0, "data_new": 0.001, "code_256K": 1.0, "surprises": 5.5},
    ],
    "same_code": [
        None,
        {"phase": 0, "common": 0.99999, "differences": []},
        {
            "phase": 0,
            "common": 0.9512,
            "differences": [
                {"column": "code_256K", "here": 1.0, "there": 0.0},
                {"column": "data_32K", "here": 3.0, "there": 12.0},
                {"column": "surprises", "here": 60.5, "there": 5.5},
            ],
        },
    ],
}
RUN = {"behaviour": TOLD, "shares": [0.5, 0.0, 0.5]}


def test_a_row_a_phase_below_the_run_and_below_that_phases_of_the_same_code(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    assert shown.lines(RUN, [2, 0, 1]) == [
        "",
        "what phases do with memory and branches, per 1,000 instructions: accesses to",
        "data (code) after 32K and more of other data (code); to data that is new, or was",
        "not used for 32M of other data; branches that nothing foretold:",
        "",
        "phase    share  data 32K  code 256K  surprises",
        "  run  100.00%      7.50       0.50       5.25",
        "    2   50.00%      3.00       1.00       5.50",
        "    0   50.00%     12.00          0       5.00",
        "    1    0.00%         -          -          -",
        "",
        "phases that execute the code of a larger one, in what they differ, and how many",
        "times the larger one's rate that is:",
        "",
        "phase  same code as  in common  differs in",
        "    2             0      95.1%  code 256K 1.00 (there 0); data 32K 3.00 (0.25x);",
        "                                surprises 60.50 (11x)",
        "    1             0     100.0%  nothing of these",
    ]


def test_the_transition_is_called_so_and_columns_of_one_kind_say_it_once() -> None:
    told = {**TOLD, "same_code": [None] * 3}
    told["phases"] = [{**row, "data_new": 4.0} for row in TOLD["phases"]]
    lines = shown.lines({**RUN, "behaviour": told, "transition": 2}, [2, 0, 1])
    assert lines[-5:] == [
        "     phase    share  data 32K   new  code 256K  surprises",
        "       run  100.00%      7.50  0.00       0.50       5.25",
        "transition   50.00%      3.00  4.00       1.00       5.50",
        "         0   50.00%     12.00  4.00          0       5.00",
        "         1    0.00%         -  4.00          -          -",
    ]


def test_columns_that_find_no_room_stand_below(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "40")
    lines = shown.lines({**RUN, "behaviour": {**TOLD, "same_code": [None] * 3}}, [2, 0, 1])
    assert max(map(len, lines)) <= 40
    assert lines[-11].split() == ["phase", "share", "data", "32K", "code", "256K"]
    assert lines[-5].split() == ["phase", "share", "surprises"]


def test_json_says_all_of_it_and_a_run_without_has_no_word_of_it(tmp_path: Path) -> None:
    run = Run(synthetic.folder(tmp_path / "run", behaving.alike()))
    told = json.loads(json.dumps(shown.summary(run)))
    assert told["remembered"] == 32 << 20 and next(iter(told["run"])) == "data_32K"
    assert [row["data_256K"] for row in told["phases"]] == pytest.approx([6.4, 25.6, 6.4])
    assert told["same_code"][0] is None and told["same_code"][1]["phase"] == 0
    assert told["same_code"][1]["differences"] == [{"column": "data_256K", "here": 25.6, "there": 6.4}]
    summary = points.summary(run.intervals, run.phases, run.points, behaviour=told)
    assert any("data 256K 25.60 (4.0x)" in line for line in points.lines(summary))
    plain = Run(synthetic.folder(tmp_path / "plain"))
    assert shown.summary(plain) is None and plain.same_code() == [None] * 3
    summary = points.summary(plain.intervals, plain.phases, plain.points, behaviour=shown.summary(plain))
    assert "behaviour" not in summary and shown.lines(summary, [0, 1, 2]) == []
