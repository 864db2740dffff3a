"""Which code the addresses of samples are, in processes that map files while they are watched.

What is held is bounded, however long that goes on and however many threads and processes come and go: those
that ended are forgotten, and what is known of addresses is found out anew when there is too much of it.
"""

from __future__ import annotations

import hashlib
import os
import time
from bisect import bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from phasemark.collect.code_maps import FOLDER
from phasemark.collect.code_maps import name as map_name
from phasemark.collect.sampling.signature import SIGNATURES
from phasemark.errors import UsageError, shown
from phasemark.formats.perf.lines import Mapping, Name, Task
from phasemark.formats.perf.piped import Batch
from phasemark.model import Blocks
from phasemark.symbols import annotate, code_map, regions

#: The kernel's half of the addresses.
_KERNEL = 1 << 63

#: Code that nothing tells the extent of counts by pages.
_PAGE = 4096

#: Mappings and addresses that are known of a process; processes, and files.
_MAPPINGS, _ADDRESSES, _PROCESSES, _FILES = 16_384, 65_536, 16_384, 65_536

#: Nanoseconds after which a map of generated code is read again, if an address is in none of it.
_MAP_AGAIN = 5 * 10**9

_Mapped = tuple[int, int, int, str, int]

#: Where code is that no mapping is known of, and that no file holds.
UNKNOWN, ANONYMOUS = "[unknown]", "[anonymous]"


@dataclass(frozen=True, slots=True)
class Code:
    """A function, or what samples are a count of.

    Attributes:
        module: the file, or `[anonymous]`, `[vdso]`, `[unknown]`.
        offset: where it begins in that.
        name: of generated code, as its program names it; else empty.
        key: what stands for it in the tracker: equal in all processes and runs.
        root: where the root of its process's files is, as seen from here; empty: where ours is.
    """

    module: str
    offset: int
    name: str = ""
    key: int = field(default=0, compare=False)
    root: str = field(default="", compare=False)

    @classmethod
    def at(cls, module: str, offset: int, name: str = "", *, root: str = "") -> Code:
        """The code there, with its key."""
        text = f"{module}\0{name}" if name else f"{module}\0{offset}"
        digest = hashlib.blake2b(text.encode("utf-8", "surrogateescape"), digest_size=8).digest()
        return cls(module, offset, name, int.from_bytes(digest, "little"), root)


@dataclass(slots=True)
class _Process:
    """What is known of a process.

    Attributes:
        mappings: in order of address, none over another: start, end, file offset, module, number.
        born: how many there ever were.
        known: the code of addresses that were asked for.
        named, named_at: the map of its generated code, and when it was read.
        root: where its files are, see Code; None: nobody asked yet.
        led: whether its first thread is there; others: how many threads are besides, as far as was told.
    """

    mappings: list[_Mapped] = field(default_factory=list)
    born: int = 0
    known: dict[int, Code] = field(default_factory=dict)
    named: code_map.CodeMap | None = None
    named_at: int = 0
    root: str | None = None
    led: bool = True
    others: int = 0

    def map(self, start: int, end: int, offset: int, module: str) -> None:
        """Put a mapping over those that were there."""
        kept = []
        for first, last, at, name, number in self.mappings:
            if last <= start or end <= first:
                kept.append((first, last, at, name, number))
                continue
            if first < start:
                kept.append((first, start, at, name, number))
            if end < last:
                kept.append((end, last, at + end - first, name, number))
        kept.append((start, end, offset, module, self.born))
        self.born += 1
        if len(kept) > _MAPPINGS:
            # perf does not tell of those that were unmapped. The program itself came first, and stays.
            first, last = _MAPPINGS // 4, self.born - _MAPPINGS // 2
            kept = [mapping for mapping in kept if not first <= mapping[-1] < last]
        self.mappings = sorted(kept)
        self.known.clear()

    def covering(self, ip: int) -> _Mapped | None:
        """The mapping at an address."""
        at = bisect_right(self.mappings, (ip, _KERNEL << 1)) - 1
        return self.mappings[at] if at >= 0 and ip < self.mappings[at][1] else None


