"""What callers give: profiles, frames, series and arrays stand for the same values."""

from __future__ import annotations

import dataclasses
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest

from phasemark.errors import DataError, UsageError
from phasemark.model import Blocks, Counts, Intervals, Metrics, Phases, Points, Profile, Provenance, given
from phasemark.model.intervals import concatenate
from phasemark.phases import SimPoint

LENGTHS = [10, 10, 5]
INTERVALS = Intervals.of_thread(LENGTHS, nominal=10)
PHASES = Phases([0, 1, 0], [[0.0], [1.0]], [0.0, 0.0, 0.5])


def profile() -> Profile:
    blocks = Blocks(("a.out",), [0], [0], [5], [20])
    counts = Counts([0, 1, 2, 3], [0, 0, 0], LENGTHS, 1)
    return Profile(blocks, INTERVALS, counts, Provenance("a test"))


def metrics() -> Metrics:
    zeros = np.zeros(3, int)
    counters = {"cycles": [20.0, np.nan, 5.0], "widgets": [1.0, 2.0, 3.0]}
    return Metrics(zeros, zeros, np.arange(3), INTERVALS.start, LENGTHS, counters, source="a test")


def points() -> Points:
    return Points(
        [0, 0], [0, 0], [0, 1], [0, 1], [0, 10], [10, 20], [0, 5], [0.6, 0.4],
        coverage=0.9, method="stratified", population=[2, 1], spread=[0.5, np.nan],
    )  # fmt: skip


def equal(one: object, other: object) -> bool:
    """Field by field, arrays and all."""
    return type(one) is type(other) and all(
        _same(getattr(one, field.name), getattr(other, field.name))
        for field in dataclasses.fields(one)  # type: ignore[arg-type]
    )


def _same(one: object, other: object) -> bool:
    if isinstance(one, dict):
        return one.keys() == other.keys() and all(_same(one[key], other[key]) for key in one)
    if isinstance(one, np.ndarray):
        return one.dtype == other.dtype and np.array_equal(one, other, equal_nan=one.dtype.kind == "f")
    return one == other


def test_intervals_of_a_profile_and_its_frame() -> None:
    assert given.intervals(INTERVALS) is INTERVALS
    run = profile()
    assert given.intervals(run) is run.interval_table
    assert equal(given.intervals(run.intervals), INTERVALS)
    threads = concatenate([INTERVALS, Intervals.of_thread([7], thread=1)])
    assert equal(given.intervals(threads.frame()), threads)
    assert given.intervals(threads.frame().drop(columns="kind")).kind.tolist() == [0, 0, 0, 0]
    read = threads.frame().astype({"kind": str})
    assert given.intervals(read).kind.tolist() == [0, 0, 3, 0]


def test_intervals_of_lengths() -> None:
    for lengths in (LENGTHS, tuple(LENGTHS), np.array(LENGTHS), pd.Series(LENGTHS, index=[7, 8, 9])):
        assert equal(given.intervals(lengths), Intervals.of_thread(LENGTHS))


@pytest.mark.parametrize(
    ("wrong", "error", "message"),
    [
        (
            None,
            UsageError,
            "intervals cannot be made of a value of type NoneType\n  hint: give a Profile",
        ),
        ("gzip", UsageError, "intervals cannot be made of a value of type str"),
        (np.zeros((2, 2)), UsageError, "intervals cannot be made of a value of type ndarray with 2"),
        (3, UsageError, "intervals cannot be made of a value of type int"),
        ([10, 9.5], DataError, "row 1: the lengths of intervals are no whole numbers"),
        ([10, np.nan], DataError, "row 1: the lengths of intervals are no whole numbers"),
        (
            pd.DataFrame({"run": [0], "thread": [0]}),
            UsageError,
            "a table of intervals has no column index",
        ),
        (INTERVALS.frame().astype({"kind": str}).replace("tail", "tale"), DataError, "of the kind tale"),
    ],
)
def test_what_is_no_intervals_is_refused(wrong, error, message) -> None:
    with pytest.raises(error, match=message):
        given.intervals(wrong)


