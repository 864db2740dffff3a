"""Estimates of the whole run, beside its true values where they are known."""

from __future__ import annotations

import dataclasses
from typing import Any

import numpy as np

from phasemark.cli.printing.text import finite
from phasemark.errors import counted
from phasemark.model import Bias, shares
from phasemark.views.estimate_table import thread_lines
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
            "interval_error": result.interval_error.get(name),
        }
        if name in estimate.biases:
            rows[name]["biases"] = [_bias(bias) for bias in estimate.biases[name]]
        if spread is not None and name in spread.values:
            rows[name]["seeds"] = {"values": spread.values[name], "covered": spread.covered[name]}
    return {
        "process": None if result.process is None else dataclasses.asdict(result.process),
        "confidence": estimate.confidence,
        "points": len(result.points),
        "method": result.points.method,
        "source": result.source,
        "forecast": None if result.forecast is None else dataclasses.asdict(result.forecast),
        "metrics": rows,
        **({"threads": _threads(result)} if result.threads else {}),
        "notes": list(result.notes),
    }


def _bias(bias: Bias) -> dict[str, Any]:
    """What is known of a bias; what is not bounded is null."""
    return {
        **dataclasses.asdict(bias),
        "standard_error": finite(bias.standard_error),
        "interval": [finite(end) for end in bias.interval],
    }


def _threads(result: EstimateResult) -> list[dict[str, Any]]:
    """What the points say of each thread."""
    return [
        {
            "run": one.run,
            "thread": one.thread,
            "instructions": one.instructions,
            "points": one.points,
            "metrics": {
                name: {
                    "value": finite(one.estimate.value[name]),
                    "standard_error": finite(one.estimate.standard_error[name]),
                    "interval": [finite(end) for end in one.estimate.interval[name]],
                    "coverage": one.estimate.coverage[name],
                    "full": full.get(name),
                }
                for name in one.estimate.value
            },
        }
        for one, full in zip(result.threads, result.full_of_threads, strict=True)
    ]


def lines(result: EstimateResult, spread: OverSeeds | None = None) -> list[str]:
    """The estimates as a table, and what is to be noted."""
    out = [*_of_points(result), "", *result.summary().splitlines(), *_of_intervals(result)]
    if result.threads:
        first = next(iter(result.estimate.value))
        out += ["", *thread_lines(result.threads, result.full_of_threads, first)]
    out += [f"note: {note}" for note in result.notes]
    if spread is not None:
        out += ["", *_seed_lines(spread)]
    return out


def _of_points(result: EstimateResult) -> list[str]:
    """What the estimates rest on, and what had been expected of them."""
    estimate, points = result.estimate, len(result.points)
    measured = [points - len(missing) for missing in estimate.missing.values()]
    least, most = min(measured, default=points), max(measured, default=points)
    rest, guards = counted(points, "point"), int(result.points.is_guard.sum())
    if guards and least == points:
        rest = f"{counted(points - guards, 'point')} and {counted(guards, 'guard')}"
    if least < points:
        number = f"{least:,}" if least == most else f"{least:,} to {most:,}"
        rest = (
            f"{number} of {rest} measured, for {shares.written(min(estimate.coverage.values()))} of the run"
        )
    out = [] if result.process is None else [str(result.process)]
    return [*out, f"{rest}, method {result.points.method}", *_of_forecast(result)]


def _of_intervals(result: EstimateResult) -> list[str]:
    """How far single intervals are off, where that is known."""
    if "cpi" not in result.interval_error:
        return []
    each = "its phase" if result.estimator != "epm2" else "all phases, by their probability"
    off = result.interval_error["cpi"]
    return [f"CPI of single intervals, each as the points of {each}: {off:.1%} off on average (E_I)"]


def _of_forecast(result: EstimateResult) -> list[str]:
    """The error bar that CPI was to get beside the one it got."""
    if result.forecast is None or "cpi" not in result.estimate.value:
        return []
    half = result.estimate.relative_half_width("cpi")
    return [*filter(None, [result.forecast.beside(half, result.estimate.confidence)])]


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
