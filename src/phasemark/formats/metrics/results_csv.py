"""Results of any simulator: CSV with a heading, a row a point or an interval, a column a counter.

    interval,instructions,cycles,l2_misses,energy [pJ]
    17,1000000,1530211,,2.1e9

A row is named by `phase` (the phase's point) or by `interval` (its number in the thread; `run` and `thread`
where they are not 0), or in full as in metrics.csv. Ratios (`cpi`, `ipc`, `l2_mpki`) may stand instead of
what they are made of. What is not known stays empty. Fields are parted by commas, semicolons or tabs. See
docs/import.md.
"""

from __future__ import annotations

import codecs
import csv
import re
from array import array
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from phasemark.errors import DataError, shown
from phasemark.formats.metrics.headings import IDENTIFYING, meaning, named
from phasemark.formats.metrics.readings import KEYS, Readings
from phasemark.formats.source import lines
from phasemark.model import RATIOS
from phasemark.model.metrics import KEY, default_unit
from phasemark.reading import TABLE
from phasemark.store import metrics_csv

__all__ = ["read", "sniff"]

_SEPARATORS = (",", ";", "\t")
_NUMBER = re.compile(r"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?")
_WHOLE = re.compile(r"[+-]?\d+(?:\.0*)?")

#: What programs write for a number that is not there.
_MISSING = frozenset({"", "nan", "na", "n/a", "null", "none", "-"})

#: Characters of a unit.
_LONGEST_UNIT = 80

#: What 64 bits hold.
_LARGEST = 2**63 - 1

_RATIOS = frozenset({"ipc", *(ratio.name for ratio in RATIOS)})


@dataclass(frozen=True)
class _Column:
    """A column: what it is called in the file and here, its unit if it says one, and its values."""

    heading: str
    name: str
    unit: str
    values: array[int] | array[float]

    @property
    def is_key(self) -> bool:
        return self.values.typecode == "q"


def sniff(start: bytes) -> bool:
    """Whether a file that starts so has a heading that names rows or counters we know."""
    text = start.removeprefix(codecs.BOM_UTF8).decode("utf-8", "replace")
    said = re.split(r"\r\n?|\n", text)
    heading = next((line for line in said if line.strip() and not line.startswith("#")), "")
    fields = _split(heading, _separator(heading))
    return len(fields) > 1 and any(map(_names_something, fields))


def _names_something(heading: str) -> bool:
    name = named(heading)
    return bool(name) and (name in IDENTIFYING or name not in KEYS)


def read(path: str | Path) -> Readings:
    """Read results, plain or gzip.

    Returns:
        Readings with the keys that the file has; lines as they stand.

    Raises:
        DataError: nothing names the rows, a column stands twice, a value is no number, or a counter comes
            in another unit than the ratios it is for; names file and line.
        WorkError: the file cannot be read.
    """
    comment, columns = _table(path)
    counters = {column.name: np.array(column.values, np.float64) for column in columns if not column.is_key}
    _require_counts(counters, path)
    stated = metrics_csv.units_of(comment)
    units = {
        column.name: column.unit or stated.get(column.heading) or stated.get(column.name)
        for column in columns
        if not column.is_key
    }
    keys = {column.name: np.array(column.values, np.int64) for column in columns if column.is_key}
    try:
        return Readings(
            counters,
            {name: unit or default_unit(name) for name, unit in units.items()},
            comment.get("source") or Path(path).name,
            keys,
        )
    except DataError as error:
        raise error.at(path) from error


def _table(path: str | Path) -> tuple[dict[str, str], list[_Column]]:
    """What the comment at the top says, and the columns."""
    comment: dict[str, str] = {}
    columns: list[_Column] = []
    separator = ","
    for number, text in _text(path):
        if text.startswith("#"):
            comment = comment or (_said(text) if number == 1 else {})
        elif not columns:
            separator = _separator(text)
            columns = _columns(_fields(text, separator, path, number), path, number)
        else:
            _add(_fields(text, separator, path, number), columns, path, number)
    if not columns:
        raise DataError("has no heading", path=path, hint="name the columns in the first line")
    return comment, columns


def _text(path: str | Path) -> Iterator[tuple[int, str]]:
    """The lines that are not blank, with their numbers."""
    for number, line in lines(path, TABLE):
        raw = (line.removeprefix(codecs.BOM_UTF8) if number == 1 else line).removesuffix(b"\r")
        if b"\r" in raw:
            raise DataError(
                "holds a carriage return within a line", path=path, line=number,
                hint="save it with line ends of Unix or of Windows",
            )  # fmt: skip
        try:
            text = raw.decode("utf-8")
        except UnicodeDecodeError:
            raise DataError("is no UTF-8", path=path, line=number, hint="save it as UTF-8") from None
        if "\0" in text:
            raise DataError("holds a zero byte", path=path, line=number, hint="save it as UTF-8")
        if text.strip():
            yield number, text


