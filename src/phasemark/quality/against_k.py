"""Homogeneity against the number of phases: the intervals are clustered anew for every k."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from phasemark.errors import DataError, UsageError
from phasemark.model import Counts, Intervals, Metrics, Phases, Signatures
from phasemark.phases import recorded, sequences
from phasemark.progress import Progress
from phasemark.quality.confidence import cim
from phasemark.quality.homogeneity import cov, deviation_reduction
from phasemark.quality.measured import Measured, measured

#: The k that are compared; 1 is the whole run as one phase.
KS = tuple(range(1, 21))


@dataclass(frozen=True)
class OfK:
    """A metric's homogeneity with k phases: CoV_wa (a share), CIM (percent), deviation reduction."""

    metric: str
    k: int
    cov: float
    cim: float
    deviation_reduction: float


def against_k(
    metrics: Metrics,
    intervals: Intervals,
    data: Signatures | Counts,
    found: Phases,
    names: Sequence[str],
    *,
    ks: Sequence[int] = KS,
    n: float = 100,
    confidence: float = 0.95,
    progress: Progress | None = None,
) -> list[OfK]:
    """Cluster for every k, with the parameters the phases were found with, and measure every metric.

    Args:
        metrics, intervals: of one run.
        data: what the model of its phases takes: see `phases.data_for`.
        found: its phases, which tell model, seed and parameters.
        names: of the metrics, see `measured`.
        ks: numbers of phases; those beyond the number of different vectors are left out.
        n, confidence: see `cim`.
        progress: told how many k are done, of how many.

    Returns:
        One entry for each metric and k, by metric.

    Raises:
        DataError: a metric was not measured, or the phases cannot be found again for another k.
    """
    model = recorded(found)
    of = [measured(metrics, intervals, name) for name in names]
    try:
        by_k = model.phases_by_k(ks, data, sequences=sequences(intervals), progress=progress)
    except UsageError as error:
        raise DataError(error.message, hint=error.hint) from error
    labels = {k: phases.labels for k, phases in by_k.items()}
    return [_of_k(one, k, labels[k], n, confidence) for one in of for k in labels]


def _of_k(one: Measured, k: int, labels: NDArray[np.int32], n: float, confidence: float) -> OfK:
    return OfK(
        one.name,
        k,
        cov(one.values, labels, one.weights).total,
        cim(one.values, labels, n, confidence).percent,
        deviation_reduction(one.values, labels, one.weights),
    )
