"""Run: an analysed run, which figures and reports show."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from phasemark.errors import DataError
from phasemark.model import Metrics, Phases, Points, Profile, Signatures
from phasemark.quality.measured import Measured, measured, names, rows_of
from phasemark.store import metrics_csv, phases_store, points_csv, profile_h5, quality_csv, tables
from phasemark.store.folder import Folder


@dataclass(frozen=True)
class Estimated:
    """A metric of the whole run, as estimate.csv says.

    Attributes:
        metric, value: which, and its estimate.
        low, high: its confidence interval; high is infinite where the points do not bound it.
        full: the full run's value; NaN where it is not known.
        missing: points that were not measured.
    """

    metric: str
    value: float
    low: float
    high: float
    full: float
    missing: int


@dataclass(frozen=True, eq=False)
class Run:
    """The values of one run's folder, which belong together.

    Attributes:
        profile: intervals x blocks.
        signatures, phases: one row an interval of the profile.
        points: the simulation points.
        metrics: of the intervals; None where they were not measured one by one.
        against_k: quality-k.csv: metric -> column -> values by k.
        estimates: the rows of estimate.csv.
        sample: intervals that CIM's sample measures, as `phasemark quality` was told.

    Raises:
        DataError: the phases, the points or the metrics are of another profile.
    """

    profile: Profile
    signatures: Signatures
    phases: Phases
    points: Points
    metrics: Metrics | None = None
    against_k: dict[str, dict[str, list[Any]]] = field(default_factory=dict)
    estimates: tuple[Estimated, ...] = ()
    sample: float = 100

    def __post_init__(self) -> None:
        n = len(self.profile.interval_table)
        for what, value in (("signatures", self.signatures), ("phases", self.phases)):
            if len(value) != n:
                raise DataError(
                    f"the {what} are of {len(value)} intervals, but the profile has {n}",
                    hint="run `phasemark phases` again",
                )
        last = int(self.points.phase.max(initial=-1))
        if last >= self.phases.k:
            raise DataError(
                f"a point stands for phase {last}, but there are {self.phases.k} phases",
                hint="run `phasemark points` again",
            )
        if self.metrics is not None:
            rows_of(self.metrics, self.profile.interval_table)

    def measured(self) -> list[Measured]:
        """Every ratio (or, where there is none, every counter) of every interval."""
        if self.metrics is None:
            return []
        intervals = self.profile.interval_table
        return [measured(self.metrics, intervals, name) for name in names(self.metrics)]

    @property
    def shares(self) -> NDArray[np.float64]:
        """Each phase's share of the instructions: k doubles that sum to 1."""
        return self.phases.shares(self.signatures.weights)

    @property
    def name(self) -> str:
        """What a title calls it: the program's name, else the recording tool's."""
        command = self.profile.provenance.command
        return Path(command[0]).name if command else f"a profile by {self.profile.provenance.tool}"


def read(folder: str | Path) -> Run:
    """Read an analysed run.

    Args:
        folder: holds profile.h5, model.h5 and points.csv.

    Raises:
        DataError: one is missing (the hint names the command that makes it) or breaks an invariant.
    """
    files = Folder(folder)
    if not files.path.is_dir():
        raise DataError("there is no such folder", path=folder, hint="name the folder of a run")
    _need(files.profile, "phasemark profile` or `phasemark import")
    _need(files.model, f"phasemark phases {folder}")
    _need(files.points, f"phasemark points {folder}")
    profile = profile_h5.read(files.profile)
    signatures, phases = phases_store.read_model(files.model)
    try:
        return Run(
            profile,
            signatures,
            phases,
            points_csv.read(files.points),
            _metrics(files, profile),
            quality_csv.read_against_k(files.quality_k) if files.quality_k.exists() else {},
            tuple(_estimates(files.estimate)) if files.estimate.exists() else (),
            quality_csv.sample(files.quality) if files.quality.exists() else 100,
        )
    except DataError as error:
        raise error if error.path else error.at(folder) from error


def _metrics(files: Folder, profile: Profile) -> Metrics | None:
    """metrics.csv; None where it holds the whole run as one row."""
    if not files.metrics.exists():
        return None
    metrics = metrics_csv.read(files.metrics)
    return metrics if len(metrics) > 1 or len(profile.interval_table) == 1 else None


def _estimates(path: Path) -> Iterator[Estimated]:
    numbers = ("value", "low", "high", "full")
    columns = tables.read(path, {"metric": str, **dict.fromkeys(numbers, tables.Optional), "missing": int})
    for row, metric in enumerate(columns["metric"]):
        value, low, high, full = (float(columns[name][row]) for name in numbers)
        yield Estimated(metric, value, low, high, full, columns["missing"][row])


def _need(path: Path, command: str) -> None:
    if not path.exists():
        raise DataError("there is no such file", path=path, hint=f"run `{command}` first")
