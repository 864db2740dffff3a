"""PinPoints, isimpoint, SDE and LoopPoint: `# Slice ending at N`, `T:1:20 :2:30`, and `Block id:` lines.

An empty slice is a bare `T`. Other lines say the image, the command, the thread and the slices' marks:

    G: /bin/x LowAddress: 0x400000 LoadOffset: 0x0
    P: 0
    C: sum:dummy Command: x
    S: 12 3456 f:bb source.c:7
    Dynamic instruction count 1000000
    SliceSize: 100000
    Block id: 7 0x401000:0x401007 static instructions: 3 block count: 10 block size: 9
    End of bb

(pin's isimpoint.cpp; the LLVM form names function and block in place of the addresses.) A slice's comment
stands before its vector; with `-emit_first 0` the first slice has the comment alone.

LoopPoint cuts all threads where all together reach N, and leaves out code that only waits
(GlobalLoopPoint/Profiler): `# Slice ending at 500 global 1004`, in the file of all threads `# Slice ending
at global 1004`; `# Unfiltered count` and, at the end, `Dynamic unfiltered instruction count` count that code
too.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise

from phasemark.formats.vectors.dialect import BlockFacts, Dialect, Facts
from phasemark.formats.vectors.scanning import Note, Outline, whole

__all__ = ["DIALECT", "knows", "read", "sniff"]

_SLICE = re.compile(r"# Slice ending at ")
_END = re.compile(r"# Slice ending at (?:global )?([0-9]+)(?: global [0-9]+)?\s*$")
_OF_A_THREAD = re.compile(r"# Slice ending at [0-9]+ global ")
_LINE = re.compile(
    r"(?:[BCGIMPS]|GM|GS): ?|Block id: |Dynamic (?:unfiltered )?instruction count |SliceSize: |End of bb\s*$"
)
_THREAD = re.compile(r"P: ([0-9]+)")
_INTERVAL = re.compile(r"SliceSize: ([0-9]+)")
_INSTRUCTIONS = re.compile(r"Dynamic instruction count ([0-9]+)")
_UNFILTERED = re.compile(r"Dynamic unfiltered instruction count ([0-9]+)")
_UNFILTERED_SO_FAR = re.compile(r"# Unfiltered count +([0-9]+)")
_COMMAND = re.compile(r"C: .*?Command: ?(.*)")
_BLOCK = re.compile(
    r"Block id: ([0-9]{1,20}) (\S+)((?: .*?)?) static[- ]instructions: ([0-9]+)"
    r" block[- ]count: [0-9]+(?: block size: ([0-9]+))?"
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
    """Thread, slice size and positions, instructions, command and blocks."""
    command = vectors.search(_COMMAND)
    # Where all threads together reach N, the slices of one have no one length.
    interval = None if vectors.search(_OF_A_THREAD) else vectors.number(_INTERVAL)
    starts = _starts(vectors)
    return Facts(
        thread=vectors.number(_THREAD),
        interval=interval,
        instructions=vectors.number(_INSTRUCTIONS),
        starts=starts,
        command=command[1].strip() if command else "",
        blocks=dict(_blocks(vectors)),
        warnings=(*_unplaced(vectors, starts), *_filtered(vectors)),
    )


def _starts(vectors: Outline) -> list[int] | None:
    """Where each interval starts, by where the slices end; None where that is not said or does not fit.

    Of the first it is not said: it ends where its slice does.
    """
    bounds = [0, *vectors.numbers(_END)]
    lengths = vectors.lengths.tolist()
    without = len(bounds) - 1 - len(lengths)
    if not lengths or without not in (0, 1):
        return None
    first = int(without == 1 and _first_has_no_vector(vectors))
    bounds = bounds[first : first + len(lengths) + 1]
    if not first:
        bounds[0] = max(0, bounds[1] - lengths[0])
    fits = all(length <= end - start for length, (start, end) in zip(lengths, pairwise(bounds), strict=True))
    return bounds[:-1] if fits else None


def _first_has_no_vector(vectors: Outline) -> bool:
    """Whether no line between the comments of the first two slices is a vector; else the last has none."""
    at = [i for i, note in enumerate(vectors.notes) if _END.match(note.text)]
    one, two = at[0], at[1]
    return vectors.notes[two].line - vectors.notes[one].line == two - one


def _unplaced(vectors: Outline, starts: list[int] | None) -> Iterator[str]:
    if starts is None and len(vectors) and vectors.search(_END):
        yield (
            "where its slices end does not fit their vectors: intervals are taken to follow one another from "
            "instruction 0"
        )


def _filtered(vectors: Outline) -> Iterator[str]:
    """Instructions that the tool left out on purpose, in its count of instructions too."""
    ran = vectors.number(_UNFILTERED)
    ran = max(vectors.numbers(_UNFILTERED_SO_FAR), default=0) if ran is None else ran
    counted = vectors.number(_INSTRUCTIONS) or sum(vectors.lengths.tolist())
    if ran > counted:
        yield (
            f"{ran - counted:,} of {ran:,} instructions ({(ran - counted) / ran:.2%}) were filtered out: "
            "they are in no vector, and positions do not count them"
        )


def _blocks(vectors: Outline) -> Iterator[tuple[int, BlockFacts]]:
    for note in vectors.notes:
        if (block := _BLOCK.match(note.text)) is None:
            continue
        addresses = _ADDRESSES.fullmatch(block[2])
        function = f"0x{addresses[1]}" if addresses else f"{block[2].rsplit(':', 1)[0]}{block[3]}".strip()
        instructions, size = (
            whole(digits, vectors.path, note.line) for digits in (block[4], block[5] or "0")
        )
        place = f"{block[2]}{block[3] or ''}".strip()
        yield int(block[1]), BlockFacts(function, instructions, size, place)


DIALECT = Dialect(
    name="pinpoints",
    tool="pinpoints",
    block_definition="basic block of Pin, by first and last address",
    drops_tail=False,
    sniff=sniff,
    read=read,
    numbered="are numbered in the order in which a run comes to them",
)
