"""Accumulator: the counters of an interval while it lasts."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

import phasemark._core as core
from phasemark.errors import DataError


class Accumulator:
    """The counters of one thread's interval while it lasts, to which its branches are added.

    `Tracker.accumulator` makes one, of the tracker's sizes; `Tracker.observe` takes the interval that it
    holds and leaves it empty. Threads that run at once have one each.

    Attributes:
        of: what the counters of its tracker are: counters, bits and seed.
    """

    def __init__(self, sizes: core.TrackerSizes, of: tuple[int | None, ...]) -> None:
        self.of = of
        self._core = core.Accumulator(sizes)

    def add(self, keys: ArrayLike, instructions: ArrayLike) -> None:
        """Add n branches.

        Args:
            keys: n uint64: where the branches are, or what else names their code.
            instructions: n whole numbers from 0: instructions since the branch before each.

        Raises:
            DataError: other than that, or more than 2^62 instructions in an interval where counters have no
                largest value; those before it were added then.
        """
        names, counts = _keys(keys), whole(instructions, "instructions")
        if names.shape != counts.shape:
            raise DataError(f"{len(names):,} keys, and instructions of {len(counts):,} branches")
        bad = self._core.add(names, counts)
        if bad >= 0 and counts[bad] < 0:
            raise DataError("a branch has a negative number of instructions", row=bad)
        if bad >= 0:
            raise DataError("the interval has more than 2^62 instructions", hint="end intervals earlier")

    def clear(self) -> None:
        """Forget what was added."""
        self._core.clear()


def whole(values: ArrayLike, what: str) -> NDArray[np.int64]:
    """Numbers as a vector of int64.

    Raises:
        DataError: one is no whole number of 64 bits; names its row.
    """
    array = np.asarray(values)
    if array.ndim != 1:
        raise DataError(f"{what} of {array.ndim} dimensions instead of 1")
    if array.dtype == np.int64:
        return np.ascontiguousarray(array)
    if array.dtype.kind not in "iufb":
        raise DataError(f"{what} that are no numbers, but {array.dtype}")
    if array.dtype.kind == "f" or array.dtype == np.uint64:
        good = (array == np.trunc(array)) & (np.abs(array) < 2.0**63)  # false of NaN
        if not good.all():
            raise DataError(f"{what} that are no whole numbers below 2^63", row=int(np.argmin(good)))
    return np.ascontiguousarray(array, np.int64)


def _keys(values: ArrayLike) -> NDArray[np.uint64]:
    array = np.asarray(values)
    if array.ndim != 1:
        raise DataError(f"keys of {array.ndim} dimensions instead of 1")
    if array.dtype.kind == "i" and array.size and array.min() < 0:
        raise DataError("a key is negative", row=int(np.argmin(array)))
    if array.size and array.dtype.kind not in "iu":
        raise DataError(f"keys that are no whole numbers, but {array.dtype}")
    return np.ascontiguousarray(array, np.uint64)
