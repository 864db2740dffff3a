"""gem5's stats.txt as counters: under our names where the meaning is equal, else under its own.

gem5 leaves out what is 0 (`nozero`): a counter that is absent while its structure is there counted
nothing, it is not missing. Rates and averages are left out: they cannot be added up, and are made anew
from what was counted.
"""

from __future__ import annotations

import functools
import math
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from phasemark.errors import DataError, UsageError
from phasemark.formats.metrics.readings import Readings, of_rows
from phasemark.formats.source import chunks
from phasemark.model.metrics import default_unit

__all__ = ["BEGIN", "Dump", "counters", "dumps", "read", "sniff"]

BEGIN = b"---------- Begin Simulation Statistics"
_END = b"---------- End Simulation Statistics"

#: What can be added up over intervals; gem5's name -> ours.
_UNITS = {
    "Count": "events",
    "Cycle": "cycles",
    "Tick": "ticks",
    "Byte": "bytes",
    "Joule": "J",
    "Second": "seconds",
}

#: Names until gem5 v20 -> those since, of what is not of a structure.
OLD_NAMES = {"sim_insts": "simInsts", "sim_ticks": "simTicks", "final_tick": "finalTick"}

#: Not of the program: the machine gem5 runs on, and its frequency.
_NOT_COUNTED = re.compile(r"host|(?:simFreq|sim_freq)$")

#: Of the parts of a distribution, those that are counters of their own.
_ADDABLE = ("::total", "committedControl::IsControl")


@dataclass(frozen=True)
class Dump:
    """One dump of a stats.txt.

    Attributes:
        values: gem5's name -> number, of what can be added up; distributions are left out, but for totals.
        units: gem5's name -> unit, `unknown` where the file (of an old gem5) names none.
        clock: finalTick, which is never reset.
    """

    values: dict[str, float]
    units: dict[str, str]
    clock: float = 0.0

    @property
    def ticks(self) -> float:
        """Since the last reset."""
        return self.values.get("simTicks", self.values.get("sim_ticks", 0.0))


def sniff(start: bytes) -> bool:
    """Whether a file that starts so is a stats.txt."""
    return BEGIN in start


def read(path: str | Path, dump: int | None = None, *, every: bool = False) -> Readings:
    """Read a stats.txt, plain or gzip: one row a dump.

    Args:
        path: the file.
        dump: which, from 0; None: the last.
        every: all of them; where the stats were not reset before one, what was counted since the one
            before.

    Raises:
        DataError: no stats, or a dump that is cut short; names file and line.
        UsageError: there is no such dump.
        WorkError: the file cannot be read.
    """
    every_dump = list(dumps(path))
    if not every_dump:
        raise DataError("holds no dump of statistics", path=path, hint="name a stats.txt of gem5")
    if every:
        taken = _increments(every_dump)
    elif dump is None or -len(every_dump) <= dump < len(every_dump):
        taken = [every_dump[-1 if dump is None else dump]]
    else:
        raise UsageError(
            f"{path} has {len(every_dump)} dumps, and none of number {dump}",
            hint=f"count from 0 to {len(every_dump) - 1}, or leave it out for the last",
        )
    rows = [counters(one) for one in taken]
    if not all("instructions" in row for row in rows):
        raise DataError("a dump has no simInsts", path=path, hint="name the stats of a run that simulated")
    units = {name: unit for one in taken for name, unit in one.units.items()}
    units |= {name: default_unit(name) for row in rows for name in row if name not in units}
    return of_rows(rows, units, "gem5")


def dumps(path: str | Path) -> Iterator[Dump]:
    """The dumps of a stats.txt, in order.

    Raises:
        DataError: a dump without an end, or a value that is no number; names file and line.
    """
    current: Dump | None = None
    number = 0
    for number, line in enumerate(b"".join(chunks(path)).split(b"\n"), 1):
        if line.startswith(BEGIN):
            if current is not None:
                raise _without_end(path, number)
            current = Dump({}, {})
        elif line.startswith(_END) and current is not None:
            yield current
            current = None
        elif current is not None and line.strip():
            current = _with(current, line.decode("utf-8", "replace"), path, number)
    if current is not None:
        raise _without_end(path, number)


def _without_end(path: str | Path, line: int) -> DataError:
    return DataError("a dump has no end", path=path, line=line, hint="let gem5 end, or cut that dump off")


def counters(dump: Dump) -> dict[str, float]:
    """A dump's counters: ours where the meaning is equal, all others under gem5's name."""
    known = {name: value for name, find in _OURS.items() if (value := find(dump.values)) is not None}
    own = {name: value for name, value in dump.values.items() if "::" not in name}
    return {**known, **own}


def _with(dump: Dump, line: str, path: str | Path, number: int) -> Dump:
    """The dump with what a line says."""
    statistic, _, comment = line.partition("#")
    fields = statistic.split()
    if len(fields) < 2:
        raise DataError(
            f"is no statistic: {line[:40]!r}", path=path, line=number, hint="write the stats again"
        )
    name, unit = fields[0], _unit(comment)
    if OLD_NAMES.get(name, name) == "finalTick":
        return Dump(dump.values, dump.units, _number(fields[1], path, number))
    if unit is None or _NOT_COUNTED.match(name) or ("::" in name and not name.endswith(_ADDABLE)):
        return dump
    value = _number(fields[1], path, number)
    if math.isfinite(value) and value >= 0:
        dump.values[name], dump.units[name] = value, unit
    return dump


