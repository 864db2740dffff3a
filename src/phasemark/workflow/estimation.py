"""Points and their metrics -> estimates of the whole run, in a run's folder."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from phasemark.errors import DataError, counted
from phasemark.estimates import ThreadEstimate, estimate, full_value, interval_error, reconstruct
from phasemark.estimates.states import check_estimator
from phasemark.model import AnalysedProcess, Estimate, Intervals, Metrics, Points, shares
from phasemark.model.points import WHOLE_RUN
from phasemark.quality.measured import measured, rows_of
from phasemark.store import estimate_csv, metrics_csv
from phasemark.store.folder import Folder
from phasemark.store.missing import no_file
from phasemark.views.forecast import Forecast, forecast_of
from phasemark.workflow.alone import alone
from phasemark.workflow.machines import Machine, doubtful, machine_of, unlike
from phasemark.workflow.phases import read_phases
from phasemark.workflow.points import read_points
from phasemark.workflow.reading import NEGLIGIBLE, read_intervals
from phasemark.workflow.result import Result
from phasemark.workflow.thread_estimates import full_of_threads, of_threads
from phasemark.workflow.warmed import Measured, results_of, warmed_of

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True, repr=False)
class EstimateResult(Result):
    """The estimates of a run.

    Attributes:
        estimate: of the whole run.
        full: metric -> its value in the full run, where that was measured.
        points: on which the estimate rests.
        source: what measured them.
        discarded: what became of files that were made from earlier estimates, one phrase each.
        forecast: what was to be expected of CPI's error bar when the points were picked; None: nothing was.
        process: that the run is of, among several; None of a single one, or where it is not known.
        interval_error: metric -> how far single intervals are off on average, where every interval was
            measured and points stand for phases: E_I, a share. By the estimator; of weights by EPM1.
        estimator: weights, epm1 or epm2.
        threads: of a run of several threads, or of several runs, what the points say of each thread; empty
            where points do not stand for phases.
        full_of_threads: of each of these, metric -> its value in the full run, where that was measured.
    """

    estimate: Estimate
    full: dict[str, float]
    points: Points
    source: str
    discarded: tuple[str, ...] = ()
    forecast: Forecast | None = None
    process: AnalysedProcess | None = None
    interval_error: dict[str, float] = field(default_factory=dict)
    estimator: str = "weights"
    threads: tuple[ThreadEstimate, ...] = ()
    full_of_threads: tuple[Mapping[str, float], ...] = ()

    @property
    def notes(self) -> tuple[str, ...]:
        """What the user should know, one sentence each."""
        return self.estimate.notes

    def error(self, metric: str) -> float | None:
        """The estimate's relative error; None where it is not known, or not defined."""
        full = self.full.get(metric)
        error = self.estimate.value[metric] / full - 1 if full else math.nan
        return error if math.isfinite(error) else None

    def covered(self, metric: str) -> bool | None:
        """Whether the interval covers the full run's value; None where one of them is not known."""
        full = self.full.get(metric)
        if full is None or self.estimate.interval[metric] == (0.0, math.inf):
            return None
        return self.estimate.covers(metric, full)

    def summary(self) -> str:
        """The table that `phasemark estimate` prints: some 70 characters wide, 100 beside a full run."""
        from phasemark.views import estimate_table

        return "\n".join(estimate_table.lines(self.estimate, self.full, len(self.points)))

    def frame(self) -> pd.DataFrame:
        """One row a metric: the estimate's columns; then `full`, `error`, `covered` where they are known."""
        frame = self.estimate.frame()
        if self.full:
            metrics = list(self.estimate.value)
            frame["full"] = [self.full.get(metric, math.nan) for metric in metrics]
            frame["error"] = [math.nan if (e := self.error(metric)) is None else e for metric in metrics]
            frame["covered"] = [self.covered(metric) for metric in metrics]
        return frame


