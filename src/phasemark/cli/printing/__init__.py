"""How results look: one module a result, each with `lines` for people and `summary` for scripts."""

from __future__ import annotations

import json
import shutil
import sys
import textwrap
from collections.abc import Callable, Sequence
from typing import Any

#: How a step says that a file went.
_REMOVED = " is removed"

#: What a note begins with.
_NOTE = "note: "


def emit(
    summary: Callable[[], Any],
    lines: Callable[[], Sequence[str]],
    *,
    quiet: bool = False,
    as_json: bool = False,
) -> None:
    """Print a result on standard output: as JSON, as text, or not at all."""
    if as_json:
        print(json.dumps(summary()))
    elif not quiet:
        print("\n".join(within_width(lines())))


def within_width(lines: Sequence[str]) -> list[str]:
    """The lines, with notes wrapped to the terminal; where the output goes elsewhere, a note is one line."""
    room = shutil.get_terminal_size((0, 24)).columns
    return [part for line in lines for part in _wrapped(line, room)]


def _wrapped(line: str, room: int) -> list[str]:
    if not line.startswith(_NOTE) or not len(_NOTE) < room < len(line):
        return [line]
    return textwrap.wrap(
        line, room, subsequent_indent=" " * len(_NOTE), break_long_words=False, break_on_hyphens=False
    )


def say(sentence: str) -> None:
    """A line of ours, on standard error: standard output may be the program's."""
    print(f"phasemark: {sentence}", file=sys.stderr, flush=True)


def show_aside(lines: Sequence[str]) -> None:
    """Lines of a result, on standard error."""
    print("\n".join(within_width(lines)), file=sys.stderr)


def tell_discarded(discarded: Sequence[str], new: str) -> None:
    """Say what became of files that were made before what is new; all that are gone in one line.

    Args:
        discarded: one phrase each.
        new: what was made now: `these points`.
    """
    gone = [phrase.removesuffix(_REMOVED) for phrase in discarded if phrase.endswith(_REMOVED)]
    if len(gone) == 1:
        say(f"{gone[0]} is removed: it was made before {new}")
    elif gone:
        say(f"{', '.join(gone[:-1])} and {gone[-1]} are removed: they were made before {new}")
    for phrase in discarded:
        if not phrase.endswith(_REMOVED):
            say(phrase)
