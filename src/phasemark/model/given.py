"""What a caller gives, as the values of the model: profiles, frames, series and arrays alike.

Rows are taken in their order, whatever the index of a pandas table says.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from phasemark.errors import DataError, UsageError
from phasemark.model.intervals import KINDS, Intervals
from phasemark.model.metrics import KEY, Metrics
from phasemark.model.phases import Phases
from phasemark.model.points import OF_SAMPLE, OPTIONAL, Points
from phasemark.model.profile import Profile

if TYPE_CHECKING:
    import pandas as pd


class Fitted(Protocol):
    """A model of phases that was fitted."""

    phases_: Phases


IntervalsLike: TypeAlias = "Intervals | Profile | pd.DataFrame | ArrayLike"
PhasesLike: TypeAlias = "Phases | Fitted"
LabelsLike: TypeAlias = "Phases | Fitted | pd.DataFrame | ArrayLike"
WeightsLike: TypeAlias = "Intervals | Profile | pd.DataFrame | ArrayLike"
PointsLike: TypeAlias = "Points | pd.DataFrame"
MetricsLike: TypeAlias = "Metrics | pd.DataFrame"


def intervals(given: IntervalsLike) -> Intervals:
    """Intervals, of a profile, of a frame of them, or of one thread's lengths.

    Raises:
        UsageError: it is none of these.
        DataError: the rows are no intervals.
    """
    if isinstance(given, Intervals):
        return given
    if isinstance(given, Profile):
        return given.interval_table
    if is_frame(given):
        table = _columns(given, ("run", "thread", "index", "start", "length"), "intervals")
        return Intervals(
            **table, kind=_kinds(given), began=_clock(given, "began"), ended=_clock(given, "ended")
        )
    lengths = numbers(given, "intervals", "a Profile, its intervals, or the lengths of one thread's")
    return Intervals.of_thread(_whole(lengths, "the lengths of intervals"))


def phases(given: PhasesLike) -> Phases:
    """Phases, or those of a fitted model.

    Raises:
        UsageError: it is neither; labels alone do not tell what is typical of a phase.
    """
    if isinstance(given, Phases):
        return given
    if isinstance(getattr(given, "phases_", None), Phases):
        return given.phases_
    raise _unlike("phases", "model.Phases or a fitted model", given)


def labels(given: LabelsLike) -> NDArray[np.int64]:
    """The phase of each interval, n int64: of Phases, of a fitted model, or of a frame's column `phase`.

    Raises:
        UsageError: it is none of these, nor one-dimensional.
        DataError: a label is negative or no whole number.
    """
    array = _labels(given)
    if array.dtype.kind not in "iu" and array.size:
        raise DataError("the labels are no whole numbers", hint="number the phases from 0")
    array = array.astype(np.int64)
    if (array < 0).any():
        raise DataError("a label is negative", row=int(np.argmax(array < 0)))
    return array


def weights(given: WeightsLike) -> NDArray[np.float64]:
    """One weight an interval, n doubles; of intervals or a profile their instructions.

    Raises:
        UsageError: it is none of these, nor one-dimensional.
    """
    if isinstance(given, Profile):
        given = given.interval_table
    if isinstance(given, Intervals):
        return given.length.astype(np.float64)
    if is_frame(given):
        return np.asarray(_columns(given, ("length",), "weights")["length"], np.float64)
    return numbers(given, "weights", "one number an interval, or the intervals, whose instructions weigh")


def points(given: PointsLike) -> Points:
    """Points, or those of their `frame()`.

    Raises:
        UsageError: it is neither, or a frame that does not say by which method they were chosen.
        DataError: the rows are no points.
    """
    if isinstance(given, Points):
        return given
    if not is_frame(given):
        raise _unlike("points", "model.Points or their frame()", given)
    names = ("run", "thread", "interval", "phase", "start", "end", "warmup", "weight", "population", "spread")
    more = [name for name in OPTIONAL if name in given.columns]
    table: dict[str, Any] = {**_columns(given, (*names, *more), "points")}
    if "method" not in given.attrs:
        raise UsageError(
            "the table of points does not say how they were chosen, on which the error bar depends",
            hint="give model.Points, of phasemark.store.points_csv.read for a file",
        )
    told = {name: given.attrs[name] for name in ("coverage", *OF_SAMPLE) if name in given.attrs}
    return Points(**table, method=given.attrs["method"], **told)


def metrics(given: MetricsLike) -> Metrics:
    """Metrics, or those of a frame: the key of each interval, and a column for each counter.

    Raises:
        UsageError: it is neither, or a counter is no number.
        DataError: the rows are no metrics.
    """
    if isinstance(given, Metrics):
        return given
    if not is_frame(given):
        raise _unlike("metrics", "model.Metrics or their frame()", given)
    key: dict[str, Any] = _columns(given, tuple(KEY), "metrics")
    others = [name for name in given.columns if name not in KEY]
    return Metrics(**key, counters={str(name): numbers(given[name], str(name)) for name in others})


def names(given: str | Sequence[str]) -> list[str]:
    """Names of metrics; one may stand alone."""
    return [given] if isinstance(given, str) else list(given)


def numbers(given: Any, what: str, expected: str = "one number an interval") -> NDArray[np.float64]:
    """A vector of doubles, of an array, a list or a series; NaN where a value is missing.

    Raises:
        UsageError: it is none.
    """
    try:
        if _is_series(given):
            return np.asarray(given.to_numpy(np.float64, na_value=np.nan))
        array = np.asarray(given, np.float64)
    except (TypeError, ValueError):
        raise _unlike(what, expected, given) from None
    if array.ndim != 1:
        raise _unlike(what, expected, given)
    return array


def is_frame(given: object) -> bool:
    """Whether it is a pandas frame; whoever gives one has loaded pandas."""
    pandas = sys.modules.get("pandas")
    return pandas is not None and isinstance(given, pandas.DataFrame)


def _is_series(given: object) -> bool:
    pandas = sys.modules.get("pandas")
    return pandas is not None and isinstance(given, pandas.Series)


def _labels(given: Any) -> NDArray[Any]:
    given = getattr(given, "phases_", given)
    if isinstance(given, Phases):
        return given.labels
    if is_frame(given):
        return np.asarray(_columns(given, ("phase",), "labels")["phase"])
    array = np.asarray(getattr(given, "labels_", given))
    if array.ndim != 1:
        raise _unlike("labels", "model.Phases, a fitted model, or one whole number an interval", given)
    return array


def _columns(frame: Any, wanted: Sequence[str], what: str) -> dict[str, NDArray[Any]]:
    missing = [name for name in wanted if name not in frame.columns]
    if missing:
        raise UsageError(
            f"a table of {what} has no column {', '.join(missing)}",
            hint=f"it needs {', '.join(wanted)}",
        )
    return {name: frame[name].to_numpy() for name in wanted}


def _kinds(frame: Any) -> NDArray[np.int8]:
    """As indices into KINDS; `fixed` where the frame does not say."""
    if "kind" not in frame.columns:
        return np.zeros(len(frame), np.int8)
    kinds = frame["kind"].tolist()
    unknown = sorted({str(kind) for kind in kinds} - set(KINDS))
    if unknown:
        raise DataError(f"an interval is of the kind {unknown[0]}", hint=f"one of: {', '.join(KINDS)}")
    return np.array([KINDS.index(kind) for kind in kinds], np.int8)


def _clock(frame: Any, name: str) -> NDArray[Any] | None:
    return np.asarray(frame[name]) if name in frame.columns else None


def _whole(values: NDArray[np.float64], what: str) -> NDArray[np.int64]:
    bad = ~(np.isfinite(values) & (values == np.trunc(values)))
    if bad.any():
        raise DataError(f"{what} are no whole numbers", row=int(np.argmax(bad)))
    return values.astype(np.int64)


def _unlike(what: str, expected: str, given: object) -> UsageError:
    shape = f" with {given.ndim} dimensions" if isinstance(given, np.ndarray) and given.ndim != 1 else ""
    return UsageError(
        f"{what} cannot be made of a value of type {type(given).__name__}{shape}", hint=f"give {expected}"
    )
