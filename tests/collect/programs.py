"""Random programs, and engines that record them with blocks cut as they like."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

from hypothesis import strategies as st
from tests.collect import encoding

Run = tuple[int, int, int]  # module, first instruction, one after the last


@dataclass(frozen=True)
class Program:
    """Modules as the bytes of their instructions in a row, and the straight runs each thread executes."""

    modules: list[tuple[str, int, int, list[int]]]  # name, kind, offset in the file, instruction lengths
    threads: list[list[Run]]


@dataclass(frozen=True)
class Engine:
    """How an engine cuts straight runs: where it always cuts, and how many pieces a block may have."""

    cuts: frozenset[tuple[int, int]]
    pieces: list[int]
    base: int  # where it loads modules


@st.composite
def programs(draw: st.DrawFn) -> Program:
    lengths = st.lists(st.integers(1, 15), min_size=4, max_size=14)
    kinds = draw(st.lists(st.integers(0, 2), min_size=1, max_size=3))
    modules = [
        (f"/lib/{i}" if kind == 0 else f"[k{i}]", kind, 64 * i, draw(lengths)) for i, kind in enumerate(kinds)
    ]
    runs = []
    for i, (*_, sizes) in enumerate(modules):
        for _ in range(draw(st.integers(1, 3))):
            first = draw(st.integers(0, len(sizes) - 1))
            runs.append((i, first, draw(st.integers(first + 1, len(sizes)))))
    trace = st.lists(st.sampled_from(runs), min_size=1, max_size=40)
    return Program(modules, draw(st.lists(trace, min_size=1, max_size=3)))


@st.composite
def engines(draw: st.DrawFn) -> Engine:
    cuts = draw(st.frozensets(st.tuples(st.integers(0, 2), st.integers(0, 14)), max_size=6))
    return Engine(
        cuts, draw(st.lists(st.integers(1, 3), min_size=1, max_size=4)), 4096 * draw(st.integers(1, 9))
    )


def pieces(engine: Engine, run: Run) -> list[Run]:
    """A straight run cut where the engine cuts."""
    module, first, last = run
    at = [first, *(i for i in range(first + 1, last) if (module, i) in engine.cuts), last]
    return [(module, a, b) for a, b in pairwise(at)]


def executed(engine: Engine, trace: Sequence[Run]) -> Iterator[tuple[Run, ...]]:
    """The blocks that the engine executes for a trace."""
    queue = [piece for run in trace for piece in pieces(engine, run)]
    turn = 0
    while queue:
        size = engine.pieces[turn % len(engine.pieces)]
        turn += 1
        yield tuple(queue[:size])
        del queue[:size]


class Recorder:
    """What an engine writes of a program: a list of records."""

    def __init__(self, program: Program, engine: Engine) -> None:
        self.program, self.engine = program, engine
        self.ids: dict[tuple[Run, ...], int] = {}
        self.records: list[bytes] = []

    def block(self, pieces: tuple[Run, ...]) -> int:
        if pieces not in self.ids:
            self.ids[pieces] = len(self.ids)
            self.records.append(encoding.block(self.ids[pieces], *(self.piece(*p) for p in pieces)))
        return self.ids[pieces]

    def piece(self, module: int, first: int, last: int) -> encoding.Piece:
        lengths = self.program.modules[module][3]
        return module, sum(lengths[:first]), lengths[first:last]

    def thread(self, serial: int, trace: list[Run], interval: int) -> None:
        start = at = 0
        full: Counter[int] = Counter()
        partial: list[encoding.Partial] = []
        for pieces in executed(self.engine, trace):
            serial_of_block = self.block(pieces)
            size = sum(last - first for _, first, last in pieces)
            done = 0
            while at + size - done > start + interval:
                to = start + interval - at + done
                if to > done:
                    partial.append((serial_of_block, done, to, 1))
                self.records.append(encoding.interval(serial, start, interval, full, partial))
                start, at, done = start + interval, start + interval, to
                full, partial = Counter(), []
            if done:
                partial.append((serial_of_block, done, size, 1))
            else:
                full[serial_of_block] += 1
            at += size - done
            self.records.append(encoding.interval(serial, start, at - start, full, partial, kind="P"))
        self.records.append(encoding.interval(serial, start, at - start, full, partial))

    def write(self, path: Path, interval: int) -> Path:
        self.records.append(encoding.header(interval=interval))
        for i, (name, kind, offset, _) in enumerate(self.program.modules):
            start = self.engine.base * (i + 1)
            self.records.append(encoding.module(i, name, offset, kind, start))
        for serial, trace in enumerate(self.program.threads):
            self.records.append(encoding.thread(serial))
            self.thread(serial, trace, interval)
        total = sum(last - first for trace in self.program.threads for _, first, last in trace)
        return encoding.write(path, *self.records, encoding.end(total))
