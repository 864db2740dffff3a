"""What is asked of each way to cut a run: how alike phases are inside, and how well points stand for it.

Nothing here reads or writes files: profiles and metrics in, numbers out.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from phasemark import quality, signatures
from phasemark.estimates import PointOptions, choose, estimate, full_value
from phasemark.model import Counts, Intervals, Metrics, Profile
from phasemark.phases import SimPoint

METRICS = ("cpi", "l1d_mpki", "branch_mpki")
BOUND = 30  # on k, as SimPoint is mostly used

#: Instructions simulated, as shares of the run, at which ways to cut are compared.
BUDGETS = (0.02, 0.05, 0.1, 0.2)

#: Numbers of phases among which a budget finds the most that it pays for: many short intervals cost as
#: little as few long ones.
PAID = (*range(1, 31), *range(33, 61, 3), *range(65, 101, 5), *range(110, 201, 10), *range(220, 401, 20))


@dataclass(frozen=True)
class Cut:
    """A run cut in one way, with the metrics of every interval.

    Attributes:
        profile, metrics: of the same intervals.
        shortest, longest: lengths that were asked for, instructions.
    """

    profile: Profile
    metrics: Metrics
    shortest: int
    longest: int


def everything(cuts: dict[str, Cut], seeds: int) -> dict[str, Any]:
    """All that is asked of one program, as JSON holds it; by the names of the ways to cut it."""
    first = next(iter(cuts.values()))
    return {
        "instructions": first.profile.instructions,
        "truth": {metric: full_value(first.metrics, metric) for metric in METRICS},
        "cuts": {name: of_cut(cut, seeds) for name, cut in cuts.items()},
    }


def of_cut(cut: Cut, seeds: int) -> dict[str, Any]:
    """Its intervals, and a row a seed of each comparison."""
    lengths = cut.profile.interval_table.length
    values = cut.metrics.values("cpi")
    fits = (lengths >= cut.shortest) & (lengths <= cut.longest)
    models = [_fitted(cut.profile, seed) for seed in range(1, seeds + 1)]
    many = (_of_many(cut.profile, seed) for seed in range(1, seeds + 1))
    return {
        "intervals": len(lengths),
        "shortest": int(lengths.min()),
        "median": float(np.median(lengths)),
        "longest": int(lengths.max()),
        "fits": float(lengths[fits].sum() / lengths.sum()),
        "cov_whole": float(quality.cov(values, np.zeros(len(values), np.int64), cut.profile).total),
        "chosen": [_outcome(cut, model, model.k_) for model in models],
        "budgets": [row for model in many for row in _budgets(cut, model)],
    }


def _fitted(profile: Profile, seed: int) -> SimPoint:
    projected = signatures.project(profile, signatures.DEFAULT_DIMS, seed)
    return SimPoint(max_k=BOUND, seed=seed, keep_data=True).fit(projected)


def _of_many(profile: Profile, seed: int) -> SimPoint:
    projected = signatures.project(profile, signatures.DEFAULT_DIMS, seed)
    paid = [k for k in PAID if k < len(profile.interval_table)]
    return SimPoint(k=paid, init="kmeans++", seed=seed, keep_data=True).fit(projected)


def _outcome(cut: Cut, model: SimPoint, k: int) -> dict[str, Any]:
    """One nearest point in each of k phases: what it costs, and what it comes to."""
    phases = model.phases_of(k)
    points = choose(cut.profile, phases, PointOptions()).points
    estimated = estimate(points, cut.metrics, names=METRICS)
    errors = {name: value / full_value(cut.metrics, name) - 1 for name, value in estimated.value.items()}
    return {
        "k": int(phases.k),
        "simulated": int((points.end - points.start).sum()),
        "cov": float(quality.cov(cut.metrics.values("cpi"), phases.labels, cut.profile).total),
        "errors": {name: float(error) for name, error in errors.items()},
    }


def _budgets(cut: Cut, model: SimPoint) -> Iterator[dict[str, Any]]:
    """For each budget as many phases as its instructions pay for."""
    outcomes = [_outcome(cut, model, k) for k in sorted(model.clusterings_)]
    for budget in BUDGETS:
        most = budget * cut.profile.instructions
        paid = [outcome for outcome in outcomes if outcome["simulated"] <= most]
        if paid:
            yield {"budget": budget, **max(paid, key=lambda outcome: outcome["k"])}


# ---------------------------------------------------------------- longer fixed intervals


def coarser(cut: Cut, times: int) -> Cut:
    """The same run in fixed intervals `times` as long: rows added up, which is exact."""
    table = cut.profile.interval_table
    group = table.index // times
    first = np.flatnonzero((np.diff(group, prepend=-1) != 0) | table.first_of_thread())
    length = cut.longest * times
    intervals = Intervals(
        table.run[first],
        table.thread[first],
        group[first],
        table.start[first],
        np.add.reduceat(table.length, first),
        _kinds(np.add.reduceat(table.length, first), length),
    )
    profile = Profile(
        cut.profile.block_table, intervals, _added(cut.profile.vectors, first), cut.profile.provenance
    )
    return Cut(profile, _summed(cut.metrics, intervals, first), length, length)


def _kinds(lengths: NDArray[np.int64], nominal: int) -> NDArray[np.int8]:
    return np.where(lengths < nominal, 3, 0).astype(np.int8)


def _added(vectors: Counts, first: NDArray[np.int64]) -> Counts:
    from scipy.sparse import csr_matrix

    indptr = np.append(vectors.indptr[first], vectors.indptr[-1])
    out = csr_matrix((vectors.data, vectors.indices, indptr), (len(first), vectors.columns), copy=True)
    out.sum_duplicates()
    return Counts(out.indptr, out.indices, out.data, vectors.columns)


def _summed(metrics: Metrics, intervals: Intervals, first: NDArray[np.int64]) -> Metrics:
    counters = {name: np.add.reduceat(values, first) for name, values in metrics.counters.items()}
    return Metrics(
        intervals.run,
        intervals.thread,
        intervals.index,
        intervals.start,
        intervals.length,
        counters,
        source=metrics.source,
    )
