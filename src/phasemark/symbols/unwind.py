"""Where functions begin and end, from unwind information (`.eh_frame`), which stripping leaves in place.

Format: Linux Standard Base, Core, "Exception Frames"; pointer encodings from "DWARF Extensions".
"""

from __future__ import annotations

import struct
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from phasemark.symbols.elf import BROKEN, Elf

_PC_RELATIVE = 0x10
#: Low four bits of a pointer encoding -> struct's letter; 0 is an address of the machine's width.
_LETTERS = {2: "H", 3: "I", 4: "Q", 10: "h", 11: "i", 12: "q"}


class Ranges:
    """Functions without names, [start, end) in order of start.

    Attributes:
        module: name of the module's file.
        start, end: virtual addresses, uint64.
    """

    def __init__(self, module: str, pairs: list[tuple[int, int]]) -> None:
        table = np.array(sorted(pairs), np.uint64).reshape(-1, 2)
        self.module, self.start, self.end = module, table[:, 0], table[:, 1]

    def names(self, addresses: NDArray[np.uint64]) -> list[str]:
        """`gzip:0x3f20`, module and function's address, for each address; empty where none covers it."""
        rows = np.searchsorted(self.start, addresses, side="right") - 1
        return [
            f"{self.module}:{int(self.start[row]):#x}" if row >= 0 and address < int(self.end[row]) else ""
            for row, address in zip(rows.tolist(), addresses.tolist(), strict=True)
        ]


def read(elf: Elf) -> Ranges:
    """The functions that `.eh_frame` describes; those before a damaged place."""
    pairs: list[tuple[int, int]] = []
    try:
        if data := elf.section(".eh_frame"):
            _Walk(elf, data, elf.section_address(".eh_frame")).into(pairs)
    except BROKEN:
        pass  # the entries read so far are good
    return Ranges(Path(elf.path).name, pairs)


class _Walk:
    """One pass over the entries: descriptions of functions, and the headers they share."""

    def __init__(self, elf: Elf, data: bytes, address: int) -> None:
        self.data, self.address, self.order = data, address, elf.order
        self.word = "Q" if elf.is_64 else "I"
        self.formats: dict[int, tuple[struct.Struct, int]] = {}

    def into(self, pairs: list[tuple[int, int]]) -> None:
        """Append [start, end) of every function."""
        head = struct.Struct(f"{self.order}II")
        at = 0
        while at + 8 <= len(self.data):
            length, back = head.unpack_from(self.data, at)
            if length in (0, 0xFFFFFFFF):  # terminator; 64-bit lengths, which nobody writes here
                return
            if back:
                pairs.append(self._function(at + 8, at + 4 - back))
            at += 4 + length

    def _function(self, at: int, header: int) -> tuple[int, int]:
        if header not in self.formats:
            self.formats[header] = self._format(header)
        pair, base = self.formats[header]
        start, size = pair.unpack_from(self.data, at)
        start += (self.address + at) if base else 0
        return start, start + (size & ((1 << (pair.size * 4)) - 1))

    def _format(self, header: int) -> tuple[struct.Struct, int]:
        """How a function's start and size are written, and whether the start is relative to its place."""
        encoding = self._encoding(header + 8)
        letter = _LETTERS.get(encoding & 15, self.word)
        return struct.Struct(f"{self.order}{letter}{letter}"), encoding & _PC_RELATIVE

    def _encoding(self, at: int) -> int:
        """The `R` of a common information entry's augmentation; absolute addresses where it has none."""
        end = self.data.index(b"\0", at + 1)
        augmentation = self.data[at + 1 : end]
        if not augmentation.startswith(b"z"):
            return 0
        at = end + 1
        for _ in range(4):  # code alignment, data alignment, return register, length of what follows
            at = self._past_varint(at)
        for letter in augmentation[1:]:
            if letter == ord("R"):
                return self.data[at]
            if letter == ord("P"):
                at += 1 + struct.calcsize(f"{self.order}{_LETTERS.get(self.data[at] & 15, self.word)}")
            elif letter == ord("L"):
                at += 1
        return 0

    def _past_varint(self, at: int) -> int:
        while self.data[at] & 0x80:
            at += 1
        return at + 1
