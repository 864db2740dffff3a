"""The heaviest rules of a trace, told with exact counts wherever they are told of."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.intervals.loop_nests import (
    BLOCK,
    CALL,
    INNER,
    OUTER,
    RETURN,
    SIBLINGS,
    SITES,
    events,
    rounds,
    zip_like,
)

from phasemark import _core
from phasemark.errors import DataError
from phasemark.intervals import Grammar, Repetition, heaviest, sequitur
from phasemark.model import Events, Sites

Occurrence = tuple[int, int, int]


def occurrences(
    grammar: Grammar, marked: Sequence[int] = (), rule: int = 0, start: int = 0
) -> list[Occurrence]:
    """Rule, first event and end of each occurrence, by walking: those within marked rules left out."""
    found, at = [], start
    for symbol in grammar.rules[rule].tolist():
        size = 1 if symbol >= 0 else int(grammar.lengths[-symbol])
        if -symbol in marked:
            found.append((-symbol, at, at + size))
        elif symbol < 0:
            found += occurrences(grammar, marked, -symbol, at)
        at += size
    return [*found, (rule, start, at)]


tokens = st.lists(st.tuples(st.integers(0, 4), st.integers(1, 3), st.integers(1, 9)), min_size=1, max_size=60)


def test_several_branches_to_where_a_loop_begins_are_one_loop() -> None:
    """As of a `continue`: two of five turns end with another branch than the others."""
    sites = Sites(("/bin/a",), [0] * 3, [90, 80, 300], [0] * 3, [0] * 3, [10, 10, 5])
    symbol = np.tile([0, 0, 1, 0, 1, 2], 40)
    since = np.where(symbol == 2, 20, 100)
    trace = Events(sites, symbol, np.ones(240, int), np.cumsum(since), int(since.sum()))
    (outer,) = heaviest(sequitur(symbol), trace, most=1)
    assert outer.site == 2
    (inner,) = outer.inside
    assert (inner.site, inner.times, inner.instructions) == (0, 5 * outer.times, 500 * outer.times)


@given(tokens=tokens, data=st.data())
def test_weights_are_those_of_a_plain_walk(tokens: list[Occurrence], data: st.DataObject) -> None:
    trace = events(tokens)
    grammar = sequitur(trace.symbol)
    marked = data.draw(st.sets(st.integers(1, max(1, len(grammar) - 1)), max_size=3))
    marks = np.zeros(len(grammar) + 1, np.uint8)
    marks[list(marked)] = 1
    bounds = np.concatenate(([0], trace.position))
    arrays = grammar.symbols, grammar.offsets, grammar.lengths, marks[: len(grammar)]
    walked = occurrences(grammar, [m for m in marked if m < len(grammar)])
    expected: Counter[int] = Counter()
    for rule, first, end in walked:
        expected[rule] += int(bounds[end] - bounds[first])
        if rule not in marked:
            within = [one for one in walked if one[0] in marked and first <= one[1] and one[2] <= end]
            expected[rule] -= sum(int(bounds[one[2]] - bounds[one[1]]) for one in within)
    assert _core.covered(*arrays, bounds).tolist() == [expected[rule] for rule in range(len(grammar))]
    rules, starts = _core.marked_starts(*arrays)
    assert sorted(zip(rules.tolist(), starts.tolist(), strict=True)) == sorted(
        (rule, first) for rule, first, _ in walked if rule in marked
    )


def everything(told: Sequence[Repetition]) -> list[Repetition]:
    return [one for top in told for one in (top, *everything(top.inside))]


@given(tokens=tokens, depth=st.integers(1, 4))
def test_what_is_told_is_disjoint_and_nests(tokens: list[Occurrence], depth: int) -> None:
    trace = events(tokens)
    told = heaviest(sequitur(trace.symbol), trace, most=5, depth=depth, smallest=0)
    assert sum(one.instructions for one in told) <= trace.position[-1]
    assert [one.instructions for one in told] == sorted((one.instructions for one in told), reverse=True)
    for one in everything(told):
        assert sum(part.instructions for part in one.inside) <= one.instructions
        assert one.times >= 1
        assert one.rule or not one.inside
        assert one.site < 0 or one.site not in [part.site for part in one.inside], "no loop within itself"


def test_a_loop_nest_is_told_by_its_loops() -> None:
    trace = zip_like()
    told = heaviest(sequitur(trace.symbol), trace)
    assert sum(one.instructions for one in told) > 0.9 * trace.instructions
    nest = [told[0]]
    while nest[-1].inside:
        nest.append(nest[-1].inside[0])
    assert [one.site for one in nest] == [BLOCK, OUTER, INNER]
    assert [one.times for one in nest] == [6, 6 * 48, 6 * 48 * 6]
    # Every iteration is counted once, with its own instructions: they are of different lengths.
    inner = [one for one in everything(told) if not one.rule and one.site == INNER]
    assert inner, "the heaviest event within an iteration"
    assert sum(one.instructions for one in inner) == 10 * sum(one.times for one in inner)


def test_occurrences_of_one_rule_count_with_their_own_instructions() -> None:
    trace = events([(0, 1, 10), (1, 1, 20), (0, 1, 1), (1, 1, 2), (2, 1, 5)])
    (only,) = heaviest(sequitur(trace.symbol), trace, smallest=0)
    assert (only.rule, only.times, only.instructions) == (1, 2, 33)
    assert only.site == OUTER, "its branch comes once in each, and its code encloses the other"
    assert [(part.site, part.times, part.instructions) for part in only.inside] == [(1, 2, 22)]


def test_repeats_of_an_event_count() -> None:
    trace = events([(INNER, 8, 80), (RETURN, 1, 1)] * 2)
    (only,) = heaviest(sequitur(trace.symbol), trace)
    assert (only.site, only.made_of) == (-1, ((INNER, 1), (RETURN, 1))), "no turn of a loop: a sequence"
    assert [(part.site, part.times) for part in only.inside] == [(INNER, 16), (RETURN, 2)]


@pytest.mark.parametrize("sites", [[], [CALL], [CALL, INNER, OUTER, BLOCK]])
def test_where_nothing_repeats_nothing_is_told(sites: list[int]) -> None:
    trace = events([(site, 1, 3) for site in sites])
    assert heaviest(sequitur(trace.symbol), trace) == ()


def test_a_rule_that_repeats_another_is_that_one_so_much_more_often() -> None:
    body = [(CALL, 1, 4), (RETURN, 1, 6)]
    trace = events([*body * 13, (BLOCK, 1, 1), *body * 8, (OUTER, 1, 1), *body * 5])
    (only,) = heaviest(sequitur(trace.symbol), trace)
    assert (only.times, only.instructions) == (26, 260)
    assert [(part.site, part.times) for part in only.inside] == [(RETURN, 26), (CALL, 26)]


def test_loops_side_by_side_are_within_what_calls_them_and_not_within_each_other() -> None:
    trace = rounds(40)
    main, *others = heaviest(sequitur(trace.symbol), trace, inside=9, smallest=0.02)
    names = dict(zip(SIBLINGS.function, range(len(SIBLINGS)), strict=True))
    assert not others
    assert (main.site, main.times) == (names["main"], 39), "the first round has no turn before it"
    assert {part.site: part.times for part in main.inside} == {
        names["stencil"]: 39 * 19,
        names["matmul"]: 39 * 39,
        names["init"]: 39 * 1600,
    }
    assert not any(names["matmul"] in [one.site for one in part.inside] for part in everything(main.inside))


@pytest.mark.parametrize("turns", [8, 12, 13, 31, 100])
@pytest.mark.parametrize("turned", range(4))
def test_doublings_of_a_loop_and_its_rotations_are_one(turns: int, turned: int) -> None:
    body = [(CALL, 1, 4), (INNER, 3, 6), (RETURN, 1, 1), (OUTER, 1, 9)]
    nest = [*body * turns][turned:]
    trace = events([*nest, (BLOCK, 1, 1), *nest, (BLOCK, 1, 1)] * 3)
    told = everything(heaviest(sequitur(trace.symbol), trace, smallest=0.1))
    outer = [one for one in told if one.site == OUTER]
    assert 1 <= len(outer) <= 2, "one a sequence, and one of what is in none"
    assert 6 * (turns - 3) <= sum(one.times for one in outer) <= 6 * turns
    for one in filter(lambda one: one.rule, outer):
        assert one.instructions // one.times in (18, 19, 20)
        assert OUTER not in [part.site for part in everything(one.inside)]


def test_of_two_loops_in_a_turn_the_outer_one_closes_it_wherever_it_is_cut() -> None:
    sites = replace(SITES, offset=[100, 60, 55, 200, 300])
    turn = [(RETURN, 1, 4), (OUTER, 1, 9), (CALL, 1, 2), (INNER, 1, 4)]
    for turned in range(4):
        trace = replace(events((turn * 41)[turned:][:160]), sites=sites)
        (told,) = heaviest(sequitur(trace.symbol), trace)
        assert told.site == OUTER
        assert {part.site for part in told.inside} == {RETURN, CALL, INNER}


def test_a_loop_does_not_close_what_is_beside_it_in_its_function() -> None:
    sites = replace(SITES, offset=[100, 60, 40, 200, 300], target=[90, 50, 190, 0, 280])
    one = [(INNER, 5, 4), (CALL, 1, 2), (OUTER, 1, 9)]
    trace = replace(events(one * 40), sites=replace(sites, function=("deflate",) * 5))
    assert [one.site for one in heaviest(sequitur(trace.symbol), trace)] == [-1]


def test_a_part_of_a_round_is_a_sequence_named_in_order() -> None:
    block, outer = (BLOCK, 1, 90), (OUTER, 1, 10)
    tokens = [(CALL, 1, 5), (RETURN, 1, 50), (INNER, 9, 90)]
    trace = events([*tokens, block, *tokens, outer, *tokens])
    (part, *_) = heaviest(sequitur(trace.symbol), trace)
    assert (part.site, part.times) == (-1, 3)
    assert part.made_of == ((CALL, 1), (RETURN, 1), (INNER, 1))


def test_a_run_of_one_site_is_told_as_that_event() -> None:
    trace = Events(
        zip_like().sites, np.zeros(2**20, np.int32), np.ones(2**20), np.arange(1, 2**20 + 1), 2**20
    )
    (only,) = heaviest(sequitur(trace.symbol), trace)
    assert only == Repetition(rule=0, times=2**20, instructions=2**20, site=OUTER)


def test_a_grammar_of_other_events_is_refused() -> None:
    with pytest.raises(DataError, match="a grammar of 2 events was given with 3"):
        heaviest(sequitur([1, 1]), events([(1, 1, 1)] * 3))
