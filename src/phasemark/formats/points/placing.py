"""Placing: which intervals of a run the points of another tool's files are."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from phasemark.errors import DataError, UsageError, counted
from phasemark.formats.points.chosen import Chosen, ChosenPoint, Labels, are_separate, require_total, totals
from phasemark.formats.vectors.lengths import slack
from phasemark.model import Intervals, Points
from phasemark.model.intervals import KINDS
from phasemark.model.points import GIVEN

__all__ = ["Placed", "alone", "on_intervals"]

#: How far the instructions a file states may be off the profile's: runs of a program differ a little.
_SAME_RUN = 0.05

_LARGEST = 2**63 - 1


@dataclass(frozen=True)
class Placed:
    """Points that are intervals of a run.

    Attributes:
        points: by run, thread and start; their phase is the cluster that the file gave them.
        rows: of their intervals; none of a run without a profile.
        clusters: of all intervals, n int64 from 0 without gap, where labels tell them; else None.
        notes: what the user should know, one sentence each.
    """

    points: Points
    rows: NDArray[np.int64]
    clusters: NDArray[np.int64] | None = None
    notes: tuple[str, ...] = field(default=())


def on_intervals(
    chosen: Chosen,
    intervals: Intervals,
    *,
    length: int | None = None,
    coverage: float | None = None,
    warmup: int | None = None,
) -> Placed:
    """Place points on the intervals of a profile.

    Args:
        chosen: what the files state.
        intervals: of the profile.
        length: of an interval, as whoever chose the points had them; None: nothing is known.
        coverage: share of the run that the points stand for; None: as the files say, else all of it.
        warmup: instructions before each point, clipped at the start of the thread; None: as the files say.

    Raises:
        DataError: a point is no interval of the profile, two are one, or the weights do not sum to 1.
        UsageError: the files name no thread, and the profile has several.
    """
    chosen = _of_threads(chosen, intervals)
    _require_same_run(chosen, int(intervals.length.sum()))
    if chosen.may_be_starts and max(point.interval or 0 for point in chosen.points) >= len(intervals):
        chosen = _as_starts(chosen)
    known = _Known.of(intervals)
    rows = np.array([known.row(point) for point in chosen.points], np.int64)
    if length is not None:
        _require_length(chosen, intervals, rows, length)
    _require_each_once(chosen, rows.tolist())
    weights, covered, notes = _weights(chosen, coverage, intervals)
    notes += _of_numbers(chosen, intervals, rows)
    clusters = _clusters(chosen, are_separate(chosen))
    start = intervals.start[rows]
    before = [point.warmup if warmup is None else warmup for point in chosen.points]
    points = _points(
        chosen,
        {
            "run": intervals.run[rows],
            "thread": intervals.thread[rows],
            "interval": intervals.index[rows],
            "phase": clusters,
            "start": start,
            "end": start + intervals.length[rows],
            "warmup": np.minimum(start, np.array([min(value, _LARGEST) for value in before], np.int64)),
            "weight": weights,
        },
        covered,
    )
    if not chosen.labels:
        return Placed(points, np.sort(rows), None, tuple(notes))
    return _labelled(chosen, points, intervals, rows, tuple(notes))


def alone(
    chosen: Chosen,
    *,
    length: int | None = None,
    coverage: float | None = None,
    warmup: int | None = None,
) -> Placed:
    """Points of a run without a profile: where they are, the files or the intervals' length tell.

    Args:
        chosen, coverage, warmup: as for `on_intervals`.
        length: of an interval; None: the files say where each point starts and ends.

    Raises:
        DataError: two points are one, or the weights do not sum to 1.
        UsageError: nothing says where the points are.
    """
    if chosen.may_be_starts and length is not None and chosen.instructions is not None:
        beyond = any((point.interval or 0) * length >= chosen.instructions for point in chosen.points)
        chosen = _as_starts(chosen) if beyond else chosen
    places = [_place(point, length) for point in chosen.points]
    _require_each_once(
        chosen,
        [(point.run, point.thread or 0, *place) for point, place in zip(chosen.points, places, strict=True)],
    )
    weights, covered, notes = _weights(chosen, coverage, None)
    start = np.array([place[1] for place in places], np.int64)
    before = [point.warmup if warmup is None else warmup for point in chosen.points]
    points = _points(
        chosen,
        {
            "run": np.array([point.run for point in chosen.points]),
            "thread": np.array([point.thread or 0 for point in chosen.points]),
            "interval": np.array([place[0] for place in places]),
            "phase": _clusters(chosen, separate=False),
            "start": start,
            "end": np.array([place[2] for place in places]),
            "warmup": np.minimum(start, np.array([min(value, _LARGEST) for value in before], np.int64)),
            "weight": weights,
        },
        covered,
    )
    if chosen.labels:
        notes.append("the labels are of no use without the vectors that they are of")
    return Placed(points, np.zeros(0, np.int64), None, tuple(notes))


# ------------------------------------------------------------ where


@dataclass(frozen=True)
class _Known:
    """The intervals of a profile, by their key."""

    intervals: Intervals
    first: dict[tuple[int, int], tuple[int, int]]

    @classmethod
    def of(cls, intervals: Intervals) -> _Known:
        begins = np.flatnonzero(intervals.first_of_thread()).tolist()
        ends = [*begins[1:], len(intervals)]
        keys = zip(intervals.run[begins].tolist(), intervals.thread[begins].tolist(), strict=True)
        return cls(intervals, dict(zip(keys, zip(begins, ends, strict=True), strict=True)))

    def row(self, point: ChosenPoint) -> int:
        """The row of a point's interval.

        Raises:
            DataError: it is none of the profile's.
        """
        key = (point.run, point.thread or 0)
        if key not in self.first:
            of_run = f" of run {point.run}" if point.run else ""
            raise point.error(
                f"the profile has no thread {point.thread or 0}{of_run}",
                "take the points of this profile; threads are numbered from 0 in order of birth",
            )
        begin, end = self.first[key]
        row = begin + point.interval if point.interval is not None else self._at(point, begin, end)
        if not row < end:
            raise point.error(
                f"interval {point.interval:,} is not in the profile, which has {end - begin:,} intervals",
                "take the points of these vectors; intervals are numbered from 0",
            )
        self._require_alike(point, row)
        return row

    def _at(self, point: ChosenPoint, begin: int, end: int) -> int:
        """The interval that starts nearest to a point."""
        starts = self.intervals.start[begin:end]
        after = int(np.searchsorted(starts, point.start or 0))
        near = [row for row in (after - 1, after) if 0 <= row < end - begin]
        return begin + min(near, key=lambda row: abs(int(starts[row]) - (point.start or 0)))

    def _require_alike(self, point: ChosenPoint, row: int) -> None:
        start, length = int(self.intervals.start[row]), int(self.intervals.length[row])
        index = int(self.intervals.index[row])
        if not length:
            raise point.error(f"interval {index:,} has no instruction", "choose another point")
        allowed = slack(length)
        unlike = "the points were chosen in other intervals: give those of this profile"
        if point.start is not None and abs(point.start - start) > allowed:
            raise point.error(
                f"the point starts at {point.start:,}, interval {index:,} of the profile at {start:,}", unlike
            )
        if point.length is not None and abs(point.length - length) > allowed:
            raise point.error(
                f"the point has {point.length:,} instructions, interval {index:,} of the profile {length:,}",
                unlike,
            )


def _of_threads(chosen: Chosen, intervals: Intervals) -> Chosen:
    """With the only thread's number where none is told."""
    threads = int(intervals.first_of_thread().sum())
    for point in chosen.points:
        if point.thread is None and threads > 1:
            raise UsageError(
                f"{point.path} names no thread, and the profile has {threads}",
                hint="give a pair of files for each thread: simpoints.t0, weights.t0, simpoints.t1 ...",
            )
    return chosen


