"""An ELF file: its sections as bytes, its code's addresses, its build-id (`builds` reads that alone)."""

from __future__ import annotations

import struct
import weakref
import zlib
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from elftools.common.exceptions import DWARFError, ELFError
from elftools.elf.elffile import ELFFile
from numpy.typing import NDArray

#: What reading a damaged, foreign or vanishing file can raise; a name is never worth a crash.
BROKEN = (
    *(ELFError, DWARFError, OSError, MemoryError, ValueError, LookupError, TypeError, AttributeError),
    *(AssertionError, ArithmeticError, NotImplementedError, struct.error, zlib.error),
)

_EXECUTABLE = 1  # PF_X
_CODE = 4  # SHF_EXECINSTR
_LAST = (1 << 64) - 1


class Elf:
    """A file open for reading.

    Raises:
        one of BROKEN: it cannot be read, or is no ELF file.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        file = path.open("rb")
        weakref.finalize(self, file.close)
        self.file: Any = ELFFile(file)
        self._code_segments = [
            (segment["p_offset"], min(segment["p_offset"] + segment["p_filesz"], _LAST), segment["p_vaddr"])
            for segment in self.file.iter_segments("PT_LOAD")
            if segment["p_flags"] & _EXECUTABLE
        ]

    @property
    def is_64(self) -> bool:
        """Whether addresses have 64 bits."""
        return bool(self.file.elfclass == 64)

    @cached_property
    def is_movable(self) -> bool:
        """Whether it is loaded where there is room, and not where it was linked for."""
        return bool(self.file.header["e_type"] == "ET_DYN")

    @cached_property
    def lowest(self) -> int:
        """The lowest virtual address that is loaded; 0 of a file that is not."""
        return min((segment["p_vaddr"] for segment in self.file.iter_segments("PT_LOAD")), default=0)

    @property
    def order(self) -> str:
        """NumPy's and struct's sign for the byte order."""
        return "<" if self.file.little_endian else ">"

    @cached_property
    def sections(self) -> dict[str, Any]:
        """Section headers by name."""
        return {section.name: section for section in self.file.iter_sections()}

    def section(self, name: str) -> bytes:
        """The content of a section, decompressed; empty where there is none."""
        section = self.sections.get(name)
        if section is None or section["sh_type"] == "SHT_NOBITS":
            return b""
        return bytes(section.data())

    def section_address(self, name: str) -> int:
        """The virtual address of a section that is there."""
        return int(self.sections[name]["sh_addr"])

    def code_sections(self) -> list[tuple[int, int, int]]:
        """Section number, first address and end of every section of instructions."""
        return [
            (number, section["sh_addr"], section["sh_addr"] + section["sh_size"])
            for number, section in enumerate(self.file.iter_sections())
            if section["sh_flags"] & _CODE
        ]

    def addresses(self, offsets: NDArray[np.uint64]) -> tuple[NDArray[np.uint64], NDArray[np.bool_]]:
        """Virtual addresses of file offsets, through the program headers; and whether code lies there."""
        result = np.zeros(len(offsets), np.uint64)
        is_code = np.zeros(len(offsets), bool)
        for first, end, address in self._code_segments:
            inside = (offsets >= first) & (offsets < end)
            result[inside] = offsets[inside] - np.uint64(first) + np.uint64(address)
            is_code |= inside
        return result, is_code

    @cached_property
    def build_id(self) -> str:
        """The build-id in hexadecimal, empty where there is none."""
        for segment in self.file.iter_segments("PT_NOTE"):
            for note in segment.iter_notes():
                if note["n_type"] == "NT_GNU_BUILD_ID":
                    return str(note["n_desc"])
        return ""
