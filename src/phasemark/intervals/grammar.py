"""Sequitur: a string of symbols -> the grammar of its repetitions ("Variable length intervals" 8.1.2)."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, overload

import numpy as np
from numpy.typing import ArrayLike, NDArray

from phasemark import _core
from phasemark.errors import DataError, UsageError, WorkError, counted
from phasemark.model import _show
from phasemark.model._check import Value, column, put, require
from phasemark.model.options import require_given, require_whole

if TYPE_CHECKING:
    import pandas as pd


class Rules(Sequence[NDArray[np.int64]]):
    """The right-hand sides of a grammar's rules, each a view: none is copied."""

    def __init__(self, symbols: NDArray[np.int64], offsets: NDArray[np.int64]) -> None:
        self._symbols, self._offsets = symbols, offsets

    def __len__(self) -> int:
        return len(self._offsets) - 1

    @overload
    def __getitem__(self, rule: int) -> NDArray[np.int64]: ...
    @overload
    def __getitem__(self, rule: slice) -> list[NDArray[np.int64]]: ...
    def __getitem__(self, rule: int | slice) -> NDArray[np.int64] | list[NDArray[np.int64]]:
        if isinstance(rule, slice):
            return [self[at] for at in range(*rule.indices(len(self)))]
        if not -len(self) <= rule < len(self):
            raise IndexError(f"there is no rule {rule}")
        rule %= len(self)
        return self._symbols[self._offsets[rule] : self._offsets[rule + 1]]

    def __repr__(self) -> str:
        return f"<{counted(len(self), 'rule')}>"


@dataclass(frozen=True, eq=False, repr=False)
class Grammar(Value):
    """A grammar whose rule 0, S, stands for one string of terminals.

    Symbols are numbers: s >= 0 is a terminal, -r is rule r. A rule is made of terminals and of rules with
    larger numbers alone: what a rule needs of its parts, one walk over the rules from the last to the first
    finds, and what parts need of the rules they are in, one from the first to the last.

    Attributes:
        symbols: the right-hand sides of all rules, one after the other, int64.
        offsets: rule r is `symbols[offsets[r]:offsets[r + 1]]`, int64, one more than there are rules.

    Raises:
        DataError: no rule, an empty rule other than S, a rule made of itself, of one with a smaller number or
            of one that is not there, or 2^63 terminals and more.
    """

    symbols: NDArray[np.int64]
    offsets: NDArray[np.int64]

    def __post_init__(self) -> None:
        put(self, "symbols", column("symbols", self.symbols, np.int64))
        put(self, "offsets", column("offsets", self.offsets, np.int64))
        self._check()

    def _check(self) -> None:
        if len(self.offsets) < 2 or self.offsets[0] != 0 or self.offsets[-1] != len(self.symbols):
            raise DataError("the offsets do not lead from 0 to the number of symbols")
        sizes = np.diff(self.offsets)
        require(sizes >= (np.arange(len(sizes)) > 0), "a rule has no symbol")
        of = np.repeat(np.arange(len(sizes)), sizes)
        # Compared as they are: the least number of 64 bits has no counterpart.
        require((self.symbols >= 0) | (self.symbols < -of), "a rule uses itself or one before it")
        require(self.symbols > -len(sizes), "a rule uses one that is not there")
        if _core.expanded_lengths(self.symbols, self.offsets) is None:
            raise DataError("the grammar stands for more symbols than 64 bits can count")

    @property
    def rules(self) -> Rules:
        """The rules' right-hand sides, S first: a sequence of arrays, views of `symbols`."""
        return Rules(self.symbols, self.offsets)

    @cached_property
    def lengths(self) -> NDArray[np.int64]:
        """How many terminals each rule stands for, int64."""
        return self._each(_core.expanded_lengths(self.symbols, self.offsets))

    @cached_property
    def occurrences(self) -> NDArray[np.int64]:
        """How often each rule stands in the whole expansion of S, int64; S itself once."""
        return self._each(_core.expanded_uses(self.symbols, self.offsets))

    def uses(self, rule: int) -> int:
        """How often a rule is used in the grammar: at least twice in one that Sequitur made; S never.

        Raises:
            UsageError: there is no such rule.
        """
        return int(self._uses[self._known(rule)])

    def expand(self, rule: int = 0) -> NDArray[np.int64]:
        """The terminals that a rule stands for, a new array.

        Raises:
            UsageError: there is no such rule.
            MemoryError: they do not fit the memory; `lengths` says how many they are.
        """
        return _core.expanded(self.symbols, self.offsets, self.lengths, self._known(rule))

    def __len__(self) -> int:
        return len(self.offsets) - 1

    @cached_property
    def _uses(self) -> NDArray[np.int64]:
        return np.bincount(-self.symbols[self.symbols < 0], minlength=len(self))

    def _known(self, rule: int) -> int:
        require_given(rule=rule)
        require_whole(rule=rule)
        if not 0 <= rule < len(self):
            raise UsageError(f"there is no rule {rule}", hint=f"rules are 0 to {len(self) - 1}")
        return int(rule)

    def _each(self, numbers: NDArray[np.int64] | None) -> NDArray[np.int64]:
        assert numbers is not None  # checked on construction; and no rule stands more often than terminals do
        numbers.flags.writeable = False
        return numbers

    def frame(self) -> pd.DataFrame:
        """A table, a row a rule: symbols (of its right-hand side), uses, occurrences, length (terminals)."""
        import pandas as pd

        columns = {"uses": self._uses, "occurrences": self.occurrences, "length": self.lengths}
        return pd.DataFrame({"symbols": np.diff(self.offsets), **columns})

    def __repr__(self) -> str:
        return _show.line(self, rules=len(self), symbols=len(self.symbols), terminals=int(self.lengths[0]))

    def _repr_html_(self) -> str:
        return _show.table(self, self.frame())


def sequitur(symbols: ArrayLike) -> Grammar:
    """The grammar that Sequitur finds in a string of symbols, in time linear in its length.

    No pair of neighbours stands in the grammar twice (those that overlap aside, as in `aaa`), and each rule
    but S is used at least twice. Rules are numbered as their last uses come up when the grammar is read from
    S on, rule after rule.

    Args:
        symbols: whole numbers >= 0, one-dimensional; int32 and int64 are read where they are.

    Raises:
        DataError: a symbol is negative (names the row) or no whole number, or there are several dimensions.
        WorkError: the grammar has more than 2^31 symbols and rules.

    Example:
        >>> [rule.tolist() for rule in sequitur([7, 8, 7, 8, 9]).rules]
        [[-1, -1, 9], [7, 8]]
    """
    string = _string(symbols)
    try:
        return Grammar(*_core.sequitur(string, _seed()))
    except OverflowError as error:
        hint = "leave out symbols that recur often (prune), or take the string in parts"
        raise WorkError("the grammar has more than 2^31 symbols and rules", hint=hint) from error


def _string(symbols: ArrayLike) -> NDArray[Any]:
    dtype = np.int32 if getattr(symbols, "dtype", None) == np.int32 else np.int64
    string = column("symbols", symbols, dtype)
    if len(string) and string.min() < 0:
        require(string >= 0, "a symbol is negative", hint="symbols are whole numbers from 0")
    return string


def _seed() -> int:
    """Another one each time: the grammar does not depend on it, and no string can be made to collide."""
    return int.from_bytes(os.urandom(8))
