"""phasemark track --live, without Typer."""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from phasemark.cli import track_options
from phasemark.errors import UsageError

if TYPE_CHECKING:
    from phasemark.workflow.live import LiveOptions

#: Options that are the tracker's, under the same names.
_TRACKER = ("threshold", "min_count", "headroom", "policy", "seed")

#: A program that is run reads what we would.
_STDIN = 0

#: Phases in the table.
_LARGEST = 5


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
    from phasemark.collect.live.feed import PERF, Wanted
    from phasemark.workflow import live

    result = live.track(
        Wanted(
            command=tuple(words),
            pid=given.get("pid"),
            interval=given.get("interval"),
            signature=given.get("signature"),
            collector=given.get("collector", PERF),
            stdin=_STDIN,
        ),
        _options(given),
        live_viewers.viewer(quiet, alone=not words),
    )
    show_aside(shown.notes(result) if quiet else shown.lines(result, given.get("largest", _LARGEST)))
    if as_json:
        print(json.dumps(shown.summary(result)))
    if status := result.status or int(bool(result.failure)):
        sys.exit(status)


def _options(given: Mapping[str, Any]) -> LiveOptions:
    from phasemark.workflow import live

    predictors = track_options.predictors(given.get("predictor"))
    if len(predictors) > 1:
        raise UsageError("several predictors", hint="with --live one foretells: --predictor rle-markov")
    return live.LiveOptions(
        tracker={**{name: given[name] for name in _TRACKER if name in given}, **track_options.sizes(given)},
        predictor=predictors[0] if predictors else live.PREDICTOR,
        **{name: given.get(name) for name in ("log", "on_change", "metrics", "listen")},
    )
