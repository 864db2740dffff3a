"""SimPoint 3.2's tables of projected vectors, centres and projection matrices, as text and as binary.

    text      `rows:w`, then a line a row: `weight dims: value value ...`
    binary    unsigned rows, unsigned 1, then a row: double weight, unsigned dims, doubles; native order

Without the `w` (binary: 0) a row has no weight, and all weigh the same.
"""

from __future__ import annotations

import struct
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from phasemark.errors import DataError, shown
from phasemark.formats import source
from phasemark.reading import TABLE, whole_number
from phasemark.store.atomic import replacing, write_text

__all__ = [
    "Table",
    "read_binary_table",
    "read_labels",
    "read_numbers",
    "read_text_table",
    "write_binary_table",
    "write_text_table",
]

T = TypeVar("T")

_WORD = 4
_DOUBLE = 8
_HINT = "take a file as SimPoint or `phasemark simpoint` wrote it"


@dataclass(frozen=True)
class Table:
    """Rows and a weight for each.

    Attributes:
        values: n x d doubles.
        weights: n doubles.
    """

    values: NDArray[np.float64]
    weights: NDArray[np.float64]


def write_text_table(path: str | Path, table: Table) -> None:
    """Write a table as text; reading it gives the same doubles.

    Raises:
        WorkError: the file cannot be written.
    """
    n, d = table.values.shape
    rows = zip(table.weights.tolist(), table.values.tolist(), strict=True)
    lines = (f"{weight!r} {d}: {' '.join(map(repr, values))} \n" for weight, values in rows)
    write_text(path, f"{n}:w\n" + "".join(lines))


def write_binary_table(path: str | Path, table: Table) -> None:
    """Write a table as binary.

    Raises:
        WorkError: the file cannot be written.
    """
    n, d = table.values.shape
    rows = np.empty(n, _row_type(d, weighted=True))
    rows["weight"], rows["dims"], rows["values"] = table.weights, d, table.values
    with replacing(path) as temporary:
        temporary.write_bytes(struct.pack("=II", n, 1) + rows.tobytes())


def read_text_table(path: str | Path) -> Table:
    """Read a text table, plain or gzip.

    Raises:
        DataError: malformed; names file and line.
    """
    lines = [line.decode("ascii", "replace") for _, line in source.lines(path, TABLE) if line.strip()]
    count, colon, kind = lines[0].partition(":") if lines else ("", "", "")
    announced = whole_number(count.strip())
    if not colon or announced is None or kind.strip() not in ("", "w"):
        raise DataError("does not begin with `rows:` or `rows:w`", path=path, line=1, hint=_HINT)
    if len(lines) - 1 != announced:
        raise DataError(f"{len(lines) - 1:,} rows, where {announced:,} are announced", path=path, hint=_HINT)
    weighted = kind.strip() == "w"
    rows = [_text_row(line, weighted, path, number) for number, line in enumerate(lines[1:], 2)]
    return _table([weight for weight, _ in rows], [values for _, values in rows], path)


def read_binary_table(path: str | Path) -> Table:
    """Read a binary table, plain or gzip.

    Raises:
        DataError: malformed; names the file.
    """
    content = source.content(path, TABLE)
    if len(content) < 2 * _WORD:
        raise DataError("is cut short", path=path, hint=_HINT)
    n, weighted = struct.unpack_from("=II", content)
    at_dims = 2 * _WORD + (_DOUBLE if weighted else 0)
    if not n or weighted > 1 or len(content) < at_dims + _WORD:
        raise DataError("is no binary table of vectors", path=path, hint=_HINT)
    (dims,) = struct.unpack_from("=I", content, at_dims)
    if len(content) != 2 * _WORD + n * (_WORD + _DOUBLE * (weighted + dims)):
        raise DataError(f"holds {len(content):,} bytes, which {n:,} rows do not fill", path=path, hint=_HINT)
    rows = np.frombuffer(content, _row_type(dims, weighted=bool(weighted)), n, 2 * _WORD)
    weights = rows["weight"].tolist() if weighted else [1.0 / n] * n
    return _table(weights, rows["values"].tolist(), path)


def read_numbers(path: str | Path) -> NDArray[np.float64]:
    """Read numbers parted by white space, as -saveVectorWeights writes them.

    Raises:
        DataError: something is no number.
    """
    return np.array(_read_words(path, float), np.float64)


def read_labels(path: str | Path) -> list[str]:
    """Read labels parted by white space, as -loadInitLabels takes them.

    Raises:
        DataError: the file cannot be read.
    """
    return _read_words(path, str)


def _read_words(path: str | Path, kind: Callable[[str], T]) -> list[T]:
    words = source.content(path, TABLE).decode("ascii", "replace").split()
    try:
        return [kind(word) for word in words]
    except ValueError as error:
        raise DataError(f"holds something else than numbers ({shown(str(error), 100)})", path=path) from None


def _row_type(dims: int, *, weighted: bool) -> np.dtype[np.void]:
    fields: list[Any] = [("weight", "=f8")] if weighted else []
    return np.dtype([*fields, ("dims", "=u4"), ("values", "=f8", (dims,))])


def _text_row(line: str, weighted: bool, path: str | Path, number: int) -> tuple[float | None, list[float]]:
    head, colon, tail = line.partition(":")
    try:
        fields = head.split()
        weight = float(fields[0]) if weighted else None
        values = [float(field) for field in tail.split()]
        if not colon or len(fields) != 1 + weighted or int(fields[-1]) != len(values):
            raise ValueError
    except (ValueError, IndexError):
        form = "weight dims: value value ..." if weighted else "dims: value value ..."
        raise DataError(f"the line does not read `{form}`", path=path, line=number, hint=_HINT) from None
    return weight, values


def _table(weights: list[float | None], rows: list[list[float]], path: str | Path) -> Table:
    if not rows or any(len(row) != len(rows[0]) for row in rows):
        raise DataError("has no rows, or rows of unlike length", path=path, hint=_HINT)
    equal = 1.0 / len(rows)
    return Table(np.array(rows, np.float64), np.array([equal if w is None else w for w in weights]))
