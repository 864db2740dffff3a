"""The repetitions in a trace that cover most of a thread, each with what repeats within it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from phasemark import _core
from phasemark.errors import DataError, counted
from phasemark.intervals.grammar import Grammar
from phasemark.model import SITE_KINDS, Events

#: A rule whose symbols are all rules, one of which covers so much of it, says nothing that that one does not.
_ALL_BUT = 0.9

#: Of rules that cover so much of what the heaviest does, the outermost is told of, and others within it.
_ABOUT = 0.9

_PREFERENCE = np.array([("loop", "indirect", "call", "return").index(kind) for kind in SITE_KINDS])


@dataclass(frozen=True)
class Repetition:
    """What a rule, or an event on its own, did at the places where it is told of.

    Attributes:
        rule: number in the grammar; 0: an event on its own.
        times: how often it occurred there; of an event, its repeats included.
        instructions: that these took together.
        site: row of the trace's sites that names it: the outermost loop's branch where it has one.
        inside: the heaviest of what it is made of, counted at the same places.
    """

    rule: int
    times: int
    instructions: int
    site: int
    inside: tuple[Repetition, ...] = ()


def heaviest(
    grammar: Grammar,
    events: Events,
    *,
    most: int = 10,
    depth: int = 4,
    inside: int = 3,
    smallest: float = 0.01,
) -> tuple[Repetition, ...]:
    """The rules that cover most instructions, none counted within another.

    The heaviest rule is taken first, of several about as heavy the outermost; then the heaviest of what is
    outside it, and so on. Occurrences of a rule differ in instructions, so each counts with its own. A rule
    that repeats another one in succession, as loops become them, is that one, so much more often. Time is
    linear in the events, times `most` and `depth`; so is memory, once.

    Args:
        grammar: of `events.symbol`.
        events: of one thread.
        most: rules.
        depth: levels, that of the rules included.
        inside: of each rule, so many of its parts.
        smallest: share of the thread below which nothing is told of.

    Raises:
        DataError: the grammar is not of these events.
    """
    if int(grammar.lengths[0]) != len(events):
        expanded = counted(int(grammar.lengths[0]), "event")
        raise DataError(f"a grammar of {expanded} was given with {len(events):,}")
    teller = _Teller(grammar, events, inside, max(1.0, smallest * events.instructions))
    told = [teller.tell(symbol, starts, depth) for symbol, starts in teller.choose(most)]
    return tuple(sorted(told, key=lambda one: -one.instructions))


class _Teller:
    def __init__(self, grammar: Grammar, events: Events, inside: int, least: float) -> None:
        self.grammar = grammar
        self.events = events
        self.bounds = np.concatenate(([0], events.position))
        self.inside = inside
        self.least = least
        self.root = _roots(grammar)

    def choose(self, most: int) -> list[tuple[int, NDArray[np.int64]]]:
        """Rules, or events, and where they begin; those within another one that was chosen are left out."""
        grammar = self.grammar
        arrays = grammar.symbols, grammar.offsets, grammar.lengths
        chosen = np.zeros(len(grammar), np.uint8)
        order: list[int] = []
        while len(order) < most:
            weights = _core.covered(*arrays, chosen, self.bounds)
            weights[0] = 0
            weights[order] = 0
            if weights.max() < self.least:
                break
            heavy = np.flatnonzero(weights >= _ABOUT * weights.max())
            outermost = int(heavy[np.argmin(grammar.occurrences[heavy])])
            order.append(outermost)
            chosen[outermost] = 1
        rules, starts = _core.marked_starts(*arrays, chosen)
        found: dict[int, list[NDArray[np.int64]]] = {}
        for rule in filter(set(rules.tolist()).__contains__, order):
            root = int(self.root[rule])
            size = int(self.sizes(self.root[rule : rule + 1])[0])
            again = np.arange(0, grammar.lengths[rule], size)
            found.setdefault(root, []).append((starts[rules == rule][:, None] + again).ravel())
        return [(symbol, np.concatenate(parts)) for symbol, parts in found.items()]

    def tell(self, symbol: int, starts: NDArray[np.int64], depth: int) -> Repetition:
        """A rule that occurs from these events on, or these events."""
        took = self.took(symbol, starts)
        if symbol >= 0:
            return Repetition(0, int(self.events.repeats[starts].sum()), took, symbol)
        parts = self.parts(-symbol, starts)
        heaviest = parts[0]
        if heaviest[0] < 0 and heaviest[2] >= _ALL_BUT * took and all(part[0] < 0 for part in parts):
            return self.tell(heaviest[0], heaviest[1], depth)
        shown = [part for part in parts if part[2] >= self.least][: self.inside] if depth > 1 else []
        inside = tuple(self.tell(inner, at, depth - 1) for inner, at, _ in shown)
        return Repetition(-symbol, len(starts), took, self.site(-symbol, starts), inside)

    def parts(self, rule: int, starts: NDArray[np.int64]) -> list[tuple[int, NDArray[np.int64], int]]:
        """The different symbols of a rule, the events they begin at, their instructions; heaviest first."""
        whole = self.grammar.rules[rule]
        symbols = np.where(whole < 0, self.root[np.maximum(-whole, 0)], whole)
        times = self.sizes(whole) // self.sizes(symbols)
        symbols = np.repeat(symbols, times)
        sizes = self.sizes(symbols)
        before = np.cumsum(sizes) - sizes
        found = []
        for symbol in dict.fromkeys(symbols.tolist()):
            at = (starts[:, None] + before[symbols == symbol]).ravel()
            found.append((symbol, at, self.took(symbol, at)))
        return sorted(found, key=lambda part: -part[2])

    def sizes(self, symbols: NDArray[np.int64]) -> NDArray[np.int64]:
        """How many events symbols stand for."""
        return np.where(symbols < 0, self.grammar.lengths[np.maximum(-symbols, 0)], 1)

    def took(self, symbol: int, starts: NDArray[np.int64]) -> int:
        """The instructions of occurrences."""
        size = 1 if symbol >= 0 else self.grammar.lengths[-symbol]
        return int((self.bounds[starts + size] - self.bounds[starts]).sum())

    def site(self, rule: int, starts: NDArray[np.int64]) -> int:
        """The loop whose branch is rarest in an occurrence: an outer one comes once, inner ones often.

        Without a loop it is a call, without that a return. Of several, the one whose events took longest.
        """
        first = int(starts[0])
        part = slice(first, first + int(self.grammar.lengths[rule]))
        sites, inverse = np.unique(self.events.symbol[part], return_inverse=True)
        times = np.bincount(inverse, self.events.repeats[part])
        took = np.bincount(inverse, self.events.since[part])
        kind = _PREFERENCE[self.events.sites.kind[sites]]
        return int(sites[np.lexsort((sites, -took, times, kind))[0]])


def _roots(grammar: Grammar) -> NDArray[np.int64]:
    """For each rule the symbol that it repeats, and nothing else; -rule where it does not."""
    symbols, offsets = grammar.symbols.tolist(), grammar.offsets.tolist()
    roots = [-rule for rule in range(len(grammar))]
    for rule in range(len(grammar) - 1, 0, -1):
        parts = {
            symbol if symbol >= 0 else roots[-symbol] for symbol in symbols[offsets[rule] : offsets[rule + 1]]
        }
        if len(parts) == 1:
            roots[rule] = parts.pop()
    return np.array(roots, np.int64)
