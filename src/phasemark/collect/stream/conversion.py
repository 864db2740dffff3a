"""Raw streams -> a Profile."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from phasemark._version import __version__
from phasemark.collect.stream import generated
from phasemark.collect.stream.canonical import DEFINITION, Segments, canonical
from phasemark.collect.stream.contents import Header, Ints
from phasemark.collect.stream.markers import markers_of
from phasemark.collect.stream.merging import as_cut, batches, chosen_length, merged
from phasemark.collect.stream.reader import RawStream
from phasemark.errors import DataError
from phasemark.model import Blocks, Counts, Markers, Profile, Provenance
from phasemark.model.intervals import concatenate
from phasemark.symbols import build_id

if TYPE_CHECKING:
    from scipy.sparse import csr_matrix

#: What the intervals of a run that is cut at positions began by.
CLOCK = "instructions of all threads"


def profile_of(*streams: RawStream | str | Path, complete: bool = True) -> Profile:
    """The profile of one process image, or of several over one table of blocks (run 0, 1, 2 ...).

    Args:
        streams: raw streams or their files.
        complete: False when the run is known to have been cut short.

    Raises:
        DataError: a stream is malformed, or they were recorded with different intervals.
    """
    if not streams:
        raise DataError("no raw stream to read")
    read = [s if isinstance(s, RawStream) else RawStream(s) for s in streams]
    length = chosen_length(read)
    blocks, segments = canonical(read)
    tables, vectors = [], []
    for run, (stream, cut) in enumerate(zip(read, segments, strict=True)):
        first, intervals = as_cut(stream, run=run) if length is None else merged(stream, length, run=run)
        tables.append(intervals)
        vectors += list(_vectors(stream, cut, first))
    blocks, counts, kept = _executed(blocks, vectors)
    blocks = _named(blocks, read)
    provenance = _provenance(read, length, complete=complete, blocks=blocks, counts=counts)
    markers = _markers(read, segments, kept) if length is None else None
    return Profile(blocks, concatenate(tables), counts, provenance, markers=markers)


def _markers(streams: Sequence[RawStream], segments: Sequence[Segments], kept: Ints) -> Markers:
    """Of all streams, over the blocks that are kept: kept[b] is the row of block b, -1 if it was dropped."""
    parts = [markers_of(stream, cut) for stream, cut in zip(streams, segments, strict=True)]
    block, count, total = (np.concatenate([part[i] for part in parts]) for i in range(3))
    row = np.where(block >= 0, kept[block], -1)
    return Markers(row, np.where(row >= 0, count, 0), np.where(row >= 0, total, 0))


def _vectors(stream: RawStream, cut: Segments, first: Ints) -> Iterator[csr_matrix]:
    """The rows of the profile, some at a time: recorded rows are decoded, counted and added up."""
    for at, rows in batches(stream, first):
        vectors = cut.vectors(stream.entries(rows), rows.stop - rows.start)
        yield _added_up(vectors, first[at] - rows.start)


def _added_up(vectors: csr_matrix, first: Ints) -> csr_matrix:
    """Sums of the rows first[i] to first[i + 1] - 1."""
    from scipy.sparse import csr_matrix

    indptr = np.append(vectors.indptr[first], vectors.indptr[-1])
    out = csr_matrix((vectors.data, vectors.indices, indptr), (len(first), vectors.shape[1]))
    out.sum_duplicates()
    out.eliminate_zeros()
    return out


def _executed(blocks: Blocks, vectors: list[csr_matrix]) -> tuple[Blocks, Counts, Ints]:
    """The blocks that were executed, the counts over them, and the new row of every block, or -1."""
    data = np.concatenate([v.data for v in vectors]) if vectors else np.empty(0, np.int64)
    indices = np.concatenate([v.indices for v in vectors]) if vectors else np.empty(0, np.int64)
    sizes = np.concatenate([[0], *(np.diff(v.indptr) for v in vectors)])
    is_used = np.zeros(len(blocks), np.bool_)
    is_used[indices] = True
    used = np.flatnonzero(is_used)
    kept = Blocks(
        blocks.modules, blocks.module[used], blocks.offset[used], blocks.instructions[used], blocks.size[used]
    )
    rows = np.cumsum(is_used) - 1
    counts = Counts(np.cumsum(sizes), rows.astype(np.int32)[indices], data, len(used))
    return kept, counts, np.where(is_used, rows, -1)


def _named(blocks: Blocks, streams: Sequence[RawStream]) -> Blocks:
    """The blocks with the names that maps of code give; without any they are as they were."""
    for stream in streams:
        found = generated.names(stream, blocks.modules, blocks.module, blocks.offset)
        if found is not None and any(found):
            before = blocks.function or ("",) * len(blocks)
            function = tuple(old or new for old, new in zip(before, found, strict=True))
            blocks = replace(blocks, function=function)
    return blocks


def anonymous_share(blocks: Blocks, counts: Counts) -> float:
    """Share of the instructions executed in code that no file holds (just-in-time compiled), 0 to 1."""
    anonymous = np.array([name.startswith("[anonymous ") for name in blocks.modules], np.bool_)
    per_block = counts.column_sums()
    return float(per_block[anonymous[blocks.module]].sum() / max(per_block.sum(), 1))


def _provenance(
    streams: Sequence[RawStream], length: int | None, *, complete: bool, blocks: Blocks, counts: Counts
) -> Provenance:
    header = streams[0].header
    share = anonymous_share(blocks, counts)
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
            "threads": len(streams[0].threads),
            "anonymous_share": share,
            "build_ids": {name: digest for name in blocks.modules if (digest := build_id(name))},
        },
    )


def _asked(header: Header) -> dict[str, object]:
    """How intervals were to be cut, and of which clock it is known when each began."""
    if header.cuts:
        return {"interval_asked": "as long as the program's own structure", "clock": CLOCK}
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
