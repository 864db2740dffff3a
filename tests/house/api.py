"""The public interface as text: one line a name, with what a caller must know.

Run `python -m tests.house.api` to write api.txt anew.
"""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from pathlib import Path
from typing import get_origin

import phasemark

SNAPSHOT = Path(__file__).with_name("api.txt")


def listing() -> str:
    """Every public name of every room, with its signature."""
    rooms = [name for name in phasemark.__all__ if inspect.ismodule(getattr(phasemark, name))]
    own = [name for name in phasemark.__all__ if name not in rooms]
    lines = [line for name in own for line in _described(f"phasemark.{name}", getattr(phasemark, name))]
    for room in rooms:
        module = getattr(phasemark, room)
        for name in sorted(_public(module)):
            lines += _described(f"phasemark.{room}.{name}", getattr(module, name))
    return "\n".join(lines) + "\n"


def _public(module: object) -> list[str]:
    names = getattr(module, "__all__", None)
    if names is None:
        names = [
            name
            for name, value in vars(module).items()
            if not name.startswith("_") and getattr(value, "__module__", None) == module.__name__
        ]
    return list(names)


def _described(path: str, value: object) -> Iterator[str]:
    if inspect.isclass(value):
        yield f"{path}{_signature(value)}"
        for name, member in sorted(_members(value).items()):
            if name.startswith("_"):
                continue
            function = getattr(member, "__func__", member)  # of class methods and static ones
            if inspect.isfunction(function):
                yield f"{path}.{name}{_signature(function)}"
            elif not inspect.ismemberdescriptor(member):
                yield f"{path}.{name}"
    elif callable(value):
        yield f"{path}{_signature(value)}"
    else:
        yield path


def _members(value: type) -> dict[str, object]:
    """Its own, and those of bases that are parts of it: they stand in a file below its module."""
    parts = [base for base in value.__mro__ if base.__module__.startswith(f"{value.__module__}.")]
    return {name: member for part in (*reversed(parts), value) for name, member in vars(part).items()}


def _signature(value: object) -> str:
    """Parameters and defaults; types are mypy's business, and those of an alias change with Python."""
    if get_origin(value) is not None:
        return ""
    try:
        signature = inspect.signature(value)
    except (TypeError, ValueError):
        return ""
    bare = [p.replace(annotation=inspect.Parameter.empty) for p in signature.parameters.values()]
    text = str(signature.replace(parameters=bare, return_annotation=inspect.Signature.empty))
    return "" if " at 0x" in text else text


if __name__ == "__main__":
    SNAPSHOT.write_text(listing(), encoding="utf-8")
