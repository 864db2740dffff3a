"""Events, slowly and plainly: LZ4's blocks, tokens, and which events make one token."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

KINDS = ("loop", "indirect", "call", "return")


class Token(NamedTuple):
    """An event and how often it happened in succession; the position is that of the last time."""

    site: int
    repeats: int
    position: int


def unpacked(block: bytes) -> bytes:
    """An LZ4 block, as its format is described: literals, then a copy from what was unpacked before."""
    out, at = bytearray(), 0

    def length(nibble: int) -> int:
        nonlocal at
        total = nibble
        while nibble == 15:
            total += block[at]
            at += 1
            if block[at - 1] != 255:
                break
        return total

    while at < len(block):
        token = block[at]
        at += 1
        literals = length(token >> 4)
        assert at + literals <= len(block), "literals beyond the block's end"
        out += block[at : at + literals]
        at += literals
        if at == len(block):
            break
        back = block[at] | block[at + 1] << 8
        at += 2
        assert 0 < back <= len(out), "a copy of what was never there"
        for _ in range(length(token & 15) + 4):
            out.append(out[-back])
    return bytes(out)


def tokens(data: bytes, start: int) -> Iterator[Token]:
    """The tokens of one chunk that begins at a position."""
    at, position = 0, start

    def varint() -> int:
        nonlocal at
        value = shift = 0
        while True:
            value |= (data[at] & 0x7F) << shift
            shift += 7
            at += 1
            if data[at - 1] < 0x80:
                return value

    while at < len(data):
        site = varint()
        repeats, since = varint() if site & 1 else 1, varint()
        position += since
        assert site >> 1 < 2**31 and position <= 2**62, "a number too large to be true"
        assert 1 + (site & 1) <= repeats <= since, "events that took no time, or several that are one"
        yield Token(site >> 1, repeats, position)


def put_together(events: Iterable[tuple[int, int]], longest: int) -> list[Token]:
    """Events (site, position) as tokens of at most `longest` instructions, but where one event takes more."""
    made: list[Token] = []
    before = 0  # position where the token before ended
    for site, position in events:
        last = made[-1] if made else None
        if last and last.site == site and position - before <= longest:
            made[-1] = Token(site, last.repeats + 1, position)
        else:
            before = last.position if last else 0
            made.append(Token(site, 1, position))
    return made
