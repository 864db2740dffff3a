"""Sequitur and its twin: golden grammars, what must hold of every grammar, and strings that are hard."""

from __future__ import annotations

import json
import pickle
import signal
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.reference import sequitur as twin

from phasemark import _core
from phasemark.errors import DataError, UsageError, WorkError
from phasemark.intervals import Grammar, sequitur

Rules = list[list[int]]
GRAMMARS = {
    "aabaabaac": ("1 1 2 c", "2 b", "a a"),
    "abcdbcabcdbc": ("1 1", "a 2 d 2", "b c"),
    "abbbabcbb": ("1 2 1 c 2", "a b", "b b"),
    "": ("",),
    "a": ("a",),
    "aaa": ("a a a",),
    "aaaa": ("1 1", "a a"),
}


def fast(symbols: Sequence[int]) -> Rules:
    return [rule.tolist() for rule in sequitur(np.array(symbols, np.int64)).rules]


BOTH = pytest.mark.parametrize("sequitur_of", [twin.sequitur, fast], ids=["twin", "kernel"])


def check_invariants(rules: Rules, symbols: Sequence[int]) -> None:
    assert twin.expand(rules) == list(symbols)
    uses = Counter(-symbol for rule in rules for symbol in rule if symbol < 0)
    assert set(uses) == set(range(1, len(rules)))
    assert all(count >= 2 for count in uses.values()), "rule utility"
    assert all(len(rule) >= 2 for rule in rules[1:])
    places = defaultdict(list)
    for number, rule in enumerate(rules):
        for at, pair in enumerate(pairwise(rule)):
            places[pair].append((number, at))
            assert pair[0] >= 0 or -pair[0] > number, "a rule uses those after it alone"
    for pair, (first, *others) in places.items():
        overlaps = [(first[0], first[1] + 1)] if pair[0] == pair[1] else []
        assert others in ([], overlaps), "digram uniqueness"


@BOTH
@pytest.mark.parametrize("text", GRAMMARS)
def test_golden_grammars(sequitur_of: Callable[[Sequence[int]], Rules], text: str) -> None:
    rules = sequitur_of([ord(letter) for letter in text])
    assert GRAMMARS[text] == tuple(" ".join(chr(s) if s >= 0 else str(-s) for s in rule) for rule in rules)


def fibonacci(n: int) -> list[int]:
    shorter, word = [1], [0]
    while len(word) < n:
        shorter, word = word, word + shorter
    return word


def loops(depth: int) -> list[int]:
    """Loops in loops, each three times: its branch backwards, its body, its branch."""
    body = loops(depth - 1) if depth else [0]
    return [2 * depth + 1, *body, 2 * depth + 2] * 3


def calls_of(work: Callable[[], object]) -> list[int]:
    """What Python calls and returns from while it works: real code, as a string of symbols."""
    trace: list[int] = []
    numbers: dict[tuple[object, str], int] = {}

    def note(frame: object, event: str, argument: object) -> None:
        place = argument if event.startswith("c_") else frame.f_code  # type: ignore[attr-defined]
        trace.append(numbers.setdefault((place, event), len(numbers)))

    sys.setprofile(note)
    try:
        work()
    finally:
        sys.setprofile(None)
    return trace


WORDS = {
    "Fibonacci": fibonacci(600),
    "Thue-Morse": [at.bit_count() % 2 for at in range(700)],
    "loops": loops(4),
    "periods that shrink": [s for length in range(40, 0, -1) for s in range(length)],
    "copies with a fault": [s for fault in range(20) for s in [*range(15), 100 + fault, *range(15)]],
    "calls": calls_of(lambda: json.dumps(json.loads('{"a": [1, {"b": [2, 3]}]}'), indent=1))
    + calls_of(lambda: [str(np.dtype(kind)) for kind in ("i4", "f8") * 8]),
}


@BOTH
@pytest.mark.parametrize("name", WORDS)
def test_words_with_structure(sequitur_of: Callable[[Sequence[int]], Rules], name: str) -> None:
    rules = sequitur_of(WORDS[name])
    check_invariants(rules, WORDS[name])
    assert rules == twin.sequitur(WORDS[name])


