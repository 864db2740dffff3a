"""What is known of a program's phases while it runs: the phase it is in, those before, and what is expected.

Memory does not grow: of phases beyond a number the one that was not met for longest is forgotten, of each
phase the heaviest code is kept, and the strip of the whole run becomes coarser as the run becomes longer.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Hashable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Generic, Protocol, TypeVar

C = TypeVar("C", bound=Hashable)

#: Phases and codes of a phase that are kept, phases that followed one, and cells of the strips.
PHASES, CODES, FOLLOWED, CELLS = 64, 64, 16, 512

_SECOND = 1e9


class Foretelling(Protocol):
    """The part of a predictor that is asked here."""

    def observe(self, phase: int) -> None:
        """The next interval's phase is known."""

    def forecast(self) -> int | None:
        """The next interval's phase; None: nothing is known yet."""


class Interval(Protocol[C]):
    """An interval as it comes.

    Attributes:
        began, ended: nanoseconds of some clock.
        length: instructions, or nanoseconds on a processor.
        codes: how much of that each code has.
    """

    began: int
    ended: int
    length: int
    codes: dict[C, int]


class Tally(Generic[C]):
    """The heaviest of very many things.

    What never has more than a share of 1 / CODES of what is added between two clearings may be lost, and what
    is lost now and then is counted too low.
    """

    def __init__(self) -> None:
        self._weights: dict[C, int] = {}

    def add(self, weights: Mapping[C, int]) -> None:
        """Add weights from 0."""
        for thing, weight in weights.items():
            self._weights[thing] = self._weights.get(thing, 0) + weight
        if len(self._weights) > 4 * CODES:
            self._weights = dict(self.heaviest(CODES))

    def heaviest(self, most: int) -> list[tuple[C, int]]:
        """The heaviest first; of equals the one that came first."""
        return sorted(self._weights.items(), key=lambda pair: -pair[1])[:most]

    def __len__(self) -> int:
        return len(self._weights)


@dataclass(slots=True)
class Phase(Generic[C]):
    """A phase so far.

    Attributes:
        number: as the tracker gives it; 0: in transition.
        intervals, length: of it, in all.
        runs: that ended; `seconds`: how long those lasted in all, and `longest` the longest.
        followed: phase -> how often it came after this one, whether or not there was a transition between.
        codes: its code.
    """

    number: int
    intervals: int = 0
    length: int = 0
    runs: int = 0
    seconds: float = 0.0
    longest: float = 0.0
    followed: Counter[int] = field(default_factory=Counter)
    codes: Tally[C] = field(default_factory=Tally)

    def hottest(self, most: int = 3) -> list[tuple[C, float]]:
        """Its heaviest code and the share of each."""
        return [(code, weight / self.length) for code, weight in self.codes.heaviest(most) if self.length]

    @property
    def mean(self) -> float:
        """Seconds that its runs lasted on average; 0 where none ended."""
        return self.seconds / self.runs if self.runs else 0.0

    def expected(self, after: float | None = None) -> Expected | None:
        """What came after it most often; None where nothing did.

        Args:
            after: seconds that what there is now lasts on average; None: as this phase does.
        """
        if not self.followed:
            return None
        phase, times = self.followed.most_common(1)[0]
        return Expected(phase, times, self.followed.total(), self.mean if after is None else after)


@dataclass(frozen=True)
class Expected:
    """What is expected to follow a phase.

    Attributes:
        phase: that came after it most often.
        times, of: how often, of how many times that are remembered.
        seconds: how long the phase before it, or the transition between, lasted on average.
    """

    phase: int
    times: int
    of: int
    seconds: float


@dataclass(frozen=True)
class Change(Generic[C]):
    """A phase has begun.

    Attributes:
        number: of the change, from 1; the first phase of all counts, too.
        at: when, nanoseconds of the intervals' clock.
        phase, before: the phase, and the one that ended; None where there was none.
        lasted: seconds of the one that ended.
        new: whether it has not been there before.
        expected: what may follow it; None: nothing ever did.
        hottest: its code and the share of each.
    """

    number: int
    at: int
    phase: int
    before: int | None
    lasted: float
    new: bool
    expected: Expected | None
    hottest: list[tuple[C, float]]


