"""How threads are numbered: those that thread 0 created first, in their order, then those of thread 1 ...

A collector numbers threads as they are created (serials). Where several threads create threads at once that
is chance; which one created a thread, and how many it had created before, is the program's own doing.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True)
class Families:
    """The numbers of threads.

    Attributes:
        number: serial -> number, of serials that are no numbers; empty where all are.
        of_creator: number of a thread -> the first number and how many are of threads that it created; empty
            where thread 0 created all: numbers are serials then.
    """

    number: Mapping[int, int] = field(default_factory=dict)
    of_creator: Mapping[int, tuple[int, int]] = field(default_factory=dict)

    @classmethod
    def of(cls, threads: Sequence[tuple[int, int | None, int]]) -> Families:
        """The numbers of threads, given as serial, serial of the creator (None: none) and which of its own.

        A thread that never ran is not among them, but has a number if its creator created another one later.
        """
        first = {serial for serial, creator, _ in threads if creator is None}
        # Threads that never ran may have been created by others, between those that are known.
        if first <= {0} and all(c is None or (c == 0 and serial == nth + 1) for serial, c, nth in threads):
            return cls()
        children: dict[int, list[tuple[int, int]]] = {}
        for serial, creator, nth in threads:
            if creator is not None:
                children.setdefault(creator, []).append((nth, serial))
        order = sorted(first)
        number = {serial: at for at, serial in enumerate(order)}
        of_creator, free = {}, len(order)
        for creator in order:  # which grows
            born = sorted(children.get(creator, []))
            if not born:
                continue
            for nth, serial in born:
                number[serial] = free + nth
                order.append(serial)
            count = born[-1][0] + 1
            of_creator[number[creator]] = (free, count)
            free += count
        return cls(number, of_creator)

    def renumbered(self, serials: NDArray[np.int64]) -> NDArray[np.int64]:
        """Numbers of threads for their serials; one of which nothing is known comes after all others."""
        if not self.number or not len(serials):
            return serials
        most = max(self.number.values()) + 1
        unique, at = np.unique(serials, return_inverse=True)
        numbers = [self.number.get(serial, most + serial) for serial in unique.tolist()]
        return np.array(numbers, np.int64)[at]

    def to_json(self) -> list[list[int]]:
        """As details of a provenance keep them: creator, first and count of each."""
        return [[creator, *numbers] for creator, numbers in sorted(self.of_creator.items())]


def lines(families: Any) -> str:
    """What a collector is to know of them before windows or cuts, from a provenance's details.

    Args:
        families: as `Families.to_json` gives them; of anything else, nothing is said.
    """
    if not isinstance(families, Sequence):
        return ""
    return "".join(f"family {creator} {first} {count}\n" for creator, first, count in families)
