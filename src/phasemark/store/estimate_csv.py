"""estimate.csv: one row a metric."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from phasemark.model import Estimate
from phasemark.store import tables


def write(
    path: str | Path,
    estimate: Estimate,
    *,
    full: Mapping[str, float] | None = None,
    made_by: Mapping[str, object],
) -> None:
    """Write what is estimated, beside the full run's value where that is known.

    Columns: metric, value, standard_error, low, high, degrees_of_freedom, coverage, missing (points), full.
    What is not known stays empty.

    Args:
        path: the file.
        estimate: to write.
        full: metric -> its value in the full run.
        made_by: see tables.write.

    Raises:
        WorkError: the file cannot be written.
    """
    table = estimate.table()
    table["full"] = [(full or {}).get(name, float("nan")) for name in estimate.value]
    columns = {name: tables.blank(values) for name, values in table.items()}
    tables.write(path, columns, made_by={**made_by, "confidence": estimate.confidence})
