"""What `phasemark simpoint` does: load, cluster, save."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from phasemark import points, signatures
from phasemark.errors import DataError
from phasemark.formats.points import simpoint_files
from phasemark.formats.vectors import profiles, runs
from phasemark.formats.vectors import simpoint_tables as tables
from phasemark.formats.vectors.simpoint_tables import Table
from phasemark.model import Intervals, Phases, Profile
from phasemark.phases import SimPoint
from phasemark.simpoint.flags import Flags
from phasemark.simpoint.telling import examine, tell, tell_written
from phasemark.store.atomic import together, write_text

__all__ = ["Vectors", "run"]


@dataclass(frozen=True)
class Vectors:
    """What is clustered.

    Attributes:
        matrix: n x d doubles.
        weights: n doubles that sum to 1; 0 where an interval is empty.
        intervals: the n intervals; each of length 1 where the source knows no lengths.
    """

    matrix: NDArray[np.float64]
    weights: NDArray[np.float64]
    intervals: Intervals


def run(flags: Flags) -> None:
    """Do what the flags say.

    Raises:
        DataError: a file is malformed, or two do not fit together.
        UsageError: flags that do not fit the data.
        WorkError: a file cannot be written.
    """
    vectors = _load(flags)
    _save_vectors(flags, vectors)
    model = _model(flags, vectors).fit(vectors.matrix, sample_weight=vectors.weights)
    evaluations = [(k, clustering.score, clustering.inertia) for k, clustering in model.clusterings_.items()]
    tell(flags, evaluations, model.notes_, model.k_)
    with together():
        written = list(_save(flags, vectors, model))
    for path in written:
        tell_written(path)


def _load(flags: Flags) -> Vectors:
    if flags.projected is not None:
        return _load_projected(flags, flags.projected)
    assert flags.loadFVFile is not None
    if flags.dim is None or flags.matrix is not None:
        profile = profiles.read([flags.loadFVFile])
        lengths, largest = profile.interval_table.length, int(profile.block_table.id.max(initial=0))
        examine(flags, profile.provenance.warnings, len(lengths), largest)
        matrix = _project(flags, profile)
    else:
        read = runs.read_projected(flags.loadFVFile, flags.dim, flags.seedproj, cached=not flags.noCache)
        examine(flags, read.warnings, len(read.lengths), read.largest)
        _save_random_projection(flags, flags.dim, read.largest)
        matrix, lengths = np.asarray(read.matrix), np.asarray(read.lengths)
    return Vectors(
        matrix, _weights(flags, lengths / lengths.sum(), lengths > 0), Intervals.of_thread(lengths)
    )


def _load_projected(flags: Flags, path: Path) -> Vectors:
    read = tables.read_text_table if flags.loadVectorsTxtFmt else tables.read_binary_table
    table = read(path)
    ones = np.ones(len(table.values), np.int64)
    return Vectors(table.values, _weights(flags, table.weights, ones > 0), Intervals.of_thread(ones))


def _project(flags: Flags, profile: Profile) -> NDArray[np.float64]:
    if flags.matrix is not None:
        read = tables.read_text_table if flags.loadProjMatrixTxtFmt else tables.read_binary_table
        projection = read(flags.matrix).values
        _save_projection(flags, projection)
        return _times(profile, projection, flags.matrix)
    return signatures.project(profile, None).matrix


def _save_random_projection(flags: Flags, dims: int, largest: int) -> None:
    if flags.saveProjMatrixTxtFmt or flags.saveProjMatrixBinFmt:
        ids = np.arange(1, largest + 1, dtype=np.uint64)
        _save_projection(flags, signatures.projection_matrix(ids, dims, flags.seedproj))


def _times(profile: Profile, projection: NDArray[np.float64], path: Path) -> NDArray[np.float64]:
    """The normalised vectors times a given matrix, whose row i is that of block id i + 1."""
    ids = profile.block_table.id
    if len(ids) and not 1 <= ids.min() <= ids.max() <= len(projection):
        raise DataError(
            f"has {len(projection)} rows, and the vectors have ids {ids.min()} to {ids.max()}",
            path=path,
            hint="take the matrix that was saved with these vectors",
        )
    counts = profile.vectors
    rows = np.repeat(np.arange(len(counts)), np.diff(counts.indptr))
    out = np.zeros((len(counts), projection.shape[1]))
    parts = counts.data / counts.row_sums()[rows]
    np.add.at(out, rows, parts[:, None] * projection[ids[counts.indices].astype(np.int64) - 1])
    return out


def _save_projection(flags: Flags, projection: NDArray[np.float64]) -> None:
    table = Table(projection, np.full(len(projection), 1.0 / len(projection)))
    if flags.saveProjMatrixTxtFmt:
        tables.write_text_table(flags.saveProjMatrixTxtFmt, table)
    if flags.saveProjMatrixBinFmt:
        tables.write_binary_table(flags.saveProjMatrixBinFmt, table)


def _weights(flags: Flags, own: NDArray[np.float64], possible: NDArray[np.bool_]) -> NDArray[np.float64]:
    """-fixedLength on gives equal weights, off those of the vectors (the old tool's help has it reversed)."""
    if flags.loadVectorWeights is not None:
        weights = tables.read_numbers(flags.loadVectorWeights)
        if len(weights) != len(own):
            raise DataError(
                f"{len(weights):,} weights for {len(own):,} vectors", path=flags.loadVectorWeights
            )
    else:
        weights = own if flags.fixedLength == "off" else np.ones(len(own))
    weights = np.where(possible, weights, 0.0)
    total = weights.sum()
    return weights / total if total > 0 else weights


def _save_vectors(flags: Flags, vectors: Vectors) -> None:
    table = Table(vectors.matrix, vectors.weights)
    if flags.saveVectorsTxtFmt:
        tables.write_text_table(flags.saveVectorsTxtFmt, table)
    if flags.saveVectorsBinFmt:
        tables.write_binary_table(flags.saveVectorsBinFmt, table)
    if flags.saveVectorWeights:
        write_text(flags.saveVectorWeights, "".join(f"{w!r}\n" for w in vectors.weights.tolist()))


def _model(flags: Flags, vectors: Vectors) -> SimPoint:
    start = _start(flags, vectors)
    return SimPoint(
        max_k=flags.maxK or 1,
        k=flags.k,
        search="binary",
        restarts=flags.numInitSeeds,
        threshold=flags.bicThreshold,
        seed=flags.seedkm,
        init=flags.initkm if start is None else start,
        max_iter=flags.iters,
        sample_size=None if flags.sampleSize < 0 else flags.sampleSize,
        sample_seed=flags.seedsample,
        keep_data=flags.saveAll,
    )


def _start(flags: Flags, vectors: Vectors) -> NDArray[np.float64] | None:
    if flags.loadInitCtrs is not None:
        return tables.read_text_table(flags.loadInitCtrs).values
    if flags.loadInitLabels is None:
        return None
    words = tables.read_labels(flags.loadInitLabels)
    if len(words) != len(vectors.matrix):
        raise DataError(
            f"{len(words):,} labels for {len(vectors.matrix):,} vectors", path=flags.loadInitLabels
        )
    names, labels = np.unique(words, return_inverse=True)
    members = [(labels == c) & (vectors.weights > 0) for c in range(len(names))]
    return np.stack(
        [np.average(vectors.matrix[m], axis=0, weights=vectors.weights[m]) for m in members if m.any()]
    )


def _save(flags: Flags, vectors: Vectors, model: SimPoint) -> Iterator[Path]:
    for number, k in enumerate(model.clusterings_, 1):
        if flags.saveAll:
            yield from _save_clustering(flags, vectors, model, k, f".run_{number}_k_{k}")
        elif k == model.chosen_k_:
            yield from _save_clustering(flags, vectors, model, k, "")


def _save_clustering(flags: Flags, vectors: Vectors, model: SimPoint, k: int, suffix: str) -> Iterator[Path]:
    phases = model.phases_of(k)
    if flags.saveInitCtrs:
        initial = model.clusterings_[k].initial_centers
        path = _suffixed(flags.saveInitCtrs, suffix)
        tables.write_text_table(path, Table(initial, np.full(len(initial), 1.0 / len(initial))))
        yield path
    if flags.saveFinalCtrs and phases.centers is not None:
        path = _suffixed(flags.saveFinalCtrs, suffix)
        tables.write_text_table(path, Table(phases.centers, phases.shares(vectors.weights)))
        yield path
    if flags.saveLabels:
        path = _suffixed(flags.saveLabels, suffix)
        simpoint_files.write_labels(path, phases)
        yield path
    if flags.saveSimpoints or flags.saveSimpointWeights:
        yield from _save_points(flags, vectors, phases, 1.0, suffix)
        if flags.coveragePct < 1:
            yield from _save_points(
                flags, vectors, phases, flags.coveragePct, f".lpt{flags.coveragePct:g}{suffix}"
            )


def _save_points(
    flags: Flags, vectors: Vectors, phases: Phases, coverage: float, suffix: str
) -> Iterator[Path]:
    picked = points.nearest(vectors.intervals, phases, vectors.weights, coverage=coverage, ties="earliest")
    if flags.saveSimpoints:
        path = _suffixed(flags.saveSimpoints, suffix)
        simpoint_files.write_simpoints(path, picked)
        yield path
    if flags.saveSimpointWeights:
        path = _suffixed(flags.saveSimpointWeights, suffix)
        simpoint_files.write_weights(path, picked)
        yield path


def _suffixed(path: Path, suffix: str) -> Path:
    return path.with_name(path.name + suffix)
