"""The repetitions in a trace that cover most of a thread, each with what repeats within it."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from phasemark import _core
from phasemark.errors import DataError, counted
from phasemark.intervals.grammar import Grammar
from phasemark.model import SITE_KINDS, Events, Sites

#: A sequence of which one rule covers so much says nothing that that one does not.
_ALL_BUT = 0.9

#: Of rules that cover so much of what the heaviest does, the outermost is told of, and others within it.
_ABOUT = 0.9

#: Parts that a rule is taken apart into; what would be more stays a rule.
_PARTS = 512

#: Share of a sequence from which on a part of it is among those that it is called by.
_NAMED = 0.005

_LOOP = SITE_KINDS.index("loop")


@dataclass(frozen=True)
class Repetition:
    """What a rule, or an event on its own, did at the places where it is told of.

    Attributes:
        rule: number in the grammar; 0: an event on its own. Of several that are turns of one loop, the
            heaviest.
        times: how often it occurred there; of an event, its repeats included.
        instructions: that these took together.
        site: row of the trace's sites that names it: of an event its own, of a rule the loop that it is one
            turn of; -1: a sequence, which no loop closes.
        inside: the heaviest of what it is made of, counted at the same places.
        made_of: of a sequence the site and how often in succession of each part of weight, in order.
    """

    rule: int
    times: int
    instructions: int
    site: int
    inside: tuple[Repetition, ...] = ()
    made_of: tuple[tuple[int, int], ...] = ()


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
    that repeats another one in succession, as loops become them, is that one, so much more often; rules side
    by side that are turns of one loop are told as one; a rule that is neither is taken apart. Time is
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
    least = max(1.0, smallest * events.instructions)
    teller = _Teller(grammar, events, least)
    told = teller.merged(teller.tell(symbol, starts, depth) for symbol, starts in teller.choose(most))
    return tuple(_trimmed(one, inside, least) for one in told)


class _Teller:
    def __init__(self, grammar: Grammar, events: Events, least: float) -> None:
        self.grammar = grammar
        self.events = events
        self.bounds = np.concatenate(([0], events.position))
        self.least = least
        self.root = _roots(grammar)
        self.repeated = _repeated(grammar, self.root)
        self.head = _heads(events.sites)
        self.closed: dict[int, tuple[int, int]] = {}

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
            size = self.size(root)
            again = np.arange(0, grammar.lengths[rule], size)
            found.setdefault(root, []).append((starts[rules == rule][:, None] + again).ravel())
        return [(symbol, np.concatenate(parts)) for symbol, parts in found.items()]

    def tell(self, symbol: int, starts: NDArray[np.int64], depth: int) -> Repetition:
        """A rule that occurs from these events on, or these events."""
        while True:
            took = self.took(symbol, starts)
            if symbol >= 0:
                return Repetition(0, int(self.events.repeats[starts].sum()), took, symbol)
            site, turns = self.turns(-symbol, starts)
            order = self.parts(-symbol, starts)
            parts = self.different(order, starts)
            inner, at, weight = parts[0]
            if site >= 0 or inner >= 0 or weight < _ALL_BUT * took:
                break
            # All but the same: told in its place. Thousands of rules may be so, each in the next.
            symbol, starts = inner, at
        # Turns of one loop become heavy together: what is too light to be told is left out after that.
        shown = (
            [part for part in parts if not self.same(part[0], site) and 16 * part[2] >= self.least]
            if depth > 1
            else []
        )
        inside = self.merged(self.tell(inner, at, depth - 1) for inner, at, _ in shown)
        once = [part for part in order if part[2] < self.size(symbol) // turns]
        made_of = self.made_of(once, starts, took // turns) if site < 0 else ()
        times = self.branches(symbol, starts, site) or turns * len(starts)
        return Repetition(-symbol, times, took, site, tuple(inside), made_of)

    def branches(self, symbol: int, starts: NDArray[np.int64], site: int) -> int:
        """How often a loop with several branches goes round in occurrences of a rule; 0 where it has one."""
        if site < 0:
            return 0
        symbols = self.events.symbol[int(starts[0]) : int(starts[0]) + self.size(symbol)]
        own = np.flatnonzero(self.head[symbols] == self.head[site])
        if (symbols[own] == site).all():
            return 0
        return int(self.events.repeats[(starts[:, None] + own).ravel()].sum())

    def parts(self, rule: int, starts: NDArray[np.int64]) -> list[tuple[int, int, int]]:
        """What a rule is made of, in order: symbol, times in succession, and the first's event within it.

        Rules that are neither repeated nor turns of a loop, another than its own, are taken apart in turn.
        """
        own = self.closing(rule, starts)
        parts = self.folded([(symbol, 1) for symbol in self.grammar.rules[rule].tolist()])
        whole = {0}
        while whole:
            whole = {
                symbol
                for symbol, _, at in parts
                if symbol < 0 and self._apart(own, self.closing(-symbol, starts + at), self.repeated[-symbol])
            }
            taken: list[tuple[int, int]] = []
            room = _PARTS - len(parts)
            for symbol, times, _ in parts:
                inner = self.grammar.rules[-symbol] if symbol in whole else None
                # Its own loop's turns always are: no loop is to be within itself.
                if inner is None or (len(inner) > room and self.closed[-symbol][0] < 0):
                    taken.append((symbol, times))
                    continue
                room -= len(inner)
                taken += [(one, 1) for one in inner.tolist()] * times
            after = self.folded(taken)
            if after == parts:
                break
            parts = after
        return parts

    @staticmethod
    def _apart(own: int, closing: int, repeated: bool) -> bool:
        return closing == own if closing >= 0 else not repeated

    def folded(self, parts: list[tuple[int, int]]) -> list[tuple[int, int, int]]:
        """The same with what is repeated in place of its repetitions, and alike neighbours as one."""
        folded: list[tuple[int, int, int]] = []
        at = 0
        for symbol, count in parts:
            root = int(self.root[-symbol]) if symbol < 0 else symbol
            times = count * self.size(symbol) // self.size(root)
            if folded and folded[-1][0] == root:
                root, before, first = folded.pop()
                folded.append((root, before + times, first))
            else:
                folded.append((root, times, at))
            at += count * self.size(symbol)
        return folded

    def different(
        self, order: list[tuple[int, int, int]], starts: NDArray[np.int64]
    ) -> list[tuple[int, NDArray[np.int64], int]]:
        """The different symbols of a rule, the events they begin at, their instructions; heaviest first."""
        within: dict[int, list[NDArray[np.int64]]] = {}
        for symbol, times, at in order:
            within.setdefault(symbol, []).append(at + np.arange(times) * self.size(symbol))
        found = []
        for symbol, each in within.items():
            begun = (starts[:, None] + np.concatenate(each)).ravel()
            found.append((symbol, begun, self.took(symbol, begun)))
        return sorted(found, key=lambda part: -part[2])

    def made_of(
        self, order: list[tuple[int, int, int]], starts: NDArray[np.int64], took: int
    ) -> tuple[tuple[int, int], ...]:
        """Sites and times of the parts of weight, in order; of a sequence the heaviest event's site."""
        named: list[tuple[int, int]] = []
        for symbol, times, at in order:
            begins, ends = starts + at, starts + at + times * self.size(symbol)
            if (self.bounds[ends] - self.bounds[begins]).sum() < _NAMED * took:
                continue
            site = symbol if symbol >= 0 else self.closing(-symbol, begins)
            if site < 0:
                first, end = int(begins[0]), int(ends[0])
                since = np.diff(self.bounds[first : end + 1])
                site = int(np.bincount(self.events.symbol[first:end], since).argmax())
            named.append((site, times))
        return tuple(named)

    def same(self, symbol: int, site: int) -> bool:
        """Whether a symbol is an event of the loop that a site is of."""
        return symbol >= 0 and site >= 0 and bool(self.head[symbol] == self.head[site])

    def merged(self, told: Iterable[Repetition]) -> list[Repetition]:
        """Heaviest first, with turns of one loop, as its rotations, and its events as one.

        A loop may have several branches back to where it begins, as of a `continue`.
        """
        alike: dict[tuple[int, int], list[Repetition]] = {}
        for one in told:
            key = (int(self.head[one.site]), 0) if one.site >= 0 else (-1, one.rule)
            alike.setdefault(key, []).append(one)
        merged = [self._sum(ones) for ones in alike.values()]
        return sorted(merged, key=lambda one: -one.instructions)

    def _sum(self, ones: list[Repetition]) -> Repetition:
        return replace(
            max(ones, key=lambda one: (one.rule > 0, one.instructions)),
            times=sum(one.times for one in ones),
            instructions=sum(one.instructions for one in ones),
            inside=tuple(self.merged(part for one in ones for part in one.inside)),
        )

    def size(self, symbol: int) -> int:
        """How many events a symbol stands for."""
        return int(self.grammar.lengths[-symbol]) if symbol < 0 else 1

    def took(self, symbol: int, starts: NDArray[np.int64]) -> int:
        """The instructions of occurrences."""
        return int((self.bounds[starts + self.size(symbol)] - self.bounds[starts]).sum())

    def closing(self, rule: int, starts: NDArray[np.int64]) -> int:
        """The site of the loop that a rule is turns of; -1: it is a sequence."""
        return self.turns(rule, starts)[0]

    def turns(self, rule: int, starts: NDArray[np.int64]) -> tuple[int, int]:
        """That, and how often the rule's events are the same ones in succession."""
        if rule not in self.closed:
            first, size = int(starts[0]), int(self.grammar.lengths[rule])
            times = _times(self.events.symbol[first : first + size])
            begun = (starts[:, None] + np.arange(times) * (size // times)).ravel()
            self.closed[rule] = self._closing(size // times, begun), times
        return self.closed[rule]

    def _closing(self, size: int, starts: NDArray[np.int64]) -> int:
        """The loop that so many events from each of these are one turn of.

        A loop's branch comes once in a turn, and is where the turn before, or the one after, has it. Of
        several, as loops that were left after two turns, it is one at the ends or whose code encloses others.
        """
        sites, events = self.events.sites, self.events
        first = int(starts[0])
        symbols = events.symbol[first : first + size]
        times = np.bincount(symbols)
        rank = []
        present = np.flatnonzero(times)
        for site in present[(times[present] == 1) & (sites.kind[present] == _LOOP)].tolist():
            at = int(np.flatnonzero(symbols == site)[0])
            alike = self._is(site, starts + at + size) | self._is(site, starts + at - size)
            if at == size - 1:
                alike |= self._is(site, starts - 1)
            if at == 0:
                alike |= self._is(site, starts + size)
            once = bool((events.repeats[starts + at] == 1).mean() > 0.5)
            encloses, beside = self._encloses(site, present)
            ends = at in (0, size - 1)
            if 2 * alike.sum() >= len(starts) and (encloses or (ends and once and not beside)):
                rank.append((once, ends, encloses, -at, site))
        return max(rank)[-1] if rank else -1

    def _is(self, site: int, at: NDArray[np.int64]) -> NDArray[np.bool_]:
        """Whether these events are there, and are the site's."""
        there = (at >= 0) & (at < len(self.events))
        there[there] = self.events.symbol[at[there]] == site
        return there

    def _encloses(self, loop: int, others: NDArray[np.int64]) -> tuple[int, bool]:
        """How many of the sites are in the loop's code; whether others of its function are not.

        None is where one of them is a loop around this one.
        """
        sites = self.events.sites
        others = others[(others != loop) & (sites.module[others] == sites.module[loop])]
        first, last = sites.target[loop], sites.offset[loop]
        offset = sites.offset[others]
        within = (offset >= first) & (offset <= last)
        around = (sites.kind[others] == _LOOP) & (sites.target[others] <= first) & (offset >= last)
        if around.any():
            return 0, True
        functions = sites.function or ()
        beside = bool(functions) and functions[loop] in [functions[one] for one in others[~within].tolist()]
        return int(within.sum()), beside


def _times(symbols: NDArray[np.int32]) -> int:
    """How often the same events follow one another, and nothing else."""
    counts = np.bincount(symbols)
    most = int(np.gcd.reduce(counts[counts > 0]))
    small = [number for number in range(1, math.isqrt(most) + 1) if most % number == 0]
    for times in sorted({*small, *(most // number for number in small)}, reverse=True)[:-1]:
        size = len(symbols) // times
        if np.array_equal(symbols[size:], symbols[:-size]):
            return times
    return 1


def _heads(sites: Sites) -> NDArray[np.int64]:
    """For each site the first that is of the same loop: where that begins tells; else itself."""
    heads = np.arange(len(sites))
    loops = np.flatnonzero(sites.kind == _LOOP)
    begins = np.stack([sites.module[loops], sites.target[loops]], axis=1)
    _, first, of = np.unique(begins, axis=0, return_index=True, return_inverse=True)
    heads[loops] = loops[first[of.ravel()]]
    return heads


def _trimmed(one: Repetition, inside: int, least: float) -> Repetition:
    shown = [part for part in one.inside if part.instructions >= least][:inside]
    return replace(one, inside=tuple(_trimmed(part, inside, least) for part in shown))


def _repeated(grammar: Grammar, root: NDArray[np.int64]) -> NDArray[np.bool_]:
    """The rules that are repeated in succession somewhere."""
    symbols = np.where(grammar.symbols < 0, root[np.maximum(-grammar.symbols, 0)], grammar.symbols)
    of = np.repeat(np.arange(len(grammar)), np.diff(grammar.offsets))
    again = symbols[1:][(symbols[1:] == symbols[:-1]) & (of[1:] == of[:-1])]
    repeated = np.zeros(len(grammar), np.bool_)
    repeated[-again[again < 0]] = True
    return repeated


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
