"""Where values come from, in words."""

from __future__ import annotations

from dataclasses import replace

from tests.views import counted

from phasemark.model import Provenance
from phasemark.views.origin import in_words, origin, warnings


def test_everything_known_is_said_in_the_order_a_reader_asks() -> None:
    made = counted.run()
    provenance = Provenance(
        "tool", "2", "0.9", ("prog", "-x"), unit="instructions", block_definition="as the tool says",
        interval=10_000, complete=False, details={"cores": 2},
    )  # fmt: skip
    entries = origin(replace(made, profile=replace(made.profile, provenance=provenance)))
    assert [what for what, _ in entries] == [
        "command", "recorded by", "analysed by", "profile made by", "complete", "unit", "block", "interval",
        "signatures", "phases", "details",
    ]  # fmt: skip
    words = dict(entries)
    assert words["command"] == "prog -x" and words["recorded by"] == "tool 2"
    assert words["profile made by"] == "phasemark 0.9" and words["interval"] == "10,000 instructions"
    assert words["complete"].startswith("no: the run was cut short")
    assert words["signatures"] == "dims 3, key id, normalisation l1, projection uniform, seed 1"
    assert (words["phases"], words["details"]) == ("seed 1", "cores 2")


def test_what_is_not_known_is_left_out() -> None:
    made = counted.run()
    entries = dict(origin(replace(made, profile=replace(made.profile, provenance=Provenance("hand")))))
    assert not {"command", "profile made by", "interval", "details"} & entries.keys()
    assert entries["recorded by"] == "hand" and entries["complete"] == "yes"


def test_values_in_words() -> None:
    values = {"b_c": True, "a": [1, False], "d": None, "e": "", "f": 0.5}
    assert in_words(values) == "a 1 no, b c yes, f 0.5"


def test_warnings_are_those_of_collecting_then_notes_of_clustering() -> None:
    made = counted.run()
    made.phases.model["notes"] = ["few vectors"]
    assert warnings(made) == ["a warning", "few vectors"]
    assert "few vectors" not in dict(origin(made))["phases"]
