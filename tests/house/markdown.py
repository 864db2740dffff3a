"""Pages as the tests of the house look at them: prose apart from code, headings, links."""

from __future__ import annotations

import re
from collections.abc import Iterator

WIDTH = 110

_FENCE = re.compile(r" *(```|~~~)")
_LINK = re.compile(r"\]\(([^)#\s]*)(?:#([^)\s]*))?[^)]*\)")
_HEADING = re.compile(r"#+ +(.*)")


def prose(text: str) -> Iterator[tuple[int, str]]:
    """The lines, numbered from 1, that are neither code nor in a comment."""
    fenced, before = False, ""
    for number, line in enumerate(text.splitlines(), 1):
        if _FENCE.match(line):
            fenced = not fenced
        elif not fenced and not (line.startswith("    ") and not _continues(before)):
            yield number, line
        before = line


def wide_lines(text: str) -> list[int]:
    """Lines of prose wider than WIDTH; the targets of links are not counted, tables may be wide."""
    return [
        number
        for number, line in prose(text)
        if not line.startswith(("|", "<!--")) and len(re.sub(r"\]\([^)]*\)", "]()", line)) > WIDTH
    ]


def links(text: str) -> Iterator[tuple[str, str]]:
    """Target and anchor of every link to another page or place in this one."""
    lines = "\n".join(line for _, line in prose(text))
    for target, anchor in _LINK.findall(lines):
        if "://" not in target and not target.startswith("mailto:"):
            yield target, anchor


def places(text: str) -> set[str]:
    """Files and folders that stand in the text as code; `room/module.py` is one of the package."""
    named = set(re.findall(r"`([\w.-]+/[\w./-]+)`", text))
    whole = {name for name in named if name.split("/")[0] in ("src", "native", "tests", "script", "docs")}
    modules = {f"src/phasemark/{name}" for name in named - whole if name.endswith(".py")}
    return whole - {"docs/NAME.md"} | modules


def anchors(text: str) -> set[str]:
    """The anchors of the headings, as GitHub makes them."""
    made: set[str] = set()
    for _, line in prose(text):
        if match := _HEADING.match(line):
            words = re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", match[1]).lower()
            anchor = re.sub(r"[^\w\- ]", "", words).strip().replace(" ", "-")
            made.add(next(name for name in _numbered(anchor) if name not in made))
    return made


def _numbered(anchor: str) -> Iterator[str]:
    yield anchor
    number = 1
    while True:
        yield f"{anchor}-{number}"
        number += 1


def _continues(before: str) -> bool:
    """Whether an indented line after this one belongs to a paragraph or a list."""
    return bool(before.strip()) and not before.startswith("    ")
