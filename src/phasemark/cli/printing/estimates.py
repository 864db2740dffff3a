"""Estimates of the whole run, beside its true values where they are known."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from phasemark.cli.printing.text import aligned, error, finite
from phasemark.errors import counted
from phasemark.model import shares
from phasemark.workflow import EstimateResult, OverSeeds


def summary(result: EstimateResult, spread: OverSeeds | None = None) -> dict[str, Any]:
    """The estimates in one JSON object; what is not known or not bounded is null."""
    estimate = result.estimate
    rows: dict[str, dict[str, Any]] = {}
    for name in estimate.value:
        rows[name] = {
            "value": finite(estimate.value[name]),
            "standard_error": finite(estimate.standard_error[name]),
            "interval": [finite(end) for end in estimate.interval[name]],
            "degrees_of_freedom": finite(estimate.degrees_of_freedom[name]),
            "coverage": estimate.coverage[name],
            "missing": [int(result.points.interval[row]) for row in estimate.missing[name]],
            "full": result.full.get(name),
            "error": result.error(name),
            "covered": result.covered(name),
        }
        if spread is not None and name in spread.values:
            rows[name]["seeds"] = {"values": spread.values[name], "covered": spread.covered[name]}
    return {
        "confidence": estimate.confidence,
        "points": len(result.points),
        "method": result.points.method,
        "source": result.source,
        "metrics": rows,
        "notes": list(result.notes),
    }


def lines(result: EstimateResult, spread: OverSeeds | None = None) -> list[str]:
    """The estimates as a table, and what is to be noted."""
    out = [f"{counted(len(result.points), 'point')}, method {result.points.method}", "", *table(result)]
    out += [f"note: {note}" for note in result.notes]
    if spread is not None:
        out += ["", *_seed_lines(spread)]
    return out


def table(result: EstimateResult) -> list[str]:
    """A line a metric."""
    headings = ["metric", "estimate", f"{shares.confidence(result.estimate.confidence)} interval", "+-"]
    if result.full:
        headings += ["full run", "error", "covered"]
    return aligned([headings, *(_cells(result, name)[: len(headings)] for name in result.estimate.value)])


def _cells(result: EstimateResult, name: str) -> Sequence[str]:
    low, high = result.estimate.interval[name]
    nothing = low == 0 and math.isinf(high)
    half, off, covered = result.estimate.relative_half_width(name), result.error(name), result.covered(name)
    return (
        name,
        f"{result.estimate.value[name]:.4g}",
        "-" if nothing else f"{low:.4g} to {high:.4g}",
        "-" if nothing or math.isnan(half) else f"{half:.1%}" if math.isfinite(half) else "not bounded",
        f"{result.full[name]:.4g}" if name in result.full else "",
        "" if off is None else error(off),
        "" if covered is None else ("yes" if covered else "no"),
    )


def _seed_lines(spread: OverSeeds) -> list[str]:
    out = []
    for name, values in spread.values.items():
        mean, deviation = float(np.mean(values)), float(np.std(values, ddof=1))
        relative = f" ({deviation / mean:.1%})" if mean else ""
        out.append(
            f"{name} over {counted(len(values), 'seed')}: mean {mean:.4g}, deviation {deviation:.2g}"
            f"{relative}, from {min(values):.4g} to {max(values):.4g}; the interval covered the full run's "
            f"value in {spread.covered[name]:.0%}"
        )
    return out
