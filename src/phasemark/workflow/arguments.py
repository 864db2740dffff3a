"""What a caller gives to a step, as the step takes it: options, files, a command, a configuration."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from phasemark.errors import UsageError
from phasemark.store.names import usable

if TYPE_CHECKING:
    from phasemark.simulate.config import TimingConfig

_Value = TypeVar("_Value")


def options_of(kind: type[_Value], options: _Value | None, parameters: dict[str, Any]) -> _Value:
    """Options as a value, or by name.

    Raises:
        UsageError: both, or a name that there is not.
    """
    if options is not None and not isinstance(options, kind):
        name = next(iter(fields(kind))).name  # type: ignore[arg-type]
        raise UsageError(
            f"{options!r:.60} is no {kind.__name__}", hint=f"give options by name, as {name}=..."
        )
    if not parameters:
        return kind() if options is None else options
    if options is not None:
        raise UsageError(f"options and {', '.join(parameters)} are given", hint="give one or the other")
    try:
        return kind(**parameters)
    except TypeError as error:
        known = ", ".join(field.name for field in fields(kind))  # type: ignore[arg-type]
        raise UsageError(f"{error.args[0].split('__init__() ')[-1]}", hint=f"there are: {known}") from error


def paths_of(files: str | Path | Sequence[str | Path]) -> list[Path]:
    """Files as a list; a single one may stand for itself.

    Raises:
        UsageError: something else is given.
    """
    try:
        return [usable(files)] if isinstance(files, str | Path) else [usable(file) for file in files]
    except TypeError as error:
        raise UsageError(f"{files!r:.60} names no files", hint="give a path, or a list of them") from error


def words_of(command: Sequence[str]) -> tuple[str, ...]:
    """A command as its words.

    Raises:
        UsageError: it is a single string.
    """
    if isinstance(command, str | bytes | Path):
        raise UsageError(
            f"the command {str(command)!r} is one string", hint='give a list of words: ["gzip", "-k", "file"]'
        )
    return tuple(map(str, command))


def machine_of(config: str | Path | TimingConfig) -> TimingConfig:
    """The configuration of a name or a TOML file; one that is given as it is.

    Raises:
        UsageError, DataError: there is none of that name, or the file makes no sense.
    """
    from phasemark.simulate.config import TimingConfig, load

    return config if isinstance(config, TimingConfig) else load(str(config))
