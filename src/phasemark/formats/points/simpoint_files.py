"""SimPoint 3.2's result files: simpoints, weights, labels.

    simpoints   `interval cluster`, one line a point
    weights     `weight cluster`, six significant digits
    labels      `cluster distance`, one line an interval

Numbers are written as SimPoint writes them. The clusters of a pair need not be 0 to k-1, and its two
files need not be in one order: lines belong together by their cluster.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from phasemark.errors import DataError, UsageError
from phasemark.formats.points.chosen import POINTS, TOLERANCE
from phasemark.formats.points.fields import number, whole
from phasemark.formats.source import text_lines
from phasemark.model import Intervals, Phases, Points
from phasemark.reading import TABLE, Limit
from phasemark.store.atomic import write_text

__all__ = [
    "SimpointPair",
    "clusters",
    "per_thread",
    "read_labels",
    "read_pair",
    "read_simpoints",
    "read_weights",
    "require_same_clusters",
    "several_per_phase",
    "simpoint_lines",
    "write",
    "write_covered",
    "write_labels",
    "write_simpoints",
    "write_weights",
]

T = TypeVar("T")


def write(
    folder: str | Path, intervals: Intervals | None, phases: Phases | None, points: Points
) -> tuple[Path, ...]:
    """Write `simpoints`, `weights` and, where there are phases, `labels` into a folder.

    SimPoint's files know no threads. A profile of several threads or runs gets three files each:
    `simpoints.t1`, with runs `simpoints.r0.t1`; intervals are numbered within their thread, and weights
    stay shares of the whole, so that they sum to 1 over all files. A thread without a point has labels
    alone.

    Args:
        folder: where to.
        intervals: of the profile that was classified; None: there is none, and the points' threads are all.
        phases: their classification, row by row; None: there is none.
        points: the points chosen.

    Returns:
        The files written.

    Raises:
        WorkError: a file cannot be written.
    """
    written = []
    for suffix, rows, chosen in per_thread(intervals, points):
        names = [Path(folder) / f"{name}{suffix}" for name in ("simpoints", "weights", "labels")]
        if phases is not None:
            write_text(names[2], _labels_text(phases.labels[rows], phases.distances[rows]))
        written += _write_pair(names[0], names[1], points, chosen)
        written += [] if phases is None else [names[2]]
    return tuple(written)


def write_covered(
    folder: str | Path, intervals: Intervals | None, points: Points, coverage: float
) -> tuple[Path, ...]:
    """Write the second pair that SimPoint writes with -coveragePct: `simpoints.lpt0.99`, `weights.lpt0.99`.

    Args:
        folder: where to.
        intervals: of the profile that was classified.
        points: of the largest phases.
        coverage: the share asked for, which names the files.

    Returns:
        The files written.

    Raises:
        WorkError: a file cannot be written.
    """
    written = []
    for suffix, _, chosen in per_thread(intervals, points):
        names = [Path(folder) / f"{name}{suffix}.lpt{coverage:g}" for name in ("simpoints", "weights")]
        written += _write_pair(names[0], names[1], points, chosen)
    return tuple(written)


def per_thread(
    intervals: Intervals | None, points: Points
) -> Iterator[tuple[str, NDArray[np.bool_], NDArray[np.bool_]]]:
    """The files of each thread: suffix of their names, which intervals, which points they hold.

    Without intervals, the threads are those that have points.
    """
    of = points if intervals is None else intervals
    threads = sorted(set(zip(of.run.tolist(), of.thread.tolist(), strict=True)))
    several_runs = len({run for run, _ in threads}) > 1
    for run, thread in threads:
        suffix = (f".r{run}" if several_runs else "") + f".t{thread}" if len(threads) > 1 else ""
        rows = (of.run == run) & (of.thread == thread)
        yield suffix, rows, (points.run == run) & (points.thread == thread)


def clusters(points: Points) -> list[int]:
    """The number of each point in SimPoint's files: its phase.

    Lines of a pair belong together by that number, so no two points may share one: where a phase has
    several points, all points are numbered anew from 0, by phase and position.
    """
    if not several_per_phase(points):
        return [int(phase) for phase in points.phase]
    numbers = np.empty(len(points), np.int64)
    numbers[np.argsort(points.phase, kind="stable")] = np.arange(len(points))
    return [int(number) for number in numbers]


def several_per_phase(points: Points) -> bool:
    """Whether the numbers in SimPoint's files are not those of phases."""
    return len(np.unique(points.phase)) < len(points)


