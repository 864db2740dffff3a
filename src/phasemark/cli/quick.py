"""`phasemark profile` without Typer, whose loading takes a good part of what a short run does.

Only what is plainly written is understood: options that are known, each once, then the program. Everything
else (help, mistakes, other ways to write an option) is Typer's, which says what is wrong. Tests hold both to
the same results, and this table to Typer's declarations.
"""

from __future__ import annotations

from typing import Any

#: Option -> parameter of `profiling.profile`.
VALUES = {
    "-o": "out",
    "--out": "out",
    "--interval": "interval",
    "--collector": "collector",
    "--process": "process",
    "--smc-check": "smc_check",
    "--signature": "signature",
}
FLAGS = {
    "--events": "events",
    "--no-memory": "no_memory",
    "--keep-raw": "keep_raw",
    "-q": "quiet",
    "--quiet": "quiet",
    "--json": "as_json",
}


def understood(arguments: list[str]) -> dict[str, Any] | None:
    """The parameters that a command line of `profile` gives, as text and flags; None: leave it to Typer.

    Args:
        arguments: what follows `phasemark`.
    """
    if arguments[:1] != ["profile"]:
        return None
    found: dict[str, Any] = {}
    rest = iter(arguments[1:])
    for word in rest:
        name, equals, value = word.partition("=")
        if word == "--" or not word.startswith("-"):
            command = [*rest] if word == "--" else [word, *rest]
            return {**found, "command": command} if command else None
        if word in FLAGS:
            parameter, value = FLAGS[word], ""
        elif equals and name in VALUES and name.startswith("--"):
            parameter = VALUES[name]
        elif word in VALUES:
            parameter, value = VALUES[word], next(rest, "")
        else:
            return None
        if parameter in found or (word not in FLAGS and not value):
            return None
        found[parameter] = True if word in FLAGS else value
    return None