def _require_same_run(chosen: Chosen, instructions: int) -> None:
    stated = chosen.instructions
    if stated is not None and instructions and abs(stated - instructions) > _SAME_RUN * instructions:
        raise DataError(
            f"is of a run of {stated:,} instructions, and the profile has {instructions:,}",
            path=chosen.files[0],
            hint="give the points of this run",
        )


def _as_starts(chosen: Chosen) -> Chosen:
    points = (dataclasses.replace(point, interval=None, start=point.interval) for point in chosen.points)
    return dataclasses.replace(chosen, points=tuple(points), may_be_starts=False)


def _require_length(chosen: Chosen, intervals: Intervals, rows: NDArray[np.int64], length: int) -> None:
    """The profile's intervals are of the length that the points' are."""
    tail = KINDS.index("tail")
    for point, row in zip(chosen.points, rows.tolist(), strict=True):
        has = int(intervals.length[row])
        shorter = intervals.kind[row] == tail and has < length
        if abs(has - length) > slack(length) and not shorter:
            raise point.error(
                f"interval {intervals.index[row]:,} of the profile has {has:,} instructions, not {length:,}",
                "the points were chosen in other intervals: give those of this profile",
            )


def _of_numbers(chosen: Chosen, intervals: Intervals, rows: NDArray[np.int64]) -> list[str]:
    """A note where the number of an interval may mean another one to who takes i to start at i x length."""
    if any(point.start is not None for point in chosen.points):
        return []
    length = int(np.median(intervals.length))
    off = np.abs(intervals.start[rows] - intervals.index[rows] * length)
    alike = np.abs(intervals.length[rows] - length) <= slack(length)
    if not (alike & (off >= length)).any():
        return []
    return [
        "points are numbered as the vectors of the profile, which do not start at their number x "
        f"{length:,}: files that number by position mean others"
    ]