class Strip:
    """The phases of all intervals, coarser the more there are: a cell is what most of its intervals are."""

    def __init__(self) -> None:
        self.each = 1
        self._cells: list[Counter[int]] = []
        self._open: Counter[int] = Counter()

    def add(self, phase: int) -> None:
        """The next interval."""
        self._open[phase] += 1
        if self._open.total() < self.each:
            return
        self._cells.append(self._open)
        self._open = Counter()
        if len(self._cells) == CELLS:
            pairs = zip(self._cells[::2], self._cells[1::2], strict=True)
            self._cells = [_merged(one, other) for one, other in pairs]
            self.each *= 2

    def __iter__(self) -> Iterator[int]:
        return (max(cell, key=cell.__getitem__) for cell in (*self._cells, self._open) if cell)


class Course(Generic[C]):
    """Takes interval after interval with its phase.

    Args:
        predictor: is asked before each interval what comes; None: nothing is foretold.

    Attributes:
        phases: those that are kept, the one that was met last at the end.
        forgotten: how many were not.
        latest: phases of the last intervals.
        strip: of the whole run.
        intervals, length, changes: so far.
        foretold, right: how many intervals were, and how many rightly.
        phase: of the last interval; None: there was none.
        began, ended: nanoseconds at which its run of equal phases began, and its last interval ended.
        run: intervals of that run.
    """

    def __init__(self, predictor: Foretelling | None = None) -> None:
        self._predictor = predictor
        self.phases: dict[int, Phase[C]] = {}
        self.forgotten = 0
        self.latest: deque[int] = deque(maxlen=CELLS)
        self.strip = Strip()
        self.intervals = self.length = self.changes = 0
        self.foretold = self.right = 0
        self.phase: int | None = None
        self._settled = 0  # the last phase that was no transition
        self.began = self.ended = self.run = 0

    def take(self, phase: int, interval: Interval[C]) -> Change[C] | None:
        """The next interval; the change that it is, if it is one."""
        self._score(phase)
        before, lasted = self.phase, self.lasted
        changes = phase != before
        new = phase not in self.phases
        if changes:
            if before is not None:
                self._ended(before, phase, lasted)
            self.began, self.run = interval.began, 0
            self.changes += 1
        self.phase = phase
        now = self._of(phase)
        now.intervals += 1
        now.length += interval.length
        now.codes.add(interval.codes)
        self.run += 1
        self.intervals += 1
        self.length += interval.length
        self.ended = max(self.ended, interval.ended)
        self.latest.append(phase)
        self.strip.add(phase)
        if not changes:
            return None
        return Change(self.changes, interval.began, phase, before, lasted, new, self.expected, now.hottest())

    @property
    def lasted(self) -> float:
        """Seconds that the current phase has lasted."""
        return max(self.ended - self.began, 0) / _SECOND

    @property
    def expected(self) -> Expected | None:
        """What may follow the current phase; in transition, the phase before it."""
        if self.phase is None:
            return None
        left = self.phases.get(self.phase or self._settled)
        return left.expected(self.phases[self.phase].mean) if left else None

    @property
    def forecast(self) -> int | None:
        """The next interval's phase, as the predictor has it."""
        return self._predictor.forecast() if self._predictor is not None else None

    def ranked(self) -> list[Phase[C]]:
        """The phases that are kept, those with most of the run first."""
        return sorted(self.phases.values(), key=lambda phase: (-phase.length, phase.number))

    def _score(self, phase: int) -> None:
        if self._predictor is None:
            return
        told = self._predictor.forecast()
        if told is not None and self.phase is not None:
            self.foretold += 1
            self.right += told == phase
        self._predictor.observe(phase)

    def _ended(self, before: int, after: int, lasted: float) -> None:
        phase = self.phases[before]
        phase.runs += 1
        phase.seconds += lasted
        phase.longest = max(phase.longest, lasted)
        self._settled = before or self._settled
        left = self.phases.get(self._settled) if self._settled else None
        if not after or left is None or after == left.number:
            return  # it is not yet known what follows, or it was nothing
        left.followed[after] += 1
        if len(left.followed) > FOLLOWED:
            rarest = min((one for one in left.followed if one != after), key=left.followed.__getitem__)
            del left.followed[rarest]

    def _of(self, number: int) -> Phase[C]:
        phase = self.phases.pop(number, None) or Phase(number)
        self.phases[number] = phase
        if len(self.phases) > PHASES:
            del self.phases[next(iter(self.phases))]
            self.forgotten += 1
        return phase


def _merged(one: Counter[int], other: Counter[int]) -> Counter[int]:
    """Both, of which those that are most are kept: a cell of hours may have hundreds."""
    return Counter(dict((one + other).most_common(FOLLOWED)))