@alone("estimate")
def estimate_run(
    folder: Folder,
    results: Sequence[Path] = (),
    confidence: float = 0.95,
    *,
    estimator: str = "weights",
    warmed: Sequence[Path] = (),
    command: str = "estimate",
) -> EstimateResult:
    """Estimate the metrics of a run from its points; write estimate.csv.

    Args:
        folder: with points.csv, and profile.h5 where metrics.csv is there.
        results: of the points, of any simulator; none: point-metrics.csv, else metrics.csv.
        confidence: of the intervals.
        estimator: weights, epm1 or epm2, see estimates.estimate; the last two need profile.h5 and model.h5.
        warmed: results of the points whose warm-up is checked, with the longer one; none: of the folder's own
            points warmup-metrics.csv, where it is there.
        command: that asked for it, to be noted with the files.

    Raises:
        DataError: there are no points or no metrics, or they do not fit together.
        UsageError: a confidence that makes no sense.
        WorkError: the file cannot be written.
    """
    check_estimator(estimator)
    points = read_points(folder)
    of_run: dict[str, Any] = {}
    if estimator != "weights":
        of_run = {"intervals": read_intervals(folder.path), "phases": read_phases(folder)[1]}
    paths = list(results) or [_measured(folder)]
    path = paths[0]
    metrics = results_of(paths, points)
    if len(metrics) == 1 and metrics.length[0] > (points.end - points.start).max():
        raise DataError(
            "holds the whole run as one, and nothing of its points",
            path=path,
            hint="run `phasemark simulate`, or `phasemark import --metrics` of the points, first",
        )
    longer = warmed_of(folder, points, Measured(path, metrics), warmed, given=bool(results))
    of_run["warmed"] = longer.metrics
    try:
        estimated = estimate(points, metrics, confidence=confidence, estimator=estimator, **of_run)
    except DataError as error:
        raise error.at(path) from error
    estimated = dataclasses.replace(estimated, notes=(*estimated.notes, *longer.notes))
    _require_some(estimated, points, path)
    full, notes = _full(folder, estimated, points, machine_of(folder, path, metrics))
    notes = (*notes, *_of_another_run(folder, path))
    estimated = dataclasses.replace(estimated, notes=(*estimated.notes, *notes))
    made_by = {"command": command, "source": path.name}
    entry: dict[str, Any] = {"metrics": path.name, "confidence": confidence}
    if estimator != "weights":
        made_by["estimator"] = entry["estimator"] = estimator
    entry["notes"] = list(estimated.notes)
    with folder.change("estimate") as new:
        new.discard_from("estimate")
        estimate_csv.write(new.estimate, estimated, full=full, made_by=made_by)
        new.record("estimate", entry if command == "estimate" else {"command": command, **entry})
    discarded, forecast = tuple(new.discarded), forecast_of(folder)
    off = _interval_errors(folder, points, metrics, full, estimator)
    threads = of_threads(folder, points, metrics, confidence)
    return EstimateResult(
        estimated,
        full,
        points,
        metrics.source,
        discarded,
        forecast,
        folder.analysed,
        off,
        estimator,
        threads,
        full_of_threads(folder, threads, full),
    )


def _interval_errors(
    folder: Folder, points: Points, metrics: Metrics, full: dict[str, float], estimator: str
) -> dict[str, float]:
    """E_I of each metric of the full run, where it is known of every interval, and points are of phases."""
    if not full or not folder.model.exists() or points.method in WHOLE_RUN:
        return {}
    phases, intervals = read_phases(folder)[1], read_intervals(folder.path)
    whole = whole_run(folder, intervals, NEGLIGIBLE)
    if whole is None or len(phases) != len(intervals):
        return {}
    by = "epm1" if estimator == "weights" else estimator
    off = {}
    for name in full:
        try:
            each = reconstruct(points, metrics, intervals, phases, name, estimator=by)
        except DataError:
            return {}  # points that were chosen elsewhere, among other phases
        true = measured(whole, intervals, name).values
        there = np.isfinite(true) & np.isfinite(each)
        error = interval_error(true[there], each[there])
        if math.isfinite(error):
            off[name] = error
    return off


def _require_some(estimated: Estimate, points: Points, path: Path) -> None:
    """See that a point was measured.

    Raises:
        DataError: none was.
    """
    if all(len(missing) == len(points) for missing in estimated.missing.values()):
        raise DataError(
            f"none of the {counted(len(points), 'point')} was measured",
            path=path,
            hint="run `phasemark simulate`, or import metrics of these very points",
        )


