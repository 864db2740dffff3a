"""A run folder without a collector: a made-up program whose phases are known."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from phasemark.model import (
    Blocks,
    Counts,
    Intervals,
    Metrics,
    Phases,
    Points,
    Profile,
    Provenance,
    Recipe,
    Signatures,
)
from phasemark.model.intervals import concatenate
from phasemark.store import hierarchy_h5, metrics_csv, phases_store, points_csv, profile_h5, tables
from phasemark.store.folder import Folder
from phasemark.views import Analysis, MetricEstimate

FUNCTIONS = ("deflate", "longest_match", "inflate", "crc32", "operator<<", "</script><b>main", "write")


def run(
    pattern: Sequence[int] = (0, 1, 0, 1, 2) * 8,
    *,
    threads: int = 1,
    length: int = 1_000_000,
    blocks: int = 40,
    functions: bool = True,
    command: tuple[str, ...] = ("/usr/bin/gzip", "-9", "a <b> & c"),
    metrics: bool = False,
) -> Analysis:
    """Every thread goes through the phases of `pattern`; its last interval is short.

    With metrics: CPI 1, 2, 3 ... of phases 0, 1, 2 ..., a little above in odd intervals, missing in the
    fourth; and one metric estimated, of which the full run is known.
    """
    labels = np.tile(np.array(pattern, np.int32), threads)
    lengths = np.full(len(labels), length)
    lengths[len(pattern) - 1 :: len(pattern)] = length // 2
    profile = _profile(
        labels, np.split(lengths, threads), _blocks(blocks, functions), command if functions else ()
    )
    rng = np.random.default_rng(5)
    k = int(labels.max()) + 1
    centers = rng.uniform(-1, 1, (k, 15))
    matrix = centers[labels] + 0.05 * rng.standard_normal((len(labels), 15))
    weights = profile.interval_table.length / profile.instructions
    signatures = Signatures(matrix, weights, Recipe("l1", "uniform", 15, 7, "module+offset"))
    scores = {j: 1000.0 - 400 / j - 3 * j for j in range(1, max(9, k + 2))}
    inertia = {j: 300.0 / j for j in scores}
    distances = np.linalg.norm(matrix - centers[labels], axis=1)
    phases = Phases(labels, centers, distances, scores, inertia, {"threshold": 0.9, "seed": 7})
    made = Analysis(profile, signatures, phases, _points(profile, phases, weights))
    return measured(made) if metrics else made


def tracked(made: Analysis) -> Analysis:
    """The run with its first phase the transition of online ones."""
    return replace(made, phases=replace(made.phases, model={**made.phases.model, "transition": 0}))


def measured(made: Analysis) -> Analysis:
    """The run with metrics, quality against k, and estimates."""
    t, labels = made.profile.interval_table, made.phases.labels
    cpi = 1.0 + labels + 0.1 * (t.index % 2)
    cpi[3:4] = np.nan
    misses = np.where(labels == 0, 0, t.length / 100)
    counters = {
        "instructions": t.length, "cycles": cpi * t.length,
        "l1d_misses": misses, "l1d_references": t.length / 4,
    }  # fmt: skip
    found = Metrics(t.run, t.thread, t.index, t.start, t.length, counters, source="a test")
    by_k = {
        "k": [1, 2, 3],
        "cov": [0.5, 0.2, 0.03],
        "cim": [9.0, 3.0, 0.4],
        "deviation_reduction": [0.0, 0.6, 0.9],
    }
    estimates = (
        MetricEstimate("cpi", 2.0, 1.8, 2.2, 2.1, 0),
        MetricEstimate("l1d_mpki", 6.0, 0.0, np.inf, np.nan, 1),
    )
    return replace(
        made, metrics=found, against_k={"cpi": by_k, "l1d_mpki": by_k}, estimates=estimates, sample=30.0
    )


def folder(path: Path, made: Analysis | None = None) -> Path:
    """Write the run's files as the commands do."""
    made = made or run()
    files = Folder(path).create()
    profile_h5.write(files.profile, made.profile)
    phases_store.write_model(files.model, made.signatures, made.phases)
    points_csv.write(files.points, made.points, made_by={"seed": 7})
    files.record("phases", {"seed": 7})
    if made.against_k:
        _write_measured(files, made)
    elif made.metrics is not None:
        metrics_csv.write(files.metrics, made.metrics, made_by={})
    if made.hierarchy is not None:
        hierarchy_h5.write(files.hierarchy, hierarchy_h5.StoredHierarchy(made.hierarchy))
    if made.fixed is not None:
        profile_h5.write(files.fixed, made.fixed.profile)
        metrics_csv.write(files.fixed_metrics, made.fixed.metrics, made_by={})
    return path


