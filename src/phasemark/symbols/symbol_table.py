"""The functions of a symbol table, found by address.

Tables of large programs hold hundreds of thousands of rows, so they are read as arrays and only the names
asked for become strings.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from phasemark.symbols.elf import Elf

_NOTYPE, _FUNCTION, _IFUNC = 0, 2, 10
_RANK_OF_BINDING = np.array([2, 0, 1] + [2] * 13, np.int8)  # global, weak, local and the rest
_NESTING = 8  # how far back to look for a symbol that encloses those which begin inside it


class SymbolTable:
    """Functions [start, end) in order of start, one a start.

    Attributes:
        start, end: virtual addresses, uint64.
        name: where the name begins in `strings`, int64.
        strings: NUL-terminated names.
    """

    def __init__(
        self, start: NDArray[np.uint64], end: NDArray[np.uint64], name: NDArray[np.int64], strings: bytes
    ) -> None:
        self.start, self.end, self.name, self.strings = start, end, name, strings

    def names(self, addresses: NDArray[np.uint64]) -> list[str]:
        """The symbol that covers each address, empty where none does."""
        return [self._text(row) if row >= 0 else "" for row in self._rows(addresses).tolist()]

    def _rows(self, addresses: NDArray[np.uint64]) -> NDArray[np.int64]:
        rows = np.searchsorted(self.start, addresses, side="right") - 1
        if not len(self.start):
            return rows
        for _ in range(_NESTING):
            outside = (rows >= 0) & (addresses >= self.end[rows])
            rows = rows - outside
        return np.where((rows >= 0) & (addresses < self.end[rows]), rows, -1)

    def _text(self, row: int) -> str:
        first = int(self.name[row])
        text = self.strings[first : self.strings.index(b"\0", first)].decode("utf-8", "replace")
        return text.split("@")[0]  # without the version, as in realpath@@GLIBC_2.3


EMPTY = SymbolTable(np.empty(0, np.uint64), np.empty(0, np.uint64), np.empty(0, np.int64), b"")


def read(elf: Elf, section: str) -> SymbolTable | None:
    """The functions of `.symtab` or `.dynsym`; None where there is no such table, or it has none."""
    table = rows(elf, section)
    functions = table[_is_function(table, elf)]
    if not len(functions):
        return None
    strings = elf.section(strings_of(section)) + b"\0"
    functions = functions[_order(functions, strings)]
    start = functions["value"].astype(np.uint64)
    first = np.concatenate(([True], start[1:] != start[:-1]))
    functions, start = functions[first], start[first]
    return SymbolTable(start, _ends(functions, start, elf), functions["name"].astype(np.int64), strings)


def rows(elf: Elf, section: str) -> NDArray[Any]:
    """All rows of a symbol table: name, info, other, section, value, size."""
    word = "u8" if elf.is_64 else "u4"
    fields = (
        [("name", "u4"), ("info", "u1"), ("other", "u1"), ("section", "u2"), ("value", word), ("size", word)]
        if elf.is_64
        else [
            ("name", "u4"),
            ("value", word),
            ("size", word),
            ("info", "u1"),
            ("other", "u1"),
            ("section", "u2"),
        ]
    )
    dtype = np.dtype([(name, elf.order + kind) for name, kind in fields])
    content = elf.section(section)
    return np.frombuffer(content, dtype, count=len(content) // dtype.itemsize)


def strings_of(section: str) -> str:
    """The section that holds a symbol table's names."""
    return ".strtab" if section == ".symtab" else ".dynstr"


def _is_function(table: NDArray[Any], elf: Elf) -> NDArray[np.bool_]:
    kind = table["info"] & 15
    # Labels of hand-written assembly have no type; those among instructions are taken for functions.
    in_code = np.isin(table["section"], [number for number, _, _ in elf.code_sections()])
    defined = (table["section"] != 0) & (table["name"] != 0)
    return np.asarray(defined & (np.isin(kind, [_FUNCTION, _IFUNC]) | ((kind == _NOTYPE) & in_code)))


def _order(table: NDArray[Any], strings: bytes) -> NDArray[np.int64]:
    """By address; of several names for one, that of a function with a size, global, the least underscored."""
    text = np.frombuffer(strings, np.uint8)
    first, second = text[table["name"]], text[np.minimum(table["name"] + 1, len(text) - 1)]
    underscores = (first == ord("_")) * (1 + (second == ord("_")))
    binding = _RANK_OF_BINDING[table["info"] >> 4]
    untyped = (table["info"] & 15) == _NOTYPE
    return np.lexsort((table["name"], underscores, binding, untyped, table["size"] == 0, table["value"]))


def _ends(table: NDArray[Any], start: NDArray[np.uint64], elf: Elf) -> NDArray[np.uint64]:
    """A symbol without a size reaches to the next one, or its section's end."""
    end = start + table["size"].astype(np.uint64)
    following = np.concatenate((start[1:], [np.iinfo(np.uint64).max])).astype(np.uint64)
    for number, _, section_end in elf.code_sections():
        sizeless = (table["size"] == 0) & (table["section"] == number)
        end[sizeless] = np.minimum(following[sizeless], np.uint64(section_end))
    return end
