"""The table of quality: full, all, then each phase."""

from __future__ import annotations

import math

import numpy as np
import pandas as pd
import pytest
from tests.quality.runs import CPI, INTERVALS, PHASES, metrics

from phasemark.errors import DataError, UsageError
from phasemark.model import Blocks, Counts, Profile, Provenance
from phasemark.phases import SimPoint
from phasemark.quality import Table, cim, cov, deviation_reduction, measured, table
from phasemark.quality.table import columns

LENGTHS = INTERVALS.length


def test_rows_are_those_of_the_measures() -> None:
    rows = table(metrics(), INTERVALS, PHASES, ["cpi"], n=3)
    assert [(row.metric, row.phase) for row in rows] == [("cpi", each) for each in ("full", "all", "0", "1")]
    full, every, first, second = rows
    spread, interval = cov(CPI, PHASES, LENGTHS), cim(CPI, PHASES, 3, weights=LENGTHS)
    assert full.mean == every.mean == pytest.approx(np.average(CPI, weights=LENGTHS))
    assert (full.cov, every.cov, first.cov, second.cov) == pytest.approx(
        (spread.before, spread.total, *spread.per_phase)
    )
    assert (full.cim, every.cim, first.cim, second.cim) == pytest.approx(
        (interval.before, interval.percent, *interval.per_phase)
    )
    whole = math.sqrt(np.average((np.array(CPI) - full.mean) ** 2, weights=LENGTHS))
    assert full.deviation == pytest.approx(whole) and full.deviation_reduction == 0
    assert every.deviation_reduction == pytest.approx(deviation_reduction(CPI, PHASES, LENGTHS))
    assert every.deviation == pytest.approx(whole * (1 - every.deviation_reduction))
    assert first.deviation_reduction == pytest.approx(1 - 0.5 / whole)
    assert (first.share, second.share) == pytest.approx((200 / 540, 340 / 540))
    assert (full.share, every.share) == (1, 1)
    assert (full.intervals, every.intervals, first.intervals, second.intervals) == (6, 6, 2, 4)
    assert full.sample == every.sample == pytest.approx(3) and first.sample + second.sample == pytest.approx(
        3
    )
    assert not any(row.missing for row in rows)


def test_options_reach_cim() -> None:
    sure, unsure = (table(metrics(), INTERVALS, PHASES, "cpi", n=3, confidence=c)[1].cim for c in (0.99, 0.9))
    assert sure > unsure
    planned = table(metrics(), INTERVALS, PHASES, "cpi", n=3, plan=True)
    assert [row.sample for row in planned] == [3, 3, *cim(CPI, PHASES, 3, plan=True, weights=LENGTHS).sample]
    with pytest.raises(UsageError, match="1 interval cannot stand for 2"):
        table(metrics(), INTERVALS, PHASES, "cpi", n=1, plan=True)


def test_what_is_missing_is_said_by_phase() -> None:
    rows = table(metrics([np.nan, *CPI[1:]]), INTERVALS, PHASES, "cpi")
    assert [row.missing for row in rows] == pytest.approx([100 / 540, 100 / 540, 0.5, 0])
    assert [row.intervals for row in rows] == [5, 5, 1, 4]


def test_without_names_all_ratios() -> None:
    counted = metrics(l2_misses=[0.0] * 6, widgets=[1.0] * 6)
    rows = table(counted, INTERVALS, PHASES)
    assert list(dict.fromkeys(row.metric for row in rows)) == ["cpi", "l2_mpki"]
    # A mean of 0 has no relative deviation; nothing varies, nothing can be reduced.
    idle = rows[4:]
    assert all(math.isnan(row.cov) and row.deviation_reduction == 0 for row in idle)


def test_a_phase_that_varies_where_the_run_does_not() -> None:
    """Of a run that does not vary, a phase's reduction is 0 as well."""
    rows = table(metrics([2.0] * 6), INTERVALS, PHASES, "cpi")
    assert [row.deviation_reduction for row in rows] == [0, 0, 0, 0]


