"""What the page is given, without a browser."""

from __future__ import annotations

import base64
import json

import numpy as np
import pytest
from tests.views import counted, machines, synthetic

from phasemark.report import data, page


def unpack(packed: dict[str, str]) -> np.ndarray:
    return np.frombuffer(base64.b64decode(packed["data"]), np.dtype(packed["type"]).newbyteorder("<"))


def test_rows_hold_every_interval() -> None:
    run = synthetic.run(threads=3)
    made = data.collect(run)
    rows, intervals = made["rows"], run.profile.interval_table
    assert unpack(rows["start"]).tolist() == intervals.start.tolist()
    assert unpack(rows["length"]).tolist() == intervals.length.tolist()
    assert unpack(rows["phase"]).tolist() == run.phases.labels.tolist()
    assert [(t["first"], t["last"]) for t in made["threads"]] == [(0, 40), (40, 80), (80, 120)]
    json.dumps(made, allow_nan=False)


def test_a_long_run_is_shown_in_fewer_rows_without_losing_an_instruction(monkeypatch) -> None:
    monkeypatch.setattr(data, "ROWS", 16)
    monkeypatch.setattr(data, "CELLS", 5)
    run = synthetic.run(threads=2)
    made = data.collect(run)
    assert len(unpack(made["rows"]["start"])) == 16
    assert unpack(made["rows"]["length"]).sum() == run.profile.instructions
    assert unpack(made["rows"]["count"]).sum() == 80
    size = made["matrix"]["size"]
    assert size <= 5
    assert len(unpack(made["matrix"]["distance"])) == size * (size - 1) // 2


def test_the_matrix_alternates_as_the_program_does() -> None:
    made = data.collect(synthetic.run((0, 1) * 10))
    size, upper = made["matrix"]["size"], unpack(made["matrix"]["distance"])
    far = np.zeros((size, size))
    far[np.triu_indices(size, 1)] = upper
    assert far[0, 2::2].max() < far[0, 1::2].min()


def test_phases_name_share_point_functions_and_lines() -> None:
    run = synthetic.run()
    made = data.collect(run)
    assert sum(p["share"] for p in made["phases"]) == pytest.approx(1.0)
    assert [made["points"][p["points"][0]]["phase"] for p in made["phases"]] == [0, 1, 2]
    for phase in made["phases"]:
        shares = [share for _, _, share in phase["functions"]]
        assert shares == sorted(shares, reverse=True)
        assert phase["lines"][0][0].count(":") == 1


def test_vectors_without_modules_go_by_block_numbers() -> None:
    made = data.collect(synthetic.run(functions=False))
    assert all(name.startswith("block ") for name, _ in made["functions"])
    assert made["phases"][0]["lines"] == []
    assert made["places"] == "Blocks"


def test_what_the_steps_noted_is_said() -> None:
    run = synthetic.run()
    run.phases.model["notes"] = ["only 3 different vectors"]
    made = data.collect(run)
    assert made["warnings"][-1] == "only 3 different vectors"
    assert ("phases", "seed 7, threshold 0.9") in made["provenance"]


def test_a_given_k_has_no_threshold() -> None:
    run = synthetic.run()
    run.phases.scores.clear()
    assert data.collect(run)["scores"]["threshold"] is None


def test_metrics_estimates_and_quality_are_gathered() -> None:
    run = synthetic.run((0, 1, 0, 1, 2), metrics=True)
    found = data.collect(run)
    cpi = found["metrics"][0]
    assert (cpi["name"], cpi["title"]) == ("cpi", "CPI")
    values = np.frombuffer(base64.b64decode(cpi["values"]["data"]), "<f4")
    assert values[:3] == pytest.approx([1, 2.1, 1]) and np.isnan(values[3])
    assert found["estimates"][0]["full"] == 2.1 and found["estimates"][1]["high"] is None
    quality = found["quality"]
    assert quality["missing"][0][0] == "cpi" and quality["largest"][0] in (0, 1)
    whole = quality["whole"][0]
    assert whole["metric"] == "cpi" and whole["cov"] < whole["before"] and whole["mean"] > 1
    assert quality["against_k"]["cpi"]["k"] == [1, 2, 3] and quality["sample"] == 30
    page.script_json(found)  # holds no NaN


def test_without_metrics_there_is_nothing_to_show_of_them() -> None:
    found = data.collect(synthetic.run())
    assert (found["metrics"], found["estimates"], found["quality"]) == ([], [], None)


def test_metrics_of_several_intervals_are_averaged_with_their_weights(monkeypatch) -> None:
    monkeypatch.setattr(data, "ROWS", 2)
    run = synthetic.run((0, 1, 0, 1), metrics=True)
    values = np.frombuffer(base64.b64decode(data.collect(run)["metrics"][0]["values"]["data"]), "<f4")
    # The second row lacks its second interval.
    assert values == pytest.approx([(1 + 2.1) / 2, 1])


def test_distances_and_places_use_the_whole_scale() -> None:
    made = data.collect(counted.run())
    # Interval 0 runs block a alone, 2 block b alone; 0 and 3 are equal; interval 1 shares 8 of 10 with 0.
    assert unpack(made["matrix"]["distance"])[:3].tolist() == [51, 255, 0]
    points = unpack(made["path"]["points"]).reshape(7, 3)
    assert np.abs(points).max() == 32767
    assert points[0].tolist() == points[3].tolist() != points[2].tolist()


def test_states_are_given_as_they_stand_and_a_page_without_them_has_none() -> None:
    made = data.collect(machines.counted_by_hand())["machine"]
    page.script_json(made)  # an endless state holds no infinity
    assert [state["title"] for state in made["states"]] == ["copy", "sort", "main"]
    assert (made["states"][2]["endless"], made["states"][2]["intervals"]) == (True, None)
    assert [arrow[:3] for arrow in made["arrows"]] == [[1, 0, 0.25], [0, 1, 0.5], [0, 2, 0.5], [1, 2, 0.75]]
    assert "54 % of the run" in made["reading"] and made["ordered"] and made["strong"] == 0.1
    assert data.collect(counted.run())["machine"] is None


def test_phases_have_numbers_and_the_transition_a_name() -> None:
    run = synthetic.run((0, 1, 2))
    assert [phase["name"] for phase in data.collect(run)["phases"]] == ["0", "1", "2"]
    assert [phase["name"] for phase in data.collect(synthetic.tracked(run))["phases"]] == [
        *("transition", "1", "2")
    ]