def _place(point: ChosenPoint, length: int | None) -> tuple[int, int, int]:
    """Number, start and end of a point without a profile."""
    if point.start is None:
        if point.length is not None:
            raise UsageError(
                f"{point.path} says places in the code, and not where its points start",
                hint="import the vectors that they were chosen in first",
            )
        if length is None:
            raise UsageError(f"{point.path} does not say how long its intervals are", hint=_HINT)
        number = point.interval or 0
        start, has = number * length, length
    else:
        start, has = point.start, (length or 0) if point.length is None else point.length
        if not has:
            raise point.error("there is no instruction in it", "leave the point out")
        if length is not None and has - length > slack(length):
            raise point.error(
                f"the point has {has:,} instructions, not {length:,}", "give the length of its intervals"
            )
        number = start // (length or has) if point.interval is None else point.interval
    if start + has > _LARGEST:
        raise point.error(f"the point ends after {_LARGEST:,} instructions", "see the length of intervals")
    return number, start, start + has


_HINT = "import the vectors that they were chosen in first, or give the length: --interval 100M"


def _require_each_once(chosen: Chosen, keys: Sequence[object]) -> None:
    if chosen.method != GIVEN:
        return
    seen: set[object] = set()
    for point, key in zip(chosen.points, keys, strict=True):
        if key in seen:
            raise point.error("the same interval is there twice", "keep one of them, with both weights")
        seen.add(key)


# ------------------------------------------------------------ what for


def _weights(
    chosen: Chosen, coverage: float | None, intervals: Intervals | None
) -> tuple[NDArray[np.float64], float, list[str]]:
    """Weights that sum to 1, the share of the run that the points stand for, and notes."""
    written = np.array([point.weight for point in chosen.points])
    covered = coverage if coverage is not None else chosen.coverage
    covered = 1.0 if covered is None else covered
    if are_separate(chosen) and intervals is not None:
        shares = {key: _share(intervals, key) for key in totals(chosen)}
        weights = written * [shares[point.run, point.thread or 0] for point in chosen.points]
        total, note = (
            sum(shares.values()),
            "each thread's weights sum to 1: they are taken as shares of the thread",
        )
        return weights / weights.sum(), min(covered * total, 1.0), [note]
    total = require_total(chosen, covered)
    notes = []
    if idle := int((written == 0).sum()):
        notes.append(f"{counted(idle, 'point')} of weight 0: to simulate them tells nothing of the run")
    if total > 10:
        notes.append("the weights are taken as percentages")
        total = total / 100
    if abs(total - 1) > abs(total - covered):
        notes.append(f"the weights sum to {total:.4g}, the share that is covered: scaled to sum to 1")
    elif abs(total - 1) > len(written) * 1e-6:
        notes.append(f"the weights sum to {total:.6g}: scaled to sum to 1")
    if coverage is None and chosen.covers_more and covered < 1:
        notes.append(f"the points stand for {covered:.4g} of the run at least, as the files' names say")
    return written / math.fsum(written), covered, notes


def _share(intervals: Intervals, key: tuple[int, int]) -> float:
    of = (intervals.run == key[0]) & (intervals.thread == key[1])
    return float(intervals.length[of].sum() / max(int(intervals.length.sum()), 1))


