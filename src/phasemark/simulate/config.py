"""Configurations of the timing model: TOML in, checked, and the flat text that the collector reads."""

from __future__ import annotations

import hashlib
import os
import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from importlib import resources
from pathlib import Path
from typing import Any, NoReturn

import numpy as np
from numpy.typing import NDArray

from phasemark.errors import DataError, UsageError, printable, shown
from phasemark.reading import CONFIGURATION, content, reading_as

PRESETS = ("modern", "paper", "little")
DEFAULT = "modern"

#: What the model counts, in the order in which it is written.
COUNTERS = (
    "instructions",
    "cycles",
    "l1i_references",
    "l1i_misses",
    "l1d_references",
    "l1d_misses",
    "l2_references",
    "l2_misses",
    "l3_references",
    "l3_misses",
    "itlb_references",
    "itlb_misses",
    "dtlb_references",
    "dtlb_misses",
    "branches",
    "branch_mispredictions",
    "conditional_branches",
    "conditional_mispredictions",
    "indirect_branches",
    "indirect_mispredictions",
    "returns",
    "return_mispredictions",
    "loads",
    "stores",
)

_SUFFIXES = {"": 1, "K": 1 << 10, "M": 1 << 20, "G": 1 << 30}
_MOST_CYCLES = 1 << 20
#: Lines of a cache, entries of a table: the collector keeps 8 bytes for each, in the program's memory.
_MOST_ENTRIES = 1 << 24
#: What may have an energy: counters, and these two that are not counted by themselves.
_ENERGY_EXTRA = ("memory_accesses", "tlb_misses")


@dataclass(frozen=True)
class Core:
    """width: instructions dispatched per cycle; window: instructions in flight; frontend: cycles to refill
    it after a misprediction."""

    width: int
    window: int
    frontend: int


@dataclass(frozen=True)
class Cache:
    """size and line in bytes, latency in cycles (of the first level: none shows)."""

    size: int
    ways: int
    line: int
    latency: int = 0

    @property
    def sets(self) -> int:
        """Number of sets."""
        return self.size // (self.ways * self.line)


@dataclass(frozen=True)
class Tlb:
    """page in bytes, penalty of a miss in cycles."""

    entries: int
    ways: int
    page: int
    penalty: int

    @property
    def sets(self) -> int:
        """Number of sets."""
        return self.entries // self.ways


@dataclass(frozen=True)
class Branches:
    """Entries of the predictors' tables; 0 leaves bimodal or gshare out. history: in outcomes."""

    bimodal: int
    gshare: int
    history: int
    chooser: int
    indirect: int
    returns: int


@dataclass(frozen=True)
class TimingConfig:
    """A checked configuration of the timing model; see docs/timing-model.md.

    Attributes:
        name: the preset, or the file's name without its ending.
        memory: latency of the main memory, cycles.
        l3: None: there is none.
        shared_l2: whether all cores share the second level, where there is a third; else each has its own.
            The last level is shared in any case.
        energy: counter -> picojoules per event.
    """

    name: str
    core: Core
    l1i: Cache
    l1d: Cache
    l2: Cache
    l3: Cache | None
    memory: int
    itlb: Tlb
    dtlb: Tlb
    branches: Branches
    energy_per_event: Mapping[str, float] = field(default_factory=dict)
    shared_l2: bool = False

    def flat(self) -> str:
        """`key=value` lines, as the collector reads them."""
        values: dict[str, int] = {**vars(self.core), "memory": self.memory}
        for name, cache in self._caches().items():
            values |= {f"{name}.sets": cache.sets, f"{name}.ways": cache.ways, f"{name}.line": cache.line}
            values[f"{name}.latency"] = cache.latency
        for name, tlb in (("itlb", self.itlb), ("dtlb", self.dtlb)):
            values |= {f"{name}.sets": tlb.sets, f"{name}.ways": tlb.ways, f"{name}.page": tlb.page}
            values[f"{name}.penalty"] = tlb.penalty
        if self.l3 and self.shared_l2:
            values["l2.shared"] = 1
        branches = self.branches
        values |= {
            "bimodal.entries": branches.bimodal,
            "gshare.entries": branches.gshare,
            "gshare.history": branches.history,
            "chooser.entries": branches.chooser,
            "indirect.entries": branches.indirect,
            "returns.entries": branches.returns,
        }
        return "".join(f"{key}={value}\n" for key, value in values.items())

    @property
    def counters(self) -> tuple[str, ...]:
        """The counters that mean something: without an L3 it has none."""
        return tuple(name for name in COUNTERS if self.l3 or not name.startswith("l3_"))

    @property
    def digest(self) -> str:
        """Twelve hexadecimal digits; equal configurations have equal ones, whatever their names."""
        energy = "".join(f"{name}={value!r}\n" for name, value in sorted(self.energy_per_event.items()))
        return hashlib.sha256((self.flat() + energy).encode()).hexdigest()[:12]

    def energy(self, counters: Mapping[str, NDArray[np.float64]]) -> NDArray[np.float64]:
        """Energy in pJ, row by row: the sum of events times their coefficients."""
        last = "l3" if self.l3 else "l2"
        known = {
            **counters,
            "memory_accesses": counters[f"{last}_misses"],
            "tlb_misses": counters["itlb_misses"] + counters["dtlb_misses"],
        }
        total = np.zeros(len(counters["instructions"]))
        for name, value in self.energy_per_event.items():
            total = total + value * known[name]
        return total

    def _caches(self) -> dict[str, Cache]:
        caches = {"l1i": self.l1i, "l1d": self.l1d, "l2": self.l2}
        return {**caches, "l3": self.l3} if self.l3 else caches


