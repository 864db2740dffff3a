"""A program that is followed while it runs: what is asked for, what gives its intervals, and how it ended."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from phasemark.collect.live.counted import Counted
    from phasemark.collect.live.cutting import Stretch

#: Seconds between looks at what else is to be done.
EVERY = 0.2

#: Who samples a program that runs by itself; others run it.
PERF = "perf"

#: Called with each interval; and about every EVERY seconds.
Take = Callable[["Stretch | Counted"], None]
Tick = Callable[[], None]


@dataclass(frozen=True)
class Wanted:
    """What is followed, and how.

    Attributes:
        command: to start; empty: none.
        pid: of a process that runs; None: a command is started.
        interval: of perf the least length of an interval, in the unit of the event; of others its length, in
            instructions. None: the default.
        signature: of perf, what samples are a count of: function, block, loop or address; None: function.
            Others count blocks.
        collector: perf, or one of LIVE_COLLECTORS.
        stdin: the open file that is the command's standard input; None: there is nothing to read.
        cwd: the folder that it starts in; None: ours.
    """

    command: Sequence[str] = ()
    pid: int | None = None
    interval: int | None = None
    signature: str | None = None
    collector: str = PERF
    stdin: int | None = None
    cwd: Path | None = None


@dataclass(frozen=True)
class Ending:
    """How it ended.

    Attributes:
        status: the command's exit status as a shell tells it; of a process that ran already 0, or 128 and the
            number of the signal that we were sent.
        failure: why it was not followed to its end, or not at all; empty: it was.
        notes: what the user should know, one sentence each.
    """

    status: int
    failure: str
    notes: tuple[str, ...]


class Feed(Protocol):
    """What gives the intervals of a program, while it runs."""

    @property
    def collector(self) -> str:
        """`perf`, or one of LIVE_COLLECTORS."""

    @property
    def event(self) -> str:
        """That is sampled, or counted."""

    @property
    def unit(self) -> str:
        """Of lengths: `nanoseconds` on a processor, or `instructions`."""

    @property
    def interval(self) -> int:
        """Length of one, unless there are reasons for another."""

    @property
    def pid(self) -> int:
        """Of the process; 0 until it runs."""

    @property
    def note(self) -> str:
        """What the user should know of how much of the program is seen; empty: all is."""

    @property
    def seen(self) -> Mapping[str, int]:
        """What was seen so far: how many `samples` and `lost`, or `processes` and `threads`."""

    def follow(self, take: Take, tick: Tick) -> Ending:
        """Follow the program to its end.

        Raises:
            CollectorError: it cannot be followed or executed.
        """