def _clusters(chosen: Chosen, separate: bool) -> NDArray[np.int64]:
    """The cluster of each point; its number where the files name none.

    Clusters of threads that were clustered by themselves are numbered one after the other.
    """
    if any(point.cluster is None for point in chosen.points):
        return np.arange(len(chosen.points))
    if separate:
        keys = [(point.run, point.thread or 0, point.cluster) for point in chosen.points]
        order = {key: number for number, key in enumerate(sorted(set(keys)))}
        return np.array([order[key] for key in keys], np.int64)
    for point in chosen.points:
        if (point.cluster or 0) >= 2**31:
            raise point.error(f"cluster {point.cluster} is beyond what phases are numbered with")
    return np.array([point.cluster for point in chosen.points], np.int64)


def _points(chosen: Chosen, columns: dict[str, NDArray[np.generic]], covered: float) -> Points:
    columns["population"] = np.array([point.population for point in chosen.points])
    columns["spread"] = np.array([point.spread for point in chosen.points])
    order = np.lexsort((columns["start"], columns["thread"], columns["run"]))
    try:
        return Points(
            **{name: values[order] for name, values in columns.items()},  # type: ignore[arg-type]
            coverage=covered,
            method=chosen.method,
        )
    except DataError as error:
        raise error.at(chosen.files[0]) from error


def _labelled(
    chosen: Chosen, points: Points, intervals: Intervals, rows: NDArray[np.int64], notes: tuple[str, ...]
) -> Placed:
    """With the clusters of all intervals, numbered without gap, and the points' among them."""
    separate = are_separate(chosen)
    labels = np.full(len(intervals), -1, np.int64)
    owner = np.zeros(len(intervals), np.int64)
    for number, ((run, thread), of) in enumerate(sorted(chosen.labels.items())):
        at = np.flatnonzero((intervals.run == run) & (intervals.thread == thread))
        _require_one_each(of, len(at))
        labels[at], owner[at] = of.cluster, number if separate else 0
    if (labels < 0).any():
        row = int(np.argmax(labels < 0))
        raise UsageError(
            f"no labels of thread {intervals.thread[row]} are given",
            hint="give the labels of every thread, or none",
        )
    if _number_points(chosen, labels[rows], rows):
        notes += ("the files number points, several to a cluster: the labels say which cluster each is of",)
        clusters = labels[rows].tolist()
    else:
        clusters = [point.cluster for point in chosen.points]
    for point, row, cluster in zip(chosen.points, rows.tolist(), clusters, strict=True):
        if cluster is not None and labels[row] != cluster:
            raise point.error(
                f"interval {intervals.index[row]:,} is of cluster {labels[row]} as the labels say, not of "
                f"{point.cluster}",
                "take the files of one clustering",
            )
    known, dense = np.unique(np.stack([owner, labels]), axis=1, return_inverse=True)
    dense = np.asarray(dense, np.int64).reshape(-1)
    if known.shape[1] and not separate and (known[1] != np.arange(known.shape[1])).any():
        named = ", ".join(map(str, known[1].tolist()[:8])) + (" ..." if known.shape[1] > 8 else "")
        notes += (f"clusters {named} are phases 0 to {known.shape[1] - 1}",)
    # The points are in the order of the rows of their intervals.
    rows = np.sort(rows)
    phase = dense[rows].astype(np.int32)
    return Placed(dataclasses.replace(points, phase=phase), rows, dense, notes)


def _number_points(chosen: Chosen, labels: NDArray[np.int64], rows: NDArray[np.int64]) -> bool:
    """Whether what stands as clusters numbers the points, as in files that phasemark writes.

    With several points in a cluster it numbers all of them from 0, by cluster and then by place: see
    simpoint_files.clusters.

    Args:
        chosen: the points.
        labels: the cluster that the labels say of each.
        rows: of their intervals.
    """
    numbers = np.array([-1 if point.cluster is None else point.cluster for point in chosen.points])
    several = len(np.unique(labels)) < len(labels)
    return (
        several
        and np.array_equal(np.lexsort((rows, labels)), np.argsort(numbers, kind="stable"))
        and (np.array_equal(np.sort(numbers), np.arange(len(numbers))))
    )


def _require_one_each(labels: Labels, intervals: int) -> None:
    if len(labels.cluster) != intervals:
        raise DataError(
            f"labels of {counted(len(labels.cluster), 'interval')}, and the profile has {intervals:,}",
            path=labels.path,
            hint="give the labels of these vectors",
        )
