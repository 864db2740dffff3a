"""Canonical blocks, slowly and plainly: one instruction at a time.

The oracle for phasemark.collect.stream.canonical; see docs/raw-stream.md, "Canonical blocks".
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from tests.reference.raw_stream import Block, Interval, Stream

Place = tuple[str, int]  # module, offset in its file


def names(stream: Stream) -> dict[int, str]:
    """Module id -> its name; anonymous ones are numbered in the order of their ids."""
    out, anonymous = {}, 0
    for serial in sorted(stream.modules):
        module = stream.modules[serial]
        out[serial] = module.name
        if module.kind == 1:
            out[serial] = f"[anonymous {anonymous}]"
            anonymous += 1
    return out


def instructions(stream: Stream, block: Block) -> list[Place]:
    """Where each instruction of a recorded block lies."""
    out = []
    for piece in block.pieces:
        at = stream.modules[piece.module].file_offset + piece.offset
        for length in piece.lengths:
            out.append((names(stream)[piece.module], at))
            at += length
    return out


def starts(streams: Sequence[Stream]) -> set[Place]:
    """Where some piece of some block of some stream starts."""
    found = set()
    for stream in streams:
        for block in stream.blocks.values():
            for piece in block.pieces:
                offset = stream.modules[piece.module].file_offset + piece.offset
                found.add((names(stream)[piece.module], offset))
    return found


def owners(stream: Stream, block: Block, cuts: set[Place]) -> list[Place]:
    """The canonical block of each instruction of a recorded block."""
    begins = set()
    number = 0
    for piece in block.pieces:
        begins.add(number)
        number += len(piece.lengths)
    out: list[Place] = []
    for number, place in enumerate(instructions(stream, block)):
        out.append(place if number in begins or place in cuts else out[-1])
    return out


def vector(stream: Stream, interval: Interval, cuts: set[Place]) -> Counter[Place]:
    """Instructions executed per canonical block."""
    counts: Counter[Place] = Counter()
    for serial, times in interval.full:
        for owner in owners(stream, stream.blocks[serial], cuts):
            counts[owner] += times
    for serial, begin, end, times in interval.partial:
        for owner in owners(stream, stream.blocks[serial], cuts)[begin:end]:
            counts[owner] += times
    return +counts
