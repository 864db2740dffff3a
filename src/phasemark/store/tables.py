"""The CSV files people read: comma-separated, a header row, `#` lines that say what made them.

Read them with `pandas.read_csv(path, comment="#")`.
"""

from __future__ import annotations

import codecs
import csv
import io
import math
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from phasemark._version import __version__
from phasemark.errors import DataError
from phasemark.store.atomic import write_text

#: What 64 bits hold.
_LARGEST = 2**63 - 1

#: Of a table: column name -> values, all of one length.
Table = Mapping[str, Sequence[Any]]


def write(path: str | Path, table: Table, *, made_by: Mapping[str, object] | None = None) -> None:
    """Write a table.

    Args:
        path: the file.
        table: columns in order. Floats are written so that reading gives the same double.
        made_by: said in the comment at the top (command, seed, units ...), nothing that changes when the
            same thing is done again: equal inputs give equal bytes.

    Raises:
        WorkError: the file cannot be written.
    """
    out = io.StringIO()
    entries = {"phasemark": __version__, **(made_by or {})}
    out.write("# " + "; ".join(f"{key}: {_in_comment(value)}" for key, value in entries.items()) + "\n")
    rows = csv.writer(out, lineterminator="\n")
    rows.writerow(table)
    rows.writerows(zip(*(_plain(values) for values in table.values()), strict=True))
    write_text(path, out.getvalue())


def read(path: str | Path, types: Mapping[str, type]) -> dict[str, list[Any]]:
    """Read the named columns of a table; further columns are left alone.

    Args:
        path: the file.
        types: column -> int, float, Optional or str.

    Raises:
        DataError: a column is missing or a value is not of its type; names file and line.
    """
    lines = _lines(path)
    header = _fields(lines[0], path) if lines else []
    if missing := [name for name in types if name not in header]:
        raise DataError(
            f"column {missing[0]} is missing",
            path=path,
            line=lines[0][0] if lines else 1,
            hint=f"add it to the header: {','.join(types)}",
        )
    columns: dict[str, list[Any]] = {name: [] for name in types}
    for number, text in lines[1:]:
        row = _fields((number, text), path)
        if len(row) != len(header):
            raise DataError(f"{len(row)} fields under {len(header)} headings", path=path, line=number)
        for name, kind in types.items():
            columns[name].append(_parse(row[header.index(name)], name, kind, path, number))
    return columns


def header(path: str | Path) -> list[str]:
    """The names of a table's columns.

    Raises:
        DataError: cannot be read, or a name stands twice.
    """
    lines = _lines(path)
    names = _fields(lines[0], path) if lines else []
    if twice := [name for name in names if names.count(name) > 1]:
        raise DataError(f"column {twice[0]} stands twice", path=path, line=lines[0][0])
    return names


def comment(path: str | Path) -> dict[str, str]:
    """What the comment at a table's top says, key by key; empty where there is none.

    Raises:
        DataError: cannot be read.
    """
    try:
        with Path(path).open("rb") as file:
            first = file.readline().removeprefix(codecs.BOM_UTF8).decode("utf-8", "surrogateescape")
    except OSError as error:
        raise DataError(f"cannot be read ({error.strerror})", path=path) from error
    if not first.startswith("#"):
        return {}
    entries = (part.split(": ", 1) for part in first[1:].strip().split("; "))
    return {entry[0]: entry[1] for entry in entries if len(entry) == 2}


def blank(values: Sequence[object]) -> list[object]:
    """The values, and nothing for NaN: what Optional reads again."""
    return ["" if isinstance(value, float) and math.isnan(value) else value for value in values]


class Optional(float):
    """A number, or nothing: NaN."""

    def __new__(cls, text: str) -> Optional:
        return super().__new__(cls, text.strip() or "nan")


def _in_comment(value: object) -> str:
    """In one line, without what parts entries: a name of a file may hold anything."""
    return " ".join(str(value).replace(";", ",").splitlines())


def _lines(path: str | Path) -> list[tuple[int, str]]:
    """The lines that hold something, with their numbers; no field of ours spans lines."""
    try:
        content = Path(path).read_bytes().removeprefix(codecs.BOM_UTF8).decode("utf-8", "surrogateescape")
    except OSError as error:
        raise DataError(f"cannot be read ({error.strerror})", path=path) from error
    numbered = enumerate(content.split("\n"), 1)
    return [(number, text) for number, text in numbered if not text.startswith("#") and text.strip()]


def _fields(line: tuple[int, str], path: str | Path) -> list[str]:
    number, text = line
    try:
        return next(csv.reader([text], strict=True))
    except (csv.Error, StopIteration) as error:
        raise DataError(f"no line of a table ({error})", path=path, line=number) from error


def _parse(text: str, name: str, kind: type, path: str | Path, line: int) -> Any:
    try:
        value = kind(text)
        if kind is int and abs(value) > _LARGEST:
            raise ValueError(text)
        return value
    except ValueError:
        what = {"int": "a whole number", "float": "a number", "Optional": "a number"}.get(
            kind.__name__, kind.__name__
        )
        raise DataError(f"{name} is {text!r}, not {what}", path=path, line=line) from None


def _plain(values: Sequence[Any]) -> list[Any]:
    return list(values.tolist() if hasattr(values, "tolist") else values)
