"""gem5's stats.txt, plain or gzip, as a stream of dumps: one is held at a time."""

from __future__ import annotations

import math
import re
from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from phasemark.errors import DataError
from phasemark.formats import source
from phasemark.formats.metrics.gem5_names import OLD_NAMES
from phasemark.reading import Limit

__all__ = ["BEGIN", "Dump", "Dumps", "increments", "last", "sniff"]

BEGIN = b"---------- Begin Simulation Statistics"
_END = b"---------- End Simulation Statistics"
_RULE = b"----------"

#: Ruby writes a distribution in one line, of every controller a column.
_LONGEST_LINE = 1 << 20

#: What is kept of them is bounded apart; this is for time.
_STATS = Limit("gem5's stats", 1 << 44, 1 << 32)

#: A machine of 64 cores has some 300,000 lines, each with a name.
_MOST_NAMES = 1 << 20
_MOST_LETTERS = 1 << 27

#: What can be added up over intervals; what gem5 or its models call it -> ours.
_UNITS = {
    "Count": "events",
    "count": "events",
    "Cycle": "cycles",
    "Tick": "ticks",
    "ticks": "ticks",
    "Byte": "bytes",
    "bytes": "bytes",
    "Joule": "J",
    "pJ": "pJ",
    "Second": "seconds",
    "s": "seconds",
}

#: A unit that cannot be added up.
_RATE = re.compile(r"\(.*/.*\)|[\w.]+/\w+|Ratio|Watt|mW|Volt|%|Bit/Second|DegreeCelsius")

#: Words in a description that has no unit, and in a name, which say that it cannot be added up.
_RATE_SAID = {"average", "percentage", "fraction", "ratio", "rate"}
_RATE_WORDS = {
    *("average", "avg", "mean", "stdev", "rate", "ratio", "percent", "pct", "percentage", "fraction"),
    *("utilization", "utilized", "util", "utils", "bandwidth", "bw", "ipc", "cpi", "occ", "occupancy"),
    *("fanout", "frequency", "freq", "peak", "maximum", "minimum", "max", "min", "tagsinuse"),
    *("temperature",),
}

#: Words that say so of any unit; a prefetcher's accuracy is given in `Count`, a cache's warm-up in ticks.
_NEVER_WORDS = {"accuracy", "coverage", "warmup"}
_WORDS = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+")

#: Not of the program: the machine gem5 runs on, frequencies and voltages.
_NOT_COUNTED = re.compile(r"host|sim_?[fF]req$|.*(?:clk_domain[.]clock|voltage)$|(?:clock|voltage)$")

#: Of the parts of a vector or a distribution, those that are counters of their own.
_ADDABLE = ("::total", "committedControl::IsControl")


@dataclass(slots=True)
class Dump:
    """One dump of a stats.txt.

    Attributes:
        values: gem5's name -> number, of what can be added up; of vectors the totals.
        ticks: since the last reset.
        clock: finalTick, which is never reset; None where the file has none.
        period: ticks of the fastest clock in the machine; None where the file names none.
    """

    values: dict[str, float] = field(default_factory=dict)
    ticks: float = 0.0
    clock: float | None = None
    period: float | None = None


def sniff(start: bytes) -> bool:
    """Whether a file that starts so is a stats.txt."""
    return BEGIN in start