def load(source: str | Path = DEFAULT) -> TimingConfig:
    """A preset by its name, or a TOML file.

    Raises:
        UsageError: neither a preset nor a file.
        DataError: not TOML, or a value makes no sense; names the file, the key and a hint.
    """
    if str(source) in PRESETS:
        text = resources.files("phasemark.simulate").joinpath(f"presets/{source}.toml").read_text("utf-8")
        return _parse(text, Path(f"{source}.toml"))
    path = Path(source)
    if "\0" in str(source) or not os.path.lexists(path):
        raise UsageError(
            f"{printable(str(source))} is neither a preset nor a file",
            hint=f"name one of {', '.join(PRESETS)}, or a TOML file",
        )
    with reading_as(path, "a configuration", hint="name a TOML file, as docs/timing-model.md shows it"):
        try:
            text = content(path, CONFIGURATION).decode("utf-8")
        except UnicodeDecodeError as error:
            raise DataError(f"is no text ({error.reason})", path=path) from error
        return _parse(text, path)


def _parse(text: str, path: Path) -> TimingConfig:
    try:
        tables = tomllib.loads(text)
    except (ValueError, RecursionError) as error:  # ValueError: also a number of thousands of digits
        raise DataError(f"is not TOML: {printable(str(error))[:200]}", path=path) from error
    return _Reader(path, tables).config()


