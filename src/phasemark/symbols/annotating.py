"""Fill in the function, file and line of blocks, and of sites of events."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from phasemark.model import Blocks, Sites
from phasemark.symbols import module as modules

#: The end of a name that only tells a place.
_PLACE = re.compile(r"[:+]0x[0-9a-f]+$|^\[anonymous \d+\]$")


def annotate(
    blocks: Blocks,
    rows: ArrayLike | None = None,
    *,
    build_ids: Mapping[str, str] | None = None,
    lines: bool = True,
) -> Blocks:
    """The same blocks with `function`, `file` and `line` filled in.

    A function's name is, in this order: its symbol (C++ demangled), `name@plt` for an entry of a
    procedure linkage table, `gzip:0x3f20` (the module and the function's address) where only unwind
    information tells where functions begin, and `gzip+0x3f20` (the module and the block's offset) where
    nothing does, or the module is gone or is another build than the one that ran. Code that no file holds
    bears its module's name, as in `[vdso]`, unless it has a name already. Blocks of other tools'
    vectors, which know no modules, stay without a name.

    Args:
        blocks: whose code is to be named.
        rows: the rows to look up, whole numbers or a mask; None for all. The other rows keep what they
            have: names looked up before, or none.
        build_ids: module -> build-id in hexadecimal, as recorded when the program ran; a file whose
            build-id differs is not read.
        lines: False leaves out source files and lines, which need DWARF and more time.
    """
    wanted = np.arange(len(blocks))[... if rows is None else np.asarray(rows)]
    function = list(blocks.function or [""] * len(blocks))
    file = list(blocks.file or [""] * len(blocks))
    line = np.zeros(len(blocks), np.int64) if blocks.line is None else np.array(blocks.line)
    for number in np.unique(blocks.module[wanted]):
        name = blocks.modules[number]
        mine = wanted[blocks.module[wanted] == number]
        entries = _look_up(name, blocks.offset[mine], (build_ids or {}).get(name), lines)
        for row, (its_function, its_file, its_line) in zip(mine.tolist(), entries, strict=True):
            function[row] = (is_generated(name) and function[row]) or its_function
            file[row], line[row] = its_file, its_line
    return replace(blocks, function=tuple(function), file=tuple(file), line=line)


def is_named(blocks: Blocks) -> NDArray[np.bool_]:
    """Whether each block's function has a name, and not only a place, as `gzip:0x3f20` is one.

    Args:
        blocks: whose functions were looked up.
    """
    names = blocks.function or ("",) * len(blocks)
    return np.array([bool(name) and not _PLACE.search(name) for name in names], np.bool_)


def annotate_sites(sites: Sites, *, build_ids: Mapping[str, str] | None = None) -> Sites:
    """The same sites with `function`, `file`, `line` and `callee` filled in, as `annotate` does it.

    Args:
        sites: whose code is to be named.
        build_ids: as in `annotate`.
    """
    function, file, line = _named(sites.modules, sites.module, sites.offset, build_ids, lines=True)
    callee, *_ = _named(sites.modules, sites.target_module, sites.target, build_ids, lines=False)
    function = _kept(sites.function, function, sites.modules, sites.module)
    callee = _kept(sites.callee, callee, sites.modules, sites.target_module)
    return replace(sites, function=function, file=file, line=line, callee=callee)


def is_generated(module: str) -> bool:
    """Whether a module is memory that no lasting file holds: what names its code is known while it runs."""
    return module.startswith(("[anonymous ", "/memfd:"))


def _kept(
    before: tuple[str, ...] | None, now: tuple[str, ...], modules_: tuple[str, ...], module: NDArray[Any]
) -> tuple[str, ...]:
    """The names that are new, but of generated code those that it had."""
    if before is None:
        return now
    pairs = zip(before, now, module.tolist(), strict=True)
    return tuple((at >= 0 and is_generated(modules_[at]) and old) or new for old, new, at in pairs)


def _named(
    modules_: tuple[str, ...],
    module: NDArray[Any],
    offset: NDArray[Any],
    build_ids: Mapping[str, str] | None,
    *,
    lines: bool,
) -> tuple[tuple[str, ...], tuple[str, ...], NDArray[np.int64]]:
    """Function, file and line of places, which are in no module where its number is negative."""
    found = [("", "", 0)] * len(module)
    for number in np.unique(module[module >= 0]):
        name, rows = modules_[number], np.flatnonzero(module == number)
        entries = _look_up(name, offset[rows], (build_ids or {}).get(name), lines)
        for row, entry in zip(rows.tolist(), entries, strict=True):
            found[row] = entry
    function, file, line = zip(*found, strict=True) if found else ((), (), ())
    return function, file, np.array(line, np.int64)


def _look_up(name: str, offsets: NDArray[Any], build: str | None, lines: bool) -> list[tuple[str, str, int]]:
    """Function, file and line at each offset of a module; never fails."""
    if not name or name.startswith("["):
        return [(name, "", 0)] * len(offsets)
    unknown = [f"{Path(name).name}+{offset:#x}" for offset in offsets.tolist()]
    module = modules.load(name, build)
    if module is None:
        return [(text, "", 0) for text in unknown]
    addresses, is_code = module.addresses(offsets)
    named = module.functions(addresses)
    where = module.lines(addresses) if lines else [("", 0)] * len(addresses)
    return [
        (function or text, *place) if code else (text, "", 0)
        for function, text, place, code in zip(named, unknown, where, is_code.tolist(), strict=True)
    ]
