"""Entries of procedure linkage tables: `name@plt`.

An entry jumps through a slot of the global offset table, and a relocation says whose address the loader
puts into that slot. So the entry is named after its jump, however a linker lays out its tables.
"""

from __future__ import annotations

from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from phasemark.symbols import symbol_table
from phasemark.symbols.elf import BROKEN, Elf

_ENTRY = 16
_JUMP = b"\xff\x25"  # jmp *displacement(%rip)
_TABLES = (".plt", ".plt.sec", ".plt.got")


class Plt:
    """The linkage tables of an x86-64 module."""

    def __init__(self, elf: Elf) -> None:
        self._elf = elf

    def names(self, addresses: NDArray[np.uint64]) -> list[str]:
        """`name@plt` for each address, empty where it is in no such table."""
        return [self._name(address) for address in addresses.tolist()]

    def _name(self, address: int) -> str:
        for start, content in self._tables:
            if start <= address < start + len(content):
                # Entries are 16 bytes, in .plt.got also 8: then the jump of the next one lies further off.
                entry = (address - start) // (_ENTRY // 2) * (_ENTRY // 2)
                jump = content.find(_JUMP, entry - entry % _ENTRY, entry + _ENTRY)
                if start + jump + 6 <= address and len(content) > entry:
                    jump = content.find(_JUMP, entry, entry + _ENTRY)
                return self._target(start, content, jump)
        return ""

    def _target(self, start: int, content: bytes, jump: int) -> str:
        if jump < 0:
            return ""
        displacement = int.from_bytes(content[jump + 2 : jump + 6], "little", signed=True)
        name = self._slots.get(start + jump + 6 + displacement, "")
        return name and f"{name}@plt"

    @cached_property
    def _tables(self) -> list[tuple[int, bytes]]:
        if self._elf.file["e_machine"] != "EM_X86_64":
            return []
        return [
            (self._elf.section_address(name), content)
            for name in _TABLES
            if (content := self._elf.section(name))
        ]

    @cached_property
    def _slots(self) -> dict[int, str]:
        """Address of a slot -> whose address it holds."""
        try:
            return self._read_slots()
        except BROKEN:
            return {}

    def _read_slots(self) -> dict[int, str]:
        dtype = np.dtype([("slot", "<u8"), ("kind", "<u4"), ("symbol", "<u4"), ("addend", "<i8")])
        tables = [self._elf.section(name) for name in (".rela.plt", ".rela.dyn")]
        relocations = np.concatenate([np.frombuffer(t, dtype, len(t) // dtype.itemsize) for t in tables])
        named = relocations[relocations["symbol"] != 0]
        symbols = symbol_table.rows(self._elf, ".dynsym")
        strings = self._elf.section(".dynstr")
        starts = symbols["name"][named["symbol"]].tolist()
        texts = (strings[s : strings.index(b"\0", s)].decode("utf-8", "replace") for s in starts)
        return dict(zip(named["slot"].tolist(), texts, strict=True))