def _write_measured(files: Folder, made: Analysis) -> None:
    metrics_csv.write(files.metrics, made.metrics, made_by={})
    columns = ("k", "cov", "cim", "deviation_reduction")
    table = {"metric": [name for name, by_k in made.against_k.items() for _ in by_k["k"]]}
    table |= {c: [value for by_k in made.against_k.values() for value in by_k[c]] for c in columns}
    tables.write(files.quality_k, table, made_by={})
    tables.write(files.quality, {"metric": []}, made_by={"sample": f"{made.sample:g}"})
    names = ("metric", "value", "low", "high", "full", "missing")
    rows = {name: tables.blank([getattr(one, name) for one in made.estimates]) for name in names}
    tables.write(files.estimate, rows, made_by={})


def _profile(labels, lengths, blocks: Blocks, command: tuple[str, ...]) -> Profile:
    rng = np.random.default_rng(3)
    mixes = rng.dirichlet(np.full(len(blocks), 0.15), int(labels.max()) + 1)
    rows = zip(np.concatenate(lengths), labels, strict=True)
    intervals = concatenate(
        [Intervals.of_thread(part, nominal=int(part[0]), thread=t) for t, part in enumerate(lengths)]
    )
    provenance = Provenance(
        "phasemark-valgrind",
        "0.1.0",
        "0.1.0",
        command,
        block_definition="straight-line code entered at its start",
        interval=int(lengths[0][0]),
        warnings=("code made while running: 0.2 % of the instructions",),
    )
    return Profile(
        blocks, intervals, counts_of(np.stack([rng.multinomial(m, mixes[p]) for m, p in rows])), provenance
    )


def counts_of(dense: np.ndarray) -> Counts:
    """The sparse form of a matrix of counts."""
    rows, columns = np.nonzero(dense)
    indptr = np.concatenate(([0], np.cumsum(np.bincount(rows, minlength=len(dense)))))
    return Counts(indptr, columns, dense[rows, columns], dense.shape[1])


def _blocks(n: int, functions: bool) -> Blocks:
    ones = np.ones(n, np.int64)
    if not functions:
        return Blocks(("",), np.zeros(n), np.arange(n), 0 * ones, 0 * ones, np.arange(n) + 1)
    modules = ("/usr/bin/gzip", "/lib/x86_64-linux-gnu/libc.so.6")
    names = tuple(FUNCTIONS[i % len(FUNCTIONS)] for i in range(n))
    files = tuple(f"{'deflate' if i % 2 else 'trees'}.c" if i % 5 else "" for i in range(n))
    return Blocks(
        modules, (np.arange(n) % 7 == 6) * 1, 16 * np.arange(n), 3 * ones, 12 * ones,
        function=names, file=files, line=np.arange(n) + 100,
    )  # fmt: skip


def _points(profile: Profile, phases: Phases, weights) -> Points:
    nearest = [int(np.flatnonzero(phases.labels == p)[0]) for p in range(phases.k)]
    rows = np.array(sorted(nearest))
    t = profile.interval_table
    return Points(
        t.run[rows], t.thread[rows], t.index[rows], phases.labels[rows], t.start[rows],
        t.start[rows] + t.length[rows], np.zeros(len(rows)), phases.shares(weights)[phases.labels[rows]],
    )  # fmt: skip
