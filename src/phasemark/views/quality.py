"""Quality: how homogeneous the phases are, metric by metric, and against their number."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from phasemark.quality.measured import foremost
from phasemark.quality.table import ALL, FULL, Row, table
from phasemark.views.analysis import Analysis


@dataclass(frozen=True)
class Whole:
    """A metric of the whole run: as one phase, and as it was classified."""

    full: Row
    classified: Row


@dataclass(frozen=True)
class Homogeneity:
    """Every metric in the whole run and in the largest phases.

    Attributes:
        foremost: names of the metrics to show where not all can be.
        largest: the phases with most instructions, the largest first.
        beside: one a metric and a place: the whole run as one phase (`full`), then the largest phases.
        whole: one a metric.
        missing: (metric, share of the instructions that were not measured) where that is not 0.
    """

    foremost: list[str]
    largest: list[int]
    beside: list[Row]
    whole: list[Whole]
    missing: list[tuple[str, float]]


def homogeneity(analysis: Analysis, largest: int) -> Homogeneity | None:
    """How homogeneous the phases are; None where the intervals were not measured.

    Args:
        analysis: of a run.
        largest: phases to tell of, at most.
    """
    if analysis.metrics is None:
        return None
    names = [metric.name for metric in analysis.measured()]
    intervals = analysis.profile.interval_table
    rows = table(analysis.metrics, intervals, analysis.phases, names, n=analysis.sample)
    phases = np.argsort(-analysis.shares, kind="stable")[:largest].tolist()
    beside = {FULL, *map(str, phases)}
    full, classified = ([row for row in rows if row.phase == part] for part in (FULL, ALL))
    return Homogeneity(
        foremost(names),
        phases,
        [row for row in rows if row.phase in beside],
        [Whole(*pair) for pair in zip(full, classified, strict=True)],
        [(row.metric, row.missing) for row in full if row.missing],
    )


def curves(analysis: Analysis) -> dict[str, dict[str, list[Any]]]:
    """The foremost metrics that were compared: metric -> column -> values by k."""
    return {name: analysis.against_k[name] for name in foremost(list(analysis.against_k))}


def lie_apart(values: Sequence[float]) -> bool:
    """Whether positive values lie so far apart that only their magnitudes can be shown."""
    positive = [value for value in values if value > 0]
    return bool(positive) and max(positive) > 30 * min(positive)
