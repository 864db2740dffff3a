"""phasemark track --live, without Typer."""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from phasemark.cli.options import is_given
from phasemark.errors import UsageError, counted

if TYPE_CHECKING:
    import typer

#: Options of a program that runs, and those of a run's folder.
ONLY_LIVE = ("pid", "interval", "log", "on_change", "metrics", "listen")
NOT_LIVE = ("out", "adapt", "deviation", "replace")

#: Those that are the tracker's, under the same names.
_TRACKER = (
    *("threshold", "min_count", "counters", "bits", "compressed_bits", "headroom", "signatures", "policy"),
    "seed",
)

_SIZES = ("counters", "bits", "compressed_bits", "signatures")

#: A program that is run reads what we would.
_STDIN = 0

#: Phases in the table.
_LARGEST = 5


def refuse(context: typer.Context, names: Sequence[str], why: str, hint: str) -> None:
    """See that none of some options is given.

    Raises:
        UsageError: one is.
    """
    for name in names:
        if is_given(context, name):
            raise UsageError(f"--{name.replace('_', '-')} {why}", hint=hint)


def one(words: Sequence[str]) -> Path:
    """The folder or file that is tracked without --live.

    Raises:
        UsageError: there is none, or several.
    """
    if len(words) != 1:
        raise UsageError(
            f"{counted(len(words), 'folder')} instead of one",
            hint="phasemark track DIR; a program that runs: phasemark track --live -- PROGRAM ARGUMENTS",
        )
    return Path(words[0])


def track(words: Sequence[str], given: Mapping[str, Any], *, quiet: bool, as_json: bool) -> None:
    """Track a program while it runs.

    Args:
        words: the program and its arguments.
        given: the options that were given, by name.
        quiet, as_json: nobody looks on; a summary goes to standard output.

    Raises:
        SystemExit: with the program's status, or 1 where it ended well but was not tracked to its end.
    """
    from phasemark.cli.printing import live as shown
    from phasemark.cli.printing import live_viewers, show_aside
    from phasemark.collect.live.following import Wanted
    from phasemark.workflow import live

    sizes = dict.fromkeys(_SIZES) if given.get("unrestricted") else {}
    predictors = [name for text in given.get("predictor", ()) for name in text.split(",") if name]
    if len(predictors) > 1:
        raise UsageError("several predictors", hint="with --live one foretells: --predictor rle-markov")
    result = live.track(
        Wanted(
            command=tuple(words),
            pid=given.get("pid"),
            interval=given.get("interval"),
            signature=given.get("signature", "function"),
            stdin=_STDIN,
        ),
        live.LiveOptions(
            tracker={**{name: given[name] for name in _TRACKER if name in given}, **sizes},
            predictor=predictors[0] if predictors else live.PREDICTOR,
            log=given.get("log"),
            on_change=given.get("on_change"),
            metrics=given.get("metrics"),
            listen=given.get("listen"),
        ),
        live_viewers.viewer(quiet, alone=not words),
    )
    show_aside(shown.notes(result) if quiet else shown.lines(result, given.get("largest", _LARGEST)))
    if as_json:
        print(json.dumps(shown.summary(result)))
    if status := result.status or int(bool(result.failure)):
        sys.exit(status)
