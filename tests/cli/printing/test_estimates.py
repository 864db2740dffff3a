"""What `phasemark estimate` prints, to the letter."""

from __future__ import annotations

import dataclasses
import json

from tests.cli.printing.results import estimates

from phasemark.cli.printing import estimates as shown
from phasemark.workflow import OverSeeds

SPREAD = OverSeeds({"cpi": [1.4, 1.5, 1.6], "l2_mpki": [0.0, 0.0, 0.0]}, {"cpi": 2 / 3, "l2_mpki": 1.0})


def test_estimates_alone() -> None:
    assert shown.lines(estimates()) == [
        "3 points, method nearest",
        "",
        "metric   estimate  90% interval    +-",
        "cpi           1.5    1.4 to 1.6  6.7%",
        "ipc        0.6667             -     -",
        "l2_mpki         0        0 to 0  0.0%",
    ]


def test_beside_the_full_run() -> None:
    """Of the second the full run is not known; of the third it is 0, so that there is no error."""
    assert shown.lines(estimates({"cpi": 1.45, "l2_mpki": 0.0}, ("a note", "another"))) == [
        "3 points, method nearest",
        "",
        "metric   estimate  90% interval    +-  full run   error  covered",
        "cpi           1.5    1.4 to 1.6  6.7%      1.45  +3.45%      yes",
        "ipc        0.6667             -     -",
        "l2_mpki         0        0 to 0  0.0%         0              yes",
        "note: a note",
        "note: another",
    ]
    row = shown.table(estimates({"cpi": 2.0}))[1]
    assert row == "cpi           1.5    1.4 to 1.6  6.7%         2  -25.00%       no"


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
        "confidence": 0.9,
        "points": 3,
        "method": "nearest",
        "source": "a test",
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
    assert shown.table(sure)[0].split()[2:4] == ["99.9%", "interval"]
