"""Where values come from, in words."""

from __future__ import annotations

from dataclasses import replace

from tests.views import counted

from phasemark.model import AnalysedProcess, Provenance
from phasemark.views.origin import date, in_words, origin, warnings


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
    assert words["signatures"] == (
        "blocks, by their numbers, as shares of the interval, projected at random to 3 dimensions (seed 1)"
    )
    assert (words["phases"], words["details"]) == ("seed 1", "cores 2")
    of_tree = origin(replace(made, process=AnalysedProcess(3, 5, "cc1", 0.84)))
    assert of_tree[1] == ("process", "3 of 5, cc1: 84.00% of all instructions")
    given = replace(made, points=replace(made.points, method="given"))
    assert dict(origin(given))["points"] == "chosen by another tool"


def test_details_are_text() -> None:
    made = counted.run(began="2026-01-02T05:04:05+0200")
    details = {
        "engine": "valgrind", "engine_version": "3.19.0", "exe": "/bin/prog", "threads": 1,
        "cpu": "x86-64 AVX2", "interval_asked": 500_000, "anonymous_share": 0.0123,
        "odd": {"a": [1, 2], "b": None},
        "build_ids": {"/lib/z.so": "f" * 40, "/bin/prog": "0123456789abcdef"},
    }  # fmt: skip
    profile = replace(made.profile, provenance=replace(made.profile.provenance, details=details))
    words = dict(origin(replace(made, profile=profile)))
    assert words["recorded on"] == "2 January 2026, 03:04 UTC"
    assert (words["engine"], words["program file"], words["threads"]) == ("valgrind 3.19.0", "/bin/prog", "1")
    assert words["interval asked for"] == "500,000 instructions"
    assert words["code of no file"] == "1.23% of the instructions"
    rare = replace(profile.provenance, details={"anonymous_share": 1e-6})
    assert dict(origin(replace(made, profile=replace(profile, provenance=rare))))["code of no file"] == (
        "<0.01% of the instructions"
    )
    assert words["processor the program saw"] == "x86-64 AVX2"
    assert words["modules"] == "/bin/prog (build 0123456789ab), /lib/z.so (build ffffffffffff)"
    assert words["details"] == "odd a 1 2"
    assert not set("{}[]'") & set("".join(words.values()))


def test_a_date_that_is_none_is_said_as_it_is() -> None:
    assert [date(moment) for moment in ("", "today")] == ["", "today"]


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
