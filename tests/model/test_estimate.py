"""Estimate: every metric with all that belongs to it, and its value within its interval."""

from __future__ import annotations

import math
from typing import Any

import pytest

from phasemark.errors import DataError
from phasemark.model import Estimate

GOOD: dict[str, Any] = {
    "value": {"cpi": 2.0, "cycles": 100.0},
    "standard_error": {"cpi": 0.1, "cycles": math.nan},
    "interval": {"cpi": (1.8, 2.3), "cycles": (0.0, math.inf)},
    "degrees_of_freedom": {"cpi": 7.0, "cycles": 0.0},
    "coverage": {"cpi": 1.0, "cycles": 0.9},
    "missing": {"cpi": (), "cycles": (3, 5)},
}


def of(**changed: Any) -> Estimate:
    return Estimate(**{**GOOD, **changed})


@pytest.mark.parametrize("name", [name for name in GOOD if name != "value"])
def test_what_a_metric_lacks_is_named(name: str) -> None:
    with pytest.raises(DataError, match=f"^{name} is not given for the same metrics as the value$"):
        of(**{name: {"cpi": GOOD[name]["cpi"]}})
    with pytest.raises(DataError, match=f"^{name} is not given for the same metrics as the value$"):
        of(**{name: {**GOOD[name], "epi": GOOD[name]["cpi"]}})


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"value": {"cpi": 2.4, "cycles": 1.0}}, "cpi is 2.4, outside its interval 1.8 to 2.3"),
        ({"value": {"cpi": 1.7, "cycles": 1.0}}, "cpi is 1.7, outside its interval 1.8 to 2.3"),
        ({"value": {"cpi": 2.0, "cycles": -1.0}}, "cycles is -1, outside its interval 0 to inf"),
        ({"standard_error": {"cpi": -0.1, "cycles": 0.0}}, "standard_error of cpi is negative"),
        ({"degrees_of_freedom": {"cpi": 1.0, "cycles": -1.0}}, "degrees_of_freedom of cycles is negative"),
        ({"coverage": {"cpi": 1.1, "cycles": 1.0}}, "the coverage of cpi is 1.1, not between 0 and 1"),
        ({"coverage": {"cpi": 1.0, "cycles": -0.1}}, "the coverage of cycles is -0.1, not between 0 and 1"),
        ({"coverage": {"cpi": math.nan, "cycles": 0}}, "the coverage of cpi is nan, not between 0 and 1"),
        ({"confidence": 0.0}, "the confidence is 0\n  hint: it lies between 0 and 1"),
        ({"confidence": 1.0}, "the confidence is 1\n  hint: it lies between 0 and 1"),
    ],
)
def test_what_is_no_estimate_is_refused(changed: dict[str, Any], message: str) -> None:
    with pytest.raises(DataError) as caught:
        of(**changed)
    assert str(caught.value) == message


def test_what_is_not_known_may_be_nan_and_bounds_may_be_met() -> None:
    nothing = math.nan
    of(value={"cpi": nothing, "cycles": nothing}, interval={"cpi": (nothing, nothing), "cycles": (1.0, 0.0)})
    of(value={"cpi": 1.8, "cycles": 0.0}, standard_error={"cpi": 0.0, "cycles": 0.0})
    of(value={"cpi": 2.3, "cycles": 0.0}, coverage={"cpi": 0.0, "cycles": 1 + 1e-10})


def test_covers_the_values_within_its_interval_up_to_rounding() -> None:
    estimate = of()
    values = [1.7, 1.8 - 1e-10, 1.8, 2.0, 2.3, 2.3 + 1e-10, 2.31]
    assert [estimate.covers("cpi", value) for value in values] == [False, *[True] * 5, False]
    assert not estimate.covers("cpi", 1.8 - 3e-9) and not estimate.covers("cpi", 2.3 + 3e-9)
    assert estimate.covers("cycles", 1e300) and not estimate.covers("cycles", -1.0)


def test_half_the_width_as_a_share_of_the_value() -> None:
    assert of().relative_half_width("cpi") == pytest.approx(0.125)
    assert of().relative_half_width("cycles") == math.inf
    exact = of(
        value={"cpi": 2.0, "cycles": 0.0}, interval={"cpi": (2.0, 2.0), "cycles": (0.0, 0.0)}
    ).relative_half_width
    assert exact("cpi") == exact("cycles") == 0.0
    none = of(value={"cpi": 2.0, "cycles": 0.0}, interval={"cpi": (2.0, 2.0), "cycles": (-1.0, 1.0)})
    assert math.isnan(none.relative_half_width("cycles"))


def test_a_frame_has_a_row_a_metric() -> None:
    estimate = of()
    frame = estimate.frame()
    assert list(frame.columns) == [
        "metric",
        "value",
        "standard_error",
        "low",
        "high",
        "degrees_of_freedom",
        "coverage",
        "missing",
    ]
    assert frame.iloc[0].tolist() == ["cpi", 2.0, 0.1, 1.8, 2.3, 7.0, 1.0, 0]
    assert frame["missing"].tolist() == [0, 2] and math.isnan(frame["standard_error"][1])
    assert {name: list(values) for name, values in estimate.columns().items()}.keys() == set(frame.columns)


def test_an_estimate_shows_its_first_metric_in_a_line_and_all_in_a_notebook() -> None:
    assert repr(of()) == "<Estimate: cpi=2 [1.8, 2.3], metrics=2, confidence=0.95>"
    assert repr(Estimate({}, {}, {}, {}, {}, {})) == "<Estimate: metrics=0, confidence=0.95>"
    assert "<td>cycles</td>" in of()._repr_html_()
