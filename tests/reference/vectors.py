"""The vector tokenizer, slow and plain: what native/core/vectors must equal."""

from __future__ import annotations

import re

_TWO = re.compile(rb":(\d+):(\d+)\Z")
_FOUR = re.compile(rb":([0-9a-fA-FxX]+:[0-9a-fA-FxX]+):(\d+):(\d+)\Z")


class Malformed(Exception):
    """Carries the number of the first bad line."""

    def __init__(self, line: int) -> None:
        super().__init__(line)
        self.line = line


def tokenize(content: bytes) -> tuple[list[dict[int, int]], list[tuple[int, bytes]], dict[int, str]]:
    """Rows as id -> count, notes as (line, text), addresses of ids."""
    rows: list[dict[int, int]] = []
    notes: list[tuple[int, bytes]] = []
    places: dict[int, str] = {}
    fields = 0
    for number, line in enumerate(content.split(b"\n"), 1):
        text = line.removesuffix(b"\r").lstrip(b" \t")
        if not text:
            continue
        if not re.match(rb"T(\Z|[: \t])", text):
            if b"\0" in line:
                raise Malformed(number)
            notes.append((number, text))
            continue
        row: dict[int, int] = {}
        for entry in re.split(rb"[ \t]+", text[1:]):
            if not entry:
                continue
            if fields != 4 and (found := _TWO.match(entry)):
                fields, ident, count = 2, int(found[1]), int(found[2])
            elif fields != 2 and (found := _FOUR.match(entry)):
                fields, ident, count = 4, int(found[2]), int(found[3])
                places.setdefault(ident, found[1].decode())
            else:
                raise Malformed(number)
            if ident >= 2**64 or count >= 2**63:
                raise Malformed(number)
            row[ident] = row.get(ident, 0) + count
        if sum(row.values()) >= 2**63:
            raise Malformed(number)
        rows.append({ident: count for ident, count in row.items() if count})
    return rows, notes, places
