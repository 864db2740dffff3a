"""events.h5: the loops, calls and returns of a run, in order.

/                attributes: format, format_version, provenance (JSON)
/sites/          modules, module, offset, kind, target_module, target [, function, file, line, callee]
/symbols         the row of /sites that each number in the chunks stands for; -1: none
/threads/        run, thread, instructions
/chunks/         thread (a row of /threads), start, end, events, size, packed
/data            the chunks as they were recorded (docs/raw-stream.md, record V), one after the other

A chunk is `packed` bytes of /data, and `size` when unpacked. The file is written and read a chunk at a time.
"""

from __future__ import annotations

import os
import weakref
from collections.abc import Callable, Iterator
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

import phasemark._core as core
from phasemark.errors import DataError
from phasemark.model import EventColumns, Provenance, Sites
from phasemark.model._check import require
from phasemark.store import columns, hdf5
from phasemark.store.stored import Group

__all__ = [
    "FORMAT",
    "FORMAT_VERSION",
    "Chunks",
    "PackedTrace",
    "StoredTrace",
    "Threads",
    "read",
    "read_packed",
    "write",
]

FORMAT = "phasemark-events"
FORMAT_VERSION = 1

_HINT = "profile the run again with --events"

#: Number of a run or a thread, at most.
_LARGEST = np.iinfo(np.int32).max

Ints = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Threads:
    """The threads of a trace: run and thread as in Intervals, and the instructions of each in all."""

    run: Ints
    thread: Ints
    instructions: Ints

    def __len__(self) -> int:
        return len(self.run)


@dataclass(frozen=True, eq=False)
class Chunks:
    """Stretches of threads, ordered by thread and start: each begins where the one before it ended, from 0.

    Attributes:
        thread: rows of Threads.
        start, end: positions, in instructions of the thread.
        events: how many are in it, those put together as one.
        size, packed: its bytes, unpacked and as they are kept.
    """

    thread: Ints
    start: Ints
    end: Ints
    events: Ints
    size: Ints
    packed: Ints

    def __len__(self) -> int:
        return len(self.thread)


@dataclass(frozen=True, eq=False)
class PackedTrace:
    """The events of all threads of a run, as they were recorded.

    Attributes:
        sites: where they happened.
        symbols: for each number by which chunks call a site its row in `sites`, int32; -1: none.
        threads, chunks: whose they are.
        bytes_of: the bytes of a chunk, by its row.
        provenance: of the profile that was made of the same run.
        path: the file that the chunks lie in.
    """

    sites: Sites
    symbols: NDArray[np.int32]
    threads: Threads
    chunks: Chunks
    bytes_of: Callable[[int], bytes]
    provenance: Provenance
    path: Path

    @property
    def traces(self) -> tuple[StoredTrace, ...]:
        """The events of each thread."""
        return tuple(StoredTrace(self, row) for row in range(len(self.threads)))

    def decoded(self, row: int) -> EventColumns | None:
        """The events of a chunk, also those beyond the thread's end; None if it is damaged."""
        chunks = self.chunks
        data = np.frombuffer(self.bytes_of(row), np.uint8)
        found = core.decode_events(
            data,
            *(int(column[row]) for column in (chunks.size, chunks.events, chunks.start, chunks.end)),
        )
        if found is None or int(found[0].max()) >= len(self.symbols):
            return None
        symbol = self.symbols[found[0]]
        return None if (symbol < 0).any() else (symbol, found[1], found[2])


def write(path: str | Path, trace: PackedTrace) -> str:
    """Write a trace, whole or not at all; equal ones give equal bytes.

    Returns:
        The file's seal.

    Raises:
        WorkError: the file cannot be written.
        DataError: the chunks cannot be read.
    """

    def fill(file: Any) -> None:
        file.attrs["format"] = FORMAT
        file.attrs["format_version"] = FORMAT_VERSION
        file.attrs["provenance"] = trace.provenance.to_json()
        columns.put_sites(file.create_group("sites"), trace.sites)
        columns.put(file, "symbols", trace.symbols)
        columns.put_each(file.create_group("threads"), trace.threads, _names(Threads))
        columns.put_each(file.create_group("chunks"), trace.chunks, _names(Chunks))
        data = file.create_dataset("data", (int(trace.chunks.packed.sum()),), np.uint8)
        at = 0
        for row in range(len(trace.chunks)):
            piece = trace.bytes_of(row)
            data[at : at + len(piece)] = np.frombuffer(piece, np.uint8)
            at += len(piece)

    return hdf5.write_large(path, fill)


def read(path: str | Path) -> tuple[StoredTrace, ...]:
    """The threads of a trace, each to be read a stretch at a time.

    Raises:
        DataError: as `read_packed`.
    """
    return read_packed(path).traces


