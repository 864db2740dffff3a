"""Estimate table: metrics of the whole run with their error bars, as text."""

from __future__ import annotations

import math
from collections.abc import Mapping

from phasemark.model import Estimate, shares
from phasemark.views import estimates
from phasemark.views.estimates import MetricEstimate
from phasemark.views.text import aligned, error


def lines(estimate: Estimate, full: Mapping[str, float], points: int) -> list[str]:
    """A line a metric; where points are missing, how many of them it rests on.

    Args:
        estimate: of the whole run.
        full: metric -> its value in the full run, where that is known.
        points: how many there are.
    """
    headings = ["metric", "estimate", f"{shares.confidence(estimate.confidence)} interval", "+-"]
    if full:
        headings += ["full run", "error", "covered"]
    of_each = estimates.of(estimate, full)
    rows = [headings, *(_cells(one, estimate)[: len(headings)] for one in of_each)]
    if not any(one.missing for one in of_each):
        return aligned(rows)
    rests = [f"{points - one.missing:,} of {points:,}" for one in of_each]
    return aligned([[*row[:2], on, *row[2:]] for row, on in zip(rows, ["points", *rests], strict=True)])


def _cells(one: MetricEstimate, estimate: Estimate) -> list[str]:
    nothing = one.low == 0 and math.isinf(one.high)
    half = estimate.relative_half_width(one.metric)
    return [
        one.metric,
        f"{one.value:.4g}",
        "-" if nothing else f"{one.low:.4g} to {one.high:.4g}",
        "-" if nothing or math.isnan(half) else f"{half:.1%}" if math.isfinite(half) else "not bounded",
        "" if math.isnan(one.full) else f"{one.full:.4g}",
        error(one.error) if math.isfinite(one.error) else "",
        "" if one.covered is None else ("yes" if one.covered else "no"),
    ]
