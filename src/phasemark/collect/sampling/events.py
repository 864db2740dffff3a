"""Which event of a recording measures how far a thread has come, and in what."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from phasemark.errors import DataError, UsageError, named, shown
from phasemark.formats.metrics.perf_stat import OURS

#: Event -> what it counts, best first: samples every so many instructions weigh code as exact vectors do.
MEASURES = {
    "instructions": "instructions",
    "cycles": "cycles",
    "cpu-cycles": "cycles",
    "ref-cycles": "reference cycles",
    "task-clock": "nanoseconds",
    "cpu-clock": "nanoseconds",
}

_MODIFIERS = re.compile(r":[ukhHGPpSDWeb0-9]*$")


@dataclass(frozen=True)
class Measure:
    """What a thread's progress is measured in.

    Attributes:
        event: as the recording names it.
        number: its index among the recording's events.
        unit: what its periods count, as `instructions` or `nanoseconds`.
    """

    event: str
    number: int
    unit: str

    @property
    def is_clock(self) -> bool:
        """Whether it counts the time that a thread was on a processor."""
        return self.unit == "nanoseconds"


def plain(event: str) -> str:
    """An event without modifiers and unit: `cycles` of `cpu_core/cycles/u` and `cycles:u`."""
    if found := re.fullmatch(r"cpu[^/]*/([^/]*)/[a-zA-Z]*", event):
        return found[1]
    return _MODIFIERS.sub("", event)


def counter(event: str) -> str:
    """The name that our metrics have for an event; its own where they have none."""
    return OURS.get(plain(event), plain(event))


def measure(events: Sequence[str], wanted: str | None = None, *, weighted: bool = True) -> Measure:
    """The event that measures progress.

    Args:
        events: of the recording.
        wanted: the one to take, with or without its modifiers; None: the best of MEASURES.
        weighted: whether samples say what they stand for; otherwise progress is counted in samples.

    Raises:
        UsageError: there is no such event.
        DataError: none of them measures progress.
    """
    if wanted is not None:
        found = [n for n, event in enumerate(events) if wanted in (event, plain(event))]
        if not found:
            raise UsageError(f"no sample is of an event {shown(wanted)}", hint=f"choose of {named(events)}")
        number = found[0]
    else:
        ranks = [[*MEASURES].index(plain(e)) if plain(e) in MEASURES else len(MEASURES) for e in events]
        number = min(range(len(events)), key=lambda n: (ranks[n], n))
        if ranks[number] == len(MEASURES):
            raise DataError(
                f"its samples are of {named(events)}, which does not tell how long the program ran",
                hint="record with -e instructions:u, or -e task-clock:u; or name the event with --event",
            )
    unit = MEASURES.get(plain(events[number]), "events") if weighted else "samples"
    return Measure(events[number], number, unit)