@BOTH
@pytest.mark.parametrize("n", [*range(2, 70), 128, 255])
def test_runs_of_one_symbol(sequitur_of: Callable[[Sequence[int]], Rules], n: int) -> None:
    check_invariants(sequitur_of([5] * n), [5] * n)


# Strings made of pieces that come back repeat more than random letters do.
pieces = st.lists(st.lists(st.integers(0, 3), min_size=1, max_size=6), min_size=1, max_size=5)
repetitive = st.tuples(pieces, st.lists(st.integers(0, 4), max_size=30)).map(
    lambda drawn: [symbol for at in drawn[1] for symbol in drawn[0][at % len(drawn[0])]]
)
strings = st.one_of(
    repetitive,
    st.lists(st.integers(0, 1), max_size=80),
    st.lists(st.integers(0, 3), max_size=80),
    st.lists(st.sampled_from([0, 1, 2**31 - 1, 2**31, 2**32, 2**32 + 1, 2**63 - 1]), max_size=60),
    st.lists(st.integers(0, 2**63 - 1), max_size=20),
)


@given(string=strings)
def test_equals_the_twin_and_keeps_the_invariants(string: list[int]) -> None:
    rules = fast(string)
    check_invariants(rules, string)
    assert rules == twin.sequitur(string)


@pytest.mark.parametrize("alphabet", [2, 5, 50, 5_000, 2**40])
def test_long_strings_keep_the_invariants(alphabet: int) -> None:
    rng = np.random.default_rng(alphabet)
    string = rng.integers(0, alphabet, 30_000)
    string = np.concatenate([string, string[5_000:9_000], np.repeat(string[:500], 9), string])
    grammar = sequitur(string)
    check_invariants([rule.tolist() for rule in grammar.rules], string.tolist())
    assert np.array_equal(grammar.expand(), string)
    assert grammar.lengths[0] == len(string)


def test_a_symbol_repeated_very_often_takes_logarithmically_many_rules() -> None:
    grammar = sequitur(np.zeros(10_000_000, np.int32))
    assert len(grammar) < 30
    assert len(grammar.symbols) < 100
    assert np.array_equal(grammar.expand(), np.zeros(10_000_000))


def test_the_grammar_depends_on_no_seed_and_no_type() -> None:
    string = np.random.default_rng(1).integers(0, 9, 5_000)
    first, *others = [
        _core.sequitur(np.ascontiguousarray(string, dtype), seed)
        for dtype in (np.int32, np.int64)
        for seed in (0, 1, 2**64 - 1)
    ]
    for symbols, offsets in others:
        assert np.array_equal(symbols, first[0])
        assert np.array_equal(offsets, first[1])
    assert np.array_equal(sequitur(string[::-1].astype(np.uint8)).expand(), string[::-1])
    assert fast(string + 2**40) == [
        [s + 2**40 if s >= 0 else s for s in rule.tolist()] for rule in sequitur(string).rules
    ]


@pytest.mark.parametrize("dtype", [np.int32, np.int64])
def test_a_negative_symbol_is_refused_with_its_row(dtype: type) -> None:
    with pytest.raises(DataError, match="row 2: a symbol is negative"):
        sequitur(np.array([1, 0, -1, 4, -2], dtype))


@pytest.mark.parametrize("symbols", [[[1, 2]], [0.5], ["a"], np.array([2**63], np.uint64)])
def test_what_is_no_string_of_whole_numbers_is_refused(symbols: object) -> None:
    with pytest.raises(DataError):
        sequitur(symbols)  # type: ignore[arg-type]


def test_a_grammar_with_too_many_symbols_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    kernel = _core.sequitur
    monkeypatch.setattr(_core, "sequitur", lambda string, seed: kernel(string, seed, limit=2_000))
    assert len(sequitur(np.arange(1_900)).symbols) == 1_900
    assert len(sequitur(np.zeros(50_000, np.int64))) < 30, "not the string's length counts"
    with pytest.raises(WorkError, match="more than"):
        sequitur(np.arange(2_001))


