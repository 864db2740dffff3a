"""A metric by interval: values, and what they are averaged with."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest
from tests.quality.runs import CPI, INTERVALS, PHASES, metrics

from phasemark.errors import DataError
from phasemark.model import Intervals, Metrics
from phasemark.quality import measured
from phasemark.quality.measured import foremost, names, rows_of

LENGTHS = INTERVALS.length.tolist()


def test_a_ratio_is_averaged_with_its_denominator() -> None:
    counted = metrics(l2_misses=[1, 0, 2, 0, 0, 4], l2_references=[10, 0, 10, 10, 10, 10])
    cpi = measured(counted, INTERVALS, "cpi")
    assert cpi.values.tolist() == CPI and cpi.weights.tolist() == LENGTHS and cpi.title == "CPI"
    rate = measured(counted, INTERVALS, "l2_miss_rate")
    assert rate.values.tolist() == pytest.approx([0.1, np.nan, 0.2, 0, 0, 0.4], nan_ok=True)
    assert rate.weights.tolist() == [10, 0, 10, 10, 10, 10]
    # Nothing was referenced: not defined, and yet not missing.
    assert rate.known.all() and rate.missing == 0
    per_thousand = measured(counted, INTERVALS, "l2_mpki")
    assert per_thousand.values.tolist() == [10, 0, 20, 0, 0, 100]
    assert per_thousand.title == "L2 misses per 1000 instructions"


def test_ipc_is_averaged_with_cycles() -> None:
    ipc = measured(metrics(), INTERVALS, "ipc")
    assert ipc.values.tolist() == pytest.approx([1 / cpi for cpi in CPI])
    assert ipc.weights.tolist() == pytest.approx([cpi * n for cpi, n in zip(CPI, LENGTHS, strict=True)])
    mean = np.average(ipc.values, weights=ipc.weights)
    assert mean == pytest.approx(sum(LENGTHS) / sum(np.array(CPI) * LENGTHS)) and ipc.title == "IPC"


def test_a_counter_is_taken_per_instruction() -> None:
    widgets = measured(metrics(widgets=[50, 100, 0, 0, 0, 40]), INTERVALS, "widgets")
    assert widgets.values.tolist() == [0.5, 1, 0, 0, 0, 1] and widgets.weights.tolist() == LENGTHS
    assert widgets.title == "widgets per instruction"


def test_what_was_not_measured_has_no_weight() -> None:
    cpi = measured(metrics([np.nan, *CPI[1:]]), INTERVALS, "cpi")
    assert cpi.known.tolist() == [False] + [True] * 5 and cpi.weights[0] == 0
    assert cpi.missing == pytest.approx(100 / 540)
    assert cpi.missing_of(PHASES.labels, 3).tolist() == [0.5, 0, 0]
    assert repr(cpi) == "<Measured: cpi of 5 of 6 intervals>"
    frame = cpi.frame()
    assert list(frame.columns) == ["value", "weight", "known", "length"]
    assert frame["value"].isna().sum() == 1 and frame["length"].tolist() == LENGTHS


def test_rows_that_are_not_there_are_missing() -> None:
    whole = metrics()
    keys = [getattr(whole, key)[[1, 4]] for key in ("run", "thread", "index", "start", "length")]
    part = Metrics(*keys, {"cycles": whole.counters["cycles"][[1, 4]]})
    assert rows_of(part, INTERVALS).tolist() == [-1, 0, -1, -1, 1, -1]
    cpi = measured(part, INTERVALS, "cpi")
    assert cpi.values.tolist() == pytest.approx([np.nan, 2, np.nan, np.nan, 3, np.nan], nan_ok=True)
    nothing = Metrics(*(key[:0] for key in keys), {"cycles": np.zeros(0)})
    assert not measured(nothing, INTERVALS, "cpi").known.any()


def test_a_profile_and_frames_are_as_good() -> None:
    plain = measured(metrics(), INTERVALS, "cpi")
    framed = measured(metrics().frame(), INTERVALS.frame(), "cpi")
    assert plain.frame().equals(framed.frame())


@pytest.mark.parametrize(
    ("field", "message"),
    [
        (
            "length",
            "row 0: interval 0 at 0, 101 instructions long, is none of the profile's\n  hint: ",
        ),
        ("start", "row 0: interval 0 at 1, 100 instructions long"),
        ("index", "row 5: interval 6 at 500, 40 instructions long"),
    ],
)
def test_metrics_of_another_run_are_refused(field, message) -> None:
    other = dataclasses.replace(metrics(), **{field: getattr(metrics(), field) + 1})
    if field == "index":  # only the last one is none of the profile's
        other = dataclasses.replace(
            other, start=np.append(INTERVALS.start[1:], 500), length=[100] * 4 + [40, 40]
        )
    with pytest.raises(DataError, match=message):
        rows_of(other, INTERVALS)


def test_the_whole_run_in_one_says_nothing_of_intervals() -> None:
    zero = np.zeros(1, int)
    whole = Metrics(zero, zero, zero, zero, [540], {"cycles": [9.0]})
    with pytest.raises(DataError, match="holds the whole run as one"):
        measured(whole, INTERVALS, "cpi")
    with pytest.raises(DataError, match="measure the intervals of this profile"):
        measured(whole, Intervals.of_thread([500]), "cpi")


def test_the_usual_metrics() -> None:
    assert names(metrics()) == ["cpi"]
    assert names(metrics(l2_misses=np.ones(6)).frame()) == ["cpi", "l2_mpki"]
    zero = np.zeros(1, int)
    assert names(Metrics(zero, zero, zero, zero, [9], {"widgets": [1.0], "gadgets": [1.0]})) == [
        "instructions", "widgets", "gadgets",
    ][1:]  # fmt: skip


def test_the_foremost_are_those_of_the_paper_where_not_all_can_stand() -> None:
    many = ["l1i_miss_rate", "l1i_mpki", "l1d_miss_rate", "l2_mpki", "cpi", "branch_mpki", "other"]
    assert foremost(many) == ["cpi", "branch_mpki", "l1i_mpki", "l2_mpki"]
    assert foremost(many[:6]) == many[:6]
    assert foremost(list("abcdefgh")) == list("abcdef")
