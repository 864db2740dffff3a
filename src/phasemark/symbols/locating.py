"""Where code is, as its file was linked."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from phasemark.model import Blocks
from phasemark.symbols import module as modules


@dataclass(frozen=True, eq=False)
class Addresses:
    """Addresses of n blocks.

    Attributes:
        address: virtual address of each as its file was linked, uint64; 0 where not known.
        offset: from the lowest address of its file that is loaded, uint64.
        is_movable: whether the file is loaded where there is room: addresses then count from where that is.
        is_known: whether the file is there, is the build that ran, and holds code at that place.
    """

    address: NDArray[np.uint64]
    offset: NDArray[np.uint64]
    is_movable: NDArray[np.bool_]
    is_known: NDArray[np.bool_]


def addresses(
    blocks: Blocks, rows: ArrayLike | None = None, *, build_ids: Mapping[str, str] | None = None
) -> Addresses:
    """The addresses of blocks.

    Args:
        blocks: whose modules are files.
        rows: those to look up; None for all. Of the others nothing is known.
        build_ids: module -> build-id in hexadecimal, as recorded when the program ran; of a file whose
            build-id differs nothing is known.
    """
    n = len(blocks)
    wanted = np.arange(n)[... if rows is None else np.asarray(rows)]
    address, offset = np.zeros(n, np.uint64), np.zeros(n, np.uint64)
    movable, known = np.zeros(n, np.bool_), np.zeros(n, np.bool_)
    for number in np.unique(blocks.module[wanted]):
        name = blocks.modules[number]
        module = None if not name or name.startswith("[") else modules.load(name, (build_ids or {}).get(name))
        if module is None:
            continue
        mine = wanted[blocks.module[wanted] == number]
        address[mine], known[mine] = module.addresses(blocks.offset[mine])
        offset[mine] = address[mine] - np.uint64(module.lowest)
        movable[mine] = module.is_movable
    return Addresses(address, offset, movable, known)
