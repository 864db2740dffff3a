"""Values go to other processes and come back as they were, checked and read-only."""

from __future__ import annotations

import copy
import pickle
from dataclasses import fields, is_dataclass
from typing import Any

import numpy as np
import pytest
from tests.model.test_states import MACHINE, MIXTURE

import phasemark
from phasemark.estimates import PointOptions
from phasemark.model import (
    RATIOS,
    AnalysedProcess,
    Bias,
    Blocks,
    Counts,
    Estimate,
    Events,
    Hierarchy,
    Intervals,
    Markers,
    Metrics,
    Phases,
    Points,
    Profile,
    Provenance,
    Recipe,
    Reuse,
    SampledProcess,
    Samples,
    Signatures,
    Sites,
    Threads,
    Timeline,
)

_BLOCKS = Blocks(("/bin/a", ""), [0, 0, 1], [1, 2, 7], [3, 4, 0], [9, 12, 0], function=["f", "", "g"])
_COUNTS = Counts([0, 2, 3, 3], [0, 2, 1], [6, 4, 4], 3)
_INTERVALS = Intervals.of_thread(np.array([10, 4, 0]), nominal=10)
_SITES = Sites(("/bin/a",), [0, 0], [4, 9], [0, 3], [0, -1], [1, 0], function=["f", "g"], line=[3, 0])
_ONE = np.ones(1, np.int64)
_MAPPINGS = ({"cpi": 1.0}, {"cpi": 0.1}, {"cpi": (0.9, 1.1)}, {"cpi": 3.0}, {"cpi": 1.0}, {"cpi": (2,)})

VALUES = (
    _BLOCKS,
    _COUNTS,
    _INTERVALS,
    Hierarchy([0, 0], [0, 0], [0, 1], [-1, 0], [0, 0], [5, 5], [1, 2]),
    Hierarchy([0], [0], [0], [-1], [0], [5], depth=1, phases=(Phases([0], None, [0.5]),)),
    _SITES,
    Events(_SITES, [0, 1, 0], [1, 1, 7], [2, 5, 40], 50, pruned=[1]),
    Provenance("test", command=("a", "b"), details={"seed": 1}),
    Profile(_BLOCKS, _INTERVALS, _COUNTS, Provenance("test")),
    Recipe("l1", "uniform", 2, 7, "id"),
    Reuse([[1, 2, 3], [0, 0, 4]], [[0, 0, 1], [2, 0, 0]], 64),
    Signatures([[0.5, 1], [2, 3]], [0.25, 0.75], Recipe("l1", "uniform", 2, 7, "id")),
    Phases([0, 1, 0], [[0.0], [1.0]], [0.1, 0.2, 0.3], scores={1: 0.5}, inertia={1: 3.0}, model={"seed": 1}),
    Bias("guards", 0.1, 0.05, (0.0, 0.2), 20, corrected=False),
    Points(_ONE, _ONE, _ONE, _ONE, _ONE, _ONE + 5, _ONE, [1.0], coverage=0.9, method="random"),
    Markers([-1, 0, 2], [0, 4, 9], [0, 0, 9]),
    Threads([0, 0], [0, 1], [1, 2], ("sh", ""), [7, -1]),
    Timeline([0, 0], [0, 1], [0, -1], [0, -1], [0, 0], [5, 5], "instructions"),
    Metrics(_ONE, _ONE, _ONE, _ONE, _ONE, {"cycles": [np.nan]}, source="us"),
    Estimate(*_MAPPINGS, notes=("a",)),
    SampledProcess(7, 0, "start", "a"),
    Samples(
        ("/bin/a",),
        [0],
        [16],
        [True],
        ("f",),
        ("cycles",),
        (SampledProcess(7, 0, "start", "a"),),
        [0],
        [7],
        [0, 0],
        [0, 0],
        [0, 0],
        [1, 2],
        [5, 5],
    ),
    MACHINE,
    MIXTURE,
    RATIOS[0],
    AnalysedProcess(3, 5, "cc1", 0.84),
    PointOptions(coverage=0.9, per_phase=3),
)


def same(one: Any, other: Any) -> bool:
    if isinstance(one, np.ndarray):
        equal = np.array_equal(one, other, equal_nan=one.dtype.kind == "f")
        return equal and one.dtype == other.dtype and one.flags.writeable == other.flags.writeable
    if is_dataclass(one):
        values = ((getattr(one, field.name), getattr(other, field.name)) for field in fields(one))
        return type(one) is type(other) and all(same(*pair) for pair in values)
    if isinstance(one, dict):
        return one.keys() == other.keys() and all(same(one[key], other[key]) for key in one)
    if isinstance(one, tuple) and isinstance(other, tuple):
        return len(one) == len(other) and all(same(*pair) for pair in zip(one, other, strict=True))
    return bool(one == other)


def test_every_value_is_here() -> None:
    values = {value for name, value in vars(phasemark.model).items() if isinstance(value, type)}
    assert {value for value in values if is_dataclass(value)} == {type(value) for value in VALUES[:-1]}


@pytest.mark.parametrize("value", VALUES, ids=lambda value: type(value).__name__)
def test_a_value_survives_pickling_and_copying(value: Any) -> None:
    for protocol in range(2, pickle.HIGHEST_PROTOCOL + 1):
        assert same(value, pickle.loads(pickle.dumps(value, protocol)))
    assert same(value, copy.deepcopy(value)) and same(value, copy.copy(value))


@pytest.mark.parametrize("value", VALUES, ids=lambda value: type(value).__name__)
def test_a_value_cannot_be_changed(value: Any) -> None:
    for field in fields(value):
        with pytest.raises(AttributeError):
            setattr(value, field.name, getattr(value, field.name))
