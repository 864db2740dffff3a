"""metrics.csv: counters of intervals, one column a counter, units and source in its comment."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from urllib.parse import quote, unquote

import numpy as np

from phasemark.errors import DataError
from phasemark.model.metrics import KEY, Metrics
from phasemark.reading import reading_as
from phasemark.store import tables
from phasemark.store.atomic import write_text

#: What stands in the comment as it is; blanks, `=` and `;` part names and units there.
_PLAIN = "/:,()[]+-*^"


def write(path: str | Path, metrics: Metrics, *, made_by: Mapping[str, object] | None = None) -> None:
    """Write a metrics table; what was not measured stays empty.

    Raises:
        WorkError: the file cannot be written.
    """
    write_text(path, _text(metrics, made_by or {}))


def holds(path: str | Path, metrics: Metrics) -> bool:
    """Whether a table has these metrics, whoever wrote it.

    Raises:
        DataError: as `read`.
    """
    return _text(read(path), {}) == _text(metrics, {})


def _text(metrics: Metrics, made_by: Mapping[str, object]) -> str:
    units = " ".join(f"{quote(name, _PLAIN)}={quote(unit, _PLAIN)}" for name, unit in metrics.units.items())
    columns: dict[str, list[object]] = {name: getattr(metrics, name).tolist() for name in KEY}
    for name, values in metrics.counters.items():
        columns[name] = [_plain(value) for value in values.tolist()]
    return tables.text(columns, made_by={**made_by, "source": metrics.source, "units": units})


def read(path: str | Path) -> Metrics:
    """Read a metrics table: columns run, thread, index, start, length, then one per counter.

    Raises:
        DataError: malformed, or breaking an invariant; names file and line or row.
    """
    comment = tables.comment(path)
    names = [name for name in tables.header(path) if name not in KEY]
    if not names:
        raise DataError("has no counter", path=path, hint="add a column per counter, after length")
    kinds: dict[str, type] = {**dict.fromkeys(KEY, int), **dict.fromkeys(names, tables.Optional)}
    columns = tables.read(path, kinds)
    units = units_of(comment)
    with reading_as(path, "metrics", hint=f"see that every row has {', '.join(KEY)} and its counters"):
        return Metrics(
            **{name: columns[name] for name in KEY},  # type: ignore[arg-type]
            counters={name: np.array(columns[name], np.float64) for name in names},
            units=units,
            source=comment.get("source", ""),
        )


def units_of(comment: Mapping[str, str]) -> dict[str, str]:
    """Counter -> unit, as the comment of a metrics table says (tables.comment)."""
    pairs = (pair.split("=", 1) for pair in comment.get("units", "").split() if "=" in pair)
    return {unquote(name): unquote(unit) for name, unit in pairs}


def _plain(value: float) -> object:
    """Whole counts without a point; nothing for what is missing."""
    if np.isnan(value):
        return ""
    return int(value) if value == int(value) and abs(value) < 2**53 else value
