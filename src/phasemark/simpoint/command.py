"""A command line of SimPoint 3.2, done: by the light path where its flags allow, else by the full one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields
from pathlib import Path

from phasemark.errors import WorkError
from phasemark.simpoint import light
from phasemark.simpoint.flags import Flags
from phasemark.simpoint.parsing import parse

__all__ = ["run_command"]


def run_command(arguments: Sequence[str]) -> None:
    """Do what a command line of SimPoint 3.2 says.

    Raises:
        UsageError: flags that are unknown or exclude one another; and as `run`.
        WorkError: there is no folder for a file that is to be written.
    """
    flags = parse(arguments)
    _require_folders(flags)
    if light.suits(flags):
        light.run(flags)
    else:
        from phasemark.simpoint import full

        full.run(flags)


def _require_folders(flags: Flags) -> None:
    """Before the work, not after it."""
    for field in fields(Flags):
        path = getattr(flags, field.name) if field.name.startswith("save") else None
        if isinstance(path, Path) and not path.parent.is_dir():
            raise WorkError(
                f"{path}: cannot be written: {path.parent} is no folder", hint="make it, or name another"
            )
