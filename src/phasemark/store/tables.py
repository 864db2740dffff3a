"""The CSV files people read: comma-separated, a header row, `#` lines that say what made them.

Read them with `pandas.read_csv(path, comment="#")`.
"""

from __future__ import annotations

import codecs
import csv
import io
import math
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from io import BufferedReader
from pathlib import Path
from typing import Any

from phasemark._version import __version__
from phasemark.errors import DataError, printable, shown
from phasemark.reading import LONGEST_LINE, TABLE, limited, lines, opened, pieces, reading_as
from phasemark.store.atomic import write_text

#: What 64 bits hold.
_LARGEST = 2**63 - 1

#: Characters of a heading that a hint gives.
_SAID = 300

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
    write_text(path, text(table, made_by=made_by))


def text(table: Table, *, made_by: Mapping[str, object] | None = None) -> str:
    """What `write` writes."""
    out = io.StringIO()
    entries = {"phasemark": __version__, **(made_by or {})}
    out.write("# " + "; ".join(f"{key}: {_in_comment(value)}" for key, value in entries.items()) + "\n")
    rows = csv.writer(out, lineterminator="\n")
    rows.writerow(table)
    rows.writerows(zip(*(_plain(values) for values in table.values()), strict=True))
    return out.getvalue()


def read(path: str | Path, types: Mapping[str, type]) -> dict[str, list[Any]]:
    """Read the named columns of a table; further columns are left alone.

    Args:
        path: the file.
        types: column -> int, float, Optional or str.

    Raises:
        DataError: a column is missing or a value is not of its type; names file and line.
    """
    with _table(path) as numbered:
        first, header = _header(numbered, path)
        at = {name: place for place, name in reversed([*enumerate(header)])}
        if missing := [name for name in types if name not in at]:
            raise DataError(
                f"column {printable(missing[0])} is missing",
                path=path,
                line=first,
                hint=f"add it to the header: {_few(types)}",
            )
        wanted: list[tuple[str, int, type, list[Any]]] = [
            (name, at[name], kind, []) for name, kind in types.items()
        ]
        for number, text in numbered:
            row = _fields((number, text), path)
            if len(row) != len(header):
                raise DataError(f"{len(row)} fields under {len(header)} headings", path=path, line=number)
            for name, place, kind, values in wanted:
                values.append(_parse(row[place], name, kind, path, number))
    return {name: values for name, _, _, values in wanted}


def header(path: str | Path) -> list[str]:
    """The names of a table's columns.

    Raises:
        DataError: cannot be read, or a name stands twice.
    """
    with _table(path) as numbered:
        first, names = _header(numbered, path)
    if len(set(names)) < len(names):
        twice = next(name for name, times in Counter(names).items() if times > 1)
        raise DataError(f"column {printable(twice)} stands twice", path=path, line=first)
    return names


def comment(path: str | Path) -> dict[str, str]:
    """What the comment at a table's top says, key by key; empty where there is none.

    Raises:
        DataError: cannot be read.
    """
    with _opened(path) as file:
        first = file.readline(LONGEST_LINE).removeprefix(codecs.BOM_UTF8).decode("utf-8", "surrogateescape")
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


def _few(names: Iterable[str]) -> str:
    """Names as a heading, as many as a message may hold."""
    heading = printable(",".join(names))
    return heading if len(heading) <= _SAID else f"{heading[:_SAID]}..."


def _in_comment(value: object) -> str:
    """In one line, without what parts entries: a name of a file may hold anything."""
    return " ".join(str(value).replace(";", ",").splitlines())


@contextmanager
def _opened(path: str | Path) -> Iterator[BufferedReader]:
    with reading_as(path, "a table", hint="write it again, or name another file"), opened(path) as file:
        yield file


@contextmanager
def _table(path: str | Path) -> Iterator[Iterator[tuple[int, str]]]:
    """The lines that hold something, with their numbers; no field of ours spans lines."""
    with _opened(path) as file:
        held = limited(pieces(file), path, TABLE, zipped=False)
        yield ((number, text) for number, line in lines(held, path) if (text := _text(number, line)))


def _text(number: int, line: bytes) -> str:
    """A line's text; empty where it holds nothing."""
    if number == 1:
        line = line.removeprefix(codecs.BOM_UTF8)
    return "" if line.startswith(b"#") or not line.strip() else line.decode("utf-8", "surrogateescape")


def _header(numbered: Iterator[tuple[int, str]], path: str | Path) -> tuple[int, list[str]]:
    """The heading's line and fields; line 1 and none where there is no heading."""
    first = next(numbered, None)
    return (1, []) if first is None else (first[0], _fields(first, path))


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
        raise DataError(f"{printable(name)} is {shown(text)}, not {what}", path=path, line=line) from None


def _plain(values: Sequence[Any]) -> list[Any]:
    return list(values.tolist() if hasattr(values, "tolist") else values)
