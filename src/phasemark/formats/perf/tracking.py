"""Processes, threads and mappings, as records tell of them between the samples."""

from __future__ import annotations

from array import array
from bisect import bisect_right
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from phasemark.formats.perf.lines import Mapping, Name, Task, Where
from phasemark.model import SampledProcess

#: The module of code of which no record says where it is from.
UNKNOWN = "[unknown]"

#: The kernel's half of the addresses.
_KERNEL = 1 << 63

#: What a process is called that perf, or phasemark, made for a program and that has not yet executed it.
_BEFORE_EXEC = ("perf-exec", "phasemark-hold")


#: Addresses, ascending, and the place of each.
Known = tuple[NDArray[np.uint64], NDArray[np.int32]]


@dataclass(slots=True)
class Image:
    """One program in one process; mappings in order of address, none over another."""

    pid: int
    parent: int
    origin: str
    name: str
    number: int
    ended: bool = False
    mappings: list[tuple[int, int, int, str]] = field(default_factory=list)  # start, end, file offset, module
    places: dict[tuple[int, bytes], int] = field(default_factory=dict)  # address, module as named -> place
    known: Known = field(default_factory=lambda: (np.empty(0, np.uint64), np.empty(0, np.int32)))

    def map(self, start: int, end: int, offset: int, module: str) -> None:
        """Put a mapping over those that were there."""
        kept = []
        for old in self.mappings:
            first, last, at, name = old
            if last <= start or end <= first:
                kept.append(old)
                continue
            if first < start:
                kept.append((first, start, at, name))
            if end < last:
                kept.append((end, last, at + end - first, name))
        kept.append((start, end, offset, module))
        self.mappings = sorted(kept)
        self.places.clear()
        self.known = (np.empty(0, np.uint64), np.empty(0, np.int32))

    def covering(self, ip: int) -> tuple[int, int, int, str] | None:
        """The mapping at an address."""
        at = bisect_right(self.mappings, (ip, _KERNEL << 1)) - 1
        return self.mappings[at] if at >= 0 and ip < self.mappings[at][1] else None


