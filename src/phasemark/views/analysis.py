"""Analysis: an analysed run, which figures and reports show."""

from __future__ import annotations

import html
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from phasemark.errors import DataError, counted
from phasemark.model import (
    AnalysedProcess,
    Counts,
    Estimate,
    Hierarchy,
    Intervals,
    Metrics,
    Phases,
    Points,
    Profile,
    Signatures,
)
from phasemark.quality.against_k import OfK
from phasemark.quality.measured import Measured, measured, names, rows_of
from phasemark.views import estimates, sums
from phasemark.views.compared import Compared
from phasemark.views.estimates import MetricEstimate
from phasemark.views.fixed import Fixed
from phasemark.views.forecast import Forecast
from phasemark.views.summary import Summary, summary


@dataclass(frozen=True, eq=False)
class Analysis:
    """The values of one run, which belong together.

    Attributes:
        profile: intervals x blocks.
        signatures, phases: one row an interval of the profile.
        points: the simulation points.
        metrics: of the intervals; None where they were not measured one by one.
        against_k: quality against the number of phases: metric -> column (k, cov, cim,
            deviation_reduction) -> values by k.
        estimates: of the whole run, one a metric.
        sample: intervals that CIM's sample measures, as `phasemark quality` was told.
        point_metrics: of the points, as they were simulated one by one; None where they were not.
        confidence: of the estimates' intervals; None where that is not known.
        began: when the program was run, as run.json says (ISO 8601); empty where that is not known.
        process: that the profile is of, among several; None of a single one, or where it is not known.
        hierarchy: intervals within intervals, of which the profile's are one cut; None where there is none.
        fixed: the same run in intervals of fixed length, where its own have others; None: it is not there.
        compared: models of phases side by side; None where they were not compared.
        tracked: online phases; None where the run was not tracked.
        forecast: of CPI's error bar, when the points were picked; None: there was none.

    Raises:
        DataError: the phases, the points, the metrics or the hierarchy are of another profile.
    """

    profile: Profile
    signatures: Signatures
    phases: Phases
    points: Points
    metrics: Metrics | None = None
    against_k: dict[str, dict[str, list[Any]]] = field(default_factory=dict)
    estimates: tuple[MetricEstimate, ...] = ()
    sample: float = 100
    point_metrics: Metrics | None = None
    confidence: float | None = None
    began: str = ""
    process: AnalysedProcess | None = None
    hierarchy: Hierarchy | None = None
    fixed: Fixed | None = None
    compared: Compared | None = None
    tracked: Phases | None = None
    forecast: Forecast | None = None

    def __post_init__(self) -> None:
        n = len(self.profile.interval_table)
        for what, value in (("signatures", self.signatures), ("phases", self.phases)):
            if len(value) != n:
                raise DataError(
                    f"the {what} are of {counted(len(value), 'interval')}, but the profile has {n:,}",
                    hint="run `phasemark phases` again",
                )
        last = int(self.points.phase.max(initial=-1))
        if last >= self.phases.k:
            raise DataError(
                f"a point stands for phase {last}, and the run has {counted(self.phases.k, 'phase')}",
                hint="run `phasemark points` again",
            )
        if self.metrics is not None:
            rows_of(self.metrics, self.profile.interval_table)
        if self.hierarchy is not None:
            _require_same_run(self.hierarchy, self.profile.interval_table)

    @classmethod
    def of(
        cls,
        profile: Profile,
        signatures: Signatures,
        phases: Phases,
        points: Points,
        *,
        metrics: Metrics | None = None,
        point_metrics: Metrics | None = None,
        estimate: Estimate | None = None,
        full: Mapping[str, float] | None = None,
        against_k: Sequence[OfK] = (),
        sample: float = 100,
    ) -> Analysis:
        """An analysis of values made in Python, without a folder.

        Args:
            profile, signatures, phases, points: of one run.
            metrics: of its intervals.
            point_metrics: of its points, as they were simulated one by one.
            estimate: of the whole run, from its points.
            full: metric -> its value in the full run, where that is known.
            against_k: what `quality.against_k` returned.
            sample: intervals that CIM's sample measures.

        Raises:
            DataError: the phases, the points or the metrics are of another profile.
        """
        by_metric: dict[str, dict[str, list[Any]]] = {}
        for entry in map(asdict, against_k):
            columns = by_metric.setdefault(entry.pop("metric"), {name: [] for name in entry})
            for name, value in entry.items():
                columns[name].append(value)
        rows = estimates.of(estimate, full) if estimate is not None else ()
        return cls(
            profile,
            signatures,
            phases,
            points,
            metrics,
            by_metric,
            rows,
            sample,
            point_metrics,
            None if estimate is None else estimate.confidence,
        )

    def measured(self) -> list[Measured]:
        """Every ratio (or, where there is none, every counter) of every interval."""
        if self.metrics is None:
            return []
        intervals = self.profile.interval_table
        return [measured(self.metrics, intervals, name) for name in names(self.metrics)]

    @property
    def of_phases(self) -> Counts:
        """Instructions of each phase, phases x blocks."""
        return sums.of_groups(self.profile.vectors, self.phases.labels, self.phases.k)

    @property
    def shares(self) -> NDArray[np.float64]:
        """Each phase's share of the instructions: k doubles that sum to 1."""
        return self.phases.shares(self.signatures.weights)

    @property
    def summary(self) -> Summary:
        """The run in numbers."""
        return summary(self.profile, self.phases, self.points, self.process)

    @property
    def name(self) -> str:
        """What a title calls it: the program's name, else the recording tool's."""
        command = self.profile.provenance.command
        return Path(command[0]).name if command else f"a profile by {self.profile.provenance.tool}"

    def __repr__(self) -> str:
        return f"<Analysis: {self.name}, {self.summary}>"

    def _repr_html_(self) -> str:
        """The same as a table, in a notebook."""
        rows = "".join(f"<tr><th>{what}</th><td>{value}</td></tr>" for what, value in self.summary.words())
        return f"<table><caption>{html.escape(self.name)}</caption>{rows}</table>"


def _require_same_run(hierarchy: Hierarchy, intervals: Intervals) -> None:
    """Whether a hierarchy's threads are those of the intervals, and as long."""
    roots = hierarchy.parent == -1
    trees = _lengths(hierarchy.run[roots], hierarchy.thread[roots], hierarchy.end[roots])
    threads = _lengths(intervals.run, intervals.thread, intervals.start + intervals.length)
    if trees != threads:
        raise DataError(
            "the hierarchy is of another run than the profile", hint="run `phasemark intervals` again"
        )


def _lengths(
    run: NDArray[np.int32], thread: NDArray[np.int32], end: NDArray[np.int64]
) -> dict[tuple[int, int], int]:
    """Where each thread ends."""
    return {(r, t): e for r, t, e in zip(run.tolist(), thread.tolist(), end.tolist(), strict=True)}
