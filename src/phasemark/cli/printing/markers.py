"""With which calls and loops phases begin: a table with a row a phase."""

from __future__ import annotations

import re
import shutil
from collections.abc import Sequence
from typing import Any

from phasemark.cli.printing.names import cut, distinct
from phasemark.cli.printing.text import finite, phase_name
from phasemark.intervals import PhaseMarkers, event_name
from phasemark.model import shares
from phasemark.views.text import aligned

_HEADINGS = ("phase", "begins with", "of its intervals", "of its events")
#: Characters that the name of a function has in any case.
_SHORTEST = 12
#: What happens, the function, and the place.
_PARTS = re.compile(r"(call of |loop in |after |)(.*?)(, [^ ,]+:\d+|(?: at |\+)0x[0-9a-f]+|)")


def summary(markers: PhaseMarkers) -> list[dict[str, Any] | None]:
    """For JSON: the first marker of each phase; null where it has none."""
    table, columns = (
        markers.frame(),
        ("kind", "name", "intervals", "of_intervals", "of_instructions", "of_events"),
    )
    rows = zip(*(table[name].tolist() for name in columns), strict=True)
    sites = zip(map(int, markers.site), rows, strict=True)
    found = [
        {
            "event": event_name(markers.sites, site),
            **{n: finite(v) for n, v in zip(columns, row, strict=True)},
        }
        for site, row in sites
    ]
    return [found[row] if row >= 0 else None for row in markers.first.tolist()]


def lines(
    begins: Sequence[dict[str, Any] | None],
    phases: Sequence[int] | None = None,
    transition: int | None = None,
) -> list[str]:
    """What `summary` says, as a table within the terminal's width.

    Args:
        begins: see `summary`.
        phases: those to show, in order; None: all by number.
        transition: the one that is called so; None: none.
    """
    names = _names([begin["event"] for begin in begins if begin is not None])
    cells = [list(_HEADINGS)]
    for phase in range(len(begins)) if phases is None else phases:
        begin = begins[phase]
        if begin is None:
            cells.append([phase_name(phase, transition), "no call or loop", "", ""])
        else:
            reliable = [begin["of_intervals"], begin["of_events"]]
            written = ["not known" if share is None else shares.written(share) for share in reliable]
            cells.append([phase_name(phase, transition), names[begin["event"]], *written])
    return aligned(cells, left=[1])


def _names(events: Sequence[str]) -> dict[str, str]:
    """Each event in the room for it: the name of its function is cut, and a long file's; a line never is."""
    others = sum(len(heading) + 2 for heading in _HEADINGS if heading != "begins with")
    room = max(shutil.get_terminal_size((120, 24)).columns - others, 2 * _SHORTEST)
    parts = {event: found.groups() for event in events if (found := _PARTS.fullmatch(event))}
    by_width: dict[int, list[str]] = {}
    for event, (what, function, place) in parts.items():
        where = cut(place, max(room - len(what) - min(len(function), _SHORTEST), _SHORTEST))
        parts[event] = what, function, where
        by_width.setdefault(max(room - len(what) - len(where), _SHORTEST), []).append(event)
    names: dict[str, str] = {}
    for width, alike in by_width.items():
        short = distinct([parts[event][1] for event in alike], width)
        names |= {event: parts[event][0] + short[parts[event][1]] + parts[event][2] for event in alike}
    return {event: names[event] for event in events}
