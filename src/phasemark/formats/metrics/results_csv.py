"""Results of any simulator: CSV with a heading, a row a point or an interval, a column a counter.

    interval,instructions,cycles,l2_misses,energy [pJ]
    17,1000000,1530211,,2.1e9

A row is named by `phase` (the phase's point) or by `interval` (its number in the thread; `run` and `thread`
where they are not 0), or in full as in metrics.csv. `cpi` or `ipc` may stand instead of `cycles`. What is
not known stays empty. See docs/import.md.
"""

from __future__ import annotations

import codecs
import csv
import re
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from phasemark.errors import DataError
from phasemark.formats.metrics.readings import KEYS, Readings
from phasemark.model import RATIOS
from phasemark.model.metrics import default_unit
from phasemark.store import metrics_csv, tables

__all__ = ["read", "sniff"]

#: Names that mean something here; in a heading, capitals do not matter in them.
_KNOWN = {*KEYS, "index", "cpi", "ipc", *(name for r in RATIOS for name in (r.numerator, r.denominator))}

_HEADING = re.compile(r"([^\[]+?)\s*(?:\[([^\]]+)\])?")


def sniff(start: bytes) -> bool:
    """Whether a file that starts so has a heading that names rows and counters."""
    heading = _heading(start.removeprefix(codecs.BOM_UTF8).decode("utf-8", "replace"))
    return len(heading) > 1 and not {"phase", "interval", "index"}.isdisjoint(map(str.lower, heading))


def read(path: str | Path) -> Readings:
    """Read results.

    Returns:
        Readings with the keys that the file has; lines as they stand.

    Raises:
        DataError: nothing names the rows, a column stands twice, a value is no number, or a counter comes
            in another unit than the ratios it is for; names file and line.
    """
    heading = tables.header(path)
    names = {column: _split(column) for column in heading}
    _require_names([name for name, _ in names.values()], path)
    keys = {column: name for column, (name, _) in names.items() if name in KEYS}
    if "phase" not in keys.values() and "interval" not in keys.values():
        raise DataError(
            "nothing says of what its rows are", path=path, line=1,
            hint="add a column `interval` or `phase`",
        )  # fmt: skip
    counted = [column for column in heading if column not in keys]
    if not counted:
        raise DataError("has no counter", path=path, hint="add a column for each, such as cycles")
    columns = tables.read(path, {column: int if column in keys else tables.Optional for column in heading})
    comment = tables.comment(path)
    units = metrics_csv.units_of(comment)
    units |= {names[column][0]: unit for column in counted if (unit := names[column][1])}
    counters = {names[column][0]: np.array(columns[column], np.float64) for column in counted}
    _require_counts(counters, path)
    try:
        return Readings(
            counters,
            {name: units.get(name, default_unit(name)) for name in counters},
            comment.get("source") or Path(path).name,
            {name: np.array(columns[column], np.int64) for column, name in keys.items()},
        )
    except DataError as error:
        raise error.at(path) from error


def _require_names(names: list[str], path: str | Path) -> None:
    """`cycles` and `cycles [cycles]` are one counter, `index` and `interval` one key: which one is meant?"""
    if "" in names:
        raise DataError(
            "a column has no name", path=path, line=1, hint="name each column, without a comma at the end"
        )
    if twice := [name for name in names if names.count(name) > 1]:
        raise DataError(f"column {twice[0]} stands twice", path=path, line=1, hint="leave one of them out")


def _require_counts(counters: dict[str, NDArray[np.float64]], path: str | Path) -> None:
    for name, values in counters.items():
        bad = ~np.isnan(values) & ~(np.isfinite(values) & (values >= 0))
        if bad.any():
            raise DataError(
                f"{name} is negative or infinite", path=path, row=int(np.argmax(bad)),
                hint="leave empty what is not known",
            )  # fmt: skip


def _split(column: str) -> tuple[str, str]:
    """Name and unit of a heading: `energy [pJ]`; metrics.csv calls the interval `index`."""
    heading = _HEADING.fullmatch(column.strip())
    name, unit = (heading[1], heading[2] or "") if heading else (column, "")
    name = name.lower() if name.lower() in _KNOWN else name
    return ("interval" if name == "index" else name), unit


def _heading(start: str) -> list[str]:
    lines = (line for line in start.split("\n") if line.strip() and not line.startswith("#"))
    try:
        fields = next(csv.reader([next(lines, "")]), [])
    except csv.Error:
        return []  # binary data
    return [field.strip() for field in fields]
