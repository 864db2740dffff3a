"""Points as LoopPoint's regions: from the n-th execution of an instruction to that of another.

A region is an interval between two boundaries, and its multiplier how many times the region's instructions it
stands for: runtimes of regions times their multipliers sum to the run's. Counts are over all threads.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import PurePath

import numpy as np
from numpy.typing import NDArray

from phasemark.errors import DataError, UsageError, counted
from phasemark.model import Markers, Points, Profile

__all__ = ["Code", "Place", "Region", "regions"]

#: gem5 counts in 32 bits; and an execution that never comes, where a region ends with the program.
MOST = 2**31 - 1

_INSTEAD = "export to pinpoints or champsim, which count instructions"


@dataclass(frozen=True, eq=False)
class Code:
    """Where the blocks of a profile are.

    Attributes:
        address: virtual address of each as its file was linked, uint64.
        offset: from the lowest address of its file, uint64.
        is_movable: whether its file is loaded where there is room.
        is_known: whether any of this is known.
    """

    address: NDArray[np.uint64]
    offset: NDArray[np.uint64]
    is_movable: NDArray[np.bool_]
    is_known: NDArray[np.bool_]


@dataclass(frozen=True)
class Place:
    """The n-th execution of an instruction.

    Attributes:
        address: of the instruction, as its file was linked.
        image: name of the file, without folders.
        offset: from the lowest address of the file.
        count: n, by all threads.
        is_movable: whether addresses count from where the file is loaded.
    """

    address: int
    image: str
    offset: int
    count: int
    is_movable: bool


@dataclass(frozen=True)
class Region:
    """A point.

    Attributes:
        number: from 1.
        phase, interval: of the point.
        start, end: where it begins and ends.
        relative: how often the end's instruction is executed from its start on until then.
        length: instructions.
        weight, multiplier: what it stands for, as a share and as a multiple of itself.
        warmup: where its warm-up begins; None: it has none.
        warmup_length: instructions of it.
        is_last: whether it ends with the thread; its end then never comes.
    """

    number: int
    phase: int
    interval: int
    start: Place
    end: Place
    relative: int
    length: int
    weight: float
    multiplier: float
    warmup: Place | None = None
    warmup_length: int = 0
    is_last: bool = False


def regions(profile: Profile, points: Points, code: Code | None) -> tuple[Region, ...]:
    """Points as regions, in their order.

    Args:
        profile: with markers.
        points: intervals of it.
        code: where its blocks are; None: that was not looked up.

    Raises:
        UsageError: the intervals have no markers, the points are of several threads or not of the first, or
            a boundary cannot be told by an address and a count.
        DataError: a point is no interval of the profile.
    """
    if profile.markers is None or code is None:
        raise UsageError(
            "LoopPoint's regions begin and end at places in the code, which these intervals do not have",
            hint=f"make intervals that follow the program first: phasemark intervals; or {_INSTEAD}",
        )
    if points.run.any() or points.thread.any():
        raise UsageError(
            "LoopPoint's regions are of all threads at once, and these points of others than the first",
            hint="export to threads, which says where each thread comes to its points",
        )
    writer = _Regions(profile, profile.markers, code)
    return tuple(writer.region(number, points) for number in range(len(points)))


class _Regions:
    def __init__(self, profile: Profile, markers: Markers, code: Code) -> None:
        self._profile, self._markers, self._code = profile, markers, code
        table = profile.interval_table
        self._starts = table.start[(table.run == 0) & (table.thread == 0)]

    def region(self, number: int, points: Points) -> Region:
        row = int(points.interval[number])
        table = self._profile.interval_table
        if not row < len(self._starts) or int(table.start[row]) != int(points.start[number]):
            raise DataError(
                "a point is no interval of the profile", row=number, hint="pick points anew: phasemark points"
            )
        is_last = row + 1 == len(self._starts)
        start = self._place(row)
        end = Place(**{**vars(start), "count": MOST}) if is_last else self._place(row + 1)
        length = int(table.length[row])
        weight = float(points.weight[number])
        warm = self._warm(int(points.start[number]), int(points.warmup[number]))
        return Region(
            number + 1,
            int(points.phase[number]),
            row,
            start,
            end,
            self._executions(row, end, start),
            length,
            weight,
            weight * points.coverage * self._profile.instructions / length,
            None if warm is None else self._place(warm),
            0 if warm is None else int(table.start[row] - table.start[warm]),
            is_last,
        )

    def _warm(self, start: int, warmup: int) -> int | None:
        """The last boundary that leaves so many instructions or more before a point."""
        if not warmup:
            return None
        return int(np.searchsorted(self._starts, start - warmup, side="right")) - 1

    def _place(self, row: int) -> Place:
        block, count = int(self._markers.block[row]), int(self._markers.total[row])
        where = f"interval {row:,}"
        if block < 0 or not self._code.is_known[block]:
            raise UsageError(
                f"{where} begins amid a block, or in code whose file is gone or another build",
                hint=f"export where the program was profiled; or {_INSTEAD}",
            )
        if not 0 < count < MOST:
            many = f"{count:,} times, more than gem5 counts to" if count else "is not known of all threads"
            raise UsageError(f"how often the place where {where} begins was executed: {many}", hint=_INSTEAD)
        blocks = self._profile.block_table
        image = PurePath(blocks.modules[blocks.module[block]]).name
        if not image.isprintable() or set(image) & set(" ,\"'|"):
            raise UsageError(f"the format cannot name {image!r}", hint="give the program's file a plain name")
        return Place(
            int(self._code.address[block]),
            image,
            int(self._code.offset[block]),
            count,
            bool(self._code.is_movable[block]),
        )

    def _executions(self, row: int, end: Place, start: Place) -> int:
        """As LoopPoint counts: those within, and one; not the start's own."""
        if end.count == MOST:
            return MOST - start.count
        block = int(self._markers.block[row + 1])
        vectors = self._profile.vectors
        mine = slice(int(vectors.indptr[row]), int(vectors.indptr[row + 1]))
        executed = int(vectors.data[mine][vectors.indices[mine] == block].sum())
        within = executed // max(int(self._profile.block_table.instructions[block]), 1)
        return within + (start.address != end.address or start.image != end.image)


def notes(found: tuple[Region, ...]) -> tuple[str, ...]:
    """What a user must know of regions."""
    said = []
    places = [place for region in found for place in (region.start, region.end, region.warmup) if place]
    if movable := sorted({place.image for place in places if place.is_movable}):
        said.append(
            f"{', '.join(movable)} is loaded where there is room: add that address to each pc, or link the "
            "program at fixed addresses (-no-pie)"
        )
    if last := [region.number for region in found if region.is_last]:
        said.append(
            f"region {last[0]} ends with the program, and its end says {MOST:,} executions, which never come"
        )
    if any(region.warmup for region in found):
        most = max(region.warmup_length for region in found)
        said.append(f"warm-up begins at the boundary before, up to {counted(most, 'instruction')} ahead")
    return tuple(said)
