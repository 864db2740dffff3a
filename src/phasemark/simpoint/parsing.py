"""A command line of SimPoint 3.2: read as it reads it, but refused aloud."""

from __future__ import annotations

from collections.abc import Sequence

from phasemark.errors import UsageError, shown
from phasemark.simpoint import rules, values
from phasemark.simpoint.flags import NAMES, SWITCHES, Flags

__all__ = ["parse"]


def parse(arguments: Sequence[str]) -> Flags:
    """Read a command line of SimPoint 3.2; the last of two equal flags counts.

    Raises:
        UsageError: an unknown flag, a value that makes no sense, or flags that exclude one another;
            names the flag and a hint.
    """
    flags = Flags()
    given: set[str] = set()
    rest = list(arguments)
    while rest:
        name = _flag_name(rest.pop(0))
        given.add(name)
        if name in SWITCHES:
            setattr(flags, name, True)
            continue
        if not rest:
            raise UsageError(f"-{name} needs a value", hint=f"write -{name} {values.form(name)}")
        setattr(flags, name, values.value(name, rest.pop(0)))
    rules.require(flags, given)
    return flags


def _flag_name(argument: str) -> str:
    name = argument[1:]
    if argument.startswith("-") and name in NAMES:
        return name
    if not argument.startswith("-"):
        raise UsageError(f"{shown(argument)} belongs to no flag", hint="every value follows its flag")
    import difflib  # loads much, for a mistake alone

    near = difflib.get_close_matches(name.lstrip("-"), NAMES, 1)
    hint = f"did you mean -{near[0]}?" if near else "`phasemark simpoint --help` lists the flags"
    raise UsageError(f"unknown flag {argument}", hint=hint)
