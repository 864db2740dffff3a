"""How results look: one module a result, each with `lines` for people and `summary` for scripts."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Sequence
from typing import Any


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
        print("\n".join(lines()))


def say(sentence: str) -> None:
    """A line of ours, on standard error: standard output may be the program's."""
    print(f"phasemark: {sentence}", file=sys.stderr, flush=True)


def show_aside(lines: Sequence[str]) -> None:
    """Lines of a result, on standard error."""
    print("\n".join(lines), file=sys.stderr)


def tell_discarded(discarded: Sequence[str], new: str) -> None:
    """Say what became of files that were made before what is new, a line each.

    Args:
        discarded: one phrase each.
        new: what was made now: `these points`.
    """
    for phrase in discarded:
        say(f"{phrase}: it was made before {new}" if phrase.endswith(" is removed") else phrase)
