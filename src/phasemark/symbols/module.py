"""A module (program or library) on disk, with everything that names its code; kept once read."""

from __future__ import annotations

import logging
from functools import cached_property, lru_cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from phasemark.symbols import debug_file, plt, symbol_table, unwind
from phasemark.symbols.demangle import demangle
from phasemark.symbols.elf import BROKEN, Elf
from phasemark.symbols.lines import Lines

_log = logging.getLogger(__name__)


class Module:
    """Names for addresses of one ELF file and its separate debug file, each table read when first asked."""

    def __init__(self, elf: Elf) -> None:
        self._elf = elf

    def addresses(self, offsets: NDArray[np.uint64]) -> tuple[NDArray[np.uint64], NDArray[np.bool_]]:
        """Virtual addresses of file offsets, and whether there is code at all."""
        return self._elf.addresses(offsets)

    @property
    def is_movable(self) -> bool:
        """Whether it is loaded where there is room."""
        return self._elf.is_movable

    @property
    def lowest(self) -> int:
        """The lowest virtual address that is loaded."""
        return self._elf.lowest

    def functions(self, addresses: NDArray[np.uint64]) -> list[str]:
        """Name of the function at each address, empty where unknown."""
        names = [""] * len(addresses)
        for table in ("_symbols", "_plt", "_unwind"):
            missing = [i for i, name in enumerate(names) if not name]
            try:
                symbols = getattr(self, table).names(addresses[missing])
            except BROKEN as error:
                _log.debug("%s: %s: %s", self._elf.path, table, error)
                continue
            for i, name in zip(missing, symbols, strict=True):
                names[i] = demangle(name)
        return names

    def lines(self, addresses: NDArray[np.uint64]) -> list[tuple[str, int]]:
        """Source file and line at each address, ("", 0) where unknown."""
        try:
            return self._lines.at(addresses)
        except BROKEN as error:
            _log.debug("%s: lines: %s", self._elf.path, error)
            return [("", 0)] * len(addresses)

    @cached_property
    def _debug(self) -> Elf | None:
        return debug_file.find(self._elf)

    @cached_property
    def _symbols(self) -> symbol_table.SymbolTable:
        for elf in (self._elf, self._debug):
            if elf and (symbols := symbol_table.read(elf, ".symtab")):
                return symbols
        return symbol_table.read(self._elf, ".dynsym") or symbol_table.EMPTY

    @cached_property
    def _plt(self) -> plt.Plt:
        return plt.Plt(self._elf)

    @cached_property
    def _unwind(self) -> unwind.Ranges:
        return unwind.read(self._elf)

    @cached_property
    def _lines(self) -> Lines:
        for elf in (self._elf, self._debug):
            if elf and elf.section(".debug_line"):
                return Lines(elf)
        return Lines(None)


def load(path: str, build: str | None = None) -> Module | None:
    """The module at `path`; None where there is no such ELF file, or it is of another build."""
    try:
        stat = Path(path).stat()
        module, its_build = _load(path, stat.st_mtime_ns, stat.st_size)
    except BROKEN as error:
        _log.debug("%s: no names: %s", path, error)
        return None
    return module if build is None or build == its_build else None


def is_there(path: str, build: str | None = None) -> bool:
    """Whether there is an ELF file at `path`, and of the build that ran, as far as that is known."""
    return load(path, build) is not None


@lru_cache(maxsize=128)
def _load(path: str, mtime: int, size: int) -> tuple[Module, str]:
    # Time and size are in the key so that a module built anew is read anew.
    elf = Elf(Path(path))
    return Module(elf), elf.build_id
