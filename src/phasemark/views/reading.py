"""Reading: an analysed run from its folder."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Protocol

from phasemark.errors import DataError, UsageError
from phasemark.model import Metrics, Points, Profile
from phasemark.store import (
    hierarchy_h5,
    metrics_csv,
    missing,
    phases_store,
    points_csv,
    profile_h5,
    quality_csv,
    tables,
)
from phasemark.store.folder import Folder
from phasemark.views import compared, estimates
from phasemark.views.analysis import Analysis
from phasemark.views.fixed import Fixed
from phasemark.views.forecast import forecast_of


class OfFolder(Protocol):
    """What belongs to a run's folder and says which: a `workflow.Run`, a `store.folder.Folder`."""

    @property
    def path(self) -> Path:
        """The folder."""


#: What can be drawn: the values, or where they are.
Analysed = Analysis | OfFolder | str | Path


def as_analysis(run: Analysed) -> Analysis:
    """The values of an analysed run, read if they are not at hand.

    Args:
        run: an Analysis, which is returned as it is, or what `read` takes.

    Raises:
        UsageError, DataError: see `read`.
    """
    return run if isinstance(run, Analysis) else read(run)


def read(run: OfFolder | str | Path, *, without_points: bool = False) -> Analysis:
    """Read an analysed run.

    Args:
        run: its folder, which holds profile.h5, model.h5 and points.csv; or what has such a `path`.
        without_points: where they were not picked yet, the run has none.

    Raises:
        UsageError: it is no path and has none.
        DataError: a file is missing (the hint names the command that makes it) or breaks an invariant.
    """
    files = folder(run)
    return files.steady(lambda: _read(files, without_points))


def _read(files: Folder, without_points: bool) -> Analysis:
    path = files.path
    if not files.path.is_dir():
        raise missing.no_folder(path)
    _need(files.profile, missing.RECORD)
    _need(files.model, "run `phasemark phases DIR` first")
    if not without_points:
        _need(files.points, "run `phasemark points DIR` first")
    profile = profile_h5.read(files.profile)
    signatures, phases = phases_store.read_model(files.model)
    try:
        return Analysis(
            profile,
            signatures,
            phases,
            points_csv.read(files.points).without_guards() if files.points.exists() else Points.none(),
            _metrics(files, profile),
            quality_csv.read_against_k(files.quality_k) if files.quality_k.exists() else {},
            estimates.read(files.estimate) if files.estimate.exists() else (),
            quality_csv.sample(files.quality) if files.quality.exists() else 100,
            metrics_csv.read(files.point_metrics) if files.point_metrics.exists() else None,
            _confidence(files.estimate),
            str(files.entry_of("profile").get("began", "")),
            files.analysed,
            hierarchy_h5.read(files.hierarchy).hierarchy if files.hierarchy.exists() else None,
            _fixed(files),
            compared.read(files.models, files.models_points) if files.models.exists() else None,
            phases_store.read_model(files.tracked)[1] if files.tracked.exists() else None,
            forecast_of(files),
        )
    except DataError as error:
        raise error if error.path else error.at(path) from error


def folder(run: OfFolder | str | Path) -> Folder:
    """The folder of a run.

    Raises:
        UsageError: it is no path and has none.
    """
    path: object = getattr(run, "path", run)
    if not isinstance(path, str | os.PathLike):
        raise UsageError(
            f"{type(run).__name__} is no analysed run",
            hint="give a run's folder, or an Analysis of profile, signatures, phases and points",
        )
    return Folder(Path(path))


def _fixed(files: Folder) -> Fixed | None:
    """The run in intervals of fixed length, where its own have others; its profile is read when asked for."""
    if not files.fixed.exists():
        return None
    metrics = metrics_csv.read(files.fixed_metrics) if files.fixed_metrics.exists() else None
    return Fixed(lambda: profile_h5.read(files.fixed), metrics if metrics and len(metrics) > 1 else None)


def _metrics(files: Folder, profile: Profile) -> Metrics | None:
    """metrics.csv; None where it holds the whole run as one row."""
    if not files.metrics.exists():
        return None
    metrics = metrics_csv.read(files.metrics)
    return metrics if len(metrics) > 1 or len(profile.interval_table) == 1 else None


def _confidence(path: Path) -> float | None:
    """As the comment of estimate.csv says."""
    try:
        return float(tables.comment(path)["confidence"]) if path.exists() else None
    except (KeyError, ValueError):
        return None


def _need(path: Path, hint: str) -> None:
    if not path.exists():
        raise missing.no_file(path, hint)
