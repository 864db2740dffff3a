"""Estimate table: metrics of the whole run with their error bars, as text."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from phasemark.errors import counted
from phasemark.estimates import ThreadEstimate
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


#: Threads in a table, those with the most instructions.
MOST_THREADS = 16


def thread_lines(
    threads: Sequence[ThreadEstimate], full: Sequence[Mapping[str, float]], metric: str
) -> list[str]:
    """A line a thread with one metric; of many threads those that executed the most.

    Args:
        threads: at least one.
        full: of each, metric -> its value in the full run, where that is known.
        metric: which.
    """
    shown = sorted(sorted(range(len(threads)), key=lambda at: -threads[at].instructions)[:MOST_THREADS])
    several = len({one.run for one in threads}) > 1
    headings = [
        *(["run"] if several else []),
        *(
            "thread",
            "instructions",
            "points",
            metric,
            f"{shares.confidence(threads[0].estimate.confidence)} interval",
            "+-",
        ),
        *(["full run", "error", "covered"] if any(metric in values for values in full) else []),
    ]
    rows = [headings]
    for one, values in ((threads[at], full[at]) for at in shown):
        of_metric = next(e for e in estimates.of(one.estimate, values) if e.metric == metric)
        keys = [*([str(one.run)] if several else []), str(one.thread)]
        cells = [*keys, f"{one.instructions:,}", f"{one.points:,}", *_cells(of_metric, one.estimate)[1:]]
        rows.append(cells[: len(headings)])
    rest = len(threads) - len(shown)
    left = {"run", "thread"}
    lines = aligned(rows, [at for at, name in enumerate(headings) if name in left])
    return lines if not rest else [*lines, f"and {counted(rest, 'thread')} more, with fewer instructions"]


def _cells(one: MetricEstimate, estimate: Estimate) -> list[str]:
    nothing = one.low == 0 and math.isinf(one.high)
    half = estimate.relative_half_width(one.metric)
    return [
        one.metric,
        f"{one.value:.4g}",
        "-" if nothing else f"{one.low:.4g} to {one.high:.4g}",
        "-" if nothing or math.isnan(half) else _half_width(half),
        "" if math.isnan(one.full) else f"{one.full:.4g}",
        error(one.error) if math.isfinite(one.error) else "",
        "" if one.covered is None else ("yes" if one.covered else "no"),
    ]


#: Half a width beyond so many times the estimate says no more than that nothing is known.
_WIDEST = 10


def _half_width(half: float) -> str:
    if math.isinf(half):
        return "not bounded"
    return f"{half:.1%}" if half <= _WIDEST else f"over {_WIDEST:.0%}"