class _Reader:
    """The tables of a file, with what is wrong with them."""

    def __init__(self, path: Path, tables: Mapping[str, Any]) -> None:
        self.path = path
        self.tables = tables

    def config(self) -> TimingConfig:
        """The configuration, checked."""
        parts = ("core", "l1i", "l1d", "l2", "memory", "itlb", "dtlb", "branches")
        for name in self.tables:
            if name not in (*parts, "l3", "energy"):
                self.fail(name, "is unknown", f"known are {', '.join((*parts, 'l3', 'energy'))}")
        config = TimingConfig(
            name=self.path.stem,
            core=self.core(),
            l1i=self.cache("l1i"),
            l1d=self.cache("l1d"),
            l2=self.cache("l2"),
            l3=self.cache("l3") if "l3" in self.tables else None,
            memory=self.number("memory", "latency", 0, _MOST_CYCLES, only=("latency",)),
            itlb=self.tlb("itlb"),
            dtlb=self.tlb("dtlb"),
            branches=self.branches(),
            energy_per_event=self.energy(),
            shared_l2=self.shared_l2(),
        )
        self.check_lines(config)
        return config

    def core(self) -> Core:
        """[core]"""
        only = tuple(f.name for f in fields(Core))
        return Core(
            self.number("core", "width", 1, 64, only),
            self.number("core", "window", 1, 1 << 16, only),
            self.number("core", "frontend", 0, _MOST_CYCLES, only),
        )

    def cache(self, name: str) -> Cache:
        """[l1i], [l1d], [l2], [l3]"""
        beyond = name in ("l2", "l3")
        only = (
            "size",
            "ways",
            "line",
            *(["latency"] if beyond else []),
            *(["shared"] if name == "l2" else []),
        )
        size = self.number(name, "size", 1, 1 << 40, only)
        ways = self.number(name, "ways", 1, 4096, only)
        line = self.power(name, "line", 1, 1 << 30, only)
        latency = self.number(name, "latency", 0, _MOST_CYCLES, only) if beyond else 0
        self.check_sets(f"{name}.size", size, ways, ways * line, f"{ways} ways of {line} bytes")
        return Cache(size, ways, line, latency)

    def shared_l2(self) -> bool:
        """[l2] shared: whether all cores share it, as they do what is last."""
        has_l3 = "l3" in self.tables
        shared = self.table("l2").get("shared", not has_l3)
        if not isinstance(shared, bool):
            self.fail("l2.shared", f"is {shown(shared)}", "write true or false")
        if not shared and not has_l3:
            self.fail("l2.shared", "is false, and there is no [l3]", "all cores share the last level")
        return shared

    def tlb(self, name: str) -> Tlb:
        """[itlb], [dtlb]"""
        only = tuple(f.name for f in fields(Tlb))
        entries = self.number(name, "entries", 1, _MOST_ENTRIES, only)
        ways = self.number(name, "ways", 1, 4096, only)
        page = self.power(name, "page", 1, 1 << 30, only)
        penalty = self.number(name, "penalty", 0, _MOST_CYCLES, only)
        self.check_sets(f"{name}.entries", entries, ways, ways, f"{ways} ways")
        return Tlb(entries, ways, page, penalty)

    def branches(self) -> Branches:
        """[branches]"""
        only = tuple(f.name for f in fields(Branches))
        table = "branches"
        branches = Branches(
            bimodal=self.power(table, "bimodal", 0, _MOST_ENTRIES, only),
            gshare=self.power(table, "gshare", 0, _MOST_ENTRIES, only),
            history=self.number(table, "history", 0, 63, only),
            chooser=self.power(table, "chooser", 0, _MOST_ENTRIES, only),
            indirect=self.power(table, "indirect", 1, _MOST_ENTRIES, only),
            returns=self.number(table, "returns", 1, 256, only),
        )
        if not (branches.bimodal or branches.gshare):
            self.fail("branches.bimodal", "is 0, and so is gshare", "give one of them entries")
        if branches.bimodal and branches.gshare and not branches.chooser:
            self.fail("branches.chooser", "is 0", "with bimodal and gshare both, give it entries")
        return branches

    def energy(self) -> dict[str, float]:
        """[energy]: what is not named costs nothing."""
        costs = {}
        for name, value in self.table("energy").items() if "energy" in self.tables else ():
            if name not in (*COUNTERS, *_ENERGY_EXTRA):
                self.fail(f"energy.{name}", "is no counter", f"known are {', '.join(COUNTERS)}")
            if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value < 1e12:
                self.fail(f"energy.{name}", f"is {shown(value)}", "give picojoules per event, 0 or more")
            if name.startswith("l3_") and "l3" not in self.tables:
                self.fail(f"energy.{name}", "there is no [l3]", "remove it")
            costs[name] = float(value)
        return costs

    def table(self, name: str) -> Mapping[str, Any]:
        """A table of the file."""
        table = self.tables.get(name)
        if not isinstance(table, Mapping):
            self.fail(name, "is missing" if table is None else "is no table", f"add [{name}]")
        return table

    def number(self, table: str, key: str, lowest: int, highest: int, only: tuple[str, ...]) -> int:
        """A whole number, perhaps as text with K, M or G."""
        known = self.table(table)
        name = f"{table}.{key}"
        for other in known:
            if other not in only:
                self.fail(f"{table}.{other}", "is unknown", f"known are {', '.join(only)}")
        if key not in known:
            self.fail(name, "is missing", f"give it in [{table}]")
        value = known[key]
        if isinstance(value, str) and (match := re.fullmatch(r"(\d{1,15})([KMG]?)", value)):
            value = int(match[1]) * _SUFFIXES[match[2]]
        if isinstance(value, bool) or not isinstance(value, int):
            self.fail(name, f"is {shown(value)}, not a whole number", 'write 32768 or "32K"')
        if not lowest <= value <= highest:
            self.fail(name, f"is {shown(value)}", f"give a number from {lowest} to {highest}")
        return value

    def power(self, table: str, key: str, lowest: int, highest: int, only: tuple[str, ...]) -> int:
        """A power of two, or 0 where that is allowed."""
        value = self.number(table, key, lowest, highest, only)
        if value & (value - 1):
            below = 1 << (value.bit_length() - 1)
            self.fail(f"{table}.{key}", f"{value} is no power of two", f"take {below} or {2 * below}")
        return value

    def check_lines(self, config: TimingConfig) -> None:
        """A line lies in one page, and in one line of the level that it comes from."""
        l3 = config.l3 or config.l2
        holders = (
            ("l1i", config.l1i, "a page", config.itlb.page),
            ("l1d", config.l1d, "a page", config.dtlb.page),
            ("l1i", config.l1i, "a line of l2", config.l2.line),
            ("l1d", config.l1d, "a line of l2", config.l2.line),
            ("l2", config.l2, "a line of l3", l3.line),
        )
        for name, cache, what, size in holders:
            if cache.line > size:
                self.fail(f"{name}.line", f"{cache.line} is longer than {what}, {size}", "shorten the line")

    def check_sets(self, name: str, size: int, ways: int, of_set: int, what: str) -> None:
        """The sets must be a power of two, and their ways not too many."""
        sets = size // of_set
        if size % of_set or not sets or sets & (sets - 1):
            below = of_set << max(sets.bit_length() - 1, 0)
            hint = f"take {below} or {2 * below}, or other ways"
            self.fail(name, f"{size} does not divide into a power of two of sets of {what}", hint)
        if sets * ways > _MOST_ENTRIES:
            self.fail(name, f"makes {sets * ways} entries", f"{_MOST_ENTRIES} are the most")

    def fail(self, key: str, what: str, hint: str) -> NoReturn:
        """Say what is wrong with a key."""
        name = key if len(key) < 40 and key.isprintable() else shown(key)
        raise DataError(f"{name}: {what}", path=self.path, hint=hint)
