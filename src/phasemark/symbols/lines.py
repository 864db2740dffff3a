"""Source lines of addresses, from DWARF (versions 2 to 5), a compilation unit at a time."""

from __future__ import annotations

import posixpath
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from phasemark.symbols import line_program
from phasemark.symbols.elf import BROKEN, Elf

_NOWHERE = ("", 0)


class Lines:
    """The line tables of a file; only the units that an address falls into are decoded, each once."""

    def __init__(self, elf: Elf | None) -> None:
        self._elf = elf
        self._units: dict[int, _Unit | None] = {}

    def at(self, addresses: NDArray[np.uint64]) -> list[tuple[str, int]]:
        """File and line of each address, ("", 0) where there is none."""
        if self._elf is None:
            return [_NOWHERE] * len(addresses)
        return [self._at(address) for address in addresses.tolist()]

    def _at(self, address: int) -> tuple[str, int]:
        offset = self._unit_at(address)
        if offset is None:
            return _NOWHERE
        if offset not in self._units:
            self._units[offset] = self._decode(offset)
        unit = self._units[offset]
        return unit.at(address) if unit else _NOWHERE

    def _unit_at(self, address: int) -> int | None:
        start, end, offset = self._ranges
        row = int(np.searchsorted(start, np.uint64(address), side="right")) - 1
        return int(offset[row]) if row >= 0 and address < int(end[row]) else None

    @cached_property
    def _dwarf(self) -> Any:
        assert self._elf is not None
        return self._elf.file.get_dwarf_info(relocate_dwarf_sections=False, follow_links=False)

    @cached_property
    def _ranges(self) -> tuple[NDArray[np.uint64], NDArray[np.uint64], NDArray[np.uint64]]:
        """Address ranges of the units, in order: start, end, offset of the unit."""
        try:
            ranges = _from_index(self._dwarf) or _from_units(self._dwarf)
        except BROKEN:
            ranges = []
        table = np.array(sorted(ranges), np.uint64).reshape(-1, 3)
        return table[:, 0], table[:, 1], table[:, 2]

    def _decode(self, offset: int) -> _Unit | None:
        try:
            return _Unit(self._dwarf, self._dwarf.get_CU_at(offset))
        except BROKEN:
            return None


class _Unit:
    """The line table of one compilation unit."""

    def __init__(self, dwarf: Any, unit: Any) -> None:
        program = dwarf.line_program_for_CU(unit)
        # Of rows with one address the last holds; the end of a sequence gives way to another's beginning.
        table = np.array(line_program.rows(program), np.uint64).reshape(-1, 4)
        self._table = table[np.lexsort((table[:, 1], table[:, 0]))]
        self._header, self._version = program.header, program.header["version"]
        self._folder = _folder(unit)

    def at(self, address: int) -> tuple[str, int]:
        row = int(np.searchsorted(self._table[:, 0], np.uint64(address), side="right")) - 1
        if row < 0 or not self._table[row, 1]:
            return _NOWHERE
        _, _, file, line = self._table[row].tolist()
        return (self._file(file), line) if line else _NOWHERE

    def _file(self, number: int) -> str:
        try:
            entry = self._header["file_entry"][number if self._version >= 5 else number - 1]
            folders = [_text(folder) for folder in self._header["include_directory"]]
        except BROKEN:
            return ""
        if self._version < 5:
            folders.insert(0, self._folder)
        folder = folders[entry.dir_index] if entry.dir_index < len(folders) else ""
        return posixpath.normpath(posixpath.join(self._folder, folder, _text(entry.name)))


def _from_index(dwarf: Any) -> list[tuple[int, int, int]]:
    """The ranges that .debug_aranges lists; none where it is missing, as Clang leaves it."""
    index = dwarf.get_aranges()
    if index is None:
        return []
    return [(e.begin_addr, e.begin_addr + e.length, e.info_offset) for e in index.entries if e.length]


def _from_units(dwarf: Any) -> list[tuple[int, int, int]]:
    """The ranges that the units themselves state."""
    return [
        (start, end, unit.cu_offset) for unit in dwarf.iter_CUs() for start, end in _ranges_of(dwarf, unit)
    ]


def _ranges_of(dwarf: Any, unit: Any) -> list[tuple[int, int]]:
    top = unit.get_top_DIE().attributes
    base = top["DW_AT_low_pc"].value if "DW_AT_low_pc" in top else 0
    if "DW_AT_high_pc" in top:
        high = top["DW_AT_high_pc"]
        return [(base, high.value if high.form == "DW_FORM_addr" else base + high.value)]
    if "DW_AT_ranges" not in top:
        return []
    ranges = []
    for entry in dwarf.range_lists().get_range_list_at_offset(top["DW_AT_ranges"].value, cu=unit):
        if hasattr(entry, "base_address"):
            base = entry.base_address
        else:
            start = 0 if getattr(entry, "is_absolute", False) else base
            ranges.append((start + entry.begin_offset, start + entry.end_offset))
    return ranges


def _folder(unit: Any) -> str:
    folder = unit.get_top_DIE().attributes.get("DW_AT_comp_dir")
    return _text(folder.value) if folder else ""


def _text(name: Any) -> str:
    return name.decode("utf-8", "replace") if isinstance(name, bytes) else str(name)