def _unit(comment: str) -> str | None:
    """What a statistic counts; None where it cannot be added up."""
    unit = re.search(r"\(([^()]*|\([^()]*\))\)\s*$", comment)
    return _UNITS.get(unit[1]) if unit else "unknown"


def _number(text: str, path: str | Path, line: int) -> float:
    try:
        return float(text)
    except ValueError:
        raise DataError(
            f"{text!r} is no number", path=path, line=line, hint="write the stats again"
        ) from None


def _increments(every_dump: list[Dump]) -> list[Dump]:
    """What each dump counted since the one before; finalTick tells whether a reset came between."""
    increments, before = [], Dump({}, {})
    for dump in every_dump:
        if before.values and dump.ticks == before.ticks + dump.clock - before.clock:
            since = {name: max(0.0, v - before.values.get(name, 0.0)) for name, v in dump.values.items()}
            increments.append(Dump(since, dump.units, dump.clock))
        else:
            increments.append(dump)
        before = dump
    return increments


_Find = Callable[[Mapping[str, float]], float | None]


@functools.lru_cache(maxsize=1 << 18)
def _matches(pattern: str, name: str) -> bool:
    """Whether a name ends as the pattern says; dumps repeat their names."""
    return re.search(rf"(?:^|[.])(?:{pattern})$", name) is not None


def _sum(pattern: str) -> _Find:
    """The sum of the statistics whose name ends in the pattern; None where there are none."""

    def find(values: Mapping[str, float]) -> float | None:
        matching = [value for name, value in values.items() if _matches(pattern, name)]
        return sum(matching) if matching else None

    return find


def _of(structure: str, pattern: str) -> _Find:
    """The same within a structure: 0 where that is there and nothing matches, for gem5 writes no zeros."""
    total = _sum(rf"(?:{structure})[.](?:{pattern})")

    def find(values: Mapping[str, float]) -> float | None:
        counted = total(values)
        there = counted is not None or any(_matches(rf"(?:{structure})[.].*", name) for name in values)
        return counted or 0.0 if there else None

    return find


def _first(*finds: _Find) -> _Find:
    def first(values: Mapping[str, float]) -> float | None:
        return next((value for find in finds if (value := find(values)) is not None), None)

    return first


_COMMITTED = (r"commitStats\d+[.]numInsts", "committedInsts", r"thread_\d+[.]numInsts")


def _cores(values: Mapping[str, float]) -> list[tuple[float, float]]:
    """(cycles, committed instructions) of each core that committed any: others wait, or were switched out."""
    cores = []
    for name, cycles in values.items():
        if name.endswith(".numCycles"):
            core = re.escape(name.removesuffix(".numCycles"))
            wanted = (re.compile(f"{core}[.]{pattern}") for pattern in _COMMITTED)
            sums = (sum(v for name, v in values.items() if one.fullmatch(name)) for one in wanted)
            cores.append((cycles, next((committed for committed in sums if committed), 0.0)))
    return [core for core in cores if core[1]]


def _instructions(values: Mapping[str, float]) -> float | None:
    """Of the cores: simInsts is not reset in every gem5, and sim_insts is its older name."""
    if cores := _cores(values):
        return sum(committed for _, committed in cores)
    return values.get("simInsts", values.get("sim_insts"))


def _cycles(values: Mapping[str, float]) -> float | None:
    if cores := _cores(values):
        return sum(cycles for cycles, _ in cores)
    return _sum("numCycles")(values)


def _cache(names: str, counter: str) -> _Find:
    """Demand accesses or misses; `demand_misses` until gem5 v20."""
    pattern = f"demand{counter.capitalize()}::total|demand_{counter}::total"
    return _of(rf"(?:{names})(?:s|[-_]?caches?)?[-_]?\d*", pattern)


_PREDICTOR = r"branchPred\d*"
_CACHES = {"l1i": "l1i|l1_i|icache", "l1d": "l1d|l1_d|dcache", "l2": "l2", "l3": "l3|llc"}
_TLBS = {"itlb": "itb|itlb", "dtlb": "dtb|dtlb"}

#: Our counters, and how they are found. Demand accesses alone are references: prefetches are none.
_OURS: dict[str, _Find] = {
    "instructions": _instructions,
    "cycles": _cycles,
    **{f"{cache}_references": _cache(names, "accesses") for cache, names in _CACHES.items()},
    **{f"{cache}_misses": _cache(names, "misses") for cache, names in _CACHES.items()},
    **{f"{tlb}_references": _of(names, "rdAccesses|wrAccesses|accesses") for tlb, names in _TLBS.items()},
    **{f"{tlb}_misses": _of(names, "rdMisses|wrMisses|misses") for tlb, names in _TLBS.items()},
    "branches": _first(
        _sum(rf"{_PREDICTOR}[.]committed_0::total"),
        _sum("commit[.]branches"),
        _sum(r"commitStats\d+[.]committedControl::IsControl"),
    ),
    "branch_mispredictions": _first(
        _sum(rf"{_PREDICTOR}[.]mispredicted_0::total"), _sum("commit[.]branchMispredicts")
    ),
}
