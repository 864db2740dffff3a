"""Predictors of the next phase, interval by interval: the protocol, and the simplest ones."""

from __future__ import annotations

from itertools import pairwise

from phasemark.errors import UsageError, shown

#: Shortest runs of each class of length, in intervals: those of the literature.
CLASSES = (1, 16, 128, 1024)


class Predictor:
    """Foretells the next interval's phase from those before it, and learns on as it goes.

    `begin` and `length` need not be there: history is then that of the thread before, and nothing is said of
    lengths.
    """

    def begin(self) -> None:
        """A thread begins: what came before is another's history, but still something to learn from."""

    def observe(self, phase: int) -> None:
        """The next interval's phase is known: a whole number from 0."""
        raise NotImplementedError

    def forecast(self) -> int | None:
        """The next interval's phase; None: nothing is known yet."""
        raise NotImplementedError

    def length(self) -> int | None:
        """Asked after the first interval of a run: the class of its length, in CLASSES; None: not known."""
        return None


class LastValue(Predictor):
    """The phase stays, and lasts as long as it did the last time."""

    def __init__(self, classes: tuple[int, ...] = CLASSES) -> None:
        self._runs = Runs(classes)
        self._lasted: dict[int, int] = {}

    def begin(self) -> None:
        self._runs.begin()

    def observe(self, phase: int) -> None:
        if (ended := self._runs.add(phase)) is not None:
            self._lasted[ended[0]] = self._runs.class_of(ended[1])

    def forecast(self) -> int | None:
        return self._runs.phase

    def length(self) -> int | None:
        return None if self._runs.phase is None else self._lasted.get(self._runs.phase)


class Moves(Predictor):
    """What most often followed the phase so far, itself included; the latest of several. A Markov chain."""

    def __init__(self) -> None:
        self._phase: int | None = None
        self._counts: dict[int, dict[int, int]] = {}

    def begin(self) -> None:
        self._phase = None

    def observe(self, phase: int) -> None:
        if self._phase is not None:
            after = self._counts.setdefault(self._phase, {})
            after[phase] = after.pop(phase, 0) + 1  # the latest stands last
        self._phase = phase

    def forecast(self) -> int | None:
        if self._phase is None:
            return None
        after = self._counts.get(self._phase, {})
        return max(reversed(after), key=after.__getitem__) if after else self._phase


class Runs:
    """The run of equal phases that is under way.

    Attributes:
        phase: its phase; None: nothing was seen.
        lasted: intervals so far.
        classes: shortest runs of each class of length.
    """

    def __init__(self, classes: tuple[int, ...] = CLASSES) -> None:
        if not classes or classes[0] != 1 or any(a >= b for a, b in pairwise(classes)):
            raise UsageError(
                f"classes of length are {shown(classes)}", hint="give ascending numbers from 1: (1, 16, 128)"
            )
        self.classes = tuple(classes)
        self.begin()

    def begin(self) -> None:
        """Forget the run."""
        self.phase: int | None = None
        self.lasted = 0

    def add(self, phase: int) -> tuple[int, int] | None:
        """Go on by an interval; the phase and length of the run that ended with that, if one did."""
        if phase == self.phase:
            self.lasted += 1
            return None
        ended = None if self.phase is None else (self.phase, self.lasted)
        self.phase, self.lasted = phase, 1
        return ended

    def class_of(self, length: int) -> int:
        """The class of a length, from 0."""
        return sum(least <= length for least in self.classes) - 1
