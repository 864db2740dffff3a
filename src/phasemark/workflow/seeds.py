"""Estimates over several seeds of clustering and choice, where the full run is known."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from phasemark.errors import DataError, UsageError
from phasemark.estimates import PointOptions, choose, estimate, full_value
from phasemark.model import Metrics, Profile
from phasemark.progress import Progress
from phasemark.store.folder import Folder
from phasemark.workflow.estimation import whole_run
from phasemark.workflow.phases import PhaseOptions
from phasemark.workflow.reading import read
from phasemark.workflow.result import Result
from phasemark.workflow.stability import phases_of, require_several

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True, repr=False)
class OverSeeds(Result):
    """Estimates from several seeds of clustering and choice.

    Attributes:
        values: metric -> one estimate a seed.
        covered: metric -> share of the seeds whose interval covers the full run's value.
    """

    values: dict[str, list[float]]
    covered: dict[str, float]

    def frame(self) -> pd.DataFrame:
        """One row a seed, one column a metric."""
        import pandas as pd

        return pd.DataFrame(self.values)


def estimate_over_seeds(
    folder: Folder, seeds: int, progress: Progress | None = None, estimator: str = "weights"
) -> OverSeeds:
    """Find phases and points anew with each seed, and estimate from the full run's metrics.

    Phases and points are found with the options that run.json tells of; the files stay as they are.

    Args:
        folder: with profile.h5 and a metrics.csv that covers every interval.
        seeds: how many, at least 2, from the recorded seed on.
        progress: told how many seeds are done, of how many.
        estimator: see estimates.estimate.

    Raises:
        DataError: the full run's metrics are not there.
        UsageError: fewer than 2 seeds, or points that another tool chose.
    """
    require_several(seeds)
    if "files" in folder.entry_of("points"):
        raise UsageError(
            "these points were chosen elsewhere: with other seeds there would be no others",
            hint="pick points with `phasemark points`, or leave out --seeds",
        )
    profile, metrics, (phase_options, point_options) = folder.steady(lambda: _read(folder))
    if metrics is None:
        raise DataError(
            "does not hold the metrics of every interval",
            path=folder.metrics,
            hint="run `phasemark simulate --full` first: other seeds choose other points",
        )
    values: dict[str, list[float]] = {}
    covered: dict[str, list[bool]] = {}
    for done in range(seeds):
        of_phases = phase_options.with_seed(phase_options.seed + done)
        of_points = dataclasses.replace(point_options, seed=point_options.seed + done)
        fitted = phases_of(profile, of_phases, metrics)
        phases = fitted.phases
        points = choose(profile, phases, of_points, signatures=fitted.signatures).points
        estimated = estimate(
            points, metrics, estimator=estimator, intervals=profile.interval_table, phases=phases
        )
        for name, value in estimated.value.items():
            values.setdefault(name, []).append(value)
            covered.setdefault(name, []).append(estimated.covers(name, full_value(metrics, name)))
        if progress:
            progress(done + 1, seeds)
    return OverSeeds(values, {name: float(np.mean(hits)) for name, hits in covered.items()})


def _read(folder: Folder) -> tuple[Profile, Metrics | None, tuple[PhaseOptions, PointOptions]]:
    profile = read(folder.path)
    return profile, whole_run(folder, profile.interval_table), _recorded(folder)


def _recorded(folder: Folder) -> tuple[PhaseOptions, PointOptions]:
    """The options phases and points were found with."""
    return PhaseOptions.of_entry(folder.entry_of("phases")), folder.options_of("points", PointOptions)