def read_packed(path: str | Path, *, sealed: bool = True) -> PackedTrace:
    """A trace as it is kept.

    Args:
        path: the file.
        sealed: False also reads one without its digest: only in a process that may be stopped.

    Raises:
        DataError: no trace, of a newer format, damaged, or breaking an invariant; names the file.
    """
    with hdf5.reading(path, "a trace of events", hint=_HINT, sealed=sealed) as file:
        _check_format(file)
        data = _File(Path(path), *file.where("data"))
        threads = Threads(*_columns(file, "threads", Threads))
        chunks = Chunks(*_columns(file, "chunks", Chunks))
        sites = columns.sites(file.group("sites"))
        symbols = file.integers("symbols").astype(np.int32, casting="same_kind")
        require((symbols >= -1) & (symbols < len(sites)), "a symbol is no site")
        _check_chunks(chunks, threads, data.size)
        at = np.cumsum(chunks.packed) - chunks.packed
        return PackedTrace(
            sites,
            symbols,
            threads,
            chunks,
            lambda row: data.bytes_at(int(at[row]), int(chunks.packed[row])),
            Provenance.from_json(file.text("provenance")),
            Path(path),
        )


class StoredTrace:
    """The events of one thread; a model.Trace. It may be read after its file was replaced.

    Args:
        whole: the events of all threads.
        row: the thread, a row of `whole.threads`.
    """

    def __init__(self, whole: PackedTrace, row: int) -> None:
        self.sites = whole.sites
        self.run = int(whole.threads.run[row])
        self.thread = int(whole.threads.thread[row])
        self.instructions = int(whole.threads.instructions[row])
        self._whole = whole
        self._first, self._last = np.searchsorted(whole.chunks.thread, [row, row + 1]).tolist()

    def __len__(self) -> int:
        """How many events there are, those put together as one: at least those that `chunks` gives."""
        return int(self._whole.chunks.events[self._first : self._last].sum())

    def chunks(self) -> Iterator[EventColumns]:
        """See model.Trace.

        Raises:
            DataError: a chunk is damaged; names the file.
        """
        for row in range(self._first, self._last):
            found = self._whole.decoded(row)
            if found is None:
                start = int(self._whole.chunks.start[row])
                raise DataError(
                    f"the events of thread {self.thread} from instruction {start:,} on are damaged",
                    path=self._whole.path,
                    hint=_HINT,
                )
            symbol, repeats, position = found
            # Events are recorded more often than vectors, of which a killed run may have less.
            kept = int(np.searchsorted(position, self.instructions, side="right"))
            if kept:
                yield symbol[:kept], repeats[:kept], position[:kept]

    def __repr__(self) -> str:
        return (
            f"<StoredTrace: events={len(self):,}, sites={len(self.sites):,}, "
            f"instructions={self.instructions:,}, thread={self.thread}>"
        )


class _File:
    """The bytes of /data in an open file."""

    def __init__(self, path: Path, at: int, size: int) -> None:
        self.path = path
        self.size = size
        self._at = at
        self._file = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
        weakref.finalize(self, os.close, self._file)

    def bytes_at(self, at: int, size: int) -> bytes:
        try:
            data = os.pread(self._file, size, self._at + at)
        except OSError as error:
            raise DataError(f"cannot be read ({error.strerror})", path=self.path) from error
        if len(data) < size:
            raise DataError("has become shorter while it was read", path=self.path, hint=_HINT)
        return data


def _names(kind: type) -> tuple[str, ...]:
    return tuple(field.name for field in fields(kind))


def _columns(file: Group, group: str, kind: type) -> list[Ints]:
    found = [file.group(group).integers(name).astype(np.int64) for name in _names(kind)]
    if len({len(column) for column in found}) > 1:
        raise DataError(f"/{group} has columns of other lengths", hint=_HINT)
    return found


def _check_format(file: Group) -> None:
    if file.text("format", "") != FORMAT:
        raise DataError("an HDF5 file, but no trace of events", hint="name an events.h5 or a run's folder")
    version = file.integer("format_version")
    if version > FORMAT_VERSION:
        raise DataError(
            f"written in format {version} of events; this phasemark reads up to {FORMAT_VERSION}",
            hint="update phasemark",
        )


def _check_chunks(chunks: Chunks, threads: Threads, size: int) -> None:
    require(threads.instructions >= 0, "a thread has executed less than nothing")
    for name, numbers in (("run", threads.run), ("thread", threads.thread)):
        require((numbers >= 0) & (numbers <= _LARGEST), f"a {name} has a number that is none")
    require((chunks.events > 0) & (chunks.size > 0), "a chunk has no events")
    require(np.diff(chunks.thread, prepend=0) >= 0, "chunks are not in the order of their threads")
    require((chunks.thread >= 0) & (chunks.thread < len(threads)), "a chunk is of a thread that is not there")
    first = np.diff(chunks.thread, prepend=-1) != 0
    before = np.where(first, 0, np.concatenate(([0], chunks.end[:-1]))[: len(chunks)])
    require(chunks.start == before, "a chunk does not begin where the one before it ends")
    require((chunks.packed > 0) & (chunks.packed <= size), "a chunk has no bytes, or more than there are")
    if int(chunks.packed.sum()) != size:
        raise DataError("its chunks are not all of its data", hint=_HINT)
