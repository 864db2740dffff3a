"""A program that is tracked while it runs: on a terminal a view that is drawn anew, else a line a change."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from phasemark.cli.printing import say
from phasemark.errors import counted, printable
from phasemark.views.text import aligned, percent
from phasemark.workflow.live import Tracked, Viewer
from phasemark.workflow.live_result import LivePhase, LiveResult
from phasemark.workflow.live_state import Live

if TYPE_CHECKING:
    from phasemark.collect.live.places import Code
    from phasemark.online.course import Change, Expected, Phase

#: Functions of the current phase, and of each in the table; longest name of one.
_NOW, _EACH, _NAME = 4, 2, 40

#: Seconds between plain lines: what changes more often is counted.
_BETWEEN = 1.0


class Lines(Viewer):
    """A line a change on standard error, at most one a second."""

    def __init__(self) -> None:
        self._said = -_BETWEEN
        self._silent = 0

    def began(self, live: Live) -> None:
        """See Viewer."""
        at = f", metrics at {live.url}" if live.url else ""
        say(f"tracking {printable(live.what)[:200]}{at}")

    def changed(self, live: Live, change: Change[Code]) -> None:
        """See Viewer."""
        now = time.monotonic()
        if now - self._said < _BETWEEN:
            self._silent += 1
            return
        more = f" ({counted(self._silent, 'change')} since the last line)" if self._silent else ""
        self._said, self._silent = now, 0
        say(f"{live.seconds:.1f} s: {sentence(live, change)}{more}")

    def tell(self, live: Live, note: str) -> None:
        """See Viewer."""
        say(printable(note))


def sentence(live: Live, change: Change[Code]) -> str:
    """A change in words."""
    before = (
        "" if change.before is None else f" after {duration(change.lasted)} of {phase_name(change.before)}"
    )
    new = ", new" if change.new and change.phase else ""
    expected = f"; expected then: {then(change.expected)}" if change.expected else ""
    hottest = functions(live.named(change.hottest))
    return f"{phase_name(change.phase)}{new}{before}: {hottest}{expected}"


def phase_name(phase: int) -> str:
    """What a phase is called."""
    return f"phase {phase}" if phase else "transition"


def functions(hottest: Sequence[tuple[str, float]]) -> str:
    """Functions with their shares."""
    return ", ".join(f"{short(name)} {share:.0%}" for name, share in hottest) or "nothing yet"


def short(name: str) -> str:
    """A function's name in few characters: C++ has long ones."""
    name = printable(name)
    return name if len(name) <= _NAME else f"{name[: _NAME - 1]}…"


def then(expected: Expected) -> str:
    """What is expected, with how often it was so."""
    often = f"{expected.times} of {expected.of}"
    return f"{phase_name(expected.phase)} ({often}) after {duration(expected.seconds)}"


def duration(seconds: float) -> str:
    """Few digits, at any size."""
    if 0 < seconds < 0.0995:
        return f"{seconds * 1000:.0f} ms"
    if seconds < 10:
        return f"{seconds:.1f} s"
    if seconds < 120:
        return f"{seconds:.0f} s"
    minutes = int(seconds // 60)
    return f"{minutes} min" if minutes < 120 else f"{minutes // 60} h {minutes % 60:02d} min"


def spent(live: Live, length: int) -> str:
    """A length in the unit of what is sampled."""
    return duration(length / 1e9) if live.source.unit == "nanoseconds" else f"{rounded(length)} instructions"


def rounded(count: float) -> str:
    """Three digits of a large count: 185M."""
    count = float(f"{count:.3g}")
    for size, unit in ((1e12, "T"), (1e9, "G"), (1e6, "M"), (1e3, "k")):
        if count >= size:
            return f"{count / size:g}{unit}"
    return f"{count:g}"


def lines(result: Tracked, largest: int) -> list[str]:
    """The whole, at its end."""
    live, course = result.live, result.live.course
    if not course.intervals:
        return notes(result)
    phases = counted(sum(number > 0 for number in course.phases) + course.forgotten, "phase")
    out = [
        f"{phases} in {counted(course.intervals, 'interval')}, {spent(live, course.length)} in all; "
        f"{counted(max(course.changes - 1, 0), 'change')} of phase"
    ]
    if course.foretold:
        out.append(f"foretold rightly: {percent(course.right / course.foretold)} of the intervals")
    return [*out, "", *aligned(table(live, largest), left=(0, 6, 7)), "", *notes(result)]


def notes(result: Tracked) -> list[str]:
    """What the user should know, whoever wants silence."""
    return [f"note: {printable(note)}" for note in result.notes]


HEADINGS = ["phase", "share", "ran", "times", "mean", "longest", "then", "hottest"]


def table(live: Live, largest: int) -> list[list[str]]:
    """The largest phases, with headings."""
    whole = max(live.course.length, 1)
    return [HEADINGS] + [_row(live, one, whole) for one in live.course.ranked()[:largest]]


def _row(live: Live, one: Phase[Code], whole: int) -> list[str]:
    expected = one.expected()
    return [
        str(one.number) if one.number else "transition",
        percent(one.length / whole),
        spent(live, one.length),
        str(one.runs + (one.number == live.course.phase)),
        duration(one.mean) if one.runs else "-",
        duration(one.longest) if one.runs else "-",
        str(expected.phase) if expected else "-",
        functions(live.named(one.hottest(_EACH))),
    ]


def summary(result: Tracked) -> dict[str, Any]:
    """The whole, for scripts."""
    live, course = result.live, result.live.course
    return {
        "program": live.what,
        "pid": live.source.pid,
        "status": result.status,
        "event": live.source.event,
        "unit": live.source.unit,
        "interval": live.source.interval,
        **live.source.seen,
        "intervals": course.intervals,
        "length": course.length,
        "changes": course.changes,
        "foretold": course.foretold,
        "right": course.right,
        "phases": [_plain(one) for one in LiveResult.of(result).phases],
        "forgotten": course.forgotten,
        "notes": list(result.notes),
    }


def _plain(one: LivePhase) -> dict[str, Any]:
    return {
        "phase": one.phase,
        "intervals": one.intervals,
        "length": one.length,
        "times": one.times,
        "mean_seconds": one.mean,
        "longest_seconds": one.longest,
        "then": one.then,
        "hottest": [list(pair) for pair in one.hottest],
    }