class Places:
    """What is known of the memory of processes.

    Args:
        kind: one of SIGNATURES: what a sample is a count of.

    Attributes:
        processes: that were seen and have not ended.

    Raises:
        UsageError: there is no such kind.
    """

    def __init__(self, kind: str = "function") -> None:
        if kind not in SIGNATURES:
            raise UsageError(f"{shown(kind)} is no signature", hint=f"choose one of {', '.join(SIGNATURES)}")
        self._kind = kind
        self.processes: dict[int, _Process] = {}
        self._since: dict[str, float] = {}  # when a module was first seen

    def take(self, record: Mapping | Task | Name) -> None:
        """A process maps a file, begins, ends, or becomes another program."""
        match record:
            case Mapping():
                if record.pid >= 0 and record.start < _KERNEL and record.executable and record.size:
                    end = record.start + record.size
                    self._of(record.pid).map(record.start, end, record.offset, _module(record.name))
            case Task(begins=True):
                if record.pid == record.parent:
                    self._of(record.pid).others += 1
                elif record.parent in self.processes:
                    self._of(record.pid).mappings = list(self.processes[record.parent].mappings)
            case Task(begins=False):
                self._ended(record)
            case Name(executed=True):
                self.processes.pop(record.pid, None)

    def _ended(self, task: Task) -> None:
        """A process ends with its last thread, which need not be its first."""
        if (process := self.processes.get(task.pid)) is None:
            return
        process.led &= task.pid != task.tid
        process.others -= task.pid != task.tid
        if not process.led and process.others <= 0:
            del self.processes[task.pid]

    def codes(self, batch: Batch) -> tuple[list[Code], NDArray[np.int64]]:
        """The code of n samples: those there are, and which one each is of; -1 in the kernel."""
        found: list[Code] = []
        which = np.full(len(batch), -1)
        for pid in np.unique(batch.pid).tolist():
            rows = np.flatnonzero((batch.pid == pid) & (batch.ip < _KERNEL))
            if not len(rows):
                continue
            addresses, of = np.unique(batch.ip[rows], return_inverse=True)
            which[rows] = of + len(found)
            found += self._look_up(self._of(pid), pid, addresses, int(batch.time[rows[0]]))
        return found, which

    def _look_up(
        self, process: _Process, pid: int, addresses: NDArray[np.uint64], now: int
    ) -> Iterable[Code]:
        known, wanted = process.known, addresses.tolist()
        if new := [ip for ip in wanted if ip not in known]:
            if len(known) + len(new) > _ADDRESSES:
                known.clear()
                new = wanted
            self._find(process, pid, new, now)
        return [known[ip] for ip in wanted]

    def _find(self, process: _Process, pid: int, new: Sequence[int], now: int) -> None:
        inside: dict[str, list[tuple[int, int]]] = {}  # module -> address, offset in the file
        for ip in new:
            mapping = process.covering(ip)
            if mapping is None:
                process.known[ip] = Code.at(UNKNOWN, ip - ip % _PAGE)
            else:
                start, _, offset, module, _ = mapping
                at = ip if module == ANONYMOUS else ip - start + offset
                inside.setdefault(module, []).append((ip, at))
        for module, places in inside.items():
            if module == ANONYMOUS:
                self._find_generated(process, pid, [ip for ip, _ in places], now)
            else:
                if process.root is None:
                    process.root = _root(pid)
                # Mappings that were there already may be told by the name that they have from here.
                inside_root = process.root and module.startswith("/") and Path(process.root + module).exists()
                self._find_in(process, module, places, process.root if inside_root else "")

    def _find_in(self, process: _Process, module: str, places: list[tuple[int, int]], root: str) -> None:
        if self._kind == "address":
            process.known.update({ip: Code.at(module, at, root=root) for ip, at in places})
            return
        if len(self._since) >= _FILES:
            self._since.clear()
        file = root + module
        since = self._since.setdefault(file, time.time())
        offsets = np.array([at for _, at in places], np.uint64)
        found = regions(file, offsets, self._kind, written=since)
        for row, (ip, at) in enumerate(places):
            if isinstance(found, str) or not found.known[row]:
                begin = at - at % _PAGE
            else:
                begin = int(found.offset[row])
            process.known[ip] = Code.at(module, begin, root=root)

    def _find_generated(self, process: _Process, pid: int, new: list[int], now: int) -> None:
        """Code compiled at run time, by the map that some programs write for perf."""
        names = [""] * len(new)
        if self._kind == "function" and (named := _map_of(process, pid, now)):
            names = named.names(np.array(new, np.uint64))
        for ip, name in zip(new, names, strict=True):
            process.known[ip] = Code.at(ANONYMOUS, 0, name) if name else Code.at(ANONYMOUS, ip - ip % _PAGE)

    def _of(self, pid: int) -> _Process:
        process = self.processes.pop(pid, None) or _Process()
        self.processes[pid] = process  # the one that was met last stands last
        if len(self.processes) > _PROCESSES:
            del self.processes[next(iter(self.processes))]
        return process


def names(codes: Sequence[Code]) -> list[str]:
    """What people call code: its function, or `file+0x3f20`."""
    files = [code.root + code.module for code in codes]
    modules = tuple(dict.fromkeys(files))
    number = {module: row for row, module in enumerate(modules)}
    places = dict.fromkeys((number[file], code.offset) for file, code in zip(files, codes, strict=True))
    module, offset = (np.array(column) for column in zip(*places, strict=True)) if places else ((), ())
    zeros = np.zeros(len(places), np.int64)
    blocks = Blocks(modules, np.array(module, np.int32), np.array(offset, np.uint64), zeros, zeros)
    found = dict(zip(places, annotate(blocks, lines=False).function or (), strict=True))
    return [code.name or found[number[file], code.offset] for file, code in zip(files, codes, strict=True)]


def _root(pid: int) -> str:
    """Where a process's files are, if it sees others than we do, as in a container; empty: where ours are."""
    for part in ("root/", "ns/mnt"):
        try:
            theirs, ours = (os.stat(f"/proc/{one}/{part}") for one in (pid, "self"))  # noqa: PTH116
        except OSError:
            return ""
        if (theirs.st_dev, theirs.st_ino) != (ours.st_dev, ours.st_ino):
            return f"/proc/{pid}/root"
    return ""


def _map_of(process: _Process, pid: int, now: int) -> code_map.CodeMap | None:
    if process.named is None or now - process.named_at > _MAP_AGAIN:
        path = FOLDER / map_name(pid)
        process.named, process.named_at = _own_map(path), now
    return process.named


def _own_map(path: Path) -> code_map.CodeMap:
    """The map, if nobody else could have written it."""
    try:
        if path.stat().st_uid not in (os.geteuid(), 0) and os.geteuid() != 0:
            return code_map.CodeMap(())
    except OSError:
        return code_map.CodeMap(())
    return code_map.read(path)


def _module(name: bytes) -> str:
    text = name.decode("utf-8", "surrogateescape")
    return ANONYMOUS if text.startswith("//anon") or not text else text