def write_simpoints(path: str | Path, points: Points) -> None:
    """Write the `simpoints` file of one thread: `interval cluster`, by cluster.

    Raises:
        WorkError: the file cannot be written.
        UsageError: points of several threads.
    """
    write_text(path, _simpoints_text(points, _only_thread(points)))


def write_weights(path: str | Path, points: Points) -> None:
    """Write the `weights` file of one thread: `weight cluster`, by cluster.

    Raises:
        WorkError: the file cannot be written.
        UsageError: points of several threads.
    """
    write_text(path, _weights_text(points, _only_thread(points)))


def write_labels(path: str | Path, phases: Phases) -> None:
    """Write the `labels` file: `cluster distance`, one line an interval.

    Raises:
        WorkError: the file cannot be written.
    """
    write_text(path, _labels_text(phases.labels, phases.distances))


@dataclass(frozen=True)
class SimpointPair:
    """Points of a simpoints and a weights file, ordered by interval; one entry a point.

    Attributes:
        interval: number of the interval in the vector file, from 0.
        cluster: what the point stands for.
        weight: share of the clusters in the file.
    """

    interval: NDArray[np.int64]
    cluster: NDArray[np.int64]
    weight: NDArray[np.float64]


def read_pair(simpoints: str | Path, weights: str | Path) -> SimpointPair:
    """Read a simpoints and a weights file, joined by cluster.

    Raises:
        DataError: malformed, a cluster that only one of them has, or weights that do not sum to 1.
    """
    intervals, shares = read_simpoints(simpoints), read_weights(weights)
    require_same_clusters(simpoints, intervals, weights, shares)
    total = math.fsum(shares.values())
    if abs(total - 1.0) > TOLERANCE:
        raise DataError(
            f"the weights sum to {total:.6g} instead of 1",
            path=weights,
            hint="take the weights as SimPoint wrote them, all of one clustering",
        )
    order = sorted(intervals, key=lambda cluster: intervals[cluster])
    return SimpointPair(
        np.array([intervals[c] for c in order], np.int64),
        np.array(order, np.int64),
        np.array([shares[c] for c in order], np.float64),
    )


def require_same_clusters(
    simpoints: str | Path, intervals: Mapping[int, object], weights: str | Path, shares: Mapping[int, object]
) -> None:
    """See that a pair belongs together: both files have the same clusters.

    Raises:
        DataError: a cluster that only one of them has; names the other.
    """
    for cluster in sorted(intervals.keys() ^ shares.keys()):
        lacking, other = (weights, simpoints) if cluster in intervals else (simpoints, weights)
        raise DataError(
            f"cluster {cluster} of {other} is missing", path=lacking, hint="take both files of one clustering"
        )


def read_simpoints(path: str | Path) -> dict[int, int]:
    """Read a simpoints file: cluster -> interval.

    Raises:
        DataError: malformed, or a cluster twice; names file and line.
    """
    return {cluster: interval for cluster, (_, interval) in simpoint_lines(path).items()}


def simpoint_lines(path: str | Path) -> dict[int, tuple[int, int]]:
    """Read a simpoints file: cluster -> its line in the file, and interval.

    Raises:
        DataError: as `read_simpoints`.
    """
    return _by_cluster(path, ((line, whole(value, path, line), c) for line, value, c in _pairs(path)))


