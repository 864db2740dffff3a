"""The text of `perf script` -> Samples, read once from front to back.

What is held grows with the samples, 26 bytes each, and not with the text.
"""

from __future__ import annotations

import re
from array import array
from collections.abc import Iterable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from phasemark.errors import DataError, counted, shown
from phasemark.formats.perf import lines as parts
from phasemark.formats.perf.lines import Header, Lost, Mapping, Name, Sampled, Task, Where
from phasemark.formats.perf.tracking import UNKNOWN, World
from phasemark.formats.source import chunks
from phasemark.model import Samples
from phasemark.progress import Progress
from phasemark.reading import LONGEST_LINE

__all__ = ["HOW", "read", "read_pieces"]

#: How text is written that has all that is wanted.
HOW = (
    "write it with `perf script -G --ns --show-mmap-events --show-task-events --show-lost-events "
    "-F pid,tid,time,period,event,ip`"
)


def read(path: str | Path, progress: Progress | None = None) -> Samples:
    """Read what `perf script` printed, plain or gzip.

    Args:
        path: the file, or `-` for standard input.
        progress: told bytes read and bytes in the file.

    Raises:
        DataError: it holds no sample, or a line that is none of perf's; names file and line.
        WorkError: it cannot be read.
    """
    with closing(chunks(path, progress)) as pieces:
        return read_pieces(pieces, path)


def read_pieces(pieces: Iterable[bytes], path: str | Path) -> Samples:
    """As `read`, from pieces that are cut anywhere; `path` is what an error calls them."""
    reader = _Reader(path)
    for piece in _whole_lines(pieces, path, reader):
        reader.feed(piece)
    reader.end()
    return reader.samples()


def _whole_lines(pieces: Iterable[bytes], path: str | Path, reader: _Reader) -> Iterator[bytes]:
    """The pieces, each cut where a line ends; a last line without an end is left out, and said."""
    begun = b""
    for piece in pieces:
        end = piece.rfind(b"\n") + 1
        if end == 0:
            begun += piece
            if len(begun) > LONGEST_LINE:
                raise DataError(
                    "a line is longer than 16 MiB",
                    path=path,
                    line=reader.line + 1,
                    hint="name a file of text",
                )
            continue
        yield begun + piece[:end]
        begun = piece[end:]
    if begun.strip():
        reader.cut = True


