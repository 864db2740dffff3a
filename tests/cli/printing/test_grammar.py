"""The printed grammar: loop nests as trees, with shares that add up."""

from __future__ import annotations

import json

import pytest
from tests.intervals.loop_nests import CALL, INNER, SIBLINGS, SITES, events, rounds, zip_like

from phasemark.cli.printing import grammar as shown
from phasemark.errors import UsageError
from phasemark.intervals import Repetition, event_name, prune
from phasemark.model import Sites
from phasemark.workflow.grammar import GrammarOptions, grammars


def test_a_loop_nest_is_seen() -> None:
    lines = shown.lines(grammars([zip_like()]))
    assert lines[0].startswith("thread 0: 27,142 instructions, 1,158 events, ")
    assert [" ".join(line.split()) for line in lines[1:5]] == [
        "share instructions times each what repeats",
        "100.0% 27,135 6 4,522 rule 2: loop in zip_file, zip.c:90",
        "95.5% 25,920 288 90 rule 7: loop in deflate, deflate.c:760",
        "63.7% 17,280 1,728 10 loop in longest_match, deflate.c:410",
    ]
    assert lines[4].index("loop") == lines[2].index("rule 2") + 4, "each within the one above"
    assert lines[-1].endswith("the rest")


def test_siblings_stand_side_by_side() -> None:
    lines = shown.lines(grammars([rounds(40)], GrammarOptions(most=1)))
    at = [lines[row].index("loop") for row in range(3, 6)]
    assert "loop in main, nest.c:35" in lines[2]
    assert len(set(at)) == 1 and all("main" not in line for line in lines[3:])


def test_a_sequence_is_called_by_what_it_is_made_of() -> None:
    made = Repetition(9, 3, 300, -1, made_of=((1, 1), (2, 1), (2, 96), (3, 1), (4, 20)))
    assert shown.title(SIBLINGS, made) == "init, matmul x 96, sort_keys, stencil x 20"
    assert shown.title(SITES, Repetition(9, 3, 300, -1, made_of=((CALL, 1),))) == "longest_match"
    long = shown.title(SIBLINGS, Repetition(9, 3, 300, -1, made_of=((1, 1), (4, 20)) * 9))
    assert long.endswith(", ...") and len(long) < 72
    assert shown.title(SIBLINGS, Repetition(9, 3, 300, -1)) == "a sequence"


def test_shares_of_rules_and_of_the_rest_are_the_whole() -> None:
    (thread,) = grammars([zip_like()]).threads
    assert thread.rest + sum(one.instructions for one in thread.repetitions) == thread.events.instructions


def test_each_thread_stands_for_itself_and_one_without_events_is_noted() -> None:
    result = grammars([zip_like(), events([], thread=1), events([(CALL, 1, 5)], run=2)])
    text = "\n".join(shown.lines(result))
    assert "thread 1: 7 instructions, 0 events, 0 rules (0 symbols)\nnothing of weight repeats" in text
    assert "thread 0 of run 2: 12 instructions, 1 event" in text
    assert text.endswith("note: no event in the trace of thread 1")


def test_a_thread_whose_events_were_all_left_out_says_how_to_keep_them() -> None:
    busy = events([(CALL, 1, 5)] * 40)
    assert shown.lines(grammars([prune(busy, every=1000)]))[-1] == (
        "note: all events of thread 0 were left out: each of their places recurs more often than once in "
        "1,000 instructions; with --every 0, none is"
    )
    assert not grammars([prune(busy, every=0)]).notes


def test_places_are_called_as_they_are_where_phases_begin_with_them() -> None:
    called = Repetition(0, 3, 300, CALL)
    assert shown.title(SITES, called) == event_name(SITES, CALL) == "call of longest_match, deflate.c:733"
    long = Sites(SITES.modules, [0], [16], [0], [0], [8], function=("f" * 60,))
    title = shown.title(long, Repetition(0, 3, 300, 0))
    assert title.startswith("loop in fff") and title.endswith("fff at 0x10") and len(title) == 60


def test_everything_is_in_the_summary() -> None:
    result = grammars([zip_like()], GrammarOptions(most=2, smallest=0))
    (thread,) = json.loads(json.dumps(shown.summary(result)))["threads"]
    assert len(thread["repetitions"]) <= 2
    assert thread["repetitions"][0]["place"] == "loop in zip_file, zip.c:90"
    assert thread["events"] == 1158
    assert event_name(SITES, INNER) in json.dumps(thread)


@pytest.mark.parametrize("options", [{"most": 0}, {"depth": 0}, {"inside": 0}, {"smallest": 1.5}])
def test_options_that_make_no_sense_are_refused(options: dict[str, float]) -> None:
    with pytest.raises(UsageError, match=next(iter(options))):
        GrammarOptions(**options)  # type: ignore[arg-type]
