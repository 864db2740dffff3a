"""From a folder with points and their metrics to estimates, and how they are shown."""

from __future__ import annotations

import dataclasses
import json
import math
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from phasemark import estimates
from phasemark.cli import printing
from phasemark.cli.steps import PhaseOptions
from phasemark.errors import DataError, UsageError
from phasemark.estimates import PointOptions
from phasemark.model import Estimate, Intervals, Metrics, Points
from phasemark.progress import Progress
from phasemark.store.folder import Folder


@dataclass(frozen=True)
class Found:
    """The estimates of a run.

    Attributes:
        estimate: of the whole run.
        full: metric -> its value in the full run, where every interval was measured.
        points: on which the estimate rests.
        source: what measured them.
    """

    estimate: Estimate
    full: dict[str, float]
    points: Points
    source: str

    def error(self, metric: str) -> float | None:
        """The estimate's relative error; None where the full run is not known."""
        full = self.full.get(metric)
        return None if not full else self.estimate.value[metric] / full - 1

    def held(self, metric: str) -> bool | None:
        """Whether the interval holds the full run's value; None where that is not known."""
        full = self.full.get(metric)
        return None if full is None else self.estimate.covers(metric, full)


@dataclass(frozen=True)
class OverSeeds:
    """Estimates from several seeds of clustering and choice.

    Attributes:
        values: metric -> one estimate a seed.
        held: metric -> share of the seeds whose interval holds the full run's value.
    """

    values: dict[str, list[float]]
    held: dict[str, float]


def estimate_run(folder: Folder, results: Sequence[Path] = (), confidence: float = 0.95) -> Found:
    """Estimate the metrics of a run from its points; write estimate.csv.

    Args:
        folder: with points.csv, and profile.h5 where metrics.csv is there.
        results: of the points, of any simulator; none: point-metrics.csv, else metrics.csv.
        confidence: of the intervals.

    Raises:
        DataError: there are no points or no metrics, or they do not fit together.
        UsageError: a confidence that makes no sense.
        WorkError: the file cannot be written.
    """
    from phasemark.store import estimate_csv, points_csv

    if not folder.points.exists():
        raise DataError("there is no such file", path=folder.points, hint="run `phasemark points` first")
    points = points_csv.read(folder.points)
    paths = list(results) or [_measured(folder)]
    path = paths[0]
    metrics = _read(paths, points)
    if len(metrics) == 1 and metrics.length[0] > (points.end - points.start).max():
        raise DataError(
            "holds the whole run as one, and nothing of its points",
            path=path,
            hint="run `phasemark simulate`, or `phasemark import --metrics` of the points, first",
        )
    try:
        found = estimates.estimate(points, metrics, confidence=confidence)
    except DataError as error:
        raise error.at(path) from error
    unlike = _unlike(folder) if path == folder.point_metrics else ()
    found = dataclasses.replace(found, notes=(*found.notes, *unlike))
    full = {} if unlike else _full(folder, found)
    folder.discard_from("estimate")
    estimate_csv.write(
        folder.estimate, found, full=full, made_by={"command": "estimate", "source": path.name}
    )
    folder.record("estimate", {"metrics": path.name, "confidence": confidence, "notes": list(found.notes)})
    return Found(found, full, points, metrics.source)


