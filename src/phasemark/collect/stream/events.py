"""The events of a raw stream -> a packed trace: sites are named, chunks stay as they were recorded."""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from phasemark.collect.stream import generated
from phasemark.collect.stream.contents import Ints
from phasemark.collect.stream.reader import RawStream
from phasemark.collect.stream.sites import sites_of
from phasemark.errors import DataError, counted
from phasemark.model import Profile, Sites
from phasemark.store.events_h5 import Chunks, PackedTrace, Threads

#: In the head of a chunk.
_NUMBERS = 5


class EventReader:
    """Reads what a stream holds of events.

    Args:
        stream: of one process image, recorded with events.
        profile: made of the same stream: its threads, and how far they were recorded.
    """

    def __init__(self, stream: RawStream, profile: Profile) -> None:
        self._stream = stream
        self._profile = profile
        self._warnings: list[str] = []

    def read(self) -> tuple[PackedTrace, list[str]]:
        """The trace, and what is missing of it, one sentence each.

        A chunk that is damaged ends what is used of its thread; the head of one, or a site, what is used of
        all threads that came to it.
        """
        sites, symbols = self._sites()
        sites = _named(sites, self._stream)
        chunks, begin, end = self._chunks
        trace = PackedTrace(
            sites,
            symbols,
            self._threads,
            chunks,
            lambda row: self._stream.frames.read(int(begin[row]), int(end[row])),
            self._profile.provenance,
            self._stream.path,
        )
        kept = self._usable(trace)
        columns = {name: getattr(chunks, name)[kept] for name in Chunks.__dataclass_fields__}
        begin, end = begin[kept], end[kept]  # which `bytes_of` reads
        return replace(trace, chunks=Chunks(**columns)), self._warnings

    def _sites(self) -> tuple[Sites, NDArray[np.int32]]:
        try:
            return sites_of(self._stream)
        except DataError as error:
            self._warnings.append(f"{self._stream.path.name} is damaged: {error.message}")
            return sites_of(self._stream, damaged=True)

    @cached_property
    def _threads(self) -> Threads:
        table = self._profile.interval_table
        run, thread, length = table.run.astype(np.int64), table.thread.astype(np.int64), table.length
        serial, row = np.unique(thread, return_inverse=True)
        instructions = np.zeros(len(serial), np.int64)
        np.add.at(instructions, row, length)
        return Threads(np.full(len(serial), run[0] if len(run) else 0, np.int64), serial, instructions)

    @cached_property
    def _chunks(self) -> tuple[Chunks, Ints, Ints]:
        """The chunks, and where their bytes lie: of several with the same start the last."""
        frames = self._stream.frames
        begin, end = frames.where("V", "U")
        sound = frames.sound(begin, end, _NUMBERS)
        if sound < len(begin):
            self._warnings.append(
                f"{self._stream.path.name} is damaged from byte {int(begin[sound]):,} on: the events that "
                "were recorded after it are left out"
            )
        begin, end = begin[:sound], end[:sound]
        (thread, start, stop, events, size), at = frames.columns(begin, end, _NUMBERS)
        thread = self._stream.families.renumbered(thread)
        order = np.lexsort((np.arange(len(thread)), start, thread))
        last = np.ones(len(order), np.bool_)
        last[:-1] = (np.diff(thread[order]) != 0) | (np.diff(start[order]) != 0)
        order = order[last & np.isin(thread[order], self._threads.thread)]
        row = np.searchsorted(self._threads.thread, thread[order])
        columns = (column[order] for column in (start, stop, events, size, end - at))
        return Chunks(row, *columns), at[order], end[order]

    def _usable(self, trace: PackedTrace) -> NDArray[np.bool_]:
        """Of each thread the chunks from the first on, up to one that is missing or damaged."""
        chunks = trace.chunks
        kept = np.zeros(len(chunks), np.bool_)
        reached: dict[int, int] = {}
        stopped: set[int] = set()
        for row, thread in enumerate(chunks.thread.tolist()):
            if thread in stopped:
                continue
            before = reached.get(thread, 0)
            if int(chunks.start[row]) != before or trace.decoded(row) is None:
                stopped.add(thread)
                self._tell(thread, before)
                continue
            kept[row], reached[thread] = True, int(chunks.end[row])
        return kept

    def _tell(self, thread: int, before: int) -> None:
        serial, whole = int(self._threads.thread[thread]), int(self._threads.instructions[thread])
        self._warnings.append(
            f"of the events of thread {serial} those of the first {before:,} of "
            f"{counted(whole, 'instruction')} were recorded whole; the others are left out"
        )


def _named(sites: Sites, stream: RawStream) -> Sites:
    """The sites with the names that the map of code gives, as far as there is one."""
    function = generated.names(stream, sites.modules, sites.module, sites.offset)
    callee = generated.names(stream, sites.modules, sites.target_module, sites.target)
    return replace(sites, function=function, callee=callee)


def packed_events(stream: RawStream, profile: Profile) -> tuple[PackedTrace, list[str]]:
    """The events of a stream that a profile was made of, and what is missing of them, one sentence each.

    Raises:
        DataError: the stream was recorded without events.
    """
    if not stream.has_events:
        raise DataError("was recorded without events", path=stream.path, hint="profile it with --events")
    return EventReader(stream, profile).read()
