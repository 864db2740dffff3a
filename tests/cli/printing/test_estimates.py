"""What `phasemark estimate` prints, to the letter."""

from __future__ import annotations

import dataclasses
import json

import numpy as np
from tests.cli.printing.results import estimates

from phasemark.cli.printing import estimates as shown
from phasemark.model import AnalysedProcess
from phasemark.views.forecast import Forecast
from phasemark.workflow import EstimateResult, OverSeeds

SPREAD = OverSeeds({"cpi": [1.4, 1.5, 1.6], "l2_mpki": [0.0, 0.0, 0.0]}, {"cpi": 2 / 3, "l2_mpki": 1.0})


def complete(**changes: object) -> EstimateResult:
    """As `estimates`, with every point measured."""
    result = estimates()
    estimate = dataclasses.replace(result.estimate, missing=dict.fromkeys(result.estimate.value, ()))
    return dataclasses.replace(result, estimate=estimate, **changes)  # type: ignore[arg-type]


def test_estimates_alone() -> None:
    assert shown.lines(complete()) == [
        "3 points, method nearest",
        "",
        "metric   estimate  90% interval    +-",
        "cpi           1.5    1.4 to 1.6  6.7%",
        "ipc        0.6667             -     -",
        "l2_mpki         0        0 to 0  0.0%",
    ]


def test_bars_that_say_nothing_are_short() -> None:
    alone = complete().estimate
    for high, said in ((31.4, "996.7%"), (31.6, "over 1000%"), (np.inf, "not bounded")):
        wide = dataclasses.replace(alone, interval={**alone.interval, "cpi": (1.5, high)})
        assert shown.lines(dataclasses.replace(complete(), estimate=wide))[3].endswith(f"  {said}")


def test_points_that_are_missing_are_said_first_and_beside_the_numbers() -> None:
    assert shown.lines(estimates()) == [
        "2 to 3 of 3 points measured, for 75.00% of the run, method nearest",
        "",
        "metric   estimate  points  90% interval    +-",
        "cpi           1.5  3 of 3    1.4 to 1.6  6.7%",
        "ipc        0.6667  2 of 3             -     -",
        "l2_mpki         0  3 of 3        0 to 0  0.0%",
    ]
    result = estimates()
    gone = dataclasses.replace(result.estimate, missing=dict.fromkeys(result.estimate.value, (0, 1)))
    first = shown.lines(dataclasses.replace(result, estimate=gone))[0]
    assert first.startswith("1 of 3 points measured, for ")


def test_what_was_forecast_stands_beside_what_came_out() -> None:
    planned = complete(forecast=Forecast(0.041, 0.9, 0.05))
    assert shown.lines(planned)[:3] == [
        "3 points, method nearest",
        "CPI's error bar came out at +-6.67%; the forecast, when the points were picked, was +-4.10%, for an "
        "error within +-5.00%",
        "",
    ]
    assert shown.summary(planned)["forecast"] == {"half_width": 0.041, "confidence": 0.9, "target": 0.05}
    surer = shown.lines(complete(forecast=Forecast(0.041, 0.95)))[1]
    assert surer.endswith("when the points were picked, was +-4.10% at 95%")


def test_of_several_processes_it_is_said_which_this_is() -> None:
    result = complete(process=AnalysedProcess(3, 5, "cc1", 0.84))
    assert shown.lines(result)[:2] == [
        "process 3 of 5, cc1: 84.00% of all instructions",
        "3 points, method nearest",
    ]
    assert shown.summary(result)["process"]["program"] == "cc1"


def test_beside_the_full_run() -> None:
    """Of the second the full run is not known; of the third it is 0, so that there is no error."""
    assert shown.lines(estimates({"cpi": 1.45, "l2_mpki": 0.0}, ("a note", "another"))) == [
        "2 to 3 of 3 points measured, for 75.00% of the run, method nearest",
        "",
        "metric   estimate  points  90% interval    +-  full run   error  covered",
        "cpi           1.5  3 of 3    1.4 to 1.6  6.7%      1.45  +3.45%      yes",
        "ipc        0.6667  2 of 3             -     -",
        "l2_mpki         0  3 of 3        0 to 0  0.0%         0              yes",
        "note: a note",
        "note: another",
    ]
    row = estimates({"cpi": 2.0}).summary().splitlines()[1]
    assert row == "cpi           1.5  3 of 3    1.4 to 1.6  6.7%         2  -25.00%       no"


def test_over_seeds() -> None:
    assert shown.lines(estimates(), SPREAD)[6:] == [
        "",
        "cpi over 3 seeds: mean 1.5, deviation 0.1 (6.7%), from 1.4 to 1.6; the interval covered the full "
        "run's value in 67%",
        "l2_mpki over 3 seeds: mean 0, deviation 0, from 0 to 0; the interval covered the full run's value "
        "in 100%",
    ]


def test_as_json() -> None:
    assert json.loads(json.dumps(shown.summary(estimates({"cpi": 1.45}, ("a note",)), SPREAD))) == {
        "process": None,
        "confidence": 0.9,
        "points": 3,
        "method": "nearest",
        "source": "a test",
        "forecast": None,
        "metrics": {
            "cpi": {
                "value": 1.5,
                "standard_error": 0.05,
                "interval": [1.4, 1.6],
                "degrees_of_freedom": 2.0,
                "coverage": 1.0,
                "missing": [],
                "full": 1.45,
                "error": 1.5 / 1.45 - 1,
                "covered": True,
                "interval_error": None,
                "seeds": {"values": [1.4, 1.5, 1.6], "covered": 2 / 3},
            },
            "ipc": {
                "value": 2 / 3,
                "standard_error": None,
                "interval": [0.0, None],
                "degrees_of_freedom": 0.0,
                "coverage": 0.75,
                "missing": [2000],
                "full": None,
                "error": None,
                "covered": None,
                "interval_error": None,
            },
            "l2_mpki": {
                "value": 0.0,
                "standard_error": 0.0,
                "interval": [0.0, 0.0],
                "degrees_of_freedom": None,
                "coverage": 1.0,
                "missing": [],
                "full": None,
                "error": None,
                "covered": None,
                "interval_error": None,
                "seeds": {"values": [0.0, 0.0, 0.0], "covered": 1.0},
            },
        },
        "notes": ["a note"],
    }
    assert "seeds" not in shown.summary(estimates())["metrics"]["cpi"]


def test_a_confidence_is_not_rounded() -> None:
    """99.9% must not read as 100%."""
    result = estimates()
    sure = dataclasses.replace(result, estimate=dataclasses.replace(result.estimate, confidence=0.999))
    assert sure.summary().splitlines()[0].split()[3:5] == ["99.9%", "interval"]
