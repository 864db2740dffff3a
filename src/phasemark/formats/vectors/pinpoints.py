"""PinPoints, isimpoint and SDE: `# Slice ending at N`, `T:1:20 :2:30 `, and a trailer of `Block id:` lines.

An empty slice is a bare `T`. Other lines say the image, the command, the thread and the slices' marks:

    G: /bin/x LowAddress: 0x400000 LoadOffset: 0x0
    P: 0
    C: sum:dummy Command: x
    S: 12 3456 f:bb source.c:7
    Dynamic instruction count 1000000
    SliceSize: 100000
    Block id: 7 0x401000:0x401007 static instructions: 3 block count: 10 block size: 9
    End of bb

(pin's isimpoint.cpp; the LLVM form names function and block in place of the addresses.)
"""

from __future__ import annotations

import re

from phasemark.formats.vectors.dialect import BlockFacts, Dialect, Facts
from phasemark.formats.vectors.scanning import Note, Outline

__all__ = ["DIALECT", "knows", "read", "sniff"]

_SLICE = re.compile(r"# Slice ending at ")
_LINE = re.compile(r"[BCGIMPS]: ?|Block id: |Dynamic instruction count |SliceSize: |End of bb\s*$")
_THREAD = re.compile(r"P: (\d+)")
_INTERVAL = re.compile(r"SliceSize: (\d+)")
_INSTRUCTIONS = re.compile(r"Dynamic instruction count (\d+)")
_COMMAND = re.compile(r"C: .*?Command: ?(.*)")
_BLOCK = re.compile(
    r"Block id: (\d{1,20}) (\S+)(.*?) static[- ]instructions: (\d+)"
    r" block[- ]count: \d+(?: block size: (\d+))?"
)
_ADDRESSES = re.compile(r"(?:0x)?([0-9a-fA-F]+):(?:0x)?[0-9a-fA-F]+")


def knows(note: Note) -> bool:
    """Whether a line that is no vector and no comment belongs to this dialect."""
    return _LINE.match(note.text) is not None


def sniff(vectors: Outline) -> bool:
    """A slice's comment, or any of its lines."""
    return vectors.layout.fields != 4 and (
        vectors.search(_LINE) is not None or vectors.search(_SLICE) is not None
    )


def read(vectors: Outline) -> Facts:
    """Thread, slice size, instructions, command and blocks."""
    thread, interval, instructions = (
        int(match[1]) if (match := vectors.search(pattern)) else None
        for pattern in (_THREAD, _INTERVAL, _INSTRUCTIONS)
    )
    command = vectors.search(_COMMAND)
    blocks = (_BLOCK.match(note.text) for note in vectors.notes)
    return Facts(
        thread=thread,
        interval=interval,
        instructions=instructions,
        command=command[1].strip() if command else "",
        blocks={int(block[1]): _block(block) for block in blocks if block},
    )


def _block(line: re.Match[str]) -> BlockFacts:
    addresses = _ADDRESSES.fullmatch(line[2])
    function = f"0x{addresses[1]}" if addresses else f"{line[2].rsplit(':', 1)[0]}{line[3]}".strip()
    return BlockFacts(function=function, instructions=int(line[4]), size=int(line[5] or 0))


DIALECT = Dialect(
    name="pinpoints",
    tool="pinpoints",
    block_definition="basic block of Pin, by first and last address",
    drops_tail=False,
    sniff=sniff,
    read=read,
)
