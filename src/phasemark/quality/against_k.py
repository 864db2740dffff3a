"""Homogeneity against the number of phases: the intervals are clustered anew for every k."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import astuple, dataclass, fields
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from phasemark.errors import DataError, UsageError
from phasemark.model import Counts, Signatures, given
from phasemark.model.given import IntervalsLike, MetricsLike, PhasesLike
from phasemark.phases import recorded, sequences
from phasemark.progress import Progress
from phasemark.quality.confidence import cim
from phasemark.quality.homogeneity import cov, deviation_reduction
from phasemark.quality.measured import Measured, measured

if TYPE_CHECKING:
    import pandas as pd

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


class AgainstK(list[OfK]):
    """One metric after another, each by k."""

    def __repr__(self) -> str:
        metrics = dict.fromkeys(one.metric for one in self)
        ks = sorted({one.k for one in self}) or [0]
        return f"<AgainstK: {', '.join(metrics) or 'no metric'} with {ks[0]} to {ks[-1]} phases>"

    def _repr_html_(self) -> str:
        return str(self.frame().to_html(index=False))

    def frame(self) -> pd.DataFrame:
        """A table with the columns of OfK."""
        import pandas as pd

        return pd.DataFrame(list(map(astuple, self)), columns=[field.name for field in fields(OfK)])


def against_k(
    metrics: MetricsLike,
    intervals: IntervalsLike,
    data: Signatures | Counts,
    phases: PhasesLike,
    names: str | Sequence[str],
    *,
    ks: Sequence[int] = KS,
    n: float = 100,
    confidence: float = 0.95,
    progress: Progress | None = None,
) -> AgainstK:
    """Cluster for every k, with the parameters the phases were found with, and measure every metric.

    Args:
        metrics, intervals: of one run; its profile in place of the intervals, and frames, are as good.
        data: what the model of its phases takes: see `phases.data_for`.
        phases: of the run, or the fitted model; they tell model, seed and parameters.
        names: of the metrics, see `measured`.
        ks: numbers of phases; those beyond the number of different vectors are left out.
        n, confidence: see `cim`.
        progress: told how many k are done, of how many.

    Returns:
        One entry for each metric and k, by metric.

    Raises:
        DataError: a metric was not measured, or the phases cannot be found again for another k.
    """
    metrics, intervals, phases = given.metrics(metrics), given.intervals(intervals), given.phases(phases)
    model = recorded(phases)
    values = [measured(metrics, intervals, name) for name in given.names(names)]
    try:
        by_k = model.phases_by_k(ks, data, sequences=sequences(intervals), progress=progress)
    except UsageError as error:
        raise DataError(error.message, hint=error.hint) from error
    labels = {k: of_k.labels for k, of_k in by_k.items()}
    return AgainstK(_of_k(one, k, labels[k], n, confidence) for one in values for k in labels)


def _of_k(one: Measured, k: int, labels: NDArray[np.int32], n: float, confidence: float) -> OfK:
    return OfK(
        one.name,
        k,
        cov(one.values, labels, one.weights).total,
        cim(one.values, labels, n, confidence, weights=one.lengths).percent,
        deviation_reduction(one.values, labels, one.weights),
    )
