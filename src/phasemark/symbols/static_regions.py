"""Which block, loop or function of a module code is in, found in its file."""

from __future__ import annotations

import logging
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from phasemark.symbols import decoding
from phasemark.symbols.decoding import Code
from phasemark.symbols.elf import BROKEN, Elf

_log = logging.getLogger(__name__)

#: Kinds of regions.
BLOCK, LOOP, FUNCTION = "block", "loop", "function"


@dataclass(frozen=True, eq=False)
class Regions:
    """The regions of n places.

    Attributes:
        offset: in the file, where each begins, uint64.
        size: bytes, int64.
        instructions: of blocks, int64; 0 of others.
        known: whether the place is in one, bool; the rest means nothing where it is not.
    """

    offset: NDArray[np.uint64]
    size: NDArray[np.int64]
    instructions: NDArray[np.int64]
    known: NDArray[np.bool_]


def regions(
    module: str,
    offset: NDArray[np.uint64],
    kind: str,
    *,
    build: str | None = None,
    written: float | None = None,
) -> Regions | str:
    """The regions of a module that places are in, or why they cannot be told, as a predicate.

    Args:
        module: a path.
        offset: of n places in its file, uint64.
        kind: `block`: a static basic block. `function`: a function, by symbols or unwind information. `loop`:
            the smallest loop of the function, which is the code from the target of a direct jump backwards to
            that jump; or the function, where there is none.
        build: the build-id that the module had when it ran, in hexadecimal; None: not known.
        written: when its samples were, seconds since 1970: where no build-id is known, a file that changed
            after that is another; None: not known.
    """
    if not module.startswith("/") or module.startswith("//"):
        return "is no file"
    try:
        status = Path(module).stat()
        elf = _opened(module, status.st_mtime_ns, status.st_size)
        if build and elf.build_id != build:
            return "is another build than the one that ran"
        if not build and written is not None and status.st_mtime > written:
            return "has changed since"
        address, is_code = elf.addresses(offset)
        if kind == FUNCTION:
            start, end, known = _functions(elf, address)
            count = np.zeros(len(offset), np.int64)
        else:
            code = _code(elf)
            if isinstance(code, str):
                return code
            if kind == LOOP:
                start, end, known = _loops(elf, code, address)
                count = np.zeros(len(offset), np.int64)
            else:
                start, end, count, known = _blocks(code, address)
    except FileNotFoundError:
        return "is not there"
    except BROKEN as error:
        _log.debug("%s: no regions: %s", module, error)
        return "cannot be read as an ELF file"
    return Regions(offset - (address - start), (end - start).astype(np.int64), count, known & is_code)


@lru_cache(maxsize=64)
def _opened(path: str, _mtime: int, _size: int) -> Elf:
    return Elf(Path(path))


@lru_cache(maxsize=64)
def _code(elf: Elf) -> Code | str:
    return decoding.decoded(elf)


@lru_cache(maxsize=64)
def _extents(elf: Elf) -> tuple[NDArray[np.uint64], NDArray[np.uint64]]:
    return decoding.functions(elf)


def _functions(
    elf: Elf, address: NDArray[np.uint64]
) -> tuple[NDArray[np.uint64], NDArray[np.uint64], NDArray[np.bool_]]:
    start, end = _extents(elf)
    rows = np.searchsorted(start, address, side="right") - 1
    known = rows >= 0
    if not len(start):
        return address, address, known
    known &= address < end[rows]
    return start[rows], end[rows], known


def _blocks(
    code: Code, address: NDArray[np.uint64]
) -> tuple[NDArray[np.uint64], NDArray[np.uint64], NDArray[np.int64], NDArray[np.bool_]]:
    rows = np.searchsorted(code.block, address, side="right") - 1
    known = rows >= 0
    if not len(code.block):
        return address, address, np.zeros(len(address), np.int64), known
    known &= address < code.end[rows]
    return code.block[rows], code.end[rows], code.instructions[rows].astype(np.int64), known


def _loops(
    elf: Elf, code: Code, address: NDArray[np.uint64]
) -> tuple[NDArray[np.uint64], NDArray[np.uint64], NDArray[np.bool_]]:
    """The functions first; then each loop over what it lies in, the longest first."""
    start, end, known = _functions(elf, address)
    order = np.argsort(address, kind="stable")
    ordered = address[order]
    first, last = np.searchsorted(ordered, code.head), np.searchsorted(ordered, code.tail)
    hit = np.flatnonzero(last > first)
    size = code.tail[hit] - code.head[hit]
    start, end, known = start.copy(), end.copy(), known.copy()
    begin, stop = start.copy(), end.copy()
    for row in hit[np.argsort(size, kind="stable")[::-1]].tolist():
        rows = order[first[row] : last[row]]
        inside = rows[(code.head[row] >= begin[rows]) & (code.tail[row] <= stop[rows])]
        start[inside], end[inside] = code.head[row], code.tail[row]
    return start, end, known
