"""Build-ids, which tell one build of a module from another.

Every program that is recorded has those of its modules read. So they are read here without pyelftools,
which takes as long to load as NumPy; tests hold the two against each other. The layout is that of the System
V ABI, "Program Header" and "Note Section".
"""

from __future__ import annotations

import os
import struct
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import BinaryIO

_NOTE_SEGMENT = 4  # PT_NOTE
_BUILD_ID = 3  # NT_GNU_BUILD_ID, of the name GNU
_LARGEST = 1 << 24  # bytes of notes that are read in all

#: Per class of file: the fields of its header from e_type to e_phnum; those of a program header; and which of
#: these p_type, p_offset, p_filesz and p_align are.
_LAYOUTS = {1: ("HHIIIIIHHH", "8I", (0, 1, 4, 7)), 2: ("HHIQQQIHHH", "IIQQQQQQ", (0, 2, 5, 7))}
_ORDERS = {1: "<", 2: ">"}


def build_id(path: str | Path) -> str:
    """The build-id of an ELF file in hexadecimal; empty where there is none or the file is no ELF file."""
    try:
        # What is a pipe by now must not be waited for.
        with open(path, "rb", opener=lambda name, flags: os.open(name, flags | os.O_NONBLOCK)) as file:
            return next(_build_ids(file), "")
    except (OSError, ValueError, OverflowError, struct.error):
        return ""


def rebuilt(before: Mapping[str, str], now: Mapping[str, str]) -> list[str]:
    """The modules of both whose builds differ, by name.

    Args:
        before, now: module -> build-id.
    """
    return sorted(name for name in before.keys() & now.keys() if before[name] != now[name])


def _build_ids(file: BinaryIO) -> Iterator[str]:
    """The build-ids of a file, in the order of its program headers; usually one.

    Raises:
        struct.error: it ends where more should be.
    """
    start = _read(file, 0, 16)
    if len(start) < 16 or start[:4] != b"\x7fELF":
        return
    layout, order = _LAYOUTS.get(start[4]), _ORDERS.get(start[5])
    if layout is None or order is None:
        return
    header_fields, fields, (kind, offset, size, alignment) = layout
    header = _unpacked(file, 16, order + header_fields)
    first, length, count = header[4], header[8], header[9]
    left = _LARGEST
    for number in range(count):
        segment = _unpacked(file, first + number * length, order + fields)
        if segment[kind] == _NOTE_SEGMENT:
            notes = _read(file, segment[offset], min(segment[size], left))
            left -= len(notes)
            yield from _build_ids_of(notes, order, 8 if segment[alignment] == 8 else 4)


def _build_ids_of(notes: bytes, order: str, alignment: int) -> Iterator[str]:
    at = 0
    while at + 12 <= len(notes):
        name_size, size, kind = struct.unpack_from(order + "3I", notes, at)
        content = at + _aligned(12 + name_size, alignment)
        if kind == _BUILD_ID and notes[at + 12 : at + 12 + name_size] == b"GNU\0":
            yield notes[content : content + size].hex()
        at = content + _aligned(size, alignment)


def _aligned(size: int, alignment: int) -> int:
    return -(-size // alignment) * alignment


def _unpacked(file: BinaryIO, at: int, fields: str) -> tuple[int, ...]:
    return struct.unpack(fields, _read(file, at, struct.calcsize(fields)))


def _read(file: BinaryIO, at: int, size: int) -> bytes:
    file.seek(at)
    return file.read(size)