def over_seeds(folder: Folder, seeds: int, progress: Progress | None = None) -> OverSeeds:
    """Find phases and points anew with each seed, and estimate from the full run's metrics.

    Phases and points are found with the options that run.json tells of; the files stay as they are.

    Args:
        folder: with profile.h5 and a metrics.csv that covers every interval.
        seeds: how many, at least 2, from the recorded seed on.
        progress: told how many seeds are done, of how many.

    Raises:
        DataError: the full run's metrics are not there.
        UsageError: fewer than 2 seeds.
    """
    from phasemark import signatures
    from phasemark.estimates import choose
    from phasemark.workflow.reading import read

    if seeds < 2:
        raise UsageError(f"{seeds} seeds", hint="compare at least 2")
    profile = read(folder.path)
    metrics = _whole(folder, profile.interval_table)
    if metrics is None:
        raise DataError(
            "does not hold the metrics of every interval",
            path=folder.metrics,
            hint="run `phasemark simulate --full` first: other seeds choose other points",
        )
    phase_options, point_options = _recorded(folder)
    values: dict[str, list[float]] = {}
    held: dict[str, list[bool]] = {}
    for done in range(seeds):
        of_phases = dataclasses.replace(phase_options, seed=phase_options.seed + done)
        of_points = dataclasses.replace(point_options, seed=point_options.seed + done)
        projected = signatures.project(profile, of_phases.dims, of_phases.seed)
        phases = of_phases.model().fit(projected).phases_
        found = estimates.estimate(choose(profile.interval_table, phases, of_points).points, metrics)
        for name, value in found.value.items():
            values.setdefault(name, []).append(value)
            held.setdefault(name, []).append(found.covers(name, estimates.full_value(metrics, name)))
        if progress:
            progress(done + 1, seeds)
    return OverSeeds(values, {name: float(np.mean(hits)) for name, hits in held.items()})


def _measured(folder: Folder) -> Path:
    for path in (folder.point_metrics, folder.metrics):
        if path.exists():
            return path
    raise DataError(
        "there is no such file",
        path=folder.point_metrics,
        hint="run `phasemark simulate` first, or give results with --metrics",
    )


def _read(paths: Sequence[Path], points: Points) -> Metrics:
    """Metrics in phasemark's own table, or results of the points in any known form."""
    from phasemark.formats import recogniser
    from phasemark.formats.metrics import measurements, placing
    from phasemark.store import metrics_csv

    first = paths[0]
    if len(paths) == 1 and measurements.recognise(first) is recogniser.METRICS:
        return metrics_csv.read(first)
    readings = measurements.read(paths)
    try:
        return placing.of_points(readings, points)
    except DataError as error:
        raise error.at(first) from error


def _unlike(folder: Folder) -> tuple[str, ...]:
    """What to note where points and the whole run were simulated on different machines."""
    steps = folder.steps() if folder["run.json"].exists() else {}
    of_points, of_run = (steps.get(step, {}).get("configuration") for step in ("simulation", "metrics"))
    if not of_points or not of_run or of_points.get("digest") == of_run.get("digest"):
        return ()
    return (
        f"not compared with the whole run: that was simulated on {of_run.get('name')} "
        f"({of_run.get('digest')}), the points on {of_points.get('name')} ({of_points.get('digest')})",
    )


def _full(folder: Folder, found: Estimate) -> dict[str, float]:
    """The full run's values, of metrics that every interval, or the run in one, was measured for."""
    from phasemark.workflow.reading import read_intervals

    if not folder.metrics.exists() or not folder.profile.exists():
        return {}
    intervals = read_intervals(folder.path)
    metrics = _whole(folder, intervals) or _in_one(folder, int(intervals.length.sum()))
    if metrics is None:
        return {}
    values = {}
    for name in found.value:
        try:
            values[name] = estimates.full_value(metrics, name)
        except DataError:
            continue  # measured at the points, not in the full run
    return {name: value for name, value in values.items() if not math.isnan(value)}


def _whole(folder: Folder, intervals: Intervals) -> Metrics | None:
    """metrics.csv, if it has a row for every interval that has instructions.

    Raises:
        DataError: it is damaged, or of another run.
    """
    from phasemark.quality.measured import rows_of
    from phasemark.store import metrics_csv

    if not folder.metrics.exists():
        return None
    metrics = metrics_csv.read(folder.metrics)
    filled = intervals.length > 0
    rows = metrics.rows(intervals.run[filled], intervals.thread[filled], intervals.index[filled])
    if (rows < 0).any():
        return None
    try:
        rows_of(metrics, intervals)
    except DataError as error:
        if len(metrics) == 1:
            return None  # the whole run in one, and of as many instructions as its tool counted
        raise error.at(folder.metrics) from error
    return metrics


def _in_one(folder: Folder, instructions: int) -> Metrics | None:
    """metrics.csv, if its only row is the whole run, as another simulator gives it."""
    from phasemark.store import metrics_csv

    metrics = metrics_csv.read(folder.metrics)
    return metrics if len(metrics) == 1 and metrics.length[0] >= instructions else None


