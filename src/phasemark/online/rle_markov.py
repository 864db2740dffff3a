"""The run-length-encoded Markov predictor, in the sizes of hardware."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass

from phasemark.errors import UsageError, shown
from phasemark.model.options import require_given, require_whole
from phasemark.online.predictors import CLASSES, LastValue, Predictor, Runs

#: How sure an entry can become, and how sure it is when it is made.
_SUREST, _BEGINS = 3, 1

_WORD = 2**64 - 1

#: A phase and how many intervals it lasted.
Run = tuple[int, int]


class RleMarkov(Predictor):
    """What followed when the last phases had lasted as long as they have now; else the phase stays.

    "Discovering and exploiting program phases", its second half (Sherwood, Sair and Calder, 2003; confidence
    and lengths: Lau, Schoenmackers and Calder, 2005). The key is the last n runs of equal phases, the one
    under way as long as it is so far. It names an entry of a table of small sets, in each of which the entry
    that was not used for longest gives way. What is not there is entered only when the phase changes. An
    entry grows surer each time that it was right and less sure each time that it was wrong, and is replaced
    when it was not sure.
    A second table of the same size foretells, when a run begins, the class of its length from the runs
    before it; else it is that of the phase's last run.

    Args:
        order: n, of runs.
        entries: of each table.
        ways: entries of a set.
        confidence: how sure an entry must be to be believed, 0 to 3; new ones are 1. 2: it was right before.
        classes: shortest runs of each class of length, in intervals.

    Raises:
        UsageError: sizes that make no sense.
    """

    def __init__(
        self,
        order: int = 1,
        entries: int = 32,
        ways: int = 4,
        *,
        confidence: int = 2,
        classes: tuple[int, ...] = CLASSES,
    ) -> None:
        require_given(order=order, entries=entries, ways=ways, confidence=confidence)
        require_whole(order=order, entries=entries, ways=ways, confidence=confidence)
        for name, value, good, need in (
            ("order", order, order >= 1, "at least 1"),
            ("ways", ways, ways >= 1, "at least 1"),
            ("entries", entries, entries >= 1 and entries % max(ways, 1) == 0, "a multiple of ways"),
            ("confidence", confidence, 0 <= confidence <= _SUREST, f"0 to {_SUREST}"),
        ):
            if not good:
                raise UsageError(f"{name} is {shown(value)}", hint=f"it must be {need}")
        self._confidence = confidence
        self._next, self._lengths = Table(entries, ways), Table(entries, ways)
        self._runs = Runs(classes)
        self._last = LastValue(classes)
        self._past: deque[Run] = deque(maxlen=order)

    def begin(self) -> None:
        self._runs.begin()
        self._last.begin()
        self._past.clear()

    def forecast(self) -> int | None:
        entry = self._next.find(self._key())
        if entry is not None and entry.sure >= self._confidence:
            return entry.outcome
        return self._last.forecast()

    def length(self) -> int | None:
        entry = self._lengths.find(self._key_of_length())
        if entry is not None and entry.sure >= self._confidence:
            return entry.outcome
        return self._last.length()

    def observe(self, phase: int) -> None:
        changes = phase != self._runs.phase
        if self._runs.phase is not None:
            self._next.learn(self._key(), phase, enter=changes)
        if changes and self._runs.phase is not None:
            lasted = self._runs.class_of(self._runs.lasted)
            self._lengths.learn(self._key_of_length(), lasted, enter=True)
            self._past.append((self._runs.phase, self._runs.lasted))
        self._runs.add(phase)
        self._last.observe(phase)

    def _key(self) -> tuple[Run, ...]:
        """The last runs, the one under way included."""
        order = self._past.maxlen or 1
        before = list(self._past)[len(self._past) - order + 1 :] if order > 1 else []
        return (*before, (self._runs.phase if self._runs.phase is not None else -1, self._runs.lasted))

    def _key_of_length(self) -> tuple[Run, ...]:
        """The runs before the one under way, and its phase: 0 stands for a length that is to come."""
        return (*self._past, (self._runs.phase if self._runs.phase is not None else -1, 0))


@dataclass
class Entry:
    """What is expected, and how sure that is."""

    outcome: int
    sure: int = _BEGINS


class Table:
    """Entries by key in sets of a few, of which the one that was not used for longest gives way."""

    def __init__(self, entries: int, ways: int) -> None:
        self._ways = ways
        self._sets: list[dict[tuple[Run, ...], Entry]] = [{} for _ in range(entries // ways)]

    def __len__(self) -> int:
        return sum(map(len, self._sets))

    def find(self, key: tuple[Run, ...]) -> Entry | None:
        """The entry of a key; looking is no use of it."""
        return self._set_of(key).get(key)

    def learn(self, key: tuple[Run, ...], outcome: int, *, enter: bool) -> None:
        """Tell what came; `enter`: also where nothing was expected."""
        ways = self._set_of(key)
        entry = ways.pop(key, None)  # the one that was used last stands last
        if entry is None:
            if not enter:
                return
            if len(ways) == self._ways:
                del ways[next(iter(ways))]
            entry = Entry(outcome)
        elif entry.outcome == outcome:
            entry.sure = min(entry.sure + 1, _SUREST)
        elif entry.sure > 0:
            entry.sure -= 1
        elif enter:
            entry = Entry(outcome)
        else:
            return
        ways[key] = entry

    def _set_of(self, key: tuple[Run, ...]) -> dict[tuple[Run, ...], Entry]:
        mixed = 0
        for number in (part for run in key for part in run):
            mixed = (mixed ^ (number & _WORD)) * 0x9E3779B97F4A7C15 & _WORD
            mixed ^= mixed >> 32
        return self._sets[mixed % len(self._sets)]
