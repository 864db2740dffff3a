"""How long ago memory was used beside code vectors: intervals of equal code over other data.

As rates of events are (phasemark.signatures.events), but of no machine: how many other lines lie between two
accesses to one says what caches of every size would miss.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from phasemark.errors import DataError
from phasemark.model import Profile, Recipe, Reuse, Signatures

#: Bytes of other memory from which on rates are taken: below, nearly everything is in the first cache.
NEAREST = 4096


@dataclass(frozen=True)
class _Places:
    """Where rates of a kind are taken.

    Attributes:
        farthest: bytes up to which: beyond, nearly everything was never used before.
        step: of so many powers of two one is taken.
    """

    farthest: int
    step: int

    def of(self, reuse: Reuse) -> list[int]:
        """Bytes, of the places between bands."""
        reach = reuse.reach[1:]
        return [int(size) for size in reach[(reach >= NEAREST) & (reach <= self.farthest)][:: self.step]]


_PLACES = {"data": _Places(16 << 20, 1), "code": _Places(256 << 10, 2)}

#: What columns are called, between data or code and the bytes from which on they count.
REUSE = "_reuse_"

#: What to do where behaviour was not recorded.
RECORD = (
    "profile the run, of joined runs each, again with the collector valgrind, without --no-memory, or take "
    "the signature code"
)


def has_memory_rates(reuse: Reuse) -> bool:
    """Whether bands of reuse begin where rates are taken; too few of them, or too large ones, do not."""
    return any(places.of(reuse) for places in _PLACES.values())


def memory_rates(profile: Profile) -> Signatures:
    """Square roots of accesses per instruction that come after much other memory was accessed.

    A column for each power of two of bytes of other data from NEAREST to 16M, and for each power of four of
    other code to 256K: accesses after at least so many, first ones among them. A cache of that size, with
    ways enough, lacks them.

    Args:
        profile: recorded with its reuse of memory.

    Returns:
        n x columns doubles.

    Raises:
        DataError: reuse of memory was not recorded, or in no bands that begin there, or no interval has an
            instruction.
    """
    reuse = profile.reuse
    if reuse is None:
        raise DataError("how long ago memory was used was not recorded", hint=RECORD)
    if not has_memory_rates(reuse):
        raise DataError(
            f"of reuse of memory, no band begins where rates are taken, from {written(NEAREST)} on",
            hint=RECORD,
        )
    lengths = profile.interval_table.length.astype(np.float64)
    if not lengths.sum():
        raise DataError("no interval has an instruction", hint="profile or import a run that does something")
    columns = [(of, size) for of, places in _PLACES.items() for size in places.of(reuse)]
    beyond = np.stack([reuse.beyond(size, of) for of, size in columns], axis=1)
    names = " ".join(f"{of}{REUSE}{written(size)}" for of, size in columns)
    return Signatures(
        np.sqrt(beyond / np.maximum(lengths, 1)[:, None]),
        lengths / lengths.sum(),
        Recipe("rate", "none", len(columns), 0, "memory", names),
    )


def written(size: int) -> str:
    """Bytes, a power of two, as columns are called by them: 64, 32K, 16M."""
    if size < 1 << 10:
        return str(size)
    return f"{size >> 20}M" if size >= 1 << 20 else f"{size >> 10}K"