def test_a_signal_is_seen_before_a_long_string_ends() -> None:
    string = np.zeros(400_000_000, np.int32)  # pages that nobody wrote to take no memory

    def interrupt(_signal: int, _frame: object) -> None:
        raise TimeoutError

    usual = signal.signal(signal.SIGPROF, interrupt)
    try:
        began = time.process_time()
        signal.setitimer(signal.ITIMER_PROF, 0.5)
        with pytest.raises(TimeoutError):
            _core.sequitur(string, 1)
        assert time.process_time() - began < 3.0
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, usual)


def grammar_of(*rules: list[int]) -> Grammar:
    offsets = np.cumsum([0, *map(len, rules)])
    return Grammar(np.array([symbol for rule in rules for symbol in rule], np.int64), offsets)


def test_a_grammar_tells_of_its_rules() -> None:
    grammar = sequitur([ord(letter) for letter in "aabaabaac"])
    assert len(grammar) == len(grammar.rules) == 3
    assert grammar.lengths.tolist() == [9, 3, 2]
    assert [grammar.uses(rule) for rule in range(3)] == [0, 2, 2]
    assert grammar.occurrences.tolist() == [1, 2, 3]
    assert bytes(grammar.expand(1).tolist()) == b"aab"
    assert [rule.tolist() for rule in grammar.rules[1:]] == [[-2, 98], [97, 97]]
    assert grammar.rules[-1].base is not None, "a view"
    assert repr(grammar) == "<Grammar: rules=3, symbols=8, terminals=9>"
    assert grammar.frame().loc[2].to_dict() == {"symbols": 2, "uses": 2, "occurrences": 3, "length": 2}
    assert "<table" in grammar._repr_html_()
    with pytest.raises(IndexError):
        grammar.rules[3]


def test_a_grammar_cannot_be_written_to() -> None:
    grammar = pickle.loads(pickle.dumps(sequitur([1, 2, 1, 2])))
    for array in (grammar.symbols, grammar.rules[1], grammar.lengths, grammar.occurrences):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 1
    grammar.expand()[0] = 9  # which is the caller's own


@pytest.mark.parametrize("rule", [-1, 3, "a", 0.5, None])
def test_a_rule_that_is_not_there(rule: int) -> None:
    grammar = grammar_of([-1, -2, 5], [-2, 3], [1, 2])
    for ask in (grammar.expand, grammar.uses):
        with pytest.raises(UsageError, match=r"there is no rule|rule is"):
            ask(rule)


@pytest.mark.parametrize(
    ("rules", "message"),
    [
        ([[-1, 0], [-1, 2]], "row 2: a rule uses itself"),
        ([[-1, -2], [1, 2], [-1, 3]], "row 4: a rule uses itself or one before"),
        ([[-1, -2], [1, 2]], "row 1: a rule uses one that is not there"),
        ([[-1, 1], []], "row 1: a rule has no symbol"),
        ([[-(2**63)], [1]], "one that is not there"),
        ([[-r, -r] for r in range(1, 64)] + [[1]], "more symbols than 64 bits"),
        ([], "offsets"),
    ],
)
def test_broken_grammars_are_refused(rules: Rules, message: str) -> None:
    with pytest.raises(DataError, match=message):
        grammar_of(*rules)


def test_rules_within_rules_a_million_deep() -> None:
    depth = 1_000_000
    symbols = np.empty(2 * depth, np.int64)
    symbols[::2] = -np.arange(1, depth + 1)
    symbols[1::2] = np.arange(depth)
    symbols[-2] = depth
    grammar = Grammar(symbols, np.arange(0, 2 * depth + 1, 2))
    assert np.array_equal(grammar.expand(), np.arange(depth + 1)[::-1])
    assert grammar.lengths[0] == depth + 1
    assert grammar.occurrences.max() == 1


def test_a_rule_that_stands_for_very_much() -> None:
    grammar = grammar_of(*[[-r, -r] for r in range(1, 26)], [7, 8])
    assert np.array_equal(grammar.expand(), np.tile([7, 8], 2**25))
    assert grammar.expand(25).tolist() == [7, 8]
