"""Readings: what a simulator or the hardware counted, before it is known of which intervals."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain

import numpy as np
from numpy.typing import NDArray

from phasemark.errors import DataError
from phasemark.model.metrics import default_unit, require_unit

__all__ = ["KEYS", "Readings", "joined", "of_rows"]

#: Columns that say of what a row is.
KEYS = ("run", "thread", "interval", "phase", "start", "length")


@dataclass(frozen=True, eq=False)
class Readings:
    """Rows of counters.

    Attributes:
        counters: name -> count per row, float64; NaN where it is missing.
        units: name -> what the counter counts.
        source: what counted.
        keys: those of KEYS that the file has, int64 per row.
        notes: what a user should know.
        labels: the file that each row is all of; empty where a file has several rows.

    Raises:
        DataError: a counter that ratios are made of comes in another unit than theirs.
    """

    counters: Mapping[str, NDArray[np.float64]]
    units: Mapping[str, str]
    source: str
    keys: Mapping[str, NDArray[np.int64]] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    labels: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        for name in self.counters:
            require_unit(name, self.units.get(name, default_unit(name)))

    def __len__(self) -> int:
        return len(next(chain(self.keys.values(), self.counters.values()), ()))


def of_rows(rows: Sequence[Mapping[str, float]], units: Mapping[str, str], source: str) -> Readings:
    """Rows that need not have the same counters: what one lacks is missing."""
    names = dict.fromkeys(name for row in rows for name in row)
    counters = {name: np.array([row.get(name, np.nan) for row in rows], np.float64) for name in names}
    return Readings(counters, {name: units[name] for name in names}, source)


def joined(parts: Iterable[Readings]) -> Readings:
    """The rows of several files, one below the other; they have the same keys.

    Raises:
        DataError: a counter has another unit in one than in another, or they do not say alike of what
            their rows are.
    """
    first, *others = parts
    units = dict(first.units)
    for part in others:
        for name, unit in part.units.items():
            if units.setdefault(name, unit) != unit:
                raise DataError(
                    f"{name} comes in {units[name]} and in {unit}", hint="import the files of one unit"
                )
        if part.keys.keys() != first.keys.keys():
            raise DataError(
                "the files do not say alike of what their rows are", hint="give them the same columns"
            )
    every = [first, *others]
    names = dict.fromkeys(name for part in every for name in part.counters)
    return Readings(
        {name: np.concatenate([_column(part, name) for part in every]) for name in names},
        units,
        ", ".join(dict.fromkeys(part.source for part in every)),
        {name: np.concatenate([part.keys[name] for part in every]) for name in first.keys},
        tuple(dict.fromkeys(note for part in every for note in part.notes)),
        tuple(label for part in every for label in part.labels) if all(p.labels for p in every) else (),
    )


def _column(part: Readings, name: str) -> NDArray[np.float64]:
    column = part.counters.get(name)
    return np.full(len(part), np.nan) if column is None else column
