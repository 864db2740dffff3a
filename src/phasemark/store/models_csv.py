"""models.csv and models-points.csv: models of phases side by side, and what points of their phases estimate.

models.csv has a row a fit: a model, what it saw of the run, how many states it was asked for, and its seed.
models-points.csv has rows of each fit: a way to choose points, and a way to estimate from them.

A comparison goes on from these rows, so the comment of each file holds a checksum of them: a number that was
changed by hand is not taken for one that was measured. Files of older versions have none, and are read as
they are.
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any, TypeVar

from phasemark.errors import DataError
from phasemark.store import tables

_Row = TypeVar("_Row", "FitRow", "PointsRow")

#: model, representation, states, seed.
Key = tuple[str, str, int, int]


@dataclass(frozen=True)
class FitRow:
    """A fit, and how well its phases describe the run. What is not known is NaN, and empty in the file.

    Likelihoods are natural logarithms, per instruction that counts as evidence (`tempering` in the comment
    of the file): what a hidden Markov model says whose states are the phases found, over all blocks, so that
    models and representations compare (phases.Likelihood). More is better, and 0 the most.

    Attributes:
        model: its name in phases.MODELS.
        representation: what the model saw: full, reweight or random; projected: of a model that takes
            projected vectors, as SimPoint.
        states: that were asked for.
        seed: of the fit.
        used: phases found: states that are the most likely ones of some interval.
        log_likelihood: of the run.
        bic: the same less the penalty of the Bayesian information criterion.
        held_out: of the last intervals of each thread, given those before, of a fit that did not see them.
        own: of the run, by the model itself, in its representation; NaN of a model that has none.
        cov: of the metric within phases, weighted (CoV_wa); a share.
    """

    model: str
    representation: str
    states: int
    seed: int
    used: int
    log_likelihood: float
    bic: float
    held_out: float = math.nan
    own: float = math.nan
    cov: float = math.nan

    @property
    def key(self) -> Key:
        """Which fit it is."""
        return self.model, self.representation, self.states, self.seed


@dataclass(frozen=True)
class PointsRow:
    """What points of a fit's phases estimate, beside the full run. What is not known is NaN.

    Attributes:
        model, representation, states, seed: which fit, as in FitRow.
        method: that chose the points, in points.METHODS.
        estimator: in estimates.ESTIMATORS.
        points: different intervals among them.
        share: of the run's instructions that are in them.
        value: of the metric, as estimated for the whole run.
        low, high: its confidence interval.
        error: of the value against the full run's: 0.01 is 1% too high (E_R is its magnitude).
        interval_error: mean relative error of single intervals (E_I).
    """

    model: str
    representation: str
    states: int
    seed: int
    method: str
    estimator: str
    points: int
    share: float
    value: float
    low: float
    high: float
    error: float
    interval_error: float

    @property
    def key(self) -> Key:
        """Which fit it is of."""
        return self.model, self.representation, self.states, self.seed


def write(path: str | Path, rows: Sequence[FitRow], *, made_by: Mapping[str, object] | None = None) -> None:
    """Write models.csv.

    Raises:
        WorkError: the file cannot be written.
    """
    _write(path, FitRow, rows, made_by)


def read(path: str | Path) -> tuple[FitRow, ...]:
    """Read models.csv.

    Raises:
        DataError: malformed, a value that cannot be, or rows that were changed since they were written; names
            file and line or row.
    """
    rows = _read(path, FitRow)
    for number, row in enumerate(rows):
        if row.states < 1 or row.used < 1:
            raise DataError("a fit without a state", path=path, row=number, hint=_AGAIN)
        least = min(row.log_likelihood, row.bic)
        if not (least > -_BEYOND and row.bic <= row.log_likelihood <= 0 and not row.held_out > 0):
            raise DataError("a likelihood that cannot be", path=path, row=number, hint=_AGAIN)
        if any(abs(value) > _BEYOND for value in (row.held_out, row.own, row.cov)) or row.cov < 0:
            raise DataError("a value that cannot be", path=path, row=number, hint=_AGAIN)
    _require_different(path, [row.key for row in rows])
    _require_unchanged(path, rows)
    return rows


def write_points(
    path: str | Path, rows: Sequence[PointsRow], *, made_by: Mapping[str, object] | None = None
) -> None:
    """Write models-points.csv.

    Raises:
        WorkError: the file cannot be written.
    """
    _write(path, PointsRow, rows, made_by)


def read_points(path: str | Path) -> tuple[PointsRow, ...]:
    """Read models-points.csv.

    Raises:
        DataError: malformed, a value that cannot be, or rows that were changed since they were written; names
            file and line or row.
    """
    rows = _read(path, PointsRow)
    for number, row in enumerate(rows):
        if row.points < 1 or not 0 < row.share <= 1 + 1e-9:
            raise DataError("a choice without a point", path=path, row=number, hint=_AGAIN)
        beyond = any(abs(value) > _BEYOND for value in (row.error, row.interval_error))
        if beyond or math.isinf(row.value) or row.interval_error < 0 or row.low > row.high:
            raise DataError("an error that cannot be", path=path, row=number, hint=_AGAIN)
    _require_different(path, [(*row.key, row.method, row.estimator) for row in rows])
    _require_unchanged(path, rows)
    return rows


def columns(kind: type[_Row], rows: Sequence[_Row]) -> dict[str, list[Any]]:
    """Column by column, blank where a value is not known."""
    names = [field.name for field in fields(kind)]
    return {name: tables.blank([getattr(row, name) for row in rows]) for name in names}


#: No likelihood and no relative error is as large; what is cannot be drawn either.
_BEYOND = 1e15
_AGAIN = "run `phasemark models` again"
_CHECKSUM = "checksum"


def _write(
    path: str | Path, kind: type[_Row], rows: Sequence[_Row], made_by: Mapping[str, object] | None
) -> None:
    tables.write(path, columns(kind, rows), made_by={**(made_by or {}), _CHECKSUM: _checksum(rows)})


def _checksum(rows: Sequence[_Row]) -> str:
    """Of the values, however they are written: line endings and further columns do not matter."""
    of = hashlib.sha256()
    for row in rows:
        of.update(
            repr([getattr(row, field.name) for field in fields(row)]).encode("utf-8", "surrogateescape")
        )
    return of.hexdigest()[:16]


def _require_unchanged(path: str | Path, rows: Sequence[_Row]) -> None:
    kept = tables.comment(path).get(_CHECKSUM)
    if kept is not None and kept != _checksum(rows):
        raise DataError("the rows are no longer those that were written", path=path, hint=_AGAIN)


def _read(path: str | Path, kind: type[_Row]) -> tuple[_Row, ...]:
    types = {"str": str, "int": int, "float": tables.Optional}
    held = tables.read(path, {field.name: types[str(field.type)] for field in fields(kind)})
    plain = [[float(v) if isinstance(v, float) else v for v in values] for values in held.values()]
    return tuple(kind(*row) for row in zip(*plain, strict=True))


def _require_different(path: str | Path, keys: Sequence[tuple[Any, ...]]) -> None:
    seen: set[tuple[Any, ...]] = set()
    for number, key in enumerate(keys):
        if key in seen:
            raise DataError("the same fit stands twice", path=path, row=number, hint=_AGAIN)
        seen.add(key)
