"""The projection of a run: of its profile.h5, or as it was kept of the same file."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from phasemark import signatures
from phasemark._version import __version__
from phasemark.errors import DataError
from phasemark.model import Intervals, Metrics, Profile, Recipe, Signatures
from phasemark.signatures import CODE_AND_BEHAVIOUR, CODE_AND_EVENTS
from phasemark.store import cache, hdf5
from phasemark.store.folder import Folder
from phasemark.workflow.measured import metrics_of
from phasemark.workflow.reading import read

#: Asks for the one that tells most apart of what was recorded (docs/adr/0073-behaviour-beside-code.md).
BEST = "best"

#: Smaller profiles are read as fast as what is kept of them.
WORTH_KEEPING = 2**20

#: Of intervals, in the order in which they are kept: the widest first, so that each starts where it may.
_COLUMNS = {"start": "q", "length": "q", "index": "q", "run": "i", "thread": "i", "kind": "b"}

#: Ahead of them where intervals carry a clock: the last of these, or both.
_CLOCK = {"ended": "q", "began": "q"}


@dataclass(frozen=True)
class Projected:
    """What phases are found in.

    Attributes:
        intervals: of the run.
        signatures: one of each.
    """

    intervals: Intervals
    signatures: Signatures


def project(folder: Folder, dims: int, seed: int, kind: str = "blocks", *, cached: bool = True) -> Projected:
    """Project a run as `phasemark.signatures.project`.

    Args:
        folder: the run's, with its profile.h5.
        dims: number of dimensions d.
        seed: of the projection.
        kind: of signature, see signatures.project; or CODE_AND_EVENTS, of the metrics in the folder,
            CODE_AND_BEHAVIOUR, or BEST.
        cached: take what was kept of the same profile, and keep it of a large one (see `store.cache`).

    Raises:
        DataError: there is no profile, or it is damaged; or no metrics with events of its intervals; or its
            reuse of memory was not recorded.
        UsageError: dims or kind makes no sense.
    """
    if kind == CODE_AND_EVENTS:
        code = project(folder, dims, seed, cached=cached)
        return dataclasses.replace(code, signatures=with_events(code, metrics_of(folder)))
    key = _key(folder, dims, seed, kind) if cached else None
    if key is None:
        return _project(folder, dims, seed, kind)
    name = f"projected run {key['path']} {dims} {seed}" + ("" if kind == "blocks" else f" {kind}")
    kept = cache.load(name, key)
    if known := kept and _unpacked(kept):
        return known
    made = _project(folder, dims, seed, kind)
    if _key(folder, dims, seed, kind) == key:
        cache.save(name, key, vars(made.signatures.recipe), _packed(made))
    return made


def with_events(code: Projected, metrics: Metrics) -> Signatures:
    """The signatures of a run with the rates of events beside them.

    Raises:
        DataError: no events of its intervals were counted.
    """
    return signatures.combine(code.signatures, signatures.event_rates(code.intervals, metrics))


def best_of(profile: Profile) -> str:
    """The signature that BEST is for a profile."""
    return CODE_AND_BEHAVIOUR if signatures.has_behaviour(profile) else "blocks"


def _project(folder: Folder, dims: int, seed: int, kind: str) -> Projected:
    profile = read(folder.path)
    kind = best_of(profile) if kind == BEST else kind
    if kind != CODE_AND_BEHAVIOUR:
        return Projected(profile.interval_table, signatures.project(profile, dims, seed, kind))
    code = signatures.project(profile, dims, seed)
    return Projected(profile.interval_table, signatures.with_behaviour(code, profile))


def _key(folder: Folder, dims: int, seed: int, kind: str) -> dict[str, Any] | None:
    """What a projection follows from; None where it is not worth keeping, or not safe."""
    identity = hdf5.identity(folder.profile)
    if identity is None or identity["size"] < WORTH_KEEPING or folder.is_unfinished():
        return None
    return {**identity, "phasemark": __version__, "dims": dims, "seed": seed, "kind": kind}


def _packed(projected: Projected) -> Sequence[memoryview]:
    known, intervals = projected.signatures, projected.intervals
    names = [*(name for name in _CLOCK if getattr(intervals, name) is not None), *_COLUMNS]
    columns = (getattr(intervals, name) for name in names)
    return [memoryview(array) for array in (known.matrix, known.weights, *columns)]


def _unpacked(kept: cache.Entry) -> Projected | None:
    try:
        recipe = Recipe(**kept.facts)
        matrix, weights, *columns = kept.parts
        vectors = np.frombuffer(matrix, np.float64).reshape(-1, recipe.dims)
        names = list({**_CLOCK, **_COLUMNS}.items())[-len(columns) :]
        named = zip(names, columns, strict=True)
        intervals = Intervals(**{name: np.frombuffer(part, kind) for (name, kind), part in named})
        return Projected(intervals, Signatures(vectors, np.frombuffer(weights, np.float64), recipe))
    except (DataError, LookupError, TypeError, ValueError):
        return None
