"""Names of code that a program compiled while it ran, from the map kept beside its raw stream."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from phasemark.collect.stream.canonical import modules_of
from phasemark.collect.stream.reader import RawStream
from phasemark.symbols import code_map


def names(
    stream: RawStream, modules: Sequence[str], module: NDArray[Any], offset: NDArray[np.uint64]
) -> tuple[str, ...] | None:
    """The function at each place, empty where the map has none or a file holds the code; None without a map.

    Args:
        stream: of the process.
        modules: names of canonical modules.
        module: index into `modules` of each place; negative ones are no module.
        offset: of each place, from its module's start.
    """
    functions = code_map.read(stream.path.with_name(f"perf-{stream.header.pid}.map"))
    if not len(functions):
        return None
    starts = _starts(stream)
    found = [""] * len(offset)
    for number, name in enumerate(modules):
        rows = np.flatnonzero(module == number)
        if name in starts and len(rows):
            addresses = offset[rows] + np.uint64(starts[name] % 2**64)
            for row, function in zip(rows.tolist(), functions.names(addresses), strict=True):
                found[row] = function
    return tuple(found)


def _starts(stream: RawStream) -> dict[str, int]:
    """Module -> the address at which offset 0 lies, of memory that no lasting file holds."""
    names_, ours = modules_of(stream)
    return {
        names_[ours[serial]]: module.start - module.offset
        for serial, module in stream.modules.items()
        if module.kind == "anonymous" or module.name.startswith("/memfd:")
    }
