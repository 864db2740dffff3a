"""The events of a raw stream -> a packed trace: sites are named, chunks stay as they were recorded."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from phasemark.collect.stream.blocks import LARGEST_OFFSET
from phasemark.collect.stream.canonical import modules_of
from phasemark.collect.stream.contents import Ints
from phasemark.collect.stream.reader import RawStream
from phasemark.errors import DataError, counted
from phasemark.model import SITE_KINDS, Profile, Sites
from phasemark.store.events_h5 import Chunks, PackedTrace, Threads

_LARGEST_NUMBER = 2**27  # sites are numbered without gaps; a table over them must fit memory


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

        A chunk that is damaged ends what is used of its thread.

        Raises:
            DataError: the records of sites, or the heads of chunks, are damaged.
        """
        sites, symbols = self._sites
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

    @cached_property
    def _threads(self) -> Threads:
        table = self._profile.interval_table
        run, thread, length = table.run.astype(np.int64), table.thread.astype(np.int64), table.length
        serial, row = np.unique(thread, return_inverse=True)
        instructions = np.zeros(len(serial), np.int64)
        np.add.at(instructions, row, length)
        return Threads(np.full(len(serial), run[0] if len(run) else 0, np.int64), serial, instructions)

    @cached_property
    def _sites(self) -> tuple[Sites, NDArray[np.int32]]:
        """The sites, and the row of each number by which chunks call one."""
        frames = self._stream.frames
        begin, end = frames.where("J")
        columns, _ = frames.columns(begin, end, 6)
        names, ours = modules_of(self._stream)
        known = np.array(sorted(ours), np.int64)
        number, module, offset, kind, target_module, target = columns
        for wrong, message in (
            (number >= _LARGEST_NUMBER, "a site's number is too large to be true"),
            (kind >= len(SITE_KINDS), "a site is of an unknown kind"),
            (np.maximum(offset, target) >= LARGEST_OFFSET, "a site lies at an impossible offset"),
            (~np.isin(module, known), "a site lies in a module that was not recorded"),
            ((target_module > 0) & ~np.isin(target_module - 1, known), "a site leads to a module unknown"),
        ):
            if wrong.any():
                frames.fail(int(begin[np.argmax(wrong)]), message)
        module, offset = self._placed(module, offset, ours)
        leads = target_module > 0
        target_module, target = self._placed(np.maximum(target_module - 1, 0), target, ours)
        target_module, target = np.where(leads, target_module, -1), np.where(leads, target, 0)
        return _distinct(names, (number, module, offset, kind, target_module, target))

    def _placed(self, module: Ints, offset: Ints, ours: dict[int, int]) -> tuple[Ints, Ints]:
        """Canonical modules, and offsets in their files."""
        bases = np.zeros(max(ours, default=-1) + 1, np.int64)
        canonical = np.zeros(len(bases), np.int64)
        for serial, number in ours.items():
            bases[serial], canonical[serial] = self._stream.modules[serial].offset, number
        return canonical[module], offset + bases[module]

    @cached_property
    def _chunks(self) -> tuple[Chunks, Ints, Ints]:
        """The chunks, and where their bytes lie: of several with the same start the last."""
        frames = self._stream.frames
        begin, end = frames.where("V", "U")
        (thread, start, stop, events, size), at = frames.columns(begin, end, 5)
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


def packed_events(stream: RawStream, profile: Profile) -> tuple[PackedTrace, list[str]]:
    """The events of a stream that a profile was made of, and what is missing of them, one sentence each.

    Raises:
        DataError: the stream was recorded without events, or what it says of sites is damaged.
    """
    if not stream.has_events:
        raise DataError("was recorded without events", path=stream.path, hint="profile it with --events")
    return EventReader(stream, profile).read()


def _distinct(names: tuple[str, ...], columns: Sequence[Ints]) -> tuple[Sites, NDArray[np.int32]]:
    """One row a place and kind, by module and offset: code that was mapped twice has several numbers.

    Args:
        names: of the modules.
        columns: number, module, offset, kind, target module and target.
    """
    number, module, offset, kind, target_module, target = columns
    order = np.lexsort((kind, offset, module))
    keys = [key[order] for key in (module, offset, kind)]
    new = np.ones(len(order), np.bool_)
    new[1:] = np.logical_or.reduce([key[1:] != key[:-1] for key in keys])
    row = np.cumsum(new) - 1
    symbols = np.full(int(number.max(initial=-1)) + 1, -1, np.int32)
    symbols[number[order]] = row
    first = order[new]
    leads = np.stack([target_module, target])
    differs = np.zeros(len(first), np.bool_)
    np.logical_or.at(differs, row, (leads[:, order] != leads[:, first][:, row]).any(axis=0))
    sites = Sites(
        names,
        module[first].astype(np.int32),
        offset[first].astype(np.uint64),
        kind[first].astype(np.int8),
        np.where(differs, -1, target_module[first]).astype(np.int32),
        np.where(differs, 0, target[first]).astype(np.uint64),
    )
    return sites, symbols
