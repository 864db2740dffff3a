"""Provenance: what it says comes back from JSON; what is no such object is refused."""

from __future__ import annotations

import json
from dataclasses import fields

import pytest

from phasemark.errors import DataError
from phasemark.model import Provenance

FULL = Provenance(
    tool="phasemark-valgrind",
    tool_version="3.19",
    phasemark="1.2",
    command=("gzip", "-k", "a file"),
    unit="instructions",
    block_definition="superblock",
    interval=1000,
    complete=False,
    warnings=("one", "two"),
    details={"seed": 1, "nested": {"a": [1, None]}},
)


def test_everything_comes_back_from_json() -> None:
    assert all(getattr(FULL, field.name) != field.default for field in fields(FULL) if field.name != "unit")
    for provenance in (FULL, Provenance("t"), Provenance("t", command=("\udcff",), unit="events")):
        assert Provenance.from_json(provenance.to_json()) == provenance


def test_equal_provenance_gives_equal_text() -> None:
    assert FULL.to_json() == Provenance.from_json(FULL.to_json()).to_json()
    names = list(json.loads(FULL.to_json()))
    assert names == sorted(names) and set(names) == {field.name for field in fields(FULL)}


def test_what_an_older_phasemark_did_not_write_has_its_default() -> None:
    provenance = Provenance.from_json('{"tool": "gem5"}')
    assert provenance == Provenance("gem5")
    assert (provenance.unit, provenance.complete, provenance.interval) == ("instructions", True, None)
    assert (provenance.command, provenance.warnings, provenance.details) == ((), (), {})


def test_what_a_newer_phasemark_wrote_goes_to_the_details() -> None:
    provenance = Provenance.from_json('{"tool": "gem5", "mood": 3, "details": {"a": 1}}')
    assert provenance.details == {"a": 1, "mood": 3}


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{",
        "[]",
        "3",
        "null",
        '"tool"',
        "{}",
        '{"tool": "a", "command": 3}',
        '{"tool": "a", "details": 3}',
    ],
)
def test_what_is_no_such_object_is_refused(text: str) -> None:
    with pytest.raises(DataError, match=r"^provenance is no JSON object of the known form"):
        Provenance.from_json(text)


def test_warnings_are_added_to_those_that_there_are() -> None:
    warned = FULL.warn("three", "four")
    assert warned.warnings == ("one", "two", "three", "four")
    assert FULL.warnings == ("one", "two")
    assert warned.details == FULL.details and warned.tool == FULL.tool


def test_provenance_shows_itself_in_a_line() -> None:
    assert repr(FULL) == (
        "<Provenance: tool=phasemark-valgrind 3.19, command=gzip -k 'a file', interval=1,000, "
        "complete=False, warnings=2>"
    )
    assert repr(Provenance("gem5")) == "<Provenance: tool=gem5>"
