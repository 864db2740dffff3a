"""The view of a program that is tracked while it runs."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from rich.console import Console, Group, RenderableType
from rich.live import Live as Drawn
from rich.table import Table
from rich.text import Text

from phasemark.cli.printing import live as words
from phasemark.errors import printable
from phasemark.views.palette import COLOURS, ink_on
from phasemark.views.text import percent
from phasemark.workflow.live import Viewer
from phasemark.workflow.live_state import Live

#: Seconds between two drawings, each of which takes a few milliseconds.
_EVERY = 0.5

#: Seconds without an interval after which a program is idle.
_IDLE = 2.0

#: Phases in the table.
_ROWS = 8

#: The transition: grey, for it is no phase.
_TRANSITION = "#57606a"


class Screen(Viewer):
    """Draws how it is twice a second, in place; what was drawn last stays."""

    def __init__(self, console: Console | None = None) -> None:
        self._console = console or Console(stderr=True)
        self._drawn: Drawn | None = None
        self._next = 0.0
        self._seen, self._since = 0, 0.0

    def began(self, live: Live) -> None:
        """See Viewer."""
        self._drawn = Drawn(console=self._console, auto_refresh=False, transient=True, redirect_stderr=False)
        self._drawn.start()

    def tick(self, live: Live) -> None:
        """See Viewer."""
        now = live.seconds
        if now < self._next or self._drawn is None:
            return
        self._next = now + _EVERY
        if live.course.intervals != self._seen:
            self._seen, self._since = live.course.intervals, now
        room = self._console.width
        self._drawn.update(picture(live, room, idle=now - self._since), refresh=True)

    def ended(self) -> None:
        """See Viewer."""
        if self._drawn is not None:
            self._drawn.stop()
            self._drawn = None


def picture(live: Live, room: int, *, idle: float = 0.0) -> RenderableType:
    """How it is now.

    Args:
        room: columns.
        idle: seconds since the last interval.
    """
    course = live.course
    head = Text.assemble(
        (printable(live.what)[: max(room - 30, 10)], "bold"), f"  {words.duration(live.seconds)}"
    )
    if live.url:
        head.append(f"  {live.url}", "dim")
    if not course.intervals:
        return Group(head, Text("no interval yet", "dim"), *_notes(live))
    latest = list(course.latest)[-room:]
    whole = list(course.strip) if course.intervals > len(latest) else []
    return Group(
        head,
        Text(),
        _strip(latest, digits=True),
        *([_strip(_thinned(whole, room), digits=False)] if whole else []),
        Text(),
        _now(live, idle),
        _next(live),
        Text(),
        _table(live),
        *_notes(live),
    )


def colour(phase: int) -> str:
    """Of a phase, everywhere."""
    return COLOURS[(phase - 1) % len(COLOURS)] if phase else _TRANSITION


def _strip(phases: Iterable[int], *, digits: bool) -> Text:
    """A cell a phase, with its last digit where colours cannot be told apart."""
    text = Text(no_wrap=True, overflow="crop")
    for phase in phases:
        cell = (str(phase % 10) if phase else "·") if digits else " "
        text.append(cell, f"{ink_on(colour(phase))} on {colour(phase)}")
    return text


def _thinned(phases: Sequence[int], room: int) -> list[int]:
    """As many of them as there is room for."""
    if len(phases) <= room:
        return list(phases)
    return [phases[at * len(phases) // room] for at in range(room)]


def _now(live: Live, idle: float) -> Text:
    course = live.course
    phase = course.phase or 0
    own = course.phases[phase]
    text = Text.assemble(
        (words.phase_name(phase), f"bold {colour(phase)}"),
        f" for {words.duration(course.lasted)}, {percent(own.length / max(course.length, 1))} of all: ",
        words.functions(live.named(own.hottest(4))),
    )
    if idle > _IDLE:
        text.append(f"  (asleep for {words.duration(idle)})", "dim")
    return text


def _next(live: Live) -> Text:
    course = live.course
    told = course.forecast
    parts: list[str | tuple[str, str]] = ["next: "]
    if (expected := course.expected) is not None:
        parts += [(words.phase_name(expected.phase), colour(expected.phase))]
        left = expected.seconds - course.lasted
        when = f"in about {words.duration(left)}" if left > 0 else f"{words.duration(-left)} overdue"
        parts += [f", {when} ({expected.times} of {expected.of} times)"]
    else:
        parts += [("nothing has followed it yet", "dim")]
    if told is not None and course.foretold:
        right = percent(course.right / course.foretold)
        parts += [f"; next interval: {words.phase_name(told)} (right in {right})"]
    return Text.assemble(*parts)


def _table(live: Live) -> Table:
    table = Table(box=None, pad_edge=False, header_style="dim", expand=False)
    rows = words.table(live, _ROWS)
    for at, heading in enumerate(rows[0]):
        left = heading in ("phase", "then", "hottest")
        width = None if heading == "hottest" else max(len(row[at]) for row in rows)
        table.add_column(
            heading, justify="left" if left else "right", min_width=width, no_wrap=True, overflow="ellipsis"
        )
    for row, one in zip(rows[1:], live.course.ranked(), strict=False):
        style = "bold" if one.number == live.course.phase else ""
        table.add_row(Text(row[0], colour(one.number)), *map(Text, row[1:]), style=style)
    return table


def _notes(live: Live) -> list[Text]:
    return [Text(f"note: {printable(note)}", "yellow") for note in live.notes[-3:]]
