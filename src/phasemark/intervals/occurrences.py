"""Occurrences: where in the string the rules of a grammar stand, one within the other."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from phasemark.intervals.grammar import Grammar


@dataclass(frozen=True)
class Occurrences:
    """Symbols of right-hand sides at their places in the string, in its order.

    Attributes:
        symbol: terminal or -rule, int64.
        first, end: the terminals that it stands for, [first, end), int64.
        parent: number of the occurrence that it is a symbol of, among those given; of S: 0.
    """

    symbol: NDArray[np.int64]
    first: NDArray[np.int64]
    end: NDArray[np.int64]
    parent: NDArray[np.int64]

    def __len__(self) -> int:
        return len(self.symbol)

    def some(self, which: NDArray[np.bool_] | NDArray[np.int64]) -> Occurrences:
        """Some of them."""
        return Occurrences(self.symbol[which], self.first[which], self.end[which], self.parent[which])


def of_start(grammar: Grammar) -> Occurrences:
    """The symbols of S."""
    whole = np.zeros(1, np.int64)
    return within(grammar, Occurrences(whole, whole, grammar.lengths[:1], whole))


def within(grammar: Grammar, rules: Occurrences) -> Occurrences:
    """The symbols of the right-hand sides of some occurrences of rules; the parents are numbers of these."""
    begin = grammar.offsets[-rules.symbol]
    sizes = grammar.offsets[1 - rules.symbol] - begin
    before = np.cumsum(sizes) - sizes
    parent = np.repeat(np.arange(len(rules)), sizes)
    symbol = grammar.symbols[np.arange(len(parent)) + (begin - before)[parent]]
    covers = np.where(symbol >= 0, 1, grammar.lengths[np.maximum(-symbol, 0)])
    # A rule stands for as much as its symbols do, so that sums over all of them restart with each rule.
    covered = rules.end - rules.first
    end = np.cumsum(covers) + (rules.first - (np.cumsum(covered) - covered))[parent]
    return Occurrences(symbol, end - covers, end, parent)


def joined(*some: Occurrences) -> Occurrences:
    """Some, and others after them; the parents stay as they are."""
    return Occurrences(
        np.concatenate([one.symbol for one in some]),
        np.concatenate([one.first for one in some]),
        np.concatenate([one.end for one in some]),
        np.concatenate([one.parent for one in some]),
    )
