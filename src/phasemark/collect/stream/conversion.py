"""Raw streams -> a Profile."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cached_property
from pathlib import Path

import numpy as np

from phasemark._version import __version__
from phasemark.collect.stream import generated
from phasemark.collect.stream.canonical import DEFINITION, Segments, canonical
from phasemark.collect.stream.contents import Header, Ints
from phasemark.collect.stream.markers import markers_of
from phasemark.collect.stream.merging import as_cut, chosen_length, merged
from phasemark.collect.stream.reader import RawStream
from phasemark.collect.stream.rows import RowReader
from phasemark.errors import DataError
from phasemark.model import Blocks, Counts, Intervals, Markers, Profile, Provenance, Reuse, streamed
from phasemark.model.intervals import concatenate
from phasemark.model.timeline import OF_CORES
from phasemark.progress import Progress
from phasemark.symbols import build_id


def profile_of(
    *streams: RawStream | str | Path, complete: bool = True, progress: Progress | None = None
) -> Profile:
    """The profile of one process image, or of several over one table of blocks (run 0, 1, 2 ...).

    The streams are gone through once here, to find which blocks ran and how large counts are. The counts of a
    large run are not kept: whoever takes them (`vectors.rows()`) has them read again.

    Args:
        streams: raw streams or their files.
        complete: False when the run is known to have been cut short.
        progress: called with the bytes gone through, and of how many.

    Raises:
        DataError: a stream is malformed, or they were recorded with different intervals.
    """
    if not streams:
        raise DataError("no raw stream to read")
    read = [s if isinstance(s, RawStream) else RawStream(s) for s in streams]
    length = chosen_length(read)
    blocks, segments = canonical(read)
    # Of single threads the instructions themselves are the clock.
    timed = any(np.ptp(stream.intervals.thread) for stream in read if len(stream.intervals))
    tables, readers, reuse = [], [], []
    for run, (stream, cut) in enumerate(zip(read, segments, strict=True)):
        if length is None:
            first, intervals = as_cut(stream, run=run)
        else:
            first, intervals = merged(stream, length, run=run, timed=timed)
        tables.append(intervals)
        readers.append(RowReader(stream, cut, first))
        reuse.append(_reuse(stream, first))
    found = _Found(blocks)
    for part in _told(readers, read, progress):
        found.add(part)
    blocks = _named(found.blocks, read)
    share = found.anonymous_share
    intervals = concatenate(_of_one_clock(tables))
    provenance = _provenance(
        read, length, complete=complete, blocks=blocks, share=share, timed=intervals.began is not None
    )
    markers = _markers(read, segments, found.new_row) if length is None else None
    counts = found.counts(readers)
    return Profile(blocks, intervals, counts, provenance, markers=markers, reuse=Reuse.of_all(reuse))


def _of_one_clock(tables: Sequence[Intervals]) -> list[Intervals]:
    """The tables; without when intervals began where one of them does not know."""
    if all(table.began is not None for table in tables):
        return list(tables)
    return [replace(table, began=None, ended=None) for table in tables]


def _told(
    readers: Sequence[RowReader], streams: Sequence[RawStream], progress: Progress | None
) -> Iterator[Counts]:
    """All rows, and how far they are."""
    total = sum(int((s.intervals.end - s.intervals.begin).sum()) for s in streams)
    done = 0

    def tell(size: int) -> None:
        nonlocal done
        done += size
        if progress is not None:
            progress(done, total)

    for reader in readers:
        yield from reader.batches(tell)


class _Found:
    """What is known of all rows once they were gone through.

    Args:
        blocks: the canonical blocks.
    """

    def __init__(self, blocks: Blocks) -> None:
        self._all = blocks
        self._is_used = np.zeros(len(blocks), np.bool_)
        anonymous = [name.startswith("[anonymous ") for name in blocks.modules]
        self._is_anonymous = np.array(anonymous, np.bool_)[blocks.module] if any(anonymous) else None
        self._sizes: list[Ints] = []
        self._held: list[Counts] = []  # all, as long as they are few
        self._entries = self._largest = self._anonymous = self._instructions = 0

    def add(self, part: Counts) -> None:
        """Go through the next rows."""
        self._is_used[part.indices] = True
        self._sizes.append(np.diff(part.indptr))
        self._entries += len(part.data)
        self._largest = max(self._largest, int(part.data.max(initial=0)))
        self._instructions += int(part.data.sum())
        if self._is_anonymous is not None:
            self._anonymous += int(part.data[self._is_anonymous[part.indices]].sum())
        if self._entries > streamed.MOST_HELD:
            self._held.clear()
        else:
            self._held.append(part)

    @cached_property
    def new_row(self) -> Ints:
        """Of each canonical block its row among those that were executed, or -1."""
        return np.where(self._is_used, np.cumsum(self._is_used) - 1, -1)

    @cached_property
    def blocks(self) -> Blocks:
        """The blocks that were executed."""
        every, used = self._all, np.flatnonzero(self._is_used)
        return Blocks(
            every.modules,
            every.module[used],
            every.offset[used],
            every.instructions[used],
            every.size[used],
        )

    @property
    def anonymous_share(self) -> float:
        """Share of the instructions executed in code that no file holds (just-in-time compiled), 0 to 1."""
        return float(self._anonymous / max(self._instructions, 1))

    def counts(self, readers: Sequence[RowReader]) -> Counts:
        """The counts over the blocks that were executed."""
        indptr = np.concatenate([[0], *self._sizes]).cumsum()
        columns, row = len(self.blocks), self.new_row.astype(np.int32)
        held = self._held

        def rows() -> Iterator[Counts]:
            for part in held or (part for reader in readers for part in reader.batches()):
                yield Counts(part.indptr, row[part.indices], part.data, columns)

        return streamed.as_counts(indptr, columns, rows, self._largest)


def _reuse(stream: RawStream, first: Ints) -> Reuse | None:
    """Of intervals, each from its first recorded row to that of the next."""
    if (recorded := stream.reuse) is None:
        return None
    rows = np.searchsorted(first, np.arange(len(recorded)), side="right") - 1
    return recorded.summed(rows, len(first))


def _markers(streams: Sequence[RawStream], segments: Sequence[Segments], kept: Ints) -> Markers:
    """Of all streams, over the blocks that are kept: kept[b] is the row of block b, -1 if it was dropped."""
    parts = [markers_of(stream, cut) for stream, cut in zip(streams, segments, strict=True)]
    block, count, total = (np.concatenate([part[i] for part in parts]) for i in range(3))
    row = np.where(block >= 0, kept[block], -1)
    return Markers(row, np.where(row >= 0, count, 0), np.where(row >= 0, total, 0))


def _named(blocks: Blocks, streams: Sequence[RawStream]) -> Blocks:
    """The blocks with the names that maps of code give; without any they are as they were."""
    for stream in streams:
        found = generated.names(stream, blocks.modules, blocks.module, blocks.offset)
        if found is not None and any(found):
            before = blocks.function or ("",) * len(blocks)
            function = tuple(old or new for old, new in zip(before, found, strict=True))
            blocks = replace(blocks, function=function)
    return blocks


def _provenance(
    streams: Sequence[RawStream],
    length: int | None,
    *,
    complete: bool,
    blocks: Blocks,
    share: float,
    timed: bool,
) -> Provenance:
    header = streams[0].header
    return Provenance(
        tool=f"phasemark-{header.engine}",
        tool_version=header.tool_version,
        phasemark=__version__,
        command=header.args,
        unit=header.unit,
        block_definition=f"{DEFINITION}; recorded block: {header.block_definition}",
        interval=length,
        complete=complete and not any(s.truncated for s in streams),
        warnings=(*(w for s in streams for w in s.warnings), *_anonymous_warning(share, blocks)),
        details={
            "engine": header.engine,
            "engine_version": header.engine_version,
            "cpu": header.cpu,
            "exe": header.exe,
            **_asked(header),
            **({"clock": OF_CORES} if timed else {}),
            "threads": len(streams[0].threads),
            **_families(streams),
            "anonymous_share": share,
            "build_ids": {name: digest for name in blocks.modules if (digest := build_id(name))},
        },
    )


def _families(streams: Sequence[RawStream]) -> dict[str, object]:
    """Who created which threads, where that is not all thread 0's doing: to know them in another run."""
    told = streams[0].families.to_json() if len(streams) == 1 else []
    return {"families": told} if told else {}


def _asked(header: Header) -> dict[str, object]:
    """How intervals were to be cut."""
    if header.cuts:
        return {"interval_asked": "as long as the program's own structure"}
    return {"interval_asked": "auto" if header.auto else header.interval}


def _anonymous_warning(share: float, blocks: Blocks) -> tuple[str, ...]:
    if share < 0.001:
        return ()
    if blocks.function is not None:
        return (
            f"{share:.1%} of the instructions ran in code that no file holds (compiled at run time); its "
            "blocks may lie elsewhere in another run",
        )
    return (
        f"{share:.1%} of the instructions ran in code that no file holds (compiled at run time); it is "
        "counted, but has no function names, and its blocks may lie elsewhere in another run",
    )
