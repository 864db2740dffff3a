"""Ways to bend a file, as damage, other programs and people do."""

from __future__ import annotations

import gzip
import re
from collections.abc import Callable
from random import Random

#: Numbers at which something ends: 64 bits, doubles, digits that Python reads, what is a number elsewhere.
NUMBERS = (
    *(b"0", b"-1", b"1e400", b"-0.0", b"nan", b"-inf", b"0x10", b"1_0", b"\xd9\xa3", b"1.5", b"1e-320"),
    *(str(2**bits + plus).encode() for bits in (31, 32, 53, 63, 64) for plus in (-1, 0, 1)),
    *(b"9" * 400, b"9" * 5000, b"0" * 5000 + b"1"),
)

#: What parts, ends, opens or is no text.
PIECES = (
    *(
        b"\r",
        b"\n",
        b"\r\n",
        b"\0",
        b"\x1a",
        b"\xff",
        b"\xef\xbb\xbf",
        b"\xe2\x80\xa8",
        b"\x1b[2J",
        b"\xed\xa0\x80",
    ),
    *(
        b",",
        b";",
        b":",
        b"#",
        b'"',
        b"'",
        b"\t",
        b"=",
        b"{",
        b"}",
        b"[",
        b"]",
        b"/",
        b"%",
        b"T:",
        b"T\n",
        b"[x]\n",
    ),
    *(
        b"null",
        b"{}",
        b"[]",
        b'""',
        b"true",
        b"---------- Begin Simulation Statistics",
        b"# units: a=b; c: d\n",
    ),
)

Bend = Callable[[bytes, Random], bytes]


def bent(content: bytes, chance: Random) -> bytes:
    """The content with one to a few bends."""
    for _ in range(chance.choice((1, 1, 1, 2, 3, 8))):
        content = chance.choice(BENDS)(content, chance)[:_LONGEST]
    return content


def _flip(content: bytes, chance: Random) -> bytes:
    if not content:
        return content
    at = chance.randrange(len(content))
    return content[:at] + bytes([content[at] ^ (1 << chance.randrange(8))]) + content[at + 1 :]


def _cut(content: bytes, chance: Random) -> bytes:
    return content[: chance.randrange(len(content) + 1)]


def _without(content: bytes, chance: Random) -> bytes:
    a, b = _span(content, chance)
    return content[:a] + content[b:]


def _again(content: bytes, chance: Random) -> bytes:
    a, b = _span(content, chance)
    return content[:b] + content[a:b] * chance.choice((1, 1, 2, 50)) + content[b:]


def _insert(content: bytes, chance: Random) -> bytes:
    at = chance.randrange(len(content) + 1)
    return content[:at] + chance.choice(PIECES) + content[at:]


def _number(content: bytes, chance: Random) -> bytes:
    """Another number in place of one."""
    found = list(re.finditer(rb"\d+(?:\.\d+)?", content))
    if not found:
        return content
    number = chance.choice(found)
    return content[: number.start()] + chance.choice(NUMBERS) + content[number.end() :]


def _word(content: bytes, chance: Random) -> bytes:
    """A word less, or twice, or in capitals."""
    found = list(re.finditer(rb"[A-Za-z_]+", content))
    if not found:
        return content
    word = chance.choice(found)
    other = chance.choice((b"", word[0] * 2, word[0].upper(), word[0][:9] * 3000))
    return content[: word.start()] + other + content[word.end() :]


def _line(content: bytes, chance: Random) -> bytes:
    """Lines in another order, one less, or one twice."""
    lines = content.split(b"\n")
    at, other = chance.randrange(len(lines)), chance.randrange(len(lines))
    if chance.random() < 0.3:
        del lines[at]
    elif chance.random() < 0.5:
        lines.insert(other, lines[at])
    else:
        lines[at], lines[other] = lines[other], lines[at]
    return b"\n".join(lines)


def _ends(content: bytes, chance: Random) -> bytes:
    return content.replace(b"\n", chance.choice((b"\r", b"\r\n", b"", b"\0", b"\n\n")))


def _deep(content: bytes, chance: Random) -> bytes:
    at = chance.randrange(len(content) + 1)
    return content[:at] + chance.choice((b"[", b'{"a":', b"((", b'"')) * 3000 + content[at:]


def _word_of_machine(content: bytes, chance: Random) -> bytes:
    """Four or eight bytes that are a large number to who reads them as binary."""
    at, width = chance.randrange(len(content) + 1), chance.choice((4, 8))
    return content[:at] + chance.choice((b"\xff", b"\0", b"\x7f")) * width + content[at + width :]


def _zipped(content: bytes, chance: Random) -> bytes:
    return _cut(gzip.compress(content, 1), chance) if chance.random() < 0.5 else gzip.compress(content, 1)


def _span(content: bytes, chance: Random) -> tuple[int, int]:
    a = chance.randrange(len(content) + 1)
    return a, min(len(content), a + chance.choice((1, 2, 8, 64, 512)))


BENDS: tuple[Bend, ...] = (
    *(_flip, _cut, _without, _again, _insert, _insert, _number, _number, _number, _word, _line, _ends, _deep),
    *(_word_of_machine, _zipped),
)

#: Bends upon bends would else grow without end.
_LONGEST = 2_000_000