class Dumps:
    """The dumps of a stats.txt, in order, and what its names say.

    gem5 registers every statistic before it simulates: the dumps of a file have the same, and leave out those
    that are 0.

    Attributes:
        units: name -> what it counts, of those that can be added up; `unknown` where the file does not say.
        paths: of the structures that have a line, whether it is a counter or not, and their own counters.
    """

    def __init__(self, path: str | Path, wanted: Callable[[str], bool] | None = None) -> None:
        """Open none yet.

        Args:
            path: of the file.
            wanted: of which names the values are kept; None: of all that can be added up.
        """
        self.path = path
        self.units: dict[str, str] = {}
        self.paths: dict[str, set[str]] = {}
        self._wanted = wanted
        self._known: dict[bytes, str | None] = {}
        self._clocks: set[str] = set()
        self._letters = 0

    def __iter__(self) -> Iterator[Dump]:
        """Each dump.

        Raises:
            DataError: a dump without an end, a value that is no number, or more names than a machine has;
                names file and line.
        """
        current: dict[str, float] | None = None
        known, number = self._known, 0
        for number, line in source.lines(self.path, _STATS, _LONGEST_LINE):
            fields = line.split(None, 2)
            if not fields:
                continue
            name = fields[0]
            if name == _RULE:
                if line.startswith(BEGIN):
                    if current is not None:
                        raise self._without_end(number)
                    current = {}
                elif line.startswith(_END) and current is not None:
                    yield self._dump(current)
                    current = None
                continue
            if current is None:
                continue
            if name in known:
                kept = known[name]
            else:
                kept = known[name] = self._understood(line, fields, number)
            if kept is not None:
                try:
                    current[kept] = float(fields[1])
                except (ValueError, IndexError):
                    if fields[1:2] != [b"|"]:  # a distribution in one line
                        raise self._no_number(fields, number) from None
                if b"_" in fields[1]:  # Python's own
                    raise self._no_number(fields, number)
        if current is not None:
            raise self._without_end(number)

    def _understood(self, line: bytes, fields: list[bytes], number: int) -> str | None:
        """The name of a statistic whose values are kept, when it is first seen."""
        if len(fields) < 2:
            raise self._no_number(fields, number)
        self._letters += len(fields[0])
        if len(self._known) >= _MOST_NAMES or self._letters > _MOST_LETTERS:
            raise DataError(
                f"has more than {_MOST_NAMES:,} statistics, or names of more than {_MOST_LETTERS:,} letters",
                path=self.path, line=number, hint="is it a stats.txt of gem5?",
            )  # fmt: skip
        name = fields[0].decode("utf-8", "replace")
        path, _, leaf = name.partition("::")[0].rpartition(".")
        if path:
            self.paths.setdefault(path, set()).add(leaf)
        plain = OLD_NAMES.get(name, name)
        if plain == "finalTick":
            return plain
        if plain == "simTicks":
            self.units[plain] = "ticks"
            return plain
        if name.endswith("clk_domain.clock"):
            self._clocks.add(name)
            return name
        unit = None if fields[1] == b"|" else _unit(name, line.decode("utf-8", "replace").partition("#")[2])
        if unit is None or (self._wanted is not None and not self._wanted(name)):
            return None
        self.units[name] = unit
        return name

    def _dump(self, values: dict[str, float]) -> Dump:
        periods = [period for name in self._clocks if (period := values.pop(name, 0.0)) > 0]
        clock = values.pop("finalTick", None)
        for name, value in values.items():
            if not (math.isfinite(value) and value >= 0):
                values[name] = math.nan
        return Dump(values, values.get("simTicks", 0.0), clock, min(periods, default=None))

    def _without_end(self, line: int) -> DataError:
        return DataError(
            "a dump has no end", path=self.path, line=line, hint="let gem5 end, or cut that dump off"
        )

    def _no_number(self, fields: list[bytes], line: int) -> DataError:
        said = " ".join(part.decode("utf-8", "replace") for part in fields[:2])[:40]
        what = f"is no statistic: {said!r}"
        if len(fields) > 1:
            what = f"{fields[1].decode('utf-8', 'replace')[:40]!r} is no number"
        return DataError(what, path=self.path, line=line, hint="write the stats again")


def last(dumps: Dumps, dump: int | None) -> tuple[Dump | None, int]:
    """A dump by its number, from 0 or, negative, from the end (None: the last), and how many there are."""
    wanted = -1 if dump is None else dump
    held: deque[Dump] = deque(maxlen=max(1, -wanted))
    count, found = 0, None
    for count, one in enumerate(dumps, 1):
        if count - 1 == wanted:
            found = one
        elif wanted < 0:
            held.append(one)
    if wanted < 0 and count >= -wanted:
        found = held[0]
    return found, count


def increments(dumps: Dumps) -> Iterator[Dump]:
    """What each dump counted since the one before, whether the stats were reset in between or not."""
    before: Dump | None = None
    for dump in dumps:
        yield dump if before is None or _was_reset(before, dump) else _since(before, dump)
        before = dump


def _was_reset(before: Dump, dump: Dump) -> bool:
    """finalTick tells; in a file that was stripped of it, whether anything counts less than before."""
    if before.clock is not None and dump.clock is not None:
        return dump.ticks != before.ticks + dump.clock - before.clock
    return any(dump.values.get(name, 0.0) < value for name, value in before.values.items())


def _since(before: Dump, dump: Dump) -> Dump:
    earlier = before.values
    values = {name: _difference(value, earlier.get(name, 0.0)) for name, value in dump.values.items()}
    return Dump(values, dump.ticks - before.ticks, dump.clock, dump.period)


def _difference(value: float, before: float) -> float:
    """0 where a statistic fell, as one that is set and not counted up does."""
    return value - before if value >= before else math.nan if math.isnan(value - before) else 0.0


def _unit(name: str, comment: str) -> str | None:
    """What a statistic counts; None where it cannot be added up.

    Ruby says `Unspecified`, and gem5 until v20 nothing, but may end a description in brackets.
    """
    if _NOT_COUNTED.match(name) or ("::" in name and not name.endswith(_ADDABLE)):
        return None
    words = {word.lower() for word in _WORDS.findall(name.rpartition(".")[2])}
    if words & _NEVER_WORDS:
        return None
    found = re.search(r"\(([^()]*|\([^()]*\))\)\s*$", comment)
    unit = found[1] if found else ""
    if unit in _UNITS:
        return _UNITS[unit]
    if _RATE.fullmatch(unit):
        return None
    if OLD_NAMES.get(name) == "simSeconds":
        return "seconds"
    said = {word.lower() for word in _WORDS.findall(comment)}
    return None if words & _RATE_WORDS or said & _RATE_SAID else "unknown"
