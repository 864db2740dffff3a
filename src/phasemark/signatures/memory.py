"""How long ago memory was used beside code vectors: intervals of equal code over other data.

As rates of events are (phasemark.signatures.events), but of no machine: how many other lines lie between two
accesses to one says what caches of every size would miss.
"""

from __future__ import annotations

import numpy as np

from phasemark.errors import DataError
from phasemark.model import Profile, Recipe, Reuse, Signatures

#: Bytes of other memory from which on rates are taken: below, nearly everything is in the first cache.
NEAREST = 4096

#: Bytes of other memory up to which: beyond, nearly everything was never used before.
FARTHEST = 16 << 20

#: What columns are called, with the bytes from which on they count after it.
REUSE = "reuse_"


def memory_rates(profile: Profile) -> Signatures:
    """Square roots of accesses per instruction that come after much other memory was accessed.

    A column for each power of two of bytes from NEAREST to FARTHEST: accesses after at least so many, first
    ones among them. A cache of that size, with ways enough, lacks them.

    Args:
        profile: recorded with its reuse of memory.

    Returns:
        n x columns doubles.

    Raises:
        DataError: reuse of memory was not recorded, or no interval has an instruction.
    """
    if profile.reuse is None:
        raise DataError(
            "how long ago memory was used was not recorded",
            hint="profile the run again with the collector valgrind, without --no-memory, or take blocks",
        )
    lengths = profile.interval_table.length.astype(np.float64)
    if not lengths.sum():
        raise DataError("no interval has an instruction", hint="profile or import a run that does something")
    sizes = _sizes(profile.reuse)
    beyond = np.stack([profile.reuse.beyond(size) for size in sizes], axis=1)
    matrix = np.sqrt(beyond / np.maximum(lengths, 1)[:, None])
    names = " ".join(REUSE + _written(size) for size in sizes)
    return Signatures(matrix, lengths / lengths.sum(), Recipe("rate", "none", len(sizes), 0, "memory", names))


def _sizes(reuse: Reuse) -> list[int]:
    """The places between bands that are taken."""
    reach = reuse.reach[1:]
    return [int(size) for size in reach[(reach >= NEAREST) & (reach <= FARTHEST)]]


def _written(size: int) -> str:
    return f"{size >> 20}M" if size >= 1 << 20 else f"{size >> 10}K"
