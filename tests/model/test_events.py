"""Sites are places in the code, and a trace of events at them ascends to its thread's end."""

from __future__ import annotations

from typing import Any

import pytest

from phasemark.errors import DataError, UsageError
from phasemark.model import Events, Sites, Trace

SITES: dict[str, Any] = {
    "modules": ("/bin/a", "/lib/b"),
    "module": [0, 0, 0, 1],
    "offset": [4, 9, 9, 9],
    "kind": [0, 2, 3, 3],
    "target_module": [0, 1, -1, -1],
    "target": [1, 7, 0, 0],
}
EVENTS: dict[str, Any] = {
    "symbol": [1, 3, 0, 0],
    "repeats": [1, 1, 5, 2],
    "position": [10, 12, 62, 100],
    "instructions": 103,
}


def sites(**changed: Any) -> Sites:
    return Sites(**{**SITES, **changed})


def events(**changed: Any) -> Events:
    return Events(sites(), **{**EVENTS, **changed})


def test_a_site_has_a_name_and_a_row() -> None:
    named = sites(function=("f", "f", "", "g"), callee=("", "g", "", ""), line=[1, 2, 0, 0])
    assert [named.name(row) for row in (0, 3)] == ["loop /bin/a+0x4", "return /lib/b+0x9"]
    frame = named.frame()
    assert frame["kind"].tolist() == ["loop", "call", "return", "return"]
    assert frame["target_module"].isna().tolist() == [False, False, True, True]
    assert list(frame.columns[-3:]) == ["function", "line", "callee"]


def test_instructions_between_events_and_the_tail_sum_to_the_thread() -> None:
    trace = events()
    assert trace.since.tolist() == [10, 2, 50, 38]
    assert trace.since.sum() + (trace.instructions - trace.position[-1]) == 103
    assert trace.frame()["repeats"].tolist() == [1, 1, 5, 2]
    assert len(trace.pruned) == 0 and repr(trace) == "<Events: events=4, sites=4, instructions=103, thread=0>"


def test_a_trace_in_memory_is_read_at_once() -> None:
    whole: Trace = events()
    (chunk,) = whole.chunks()
    assert [column.tolist() for column in chunk] == [
        events().symbol.tolist(),
        events().repeats.tolist(),
        events().position.tolist(),
    ]
    assert list(events(symbol=[], repeats=[], position=[]).chunks()) == []


def test_a_thread_without_events_is_a_trace() -> None:
    none = events(symbol=[], repeats=[], position=[])
    assert len(none) == 0 and len(none.since) == 0


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"module": [0, 0, 2, 1]}, "row 2: a site names a module"),
        ({"target_module": [0, 1, -2, -1]}, "row 2: a site leads to a module"),
        ({"kind": [0, 2, 4, 3]}, "row 2: a site is of an unknown kind"),
        ({"kind": [0, 3, 3, 3]}, r"row 2: two sites are the return /bin/a\+0x9"),
        ({"line": [0, -1, 0, 0]}, "row 1: a site is on a negative line"),
        ({"callee": ("g",)}, "1 callee names for 4 sites"),
    ],
)
def test_impossible_sites_are_refused(changed: dict[str, Any], message: str) -> None:
    with pytest.raises(DataError, match=message):
        sites(**changed)


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"symbol": [1, 4, 0, 0]}, "row 1: an event is of a site that is not there"),
        ({"symbol": [1, -1, 0, 0]}, "row 1: an event is of a site that is not there"),
        ({"repeats": [1, 1, 0, 1]}, "row 2: an event happened less than once"),
        ({"position": [0, 12, 62, 100]}, "row 0: an event is not after"),
        ({"position": [10, 62, 62, 100]}, "row 2: an event is not after"),
        ({"position": [10, 12, 62, 104]}, "row 3: an event is beyond"),
        ({"run": -1}, "negative"),
        ({"symbol": [1, 3, 0]}, "column symbol has 3 rows instead of 4"),
    ],
)
def test_impossible_traces_are_refused(changed: dict[str, Any], message: str) -> None:
    with pytest.raises(DataError, match=message):
        events(**changed)


@pytest.mark.parametrize("instructions", [-5, 2**63, 5.5, None, "a"])
def test_a_thread_has_a_number_of_instructions(instructions: Any) -> None:
    for changed in ({}, {name: [] for name in ("symbol", "repeats", "position")}):
        with pytest.raises((DataError, UsageError), match="instructions"):
            events(instructions=instructions, **changed)
