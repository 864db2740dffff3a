"""How results look: one module a result, each with `lines` for people and `summary` for scripts."""

from __future__ import annotations

import json
import os
import shutil
import sys
import textwrap
from collections.abc import Callable, Sequence
from typing import Any

from phasemark.store.steps import REMOVED

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
    return _fitted(line, room, len(_NOTE)) if line.startswith(_NOTE) else [line]


def _fitted(line: str, room: int, indent: int) -> list[str]:
    """A line in so many columns; 0, or a terminal too narrow for it: as it is."""
    if not indent < room < len(line):
        return [line]
    return textwrap.wrap(
        line, room, subsequent_indent=" " * indent, break_long_words=False, break_on_hyphens=False
    )


def to_width(sentence: str) -> list[str]:
    """A sentence as lines of the terminal; where the output goes elsewhere, one line."""
    return _fitted(sentence, shutil.get_terminal_size((0, 24)).columns, 0)


def say(sentence: str) -> None:
    """A line of ours, on standard error: standard output may be the program's; on a terminal wrapped."""
    print("\n".join(_fitted(f"phasemark: {sentence}", _room_of_errors(), 2)), file=sys.stderr, flush=True)


def _room_of_errors() -> int:
    """Columns of the terminal that standard error is; 0 where it is none."""
    try:
        return os.get_terminal_size(sys.stderr.fileno()).columns if sys.stderr.isatty() else 0
    except (OSError, ValueError):
        return 0


def show_aside(lines: Sequence[str]) -> None:
    """Lines of a result, on standard error; of none nothing."""
    if lines:
        print("\n".join(within_width(lines)), file=sys.stderr)


def tell_discarded(discarded: Sequence[str], new: str) -> None:
    """Say what became of files that were made before what is new; all that are gone in one line.

    Args:
        discarded: one phrase each.
        new: what was made now: `these points`.
    """
    gone = [phrase.removesuffix(REMOVED) for phrase in discarded if phrase.endswith(REMOVED)]
    if len(gone) == 1:
        say(f"{gone[0]} is removed: it was made before {new}")
    elif gone:
        say(f"{', '.join(gone[:-1])} and {gone[-1]} are removed: they were made before {new}")
    for phrase in discarded:
        if not phrase.endswith(REMOVED):
            say(phrase)