def read_weights(path: str | Path) -> dict[int, float]:
    """Read a weights file: cluster -> weight.

    Raises:
        DataError: malformed, a weight not between 0 and 1 (or 100, where they are percentages), or a
            cluster twice; names file and line.
    """
    lines = _by_cluster(path, ((line, number(value, path, line), c) for line, value, c in _pairs(path)))
    weights = {cluster: weight for cluster, (_, weight) in lines.items()}
    percent = abs(math.fsum(weights.values()) - 100) <= 100 * TOLERANCE
    for line, weight in lines.values():
        if weight > 1 + TOLERANCE and not percent:
            raise DataError(f"a weight is {weight:g}, more than 1", path=path, line=line)
    return weights


def read_labels(path: str | Path) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """Read a labels file: cluster and distance of each interval, in order.

    Raises:
        DataError: malformed; names file and line.
    """
    lines = [
        (whole(label, path, line), number(distance, path, line))
        for line, label, distance in _fields(path, "cluster distance", TABLE)
    ]
    return np.array([label for label, _ in lines], np.int64), np.array([d for _, d in lines], np.float64)


def _write_pair(simpoints: Path, weights: Path, points: Points, chosen: NDArray[np.bool_]) -> list[Path]:
    if not chosen.any():
        # A thread without a point has no pair; one of an earlier choice would be taken for it.
        for path in (simpoints, weights):
            path.unlink(missing_ok=True)
        return []
    write_text(simpoints, _simpoints_text(points, chosen))
    write_text(weights, _weights_text(points, chosen))
    return [simpoints, weights]


def _only_thread(points: Points) -> NDArray[np.bool_]:
    if len(points) and (np.ptp(points.run) or np.ptp(points.thread)):
        raise UsageError(
            "SimPoint's files know no threads, and these points are of several",
            hint="write a pair of files for each thread, or take points.csv",
        )
    return np.ones(len(points), np.bool_)


def _simpoints_text(points: Points, chosen: NDArray[np.bool_]) -> str:
    numbers = clusters(points)
    return _lines((int(points.interval[i]), numbers[i]) for i in _by_cluster_number(numbers, chosen))


def _weights_text(points: Points, chosen: NDArray[np.bool_]) -> str:
    numbers = clusters(points)
    return _lines((f"{points.weight[i]:g}", numbers[i]) for i in _by_cluster_number(numbers, chosen))


def _labels_text(labels: NDArray[np.int32], distances: NDArray[np.float64]) -> str:
    return _lines(
        (label, f"{distance:g}") for label, distance in zip(labels.tolist(), distances.tolist(), strict=True)
    )


def _by_cluster_number(numbers: list[int], chosen: NDArray[np.bool_]) -> list[int]:
    return sorted(np.flatnonzero(chosen).tolist(), key=lambda row: numbers[row])


def _lines(rows: Iterable[tuple[object, object]]) -> str:
    return "".join(f"{left} {right}\n" for left, right in rows)


def _pairs(path: str | Path) -> Iterator[tuple[int, str, int]]:
    for line, value, cluster in _fields(path, "value cluster", POINTS):
        yield line, value, whole(cluster, path, line)


def _fields(path: str | Path, form: str, limit: Limit) -> Iterator[tuple[int, str, str]]:
    empty = True
    for line, text in text_lines(path, limit):
        fields = text.split()
        if len(fields) != 2:
            raise DataError(
                f"{len(fields)} fields instead of 2", path=path, line=line, hint=f"write `{form}`"
            )
        empty = False
        yield line, fields[0], fields[1]
    if empty:
        raise DataError("holds no line", path=path, hint=f"a line reads `{form}`")


def _by_cluster(path: str | Path, lines: Iterable[tuple[int, T, int]]) -> dict[int, tuple[int, T]]:
    """Cluster -> its line in the file, and value."""
    table: dict[int, tuple[int, T]] = {}
    for line, value, cluster in lines:
        if cluster in table:
            raise DataError(
                f"cluster {cluster} is there twice", path=path, line=line, hint="keep one of them"
            )
        table[cluster] = (line, value)
    return table