def _said(comment: str) -> dict[str, str]:
    """What the comment of a table of ours says, key by key."""
    entries = (part.split(": ", 1) for part in comment[1:].strip().split("; "))
    return {entry[0]: entry[1] for entry in entries if len(entry) == 2}


def _separator(heading: str) -> str:
    return max(_SEPARATORS, key=heading.count)


def _split(text: str, separator: str) -> list[str]:
    """The fields of a line; none where it is no line of a table."""
    try:
        fields = next(csv.reader([text], delimiter=separator, skipinitialspace=True, strict=True), [])
    except csv.Error:
        return []
    return [field.strip() for field in fields]


def _fields(text: str, separator: str, path: str | Path, number: int) -> list[str]:
    fields = _split(text, separator)
    if not fields:
        raise DataError(
            "is no line of a table", path=path, line=number,
            hint="close each quotation mark in its line, with a separator after it",
        )  # fmt: skip
    return fields


def _columns(heading: Sequence[str], path: str | Path, number: int) -> list[_Column]:
    """The empty columns; a table of ours has its names as they stand, `index` apart."""
    ours = set(KEY) <= set(heading)
    columns: list[_Column] = []
    for text in heading:
        name, unit = ("interval" if text == "index" else text, "") if ours else meaning(text)
        columns.append(_Column(text, name, unit, array("q" if name in KEYS else "d")))
    names = [column.name for column in columns]

    def wrong(what: str, hint: str) -> DataError:
        return DataError(what, path=path, line=number, hint=hint)

    if "" in names:
        raise wrong("a column has no name", "name each column, without a separator at the end")
    if len(set(names)) < len(names):
        twice = next(name for name, times in Counter(names).items() if times > 1)
        both = " and ".join(column.heading[:80] for column in columns if column.name == twice)
        raise wrong(f"column {twice[:80]} stands twice ({both[:170]})", "leave one of them out")
    if not set(IDENTIFYING) & set(names):
        raise wrong("nothing says of what its rows are", "add a column `interval` or `phase`")
    if all(column.is_key for column in columns):
        raise wrong("has no counter", "add a column for each, such as cycles")
    for column in columns:
        if len(column.unit) > _LONGEST_UNIT:
            raise wrong(f"the unit of {column.name[:80]} has {len(column.unit):,} characters", "shorten it")
        if column.name in _RATIOS and column.unit:
            raise wrong(f"{column.name} has a unit ({column.unit})", "give it as a plain number, in no unit")
    return columns


def _add(fields: Sequence[str], columns: Sequence[_Column], path: str | Path, number: int) -> None:
    """Add a line to the columns."""
    if len(fields) != len(columns):
        raise DataError(
            f"{len(fields)} fields under {len(columns)} headings", path=path, line=number,
            hint="write numbers with a decimal point and without separators of thousands",
        )  # fmt: skip
    for text, column in zip(fields, columns, strict=True):
        value = _whole(text) if column.is_key else _number(text)
        if value is None:
            what = "a whole number" if column.is_key else "a number"
            raise DataError(
                f"{column.name[:80]} is {shown(text)}, not {what}", path=path, line=number, hint=_hint(text)
            )
        column.values.append(value)  # type: ignore[arg-type]


def _whole(text: str) -> int | None:
    """None where it is none that 64 bits hold; a table of floats writes 17.0."""
    digits = text.partition(".")[0]
    if not _WHOLE.fullmatch(text) or len(digits) > 20:
        return None
    value = int(digits)
    return value if abs(value) <= _LARGEST else None


def _number(text: str) -> float | None:
    if text.lower() in _MISSING:
        return float("nan")
    if text.lower() in ("inf", "-inf", "infinity", "-infinity"):
        return float("inf")
    return float(text) if _NUMBER.fullmatch(text) else None


def _hint(text: str) -> str:
    if re.fullmatch(r"[\d.]*,[\d.,]*", text):
        return "write numbers with a decimal point and without separators of thousands"
    return "leave empty what is not known"


def _require_counts(counters: Mapping[str, NDArray[np.float64]], path: str | Path) -> None:
    for name, values in counters.items():
        bad = ~np.isnan(values) & ~(np.isfinite(values) & (values >= 0))
        if bad.any():
            raise DataError(
                f"{name[:80]} is negative or infinite", path=path, row=int(np.argmax(bad)),
                hint="leave empty what is not known",
            )  # fmt: skip
