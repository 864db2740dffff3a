"""A program that was tracked while it ran, as values: what a caller in Python is told, and gets."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import TYPE_CHECKING

from phasemark.collect.live.places import Code
from phasemark.online.course import Change, Expected, Phase
from phasemark.workflow.live import Tracked
from phasemark.workflow.live_state import Live
from phasemark.workflow.result import Result

if TYPE_CHECKING:
    import pandas as pd

#: Functions that a phase is said to spend most in.
_NAMED = 5


@dataclass(frozen=True)
class LiveChange:
    """A phase has begun.

    Attributes:
        number: of the change, from 1; the first phase of all counts, too.
        seconds: since tracking began.
        phase, before: the phase, and the one that ended; 0 is the transition, None: there was none.
        lasted: seconds of the one that ended.
        new: whether the phase has not been there before.
        expected: what followed it most often, and when that is due; None: nothing ever did.
        hottest: functions of the interval with which it began, and the share of each.
        pid: of the process; 0 where it is not known yet.
    """

    number: int
    seconds: float
    phase: int
    before: int | None
    lasted: float
    new: bool
    expected: Expected | None
    hottest: tuple[tuple[str, float], ...]
    pid: int

    @classmethod
    def of(cls, live: Live, change: Change[Code]) -> LiveChange:
        """The change, with functions by name."""
        shared = {name: getattr(change, name) for name in ("number", "phase", "before", "lasted", "new")}
        hottest = tuple(live.named(change.hottest))
        return cls(
            **shared, seconds=live.seconds, expected=change.expected, hottest=hottest, pid=live.source.pid
        )


@dataclass(frozen=True)
class LivePhase:
    """A phase of a program that was tracked.

    Attributes:
        phase: its number; 0: in transition.
        intervals, length: of it, in all; the length in the unit of the result.
        times: how often it began.
        mean, longest: seconds that it lasted at a time, of those times that ended; None: none did.
        then: the phase that followed it most often; None: nothing did.
        hottest: its functions, and the share of each.
    """

    phase: int
    intervals: int
    length: int
    times: int
    mean: float | None
    longest: float | None
    then: int | None
    hottest: tuple[tuple[str, float], ...]

    @classmethod
    def of(cls, live: Live, one: Phase[Code]) -> LivePhase:
        """The phase, with functions by name."""
        expected = one.expected()
        return cls(
            one.number,
            one.intervals,
            one.length,
            one.runs + (one.number == live.course.phase),
            one.mean if one.runs else None,
            one.longest if one.runs else None,
            expected.phase if expected else None,
            tuple(live.named(one.hottest(_NAMED))),
        )


@dataclass(frozen=True, repr=False)
class LiveResult(Result):
    """A program that was tracked while it ran.

    Attributes:
        program: the command, or `process 4242`.
        pid: of the process.
        status: the command's exit status as a shell tells it; of a process that ran already 0, or 128 and the
            number of the signal that ended the watching.
        unit: of lengths: `nanoseconds` on a processor, or `instructions`.
        interval: length of one, unless there are reasons for another.
        intervals, length: of all, so many and so long.
        changes: of phase, the first included.
        foretold, right: how many intervals the predictor foretold, and how many rightly.
        phases: the largest first; of a long run those that were met last.
        failure: why it was not tracked to its end, or not at all; empty: it was.
        notes: what the user should know, one sentence each.
    """

    program: str
    pid: int
    status: int
    unit: str
    interval: int
    intervals: int
    length: int
    changes: int
    foretold: int
    right: int
    phases: tuple[LivePhase, ...]
    failure: str = ""
    notes: tuple[str, ...] = ()

    @classmethod
    def of(cls, tracked: Tracked) -> LiveResult:
        """What was tracked, with functions by name."""
        live, course = tracked.live, tracked.live.course
        return cls(
            live.what,
            live.source.pid,
            tracked.status,
            live.source.unit,
            live.source.interval,
            course.intervals,
            course.length,
            course.changes,
            course.foretold,
            course.right,
            tuple(LivePhase.of(live, one) for one in course.ranked()),
            tracked.failure,
            tracked.notes,
        )

    def frame(self) -> pd.DataFrame:
        """One row a phase: the columns are those of LivePhase, `hottest` the function's name alone."""
        import pandas as pd

        rows = [{**vars(one), "hottest": one.hottest[0][0] if one.hottest else ""} for one in self.phases]
        names = [field.name for field in dataclasses.fields(LivePhase)]
        return pd.DataFrame(rows, columns=names)