def test_labels_and_phases_of_a_fitted_model() -> None:
    matrix = np.repeat([[0.0, 1.0], [1.0, 0.0]], 3, axis=0)
    model = SimPoint(k=2).fit(matrix)
    assert given.labels(model).tolist() == model.labels_.tolist() == [0, 0, 0, 1, 1, 1]
    assert given.phases(model).labels.tolist() == model.labels_.tolist()
    assert given.phases(PHASES) is PHASES
    assert given.labels(PHASES).tolist() == [0, 1, 0]
    for labels in ([0, 1, 0], np.array([0, 1, 0], np.uint8), pd.Series([0, 1, 0], index=[3, 4, 5])):
        assert given.labels(labels).tolist() == [0, 1, 0]
    assert given.labels(pd.DataFrame({"phase": [0, 1, 0], "distance": 0.0})).tolist() == [0, 1, 0]
    assert given.labels([]).dtype == np.int64


def test_labels_of_another_librarys_model() -> None:
    assert given.labels(SimpleNamespace(labels_=np.array([1, 0, 1], np.int32))).tolist() == [1, 0, 1]


@pytest.mark.parametrize(
    ("wrong", "error", "message"),
    [
        ([0, 0.5], DataError, "the labels are no whole numbers"),
        ([0, 1, -1], DataError, "row 2: a label is negative"),
        (
            SimPoint(k=2),
            UsageError,
            "made of a value of type SimPoint\n  hint: give model.Phases",
        ),
        (pd.DataFrame({"label": [0]}), UsageError, "a table of labels has no column phase"),
        (np.zeros((2, 2), int), UsageError, "with 2 dimensions"),
    ],
)
def test_what_is_no_labels_is_refused(wrong, error, message) -> None:
    with pytest.raises(error, match=message):
        given.labels(wrong)


def test_labels_alone_are_no_phases() -> None:
    with pytest.raises(UsageError, match=r"phases cannot be made of a value of type list\s+hint: give model"):
        given.phases([0, 1, 0])


def test_weights_of_intervals_are_their_instructions() -> None:
    for weights in (INTERVALS, profile(), INTERVALS.frame(), LENGTHS, pd.Series(LENGTHS)):
        found = given.weights(weights)
        assert found.dtype == np.float64 and found.tolist() == [10.0, 10.0, 5.0]
    with pytest.raises(UsageError, match="a table of weights has no column length"):
        given.weights(INTERVALS.frame().drop(columns="length"))
    with pytest.raises(UsageError, match="weights cannot be made of a value of type dict"):
        given.weights({})


def test_points_of_their_frame() -> None:
    assert equal(given.points(points().frame()), points())
    assert given.points(one := points()) is one
    bare = pd.DataFrame(points().frame().to_dict("list"))
    with pytest.raises(UsageError, match="does not say how they were chosen"):
        given.points(bare)
    with pytest.raises(UsageError, match="a table of points has no column weight"):
        given.points(points().frame().drop(columns="weight"))
    with pytest.raises(DataError, match=r"sum to 0\.6"):
        given.points(points().frame().head(1))
    with pytest.raises(UsageError, match="points cannot be made of a value of type list"):
        given.points([3, 7])


def test_metrics_of_their_frame() -> None:
    assert given.metrics(one := metrics()) is one
    read = given.metrics(metrics().frame())
    assert equal(dataclasses.replace(read, source="a test"), metrics())
    whole = metrics().frame().astype({"widgets": "Int64"})
    whole.loc[1, "widgets"] = pd.NA
    assert np.isnan(given.metrics(whole).counters["widgets"][1])
    with pytest.raises(UsageError, match="name cannot be made of a value of type Series"):
        given.metrics(metrics().frame().assign(name="gzip"))
    with pytest.raises(UsageError, match="a table of metrics has no column length"):
        given.metrics(metrics().frame().drop(columns="length"))
    with pytest.raises(UsageError, match="metrics cannot be made of a value of type dict"):
        given.metrics({"cycles": [1.0]})


def test_one_name_may_stand_alone() -> None:
    assert given.names("cpi") == ["cpi"] and given.names(("cpi", "ipc")) == ["cpi", "ipc"]
