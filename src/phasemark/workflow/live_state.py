"""A program that is tracked while it runs, as it is now."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, field

from phasemark import online
from phasemark.collect.live import places
from phasemark.collect.live.feed import Feed
from phasemark.collect.live.places import Code
from phasemark.online.course import Course

#: Names that are kept; who needs another looks it up again.
MOST_NAMES = 4096


@dataclass
class Live:
    """A program that is tracked, as it is now.

    Attributes:
        what: the command, or `process 4242`.
        source: what its intervals come from.
        course: its phases.
        tracker: that finds them.
        began: seconds of time.monotonic.
        notes: what went wrong beside it, one sentence each.
        url: where metrics are given; empty: nowhere.
        over: whether it has ended.
    """

    what: str
    source: Feed
    course: Course[Code]
    tracker: online.Tracker
    began: float
    notes: list[str] = field(default_factory=list)
    url: str = ""
    over: bool = False
    _names: dict[Code, str] = field(default_factory=dict)

    @property
    def seconds(self) -> float:
        """Since it began."""
        return time.monotonic() - self.began

    def named(self, hottest: Sequence[tuple[Code, float]]) -> list[tuple[str, float]]:
        """Code by the names of its functions, the shares of equal ones together."""
        new = [code for code, _ in hottest if code not in self._names]
        if len(self._names) + len(new) > MOST_NAMES:
            self._names.clear()
            new = [code for code, _ in hottest]
        if new:
            self._names.update(zip(new, places.names(new), strict=True))
        shares: dict[str, float] = {}
        for code, share in hottest:
            shares[self._names[code]] = shares.get(self._names[code], 0.0) + share
        return list(shares.items())