class World:
    """What is known of processes and their memory, at the line that is read.

    Attributes:
        images, thread_image, thread_tid: of the processes, and of the threads in order of birth.
        modules, module, offset, located, function: the places that samples were at; see Samples.
        build_ids: as records of mappings say them.
        unmapped: samples in no module that is known.
        ambiguous: those of them whose address counts from a file's start, and several files could be meant.
    """

    def __init__(self) -> None:
        self.images: list[Image] = []
        self.thread_image, self.thread_tid = array("i"), array("q")
        self.modules: dict[str, int] = {}
        self.module, self.offset, self.located = array("i"), array("Q"), array("b")
        self.function: list[str] = []
        self.build_ids: dict[str, str] = {}
        self.unknown: set[int] = set()
        self.ambiguous: set[int] = set()
        self._places: dict[tuple[int, int, bool], int] = {}
        self._processes: dict[int, Image] = {}
        self._threads: dict[int, int] = {}  # tid -> thread, of those that live
        self._pid_of: dict[int, int] = {}
        self._anonymous: dict[tuple[int, int], str] = {}

    def thread(self, pid: int | None, tid: int, comm: bytes = b"") -> int:
        """The number of a thread that is sampled."""
        thread = self._threads.get(tid)
        if thread is not None:
            image = self.images[self.thread_image[thread]]
            if pid is None or pid == image.pid:
                if comm and not image.name:
                    image.name = _text(comm)
                return thread
        return self._born(self._image(self._pid_of.get(tid, tid) if pid is None else pid, comm), tid)

    def task(self, task: Task) -> None:
        """A thread begins or ends."""
        if not task.begins:
            self._threads.pop(task.tid, None)
            if task.pid == task.tid and (image := self._processes.get(task.pid)) is not None:
                image.ended = True
            return
        self._pid_of[task.tid] = task.pid
        if task.pid == task.parent:
            self._born(self._image(task.pid), task.tid)
            return
        parent = self._processes.get(task.parent)
        image = self._begin(task.pid, task.parent, "fork", parent.name if parent else "")
        if parent is not None:
            image.mappings = list(parent.mappings)
        self._born(image, task.tid)

    def name(self, name: Name) -> None:
        """A thread has another name, or its process is another program."""
        text = _text(name.name)
        self._pid_of[name.tid] = name.pid
        image = self._processes.get(name.pid)
        if not name.executed:
            if image is None:
                image = self._begin(name.pid, 0, "start", text)
            if name.pid == name.tid:
                image.name = text
            return
        is_first = image is None or (image.name in _BEFORE_EXEC and image.origin == "start")
        for tid in [tid for tid, thread in self._threads.items() if self._is_of(thread, image)]:
            del self._threads[tid]
        if image is not None:
            image.ended = True
        new = self._begin(name.pid, image.parent if image else 0, "start" if is_first else "exec", text)
        self._born(new, name.tid)

    def map(self, mapping: Mapping) -> None:
        """A process maps a file."""
        if mapping.pid < 0 or mapping.start >= _KERNEL or not mapping.executable or mapping.size == 0:
            return
        if mapping.size > _KERNEL or mapping.offset > _KERNEL:
            raise ValueError("no file is as large")
        module = _text(mapping.name)
        if mapping.build:
            self.build_ids.setdefault(module, mapping.build)
        end = mapping.start + mapping.size
        self._image(mapping.pid).map(mapping.start, end, mapping.offset, module)

    def place(self, thread: int, where: Where) -> int:
        """Which place an address is in the thread's process; -1 in the kernel."""
        image = self.images[self.thread_image[thread]]
        key = (where.ip, where.module)
        found = image.places.get(key)
        if found is None:
            found = image.places[key] = self._place(image, where)
        return found

    def places(self, thread: int, ip: NDArray[np.uint64]) -> NDArray[np.int32]:
        """As `place`, of many addresses of which no more is known."""
        image = self.images[self.thread_image[thread]]
        address, place = image.known
        at = np.searchsorted(address, ip)
        new = np.ones(len(ip), np.bool_)
        inside = at < len(address)
        new[inside] = address[at[inside]] != ip[inside]
        if new.any():
            unseen = np.unique(ip[new])
            found = [self.place(thread, Where(one)) for one in unseen.tolist()]
            both = np.concatenate((address, unseen)), np.concatenate((place, np.array(found, np.int32)))
            order = np.argsort(both[0], kind="stable")
            address, place = image.known = both[0][order], both[1][order]
            at = np.searchsorted(address, ip)
        return place[at]

    def processes(self) -> tuple[SampledProcess, ...]:
        """The processes as they came to be."""
        return tuple(SampledProcess(i.pid, i.parent, i.origin, i.name or "?", i.ended) for i in self.images)

    def _place(self, image: Image, where: Where) -> int:
        ip = where.ip
        if ip >= _KERNEL or where.module.startswith((b"[kernel", b"[guest.kernel")):
            return -1
        mapping = image.covering(ip)
        if mapping is not None:
            start, _, offset, module = mapping
            if module.startswith("//anon") or not module:
                return self._numbered(self._anonymous_name(image, start), ip - start, True, where.symbol)
            return self._numbered(module, ip - start + offset, True, where.symbol)
        named = _text(where.module)
        fitting = {
            module
            for start, end, offset, module in image.mappings
            if offset <= ip < offset + end - start and (not named or module == named)
        }
        if len(fitting) == 1 and module_is_file(next(iter(fitting))):
            return self._numbered(fitting.pop(), ip, True, where.symbol)
        place = self._numbered(named or UNKNOWN, ip, False, where.symbol)
        if not named:
            self.unknown.add(place)
            if fitting:
                self.ambiguous.add(place)
        return place

    def _numbered(self, module: str, offset: int, located: bool, symbol: bytes) -> int:
        number = self.modules.setdefault(module, len(self.modules))
        key = (number, offset, located)
        place = self._places.get(key)
        if place is None:
            place = self._places[key] = len(self.offset)
            self.module.append(number)
            self.offset.append(offset)
            self.located.append(located)
            self.function.append(_text(symbol))
        elif symbol and not self.function[place]:
            self.function[place] = _text(symbol)
        return place

    def _anonymous_name(self, image: Image, start: int) -> str:
        key = (image.number, start)
        return self._anonymous.setdefault(key, f"[anonymous {len(self._anonymous)}]")

    def _image(self, pid: int, comm: bytes = b"") -> Image:
        image = self._processes.get(pid)
        return self._begin(pid, 0, "start", _text(comm)) if image is None else image

    def _begin(self, pid: int, parent: int, origin: str, name: str) -> Image:
        image = Image(pid, parent, origin, name, len(self.images))
        self.images.append(image)
        self._processes[pid] = image
        return image

    def _born(self, image: Image, tid: int) -> int:
        thread = self._threads[tid] = len(self.thread_tid)
        self.thread_image.append(image.number)
        self.thread_tid.append(tid)
        return thread

    def _is_of(self, thread: int, image: Image | None) -> bool:
        return image is not None and self.thread_image[thread] == image.number


def module_is_file(module: str) -> bool:
    """Whether a module's name is a path; `[vdso]` and the like are none."""
    return module.startswith("/") and not module.startswith("//")


def _text(raw: bytes) -> str:
    return raw.decode("utf-8", "surrogateescape")
