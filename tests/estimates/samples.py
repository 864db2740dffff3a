"""Metrics and points made by hand."""

from __future__ import annotations

import dataclasses

import numpy as np

from phasemark.model import Metrics, Points

LENGTH = 100


def metrics_of(cycles, *, lengths=None, **counters) -> Metrics:
    n = len(cycles)
    length = np.full(n, LENGTH) if lengths is None else np.asarray(lengths)
    start = np.cumsum(length) - length
    zeros = np.zeros(n, np.int64)
    measured = {"cycles": np.asarray(cycles, float), **{k: np.asarray(v, float) for k, v in counters.items()}}
    return Metrics(zeros, zeros, np.arange(n), start, length, measured)


def points_of(metrics: Metrics, labels, rows, method="stratified", **more) -> Points:
    """Points at `rows`, weighed with their phase's instructions (the whole run's for random methods)."""
    labels, rows = np.asarray(labels), np.sort(np.asarray(rows))
    stratum = labels if method in ("stratified", "nearest") else np.zeros(len(labels), int)
    share = np.bincount(stratum, weights=metrics.length) / metrics.length.sum()
    taken = np.bincount(stratum[rows], weights=metrics.length[rows], minlength=len(share))
    weight = share[stratum[rows]] * metrics.length[rows] / taken[stratum[rows]]
    start = metrics.start[rows]
    return Points(
        np.zeros(len(rows)), np.zeros(len(rows)), rows, labels[rows], start, start + metrics.length[rows],
        np.zeros(len(rows)), weight / weight.sum(), method=method,
        population=np.bincount(stratum)[stratum[rows]], **more,
    )  # fmt: skip


def with_spread(points: Points, spread: list[float]) -> Points:
    return dataclasses.replace(points, spread=np.array(spread)[points.phase])
