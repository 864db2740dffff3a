"""Maps of code that a program compiles while it runs, as `perf` reads them.

A line is the address and the size of a function in hexadecimal, and its name (Linux,
tools/perf/Documentation/jit-interface.txt).
"""

from __future__ import annotations

import os
import re
from array import array
from collections.abc import Iterable
from functools import lru_cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from phasemark.errors import PhasemarkError
from phasemark.reading import lines, opened, pieces

#: Bytes of a map that are read; that of a browser that ran for hours is as large.
LARGEST = 1 << 28

_LONGEST = 4096  # bytes of a name

_LINE = re.compile(rb"(?:0x)?([0-9a-fA-F]{1,16})[ \t]+(?:0x)?([0-9a-fA-F]{1,16})[ \t]+(\S.*)")
_CONTROL = re.compile(r"[\x00-\x1f\x7f]")


class CodeMap:
    """Functions in the order in which they were written; where they overlap, the last counts.

    Attributes:
        start, end: addresses, uint64.
    """

    def __init__(self, functions: Iterable[tuple[int, int, bytes]]) -> None:
        starts, ends, behind, texts = array("Q"), array("Q"), array("Q", [0]), bytearray()
        for start, size, name in functions:
            starts.append(start)
            ends.append(min(start + size, 2**64 - 1))
            texts += name[:_LONGEST]
            behind.append(len(texts))
        self.start = np.array(starts, np.uint64)
        self.end = np.array(ends, np.uint64)
        # As one text: a map may have millions of lines, and few of them are asked for.
        self._texts, self._behind = texts, behind

    def __len__(self) -> int:
        return len(self.start)

    def names(self, addresses: NDArray[np.uint64]) -> list[str]:
        """The function at each address, empty where there is none."""
        order = np.argsort(addresses, kind="stable")
        first = np.searchsorted(addresses[order], self.start)
        behind = np.searchsorted(addresses[order], self.end)
        names = [""] * len(addresses)
        free = list(range(len(addresses) + 1))  # place -> itself, or one nearer to the next without a name
        for row in np.flatnonzero(behind > first)[::-1].tolist():
            text, last = "", int(behind[row])
            at = _next(free, int(first[row]))
            while at < last:
                text = text or self._text(row)
                names[order[at]] = text
                free[at] = at + 1
                at = _next(free, at)
        return names

    def _text(self, row: int) -> str:
        from phasemark.symbols.demangle import demangle  # hardly any program writes a map

        name = self._texts[self._behind[row] : self._behind[row + 1]].decode("utf-8", "replace").strip()
        return demangle(_CONTROL.sub("?", name))


def _next(free: list[int], place: int) -> int:
    """The first place from one on that has no name; ways that were gone once become short."""
    while free[place] != place:
        free[place] = free[free[place]]
        place = free[place]
    return place


def read(path: str | Path) -> CodeMap:
    """The map in a file; empty where there is none. Lines that are none of a map are passed over."""
    try:
        status = Path(path).stat()
    except OSError:
        return CodeMap(())
    return _read(Path(path), status.st_mtime_ns, status.st_size)


@lru_cache(maxsize=2)
def _read(path: Path, _mtime: int, _size: int) -> CodeMap:
    try:
        with opened(path) as file:
            whole = lines(pieces(file), path)
            return CodeMap(_function(found) for _, line in whole if (found := _LINE.fullmatch(line.rstrip())))
    except PhasemarkError:
        return CodeMap(())


def copy(path: Path, to: Path, since: float) -> None:
    """Keep a process's map as it is now; one that is gone, too large or another's leaves what was kept.

    Args:
        path: the map.
        to: the copy, written whole or not at all.
        since: seconds since 1970; what was not written to since then is of an earlier process of that number.
    """
    try:
        with opened(path) as file:
            status = os.fstat(file.fileno())
            if status.st_uid != os.geteuid() or status.st_mtime < since or status.st_size > LARGEST:
                return
            new = to.with_name(f"{to.name}.new")
            new.write_bytes(file.read(status.st_size))
            new.replace(to)
    except (PhasemarkError, OSError):
        return


def _function(found: re.Match[bytes]) -> tuple[int, int, bytes]:
    return int(found[1], 16), int(found[2], 16), found[3]