class _Reader:
    """One pass over the lines.

    Attributes:
        line: the lines read so far.
        cut: whether the last line has no end.
    """

    def __init__(self, path: str | Path) -> None:
        self.path = path
        self.line = 0
        self.cut = False
        self._world = World()
        self._events: dict[bytes, int] = {}
        self._thread, self._place, self._event = array("i"), array("i"), array("h")
        self._time, self._period = array("q"), array("q")
        self._open: tuple[Header, Sampled] | None = None  # a sample whose frames follow
        self._in_stack = False
        self._in_kernel = self._lost = self._losses = self._placeless = 0
        self._without_time = self._without_period = False
        self._tool = ""

    def feed(self, piece: bytes) -> None:
        """Read some whole lines: those as HOW has them many at a time, others one by one."""
        at, plain = 0, True
        while at < len(piece):
            if plain and not self._in_stack:
                at, lines = self._plain(piece, at)
                self.line += lines
                plain = lines > 0 and at < len(piece)
                if at == len(piece):
                    return
            end = piece.index(b"\n", at)
            self.line += 1
            line = piece[at:end].removesuffix(b"\r")
            plain |= self._one(line)
            at = end + 1

    def end(self) -> None:
        """All was read: a sample whose frames are missing is left out where the text was cut."""
        if not self.cut:
            self._close(None)

    def _plain(self, piece: bytes, begin: int) -> tuple[int, int]:
        """Read samples without a record among them, column by column; how far that went, and how many."""
        from phasemark._core import sample_lines

        end, pid, tid, time, period, ip, name, names = sample_lines(piece, begin)
        n = len(pid)
        if n == 0:
            return end, 0
        numbers = np.array([self._number(event) for event in names], np.int16)
        thread, place = np.empty(n, np.int32), np.empty(n, np.int32)
        whose = pid.astype(np.int64) << 32 | tid
        pairs, first = np.unique(whose, return_index=True)
        for pair in pairs[np.argsort(first)].tolist():  # by birth, where no record tells of it
            rows = whose == pair
            number = self._world.thread(pair >> 32, pair & 0xFFFFFFFF)
            thread[rows], place[rows] = number, self._world.places(number, ip[rows])
        user, something = place >= 0, period > 0
        self._in_kernel += int(np.count_nonzero(~user))
        for column, values in (
            (self._thread, thread), (self._place, place), (self._event, numbers[name]), (self._time, time),
            (self._period, period),
        ):  # fmt: skip
            column.frombytes(values[user & something].tobytes())
        return end, n

    def _one(self, line: bytes) -> bool:
        """Read a line of any kind; whether it was a record, after which samples may have another layout."""
        if self._in_stack and self._is_of_stack(line):
            return False
        self._in_stack = False
        if not line.strip():
            return False
        if line.startswith(b"#"):
            self._comment(line)
            return True
        head = parts.header(line)
        if head is None:
            raise self._fault(line)
        if head.rest.startswith(b"PERF_RECORD_"):
            self._record(head, line)
            return True
        found = parts.sampled(head.rest)
        if found is None:
            raise self._fault(line)
        if found.where is None:
            self._open, self._in_stack = (head, found), True
        else:
            self._add(head, found, found.where)
        return False

    def _is_of_stack(self, line: bytes) -> bool:
        """Whether a line is a frame, or the blank line behind the last: the innermost frame is the sample."""
        if not line.strip():
            self._close(None)
            self._in_stack = False
            return True
        if self._open is None:
            return line[:1].isspace() or parts.header(line) is None
        where = parts.frame(line)
        self._close(where)
        return where is not None

    def _close(self, where: Where | None) -> None:
        if self._open is None:
            return
        head, found = self._open
        self._open = None
        if where is None:
            self._placeless += 1
            where = Where(0)
        self._add(head, found, where)

    def _add(self, head: Header, found: Sampled, where: Where) -> None:
        if head.tid < 0 or (head.tid == 0 and where.ip == 0):
            return
        thread = self._world.thread(head.pid, head.tid, head.comm)
        place = self._world.place(thread, where)
        if place < 0:
            self._in_kernel += 1
            return
        self._without_time |= head.time is None
        self._without_period |= found.period is None
        if found.period == 0:  # of a group's other events, nothing since the last sample
            return
        self._thread.append(thread)
        self._place.append(place)
        self._event.append(self._number(found.event))
        self._time.append(head.time or 0)
        self._period.append(_within(found.period or 1))

    def _record(self, head: Header, line: bytes) -> None:
        try:
            self._take(parts.record(head.rest))
        except ValueError:
            raise self._fault(line) from None

    def _take(self, record: Mapping | Task | Name | Lost | None) -> None:
        match record:
            case Mapping():
                self._world.map(record)
            case Task():
                self._world.task(record)
            case Name():
                self._world.name(record)
            case Lost():
                self._lost += record.count
                self._losses += 1
            case None:
                pass

    def _comment(self, line: bytes) -> None:
        if found := re.match(rb"# perf version : (\S+)", line):
            self._tool = found[1].decode("ascii", "replace")

    def _number(self, event: bytes) -> int:
        number = self._events.setdefault(event, len(self._events))
        if number >= 1000:
            raise DataError("names more than 1,000 events", path=self.path, line=self.line, hint=HOW)
        return number

    def _fault(self, line: bytes) -> DataError:
        return DataError(
            f"is no line that perf script prints: {shown(line)}", path=self.path, line=self.line, hint=HOW
        )

    def samples(self) -> Samples:
        """What was read.

        Raises:
            DataError: no sample, or none with an address.
        """
        n = len(self._thread)
        if n == 0:
            why = "holds no sample"
            if self._in_kernel:
                why = f"holds {counted(self._in_kernel, 'sample')}, all in the kernel, and none of a program"
            raise DataError(why, path=self.path, hint="record with perf record -e task-clock:u")
        if self._placeless == n:
            raise DataError("its samples have no addresses", path=self.path, hint=HOW)
        world, columns = self._world, self._columns()
        used = np.zeros(len(world.thread_tid), np.bool_)
        used[columns["thread"]] = True
        columns["thread"] = (np.cumsum(used) - 1)[columns["thread"]]
        order, backwards = self._order(columns)
        return Samples(
            modules=tuple(world.modules),
            module=np.array(world.module),
            offset=np.array(world.offset),
            located=np.array(world.located, np.bool_),
            function=tuple(world.function),
            events=tuple(event.decode("utf-8", "replace") for event in self._events),
            processes=world.processes(),
            process=np.array(world.thread_image)[used],
            tid=np.array(world.thread_tid)[used],
            **{name: values[order] for name, values in columns.items()},
            timed=not self._without_time,
            weighted=not self._without_period,
            build_ids=dict(sorted(world.build_ids.items())),
            source=("perf", self._tool),
            notes=tuple(self._notes(columns["place"], int(np.count_nonzero(~used)), backwards)),
            complete=not self.cut,
        )

    def _columns(self) -> dict[str, NDArray[Any]]:
        names = ("thread", "place", "event", "time", "period")
        columns = {name: np.array(getattr(self, f"_{name}")) for name in names}
        if self._without_time:
            columns["time"][:] = 0
        if self._without_period:
            columns["period"][:] = 1
        return columns

    def _order(self, columns: dict[str, NDArray[Any]]) -> tuple[NDArray[np.int64], int]:
        """By thread and time; and how many samples stand after a later one of their thread."""
        by_thread = np.argsort(columns["thread"], kind="stable")
        thread, time = columns["thread"][by_thread], columns["time"][by_thread]
        backwards = int(np.count_nonzero((np.diff(thread) == 0) & (np.diff(time) < 0)))
        return (np.lexsort((columns["time"], columns["thread"])) if backwards else by_thread), backwards

    def _notes(self, place: NDArray[np.int32], idle: int, backwards: int) -> Iterator[str]:
        world, n = self._world, len(place)
        if self.cut:
            yield "the text is cut in its last line; what is whole of it was read"
        if self._in_kernel:
            yield (
                f"{self._in_kernel:,} of {counted(n + self._in_kernel, 'sample')} in the kernel: counted in "
                "no vector"
            )
        if self._losses:
            many = counted(self._lost, "event") if self._lost else "events"
            yield f"perf lost {many} ({counted(self._losses, 'time')}): what ran then has too few samples"
        located = np.array(world.located, np.bool_)
        unknown = int(np.count_nonzero(np.isin(place, list(world.unknown))))
        elsewhere = int(np.count_nonzero(~located[place])) - unknown
        if unknown:
            yield f"{counted(unknown, 'sample')} in no module that is known: kept under {UNKNOWN}"
        if world.ambiguous:
            yield "some addresses count from the start of a file that is not named: " + HOW
        if elsewhere:
            yield (
                f"{counted(elsewhere, 'sample')} without a mapping (--show-mmap-events): known by their "
                "address in this run alone"
            )
        if self._without_time:
            yield "the samples have no times: there is no common clock, and they are in the order of the text"
        if self._without_period:
            yield "the samples do not say how long they stand for: each counts once"
        if backwards:
            yield f"{counted(backwards, 'sample')} after later ones of their thread: sorted"
        if idle:
            yield f"{counted(idle, 'thread')} had no sample"


def _within(period: int) -> int:
    return min(period, 2**53)
