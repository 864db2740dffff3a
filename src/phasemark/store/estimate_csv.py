"""estimate.csv: one row a metric."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import nan
from pathlib import Path

from phasemark.model import Estimate
from phasemark.store import tables

_NUMBERS = ("value", "low", "high", "full")

#: Columns that tables of other origin need not have.
_MORE = ("standard_error", "degrees_of_freedom", "coverage")


@dataclass(frozen=True)
class Estimated:
    """A metric of the whole run, as a row of estimate.csv says.

    Attributes:
        metric, value: which, and its estimate.
        low, high: its confidence interval; high is infinite where the points do not bound it.
        full: the full run's value; NaN where it is not known.
        missing: points that were not measured.
        standard_error, degrees_of_freedom, coverage: as those of an Estimate; NaN where they are not known.
    """

    metric: str
    value: float
    low: float
    high: float
    full: float
    missing: int
    standard_error: float = nan
    degrees_of_freedom: float = nan
    coverage: float = nan


def write(
    path: str | Path,
    estimate: Estimate,
    *,
    full: Mapping[str, float] | None = None,
    made_by: Mapping[str, object] | None = None,
) -> None:
    """Write what is estimated, beside the full run's value where that is known.

    Columns: metric, value, standard_error, low, high, degrees_of_freedom, coverage, missing (points), full.
    What is not known stays empty. Where biases were looked for, three columns more for each source, see
    Estimate.frame.

    Args:
        path: the file.
        estimate: to write.
        full: metric -> its value in the full run.
        made_by: see tables.write.

    Raises:
        WorkError: the file cannot be written.
    """
    columns = estimate.columns()
    columns["full"] = [(full or {}).get(metric, nan) for metric in estimate.value]
    table = {name: tables.blank(values) for name, values in columns.items()}
    tables.write(path, table, made_by={**(made_by or {}), "confidence": estimate.confidence})


def read(path: str | Path) -> tuple[Estimated, ...]:
    """Read estimate.csv, one value a row; standard error, degrees of freedom and coverage may be missing.

    Raises:
        DataError: malformed; names file and line.
    """
    there = [name for name in _MORE if name in tables.header(path)]
    numbers = dict.fromkeys((*_NUMBERS, *there), tables.Optional)
    columns = tables.read(path, {"metric": str, **numbers, "missing": int})
    for name in numbers:
        columns[name] = [float(number) for number in columns[name]]
    rows = zip(*columns.values(), strict=True)
    return tuple(Estimated(**dict(zip(columns, row, strict=True))) for row in rows)
