"""gem5's stats.txt as counters: under our names where the meaning is equal, all under gem5's own.

Rates and averages are left out: they cannot be added up, and are made anew from what was counted.
"""

from __future__ import annotations

from array import array
from collections.abc import Mapping
from pathlib import Path

import numpy as np

from phasemark.errors import DataError, UsageError
from phasemark.formats.metrics.gem5_caches import of_caches
from phasemark.formats.metrics.gem5_cores import Timing, of_cores
from phasemark.formats.metrics.gem5_dumps import Dump, Dumps, increments, last
from phasemark.formats.metrics.gem5_names import OLD_NAMES, meaning
from phasemark.formats.metrics.gem5_structures import Column, by_structure
from phasemark.formats.metrics.readings import Readings
from phasemark.model.metrics import default_unit

__all__ = ["instructions", "read"]

#: Numbers that are held of all dumps of a file: 256 MiB.
_MOST = 1 << 25

#: No program runs more.
_MOST_INSTRUCTIONS = 2**62


def read(path: str | Path, dump: int | None = None, *, every: bool = False) -> Readings:
    """Read a stats.txt, plain or gzip: one row a dump.

    Args:
        path: the file.
        dump: which, from 0; None: the last.
        every: all of them; where the stats were not reset before one, what was counted since the one
            before.

    Raises:
        DataError: no stats, a dump that is cut short, or more than fits in memory; names file and line.
        UsageError: there is no such dump.
        WorkError: the file cannot be read.
    """
    dumps = Dumps(path)
    table = _Table()
    if every:
        for one in increments(dumps):
            table.add(one, path)
    else:
        found, count = last(dumps, dump)
        if found is not None:
            table.add(found, path)
        elif count:
            raise UsageError(
                f"{path} has {count} dumps, and none of number {dump}",
                hint=f"count from 0 to {count - 1}, or leave it out for the last",
            )
    if not len(table):
        raise DataError("holds no dump of statistics", path=path, hint="name a stats.txt of gem5")
    return _readings(table, dumps, path)


def instructions(path: str | Path) -> int:
    """Instructions simulated, over all dumps of the file.

    Raises:
        DataError: no stats, or none that count instructions; names the file.
        WorkError: the file cannot be read.
    """
    dumps, table = Dumps(path, _counts_instructions), _Table()
    for one in increments(dumps):
        table.add(one, path)
    columns = table.columns(dumps.units)
    found, _ = of_cores(by_structure(columns), _simulated(columns), table.timing())
    if not len(table) or "instructions" not in found:
        raise DataError(
            "holds no simInsts", path=path, hint="name the stats.txt of the run that was profiled"
        )
    total = float(found["instructions"].sum())
    if not total < _MOST_INSTRUCTIONS:
        raise DataError("counts no number of instructions", path=path, hint="write the stats again")
    return round(total)


def _counts_instructions(name: str) -> bool:
    if OLD_NAMES.get(name, name) == "simInsts":
        return True
    what = meaning(name)
    return what is not None and what.counter in ("instructions", "cycles")


class _Table:
    """Dumps as rows of a table; what a dump leaves out is 0."""

    def __init__(self) -> None:
        self._columns: dict[str, array[float]] = {}
        self._ticks: array[float] = array("d")
        self._periods: array[float] = array("d")

    def __len__(self) -> int:
        return len(self._ticks)

    def add(self, dump: Dump, path: str | Path) -> None:
        rows = len(self)
        for name, value in dump.values.items():
            column = self._columns.get(name)
            if column is None:
                column = self._columns[name] = array("d")
            if len(column) < rows:
                column.frombytes(bytes(8 * (rows - len(column))))
            column.append(value)
        self._ticks.append(dump.ticks)
        self._periods.append(np.nan if dump.period is None else dump.period)
        if len(self) * len(self._columns) > _MOST:
            raise DataError(
                f"has more than {len(self):,} dumps of {len(self._columns):,} statistics, which is too much",
                path=path,
                hint="name one dump (--dump), or import parts of the file",
            )

    def columns(self, names: Mapping[str, str]) -> dict[str, Column]:
        """Name -> value per dump, of names that the file has in any dump."""
        out = {}
        for name in names:
            values = np.zeros(len(self))
            if (held := self._columns.get(name)) is not None:
                values[: len(held)] = held
            out[name] = values
        return out

    def timing(self) -> Timing:
        return Timing(np.array(self._ticks), np.array(self._periods))


def _readings(table: _Table, dumps: Dumps, path: str | Path) -> Readings:
    columns = {
        name: values
        for name, values in table.columns(dumps.units).items()
        if not (np.isnan(values).all() or (dumps.units[name] == "unknown" and _is_rate(values)))
    }
    counted = by_structure(columns)
    cores, notes = of_cores(counted, _simulated(columns), table.timing())
    caches, more = of_caches(counted, dumps.paths, len(table))
    found = cores | caches
    if "instructions" not in found:
        raise DataError("a dump has no simInsts", path=path, hint="name the stats of a run that simulated")
    own = {name: values for name, values in columns.items() if not name.endswith("::IsControl")}
    units = {name: default_unit(name) for name in found} | {name: dumps.units[name] for name in own}
    return Readings({**found, **own}, units, "gem5", notes=(*notes, *more))


def _simulated(columns: Mapping[str, Column]) -> Column | None:
    return columns.get("simInsts", columns.get("sim_insts"))


def _is_rate(values: Column) -> bool:
    """Of what has no unit, what is no whole number is a rate or a mean."""
    return bool((values != np.floor(values)).any())