def whole_run(folder: Folder, intervals: Intervals, missing: float = 0.0) -> Metrics | None:
    """metrics.csv, if it has a row for every interval that has instructions.

    Args:
        folder: a run's.
        intervals: of the run.
        missing: share of the instructions that may lack.

    Raises:
        DataError: it is damaged, or of another run.
    """
    if not folder.metrics.exists():
        return None
    metrics = metrics_csv.read(folder.metrics)
    rows = metrics.rows(intervals.run, intervals.thread, intervals.index)
    if intervals.length[rows < 0].sum() > missing * intervals.length.sum():
        return None
    try:
        rows_of(metrics, intervals)
    except DataError as error:
        if len(metrics) == 1:
            return None  # the whole run in one, and of as many instructions as its tool counted
        raise error.at(folder.metrics) from error
    return metrics


def _measured(folder: Folder) -> Path:
    for path in (folder.point_metrics, folder.metrics):
        if path.exists():
            return path
    hint = "run `phasemark simulate DIR` first, or give results with --metrics"
    raise no_file(folder.point_metrics, hint)


def _full(
    folder: Folder, estimated: Estimate, points: Points, of_points: Machine
) -> tuple[dict[str, float], tuple[str, ...]]:
    """The full run's values, of metrics that were measured for its intervals, or for it in one; and notes.

    What another machine measured than the points is not compared with them.
    """
    if not folder.metrics.exists():
        return {}, ()
    intervals = read_intervals(folder.path) if folder.profile.exists() else None
    if intervals is None:
        metrics = _in_one(folder, int(points.end.max(initial=0)))
    else:
        metrics = whole_run(folder, intervals, NEGLIGIBLE) or _in_one(folder, int(intervals.length.sum()))
    if metrics is None:
        return {}, ()
    if intervals is not None and (other := _of_another_length(folder, int(intervals.length.sum()))):
        return {}, (other,)
    of_run = machine_of(folder, folder.metrics, metrics)
    if why := unlike(of_points, of_run):
        return {}, (why,)
    values = {}
    for name in estimated.value:
        try:
            values[name] = full_value(metrics, name)
        except DataError:
            continue  # measured at the points, not in the full run
    known = {name: value for name, value in values.items() if not math.isnan(value)}
    lacking = () if intervals is None else _lacking(metrics, intervals)
    return known, (*filter(None, [doubtful(of_points, of_run)]), *lacking)


def _of_another_run(folder: Folder, path: Path) -> tuple[str, ...]:
    """What was warned of when the folder's points were simulated: that it was another run."""
    if path != folder.point_metrics:
        return ()
    warnings = folder.entry_of("simulation").get("warnings")
    return tuple(map(str, warnings)) if isinstance(warnings, list) else ()


def _of_another_length(folder: Folder, profiled: int) -> str:
    """What to say where the whole run, simulated, did more or less than when it was profiled; else empty."""
    entry = folder.entry_of("metrics")
    simulated = int(entry.get("instructions", profiled))
    if entry.get("command") != "simulate --full" or abs(simulated - profiled) <= NEGLIGIBLE * profiled:
        return ""
    share = shares.written(abs(simulated - profiled) / max(profiled, 1))
    how = "more" if simulated > profiled else "fewer"
    return (
        f"the whole run is not compared: simulated, it had {share} {how} instructions than the profile, and "
        f"{NEGLIGIBLE:.0%} is the most"
    )


def _lacking(metrics: Metrics, intervals: Intervals) -> tuple[str, ...]:
    whole = int(intervals.length.sum())
    missing = whole - int(metrics.length.sum())
    return (f"{missing / whole:.2%} of the full run was not measured",) if missing > 0 else ()


def _in_one(folder: Folder, instructions: int) -> Metrics | None:
    """metrics.csv, if its only row is the whole run, as another simulator gives it."""
    metrics = metrics_csv.read(folder.metrics)
    return metrics if len(metrics) == 1 and metrics.length[0] >= instructions else None