def _recorded(folder: Folder) -> tuple[PhaseOptions, PointOptions]:
    """The options phases and points were found with."""
    steps = folder.steps() if folder["run.json"].exists() else {}
    phases, points = steps.get("phases", {}), steps.get("points", {})
    return (
        PhaseOptions(**{name: phases[name] for name in vars(PhaseOptions()) if name in phases}),
        PointOptions(**{name: points[name] for name in vars(PointOptions()) if name in points}),
    )


def show(found: Found, spread: OverSeeds | None, *, quiet: bool, as_json: bool) -> None:
    """Print estimates: as JSON, as a table, or not at all."""
    if as_json:
        print(json.dumps(summary(found, spread)))
    elif not quiet:
        print("\n".join(lines(found, spread)))


def summary(found: Found, spread: OverSeeds | None = None) -> dict[str, Any]:
    """The estimates in one JSON object; what is not known or not bounded is null."""
    estimate = found.estimate
    rows: dict[str, dict[str, Any]] = {}
    for name in estimate.value:
        rows[name] = {
            "value": printing.finite(estimate.value[name]),
            "standard_error": printing.finite(estimate.standard_error[name]),
            "interval": [printing.finite(end) for end in estimate.interval[name]],
            "degrees_of_freedom": printing.finite(estimate.degrees_of_freedom[name]),
            "coverage": estimate.coverage[name],
            "missing": [int(found.points.interval[row]) for row in estimate.missing[name]],
            "full": found.full.get(name),
            "error": found.error(name),
            "holds": found.held(name),
        }
        if spread is not None and name in spread.values:
            rows[name]["seeds"] = {"values": spread.values[name], "held": spread.held[name]}
    return {
        "confidence": estimate.confidence,
        "points": len(found.points),
        "method": found.points.method,
        "source": found.source,
        "metrics": rows,
        "notes": list(estimate.notes),
    }


def lines(found: Found, spread: OverSeeds | None = None) -> list[str]:
    """The estimates as a table, and what is to be noted."""
    estimate = found.estimate
    rows = [_row(found, name) for name in estimate.value]
    columns = ["metric", "estimate", f"{estimate.confidence:.0%} interval", "+-"]
    if found.full:
        columns += ["full run", "error", "holds it"]
    table = [columns, *([row[name] for name in columns] for row in rows)]
    widths = [max(map(len, column)) for column in zip(*table, strict=True)]
    out = [f"{len(found.points)} points, method {found.points.method}", ""]
    for cells in table:
        first, *others = (f"{text:>{width}}" for text, width in zip(cells, widths, strict=True))
        out.append("  ".join([f"{cells[0]:<{len(first)}}", *others]).rstrip())
    out += [f"note: {note}" for note in estimate.notes]
    if spread is not None:
        out += ["", *_seed_lines(spread, found)]
    return out


def _row(found: Found, name: str) -> dict[str, str]:
    estimate = found.estimate
    low, high = estimate.interval[name]
    half, error, held = estimate.relative_half_width(name), found.error(name), found.held(name)
    return {
        "metric": name,
        "estimate": f"{estimate.value[name]:.4g}",
        f"{estimate.confidence:.0%} interval": f"{low:.4g} to {high:.4g}",
        "+-": f"{half:.1%}" if math.isfinite(half) else "not bounded",
        "full run": f"{found.full[name]:.4g}" if name in found.full else "",
        "error": "" if error is None else printing.error(error),
        "holds it": "" if held is None else ("yes" if held else "no"),
    }


def _seed_lines(spread: OverSeeds, found: Found) -> list[str]:
    out = []
    for name, values in spread.values.items():
        mean, deviation = float(np.mean(values)), float(np.std(values, ddof=1))
        relative = f" ({deviation / mean:.1%})" if mean else ""
        out.append(
            f"{name} over {len(values)} seeds: mean {mean:.4g}, deviation {deviation:.2g}{relative}, from "
            f"{min(values):.4g} to {max(values):.4g}; the interval held the full run's value in "
            f"{spread.held[name]:.0%}"
        )
    return out