def profile() -> Profile:
    blocks = Blocks(("a.out",), [0, 0], [0, 40], [10, 10], [40, 40])
    counts = Counts(np.arange(7), PHASES.labels, LENGTHS, 2)
    return Profile(blocks, INTERVALS, counts, Provenance("a test"))


def test_profiles_models_and_frames_are_as_good() -> None:
    model = SimPoint(k=2).fit(np.eye(2)[PHASES.labels])
    plain = table(metrics(), INTERVALS, PHASES, ["cpi"])
    assert table(metrics().frame(), profile(), model, "cpi") == plain
    assert table(metrics(), profile().intervals, model.phases_, "cpi") == plain
    for phases in (PHASES, model, PHASES.labels, pd.Series(PHASES.labels)):
        for instructions in (profile(), INTERVALS, INTERVALS.frame(), LENGTHS):
            assert cov(pd.Series(CPI), phases, instructions).total == plain[1].cov
            assert deviation_reduction(CPI, phases, instructions) == plain[1].deviation_reduction
            assert cim(pd.Series(CPI), phases, weights=instructions).percent == plain[1].cim
    cpi = measured(metrics([np.nan, *CPI[1:]]), profile(), "cpi")
    holed = table(metrics([np.nan, *CPI[1:]]), profile(), model, "cpi")[1]
    assert cov(cpi, model).total == holed.cov and cov(cpi, model).missing == pytest.approx(holed.missing)
    assert deviation_reduction(cpi, model) == holed.deviation_reduction
    assert cim(cpi, model).percent == holed.cim
    equally = cov(cpi, model, np.ones(6))
    assert equally.total != holed.cov and equally.missing == pytest.approx(1 / 6)


def test_phases_of_another_run_are_refused() -> None:
    with pytest.raises(DataError, match="6 values, 3 labels"):
        table(metrics(), INTERVALS, SimPoint(k=1).fit(np.zeros((3, 1))), "cpi")
    with pytest.raises(UsageError, match="values cannot be made of a value of type ndarray with 2"):
        cov(np.zeros((2, 3)), [0, 0])


def test_tables_show_themselves() -> None:
    rows = table(metrics(), INTERVALS, PHASES, "cpi")
    assert repr(rows) == "<Table: cpi in 2 phases>" and repr(Table()) == "<Table: no metric in 0 phases>"
    frame = rows.frame()
    assert list(frame.columns)[:3] == ["metric", "phase", "share"] and frame["cov"].tolist() == [
        row.cov for row in rows
    ]
    assert "<table" in rows._repr_html_()
    written = columns(rows)
    assert list(written) == list(frame.columns) and written["phase"] == ["full", "all", "0", "1"]
    assert columns(table(metrics([0.0] * 6), INTERVALS, PHASES, "cpi"))["cov"] == [None] * 4


def test_measures_show_themselves_in_one_line() -> None:
    spread, interval = cov(CPI, PHASES, LENGTHS), cim(CPI, PHASES, 3)
    assert repr(spread) == f"<Cov: {spread.before:.3g} in the whole run, {spread.total:.3g} within 2 phases>"
    assert repr(cov([np.nan, 1], [0, 0])).endswith("within 1 phase, 50.0% missing>")
    assert repr(interval) == (
        f"<Cim: {interval.before:.3g}% in the whole run, {interval.percent:.3g}% with 2 phases, "
        "3 intervals measured>"
    )
    assert "50.0% missing" in repr(cim([np.nan, 1], [0, 0]))
    assert spread.frame()["cov"].tolist() == spread.per_phase.tolist()
    assert interval.frame()[["phase", "cim", "sample"]].to_numpy().tolist() == [
        [phase, *row] for phase, row in enumerate(zip(interval.per_phase, interval.sample, strict=True))
    ]
