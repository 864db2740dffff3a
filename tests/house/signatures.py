"""Signatures and constants as a reader wants them: with types, a line a parameter where they are long."""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from typing import Any

_ROOM = 80


def signature(value: Any, *, bound: bool = False) -> tuple[str, dict[str, str]]:
    """A signature, and the type of each parameter; that of the result as `Returns`.

    Args:
        value: a function or a class.
        bound: leave out the first parameter, the object.
    """
    try:
        found = inspect.signature(value)
    except (TypeError, ValueError):
        return "", {}
    parameters = list(found.parameters.values())[bound:]
    result = "" if inspect.isclass(value) else annotation(found.return_annotation)
    types = {parameter.name: annotation(parameter.annotation) for parameter in parameters}
    items = list(_items(parameters))
    arrow = f" -> {result}" if result else ""
    text = f"({', '.join(items)}){arrow}"
    if len(text) > _ROOM:
        text = "(\n" + "".join(f"    {item},\n" for item in items) + f"){arrow}"
    return text, {**types, "Returns": result}


def annotation(value: object) -> str:
    """A type as it stands in the source."""
    if value is inspect.Signature.empty:
        return ""
    return value if isinstance(value, str) else inspect.formatannotation(value)


def constant(name: str, value: object) -> str:
    """`name = value`; of a long table its keys, of a long row how much of what, else the name alone."""
    if isinstance(value, dict) and (len(repr(value)) > _ROOM or "<" in repr(value)):
        return f"{name} = {{{', '.join(f'{_text(key)}: ...' for key in value)}}}"
    if isinstance(value, tuple | list) and len(repr(value)) > 4 * _ROOM:
        return f"{name} = (...)  # {len(value)} x {type(value[0]).__name__}"
    return name if " at 0x" in repr(value) else f"{name} = {_text(value)}"


def _items(parameters: list[inspect.Parameter]) -> Iterator[str]:
    starred = False
    for parameter in parameters:
        if parameter.kind is parameter.KEYWORD_ONLY and not starred:
            yield "*"
        starred |= parameter.kind in (parameter.KEYWORD_ONLY, parameter.VAR_POSITIONAL)
        stars = {parameter.VAR_POSITIONAL: "*", parameter.VAR_KEYWORD: "**"}.get(parameter.kind, "")
        kind = annotation(parameter.annotation)
        default = "" if parameter.default is parameter.empty else f" = {_text(parameter.default)}"
        yield f"{stars}{parameter.name}" + (f": {kind}" if kind else "") + default


def _text(value: object) -> str:
    if isinstance(value, str) and '"' not in value:
        return f'"{value}"'
    text = repr(value).replace("pathlib._local.", "pathlib.")  # the home of Path in some versions of Python
    return "..." if text.startswith("<") else text
