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

    The heaviest rule is taken first, then the heaviest of what is outside it, and so on. Occurrences of a
    rule differ in instructions, so each counts with its own. Time is linear in the events, times `most` and
    `depth`; so is memory, once.

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
    told = [teller.tell(rule, starts, depth) for rule, starts in teller.choose(most)]
    return tuple(sorted(told, key=lambda one: -one.instructions))


class _Teller:
    def __init__(self, grammar: Grammar, events: Events, inside: int, least: float) -> None:
        self.grammar = grammar
        self.events = events
        self.bounds = np.concatenate(([0], events.position))
        self.inside = inside
        self.least = least

    def choose(self, most: int) -> list[tuple[int, NDArray[np.int64]]]:
        """Rules and the events at which they begin; those within another one that was chosen are left out."""
        grammar = self.grammar
        arrays = grammar.symbols, grammar.offsets, grammar.lengths
        chosen = np.zeros(len(grammar), np.uint8)
        order: list[int] = []
        while len(order) < most:
            weights = _core.covered(*arrays, chosen, self.bounds)
            weights[0] = 0
            weights[order] = 0
            if (heaviest := int(np.argmax(weights))) == 0 or weights[heaviest] < self.least:
                break
            order.append(heaviest)
            chosen[heaviest] = 1
        rules, starts = _core.marked_starts(*arrays, chosen)
        return [(rule, starts[rules == rule]) for rule in order if (rules == rule).any()]

    def tell(self, rule: int, starts: NDArray[np.int64], depth: int) -> Repetition:
        """A rule that occurs from these events on."""
        parts = self.parts(rule, starts)
        took = self.took(-rule, starts)
        heaviest = parts[0]
        if len(parts) == 1 and heaviest[0] >= 0:  # one event, again and again
            return self.event(*heaviest)
        if heaviest[0] < 0 and heaviest[2] >= _ALL_BUT * took and all(part[0] < 0 for part in parts):
            return self.tell(-heaviest[0], heaviest[1], depth)
        shown = [part for part in parts if part[2] >= self.least][: self.inside] if depth > 1 else []
        inside = tuple(
            self.event(symbol, at, instructions) if symbol >= 0 else self.tell(-symbol, at, depth - 1)
            for symbol, at, instructions in shown
        )
        return Repetition(rule, len(starts), took, self.site(rule, starts), inside)

    def event(self, symbol: int, at: NDArray[np.int64], instructions: int) -> Repetition:
        return Repetition(0, int(self.events.repeats[at].sum()), instructions, symbol)

    def parts(self, rule: int, starts: NDArray[np.int64]) -> list[tuple[int, NDArray[np.int64], int]]:
        """The different symbols of a rule, the events they begin at, their instructions; heaviest first."""
        symbols = self.grammar.rules[rule]
        sizes = np.where(symbols < 0, self.grammar.lengths[np.maximum(-symbols, 0)], 1)
        before = np.cumsum(sizes) - sizes
        found = []
        for symbol in dict.fromkeys(symbols.tolist()):
            at = (starts[:, None] + before[symbols == symbol]).ravel()
            found.append((symbol, at, self.took(symbol, at)))
        return sorted(found, key=lambda part: -part[2])

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
