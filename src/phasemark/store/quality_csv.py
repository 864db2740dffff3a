"""quality.csv and quality-k.csv: how homogeneous phases are, read again by figures and report."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from phasemark.errors import DataError, shown
from phasemark.store import tables

_KINDS: dict[str, type] = {"metric": str, "k": int}


def sample(path: str | Path) -> float:
    """Intervals that the sample of CIM measures, as the comment of quality.csv says.

    Raises:
        DataError: it says no number.
    """
    sample_size = tables.comment(path).get("sample", "100")
    try:
        return float(sample_size)
    except ValueError:
        raise DataError(f"its comment gives a sample of {shown(sample_size)}", path=path, line=1) from None


def read_against_k(path: str | Path) -> dict[str, dict[str, list[Any]]]:
    """quality-k.csv: metric -> column (k, cov, cim, deviation_reduction) -> values by k.

    Raises:
        DataError: malformed; names file and line.
    """
    names = ("metric", "k", "cov", "cim", "deviation_reduction")
    columns = tables.read(path, {name: _KINDS.get(name, tables.Optional) for name in names})
    by_metric: dict[str, dict[str, list[Any]]] = {}
    for row, metric in enumerate(columns["metric"]):
        columns_of_metric = by_metric.setdefault(metric, {name: [] for name in names[1:]})
        for name, values in columns_of_metric.items():
            values.append(columns[name][row])
    return by_metric
