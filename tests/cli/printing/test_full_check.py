"""What `phasemark run --check` prints, to the letter."""

from __future__ import annotations

import dataclasses

import pytest
from tests.cli.printing.results import estimates, simulation

from phasemark.cli.printing import full_check as shown
from phasemark.workflow import EstimateResult
from phasemark.workflow.full_check import FullCheckResult

SECONDS = {"profile": 1.25, "points": 0.5, "whole run": 10.0}


def test_the_table(capsys: pytest.CaptureFixture[str]) -> None:
    shown.show(FullCheckResult(estimates({"cpi": 1.45}, ("a note",)), (), SECONDS))
    out, err = capsys.readouterr()
    assert out == ""
    assert err.splitlines() == [
        "",
        "metric   estimate  points  90% interval    +-  full run   error  covered",
        "cpi           1.5  3 of 3    1.4 to 1.6  6.7%      1.45  +3.45%      yes",
        "ipc        0.6667  2 of 3             -     -",
        "l2_mpki         0  3 of 3        0 to 0  0.0%",
        "CPU time: profile 1.2 s, points 0.5 s, whole run 10.0 s",
        "phasemark: note: a note",
    ]


def test_nothing_to_compare_with_is_said(capsys: pytest.CaptureFixture[str]) -> None:
    shown.show(FullCheckResult(estimates(), (), SECONDS))
    assert capsys.readouterr().err.splitlines()[-1] == (
        "phasemark: warning: the whole run was not compared: it differs too much from the profile"
    )


@pytest.mark.parametrize("method", ["nearest", "stratified"])
def test_what_to_do_where_many_intervals_miss(method: str) -> None:
    full = {"cpi": 1.45, "l2_mpki": 1.0}
    one = FullCheckResult(_of(method, full), (), SECONDS)
    two = FullCheckResult(_of(method, {**full, "cpi": 2.0}), (), SECONDS)
    said = (
        "2 of 2 intervals miss the whole run: take a random sample, of more points a phase "
        "(`phasemark points DIR --per-phase 4`), then simulate and estimate",
    )
    assert one.notes == () and two.notes == (said if method == "nearest" else ())
    assert shown.summary(two)["notes"] == list(two.notes)


def _of(method: str, full: dict[str, float]) -> EstimateResult:
    result = estimates(full)
    return dataclasses.replace(result, points=dataclasses.replace(result.points, method=method))


def test_as_json() -> None:
    summary = shown.summary(FullCheckResult(estimates({"cpi": 1.45}, ("a note",)), (), SECONDS))
    assert summary == {
        "metrics": {
            "cpi": {
                "estimate": 1.5,
                "interval": [1.4, 1.6],
                "full": 1.45,
                "error": 1.5 / 1.45 - 1,
                "covered": True,
            },
            "ipc": {"estimate": 2 / 3, "interval": [0.0, None], "full": None, "error": None, "covered": None},
            "l2_mpki": {
                "estimate": 0.0,
                "interval": [0.0, 0.0],
                "full": None,
                "error": None,
                "covered": None,
            },
        },
        "cpu_seconds": SECONDS,
        "notes": ["a note"],
    }


def test_the_status_is_1_where_a_part_is_missing() -> None:
    whole, part = simulation(), simulation(missing=(0,), profiled=4000)
    compared = estimates({"cpi": 1.45})
    assert FullCheckResult(compared, (whole, whole), SECONDS).status == 0
    assert FullCheckResult(compared, (whole, part), SECONDS).status == 1
    assert FullCheckResult(compared, (part,), SECONDS).status == 1
    assert FullCheckResult(estimates(), (whole, whole), SECONDS).status == 1
