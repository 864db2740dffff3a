"""Phases refuse what breaks their invariants; show themselves; come as a table."""

from __future__ import annotations

import numpy as np
import pytest

from phasemark.errors import DataError
from phasemark.model import Intervals, Phases

LABELS = [0, 1, 0]
CENTERS = [[0.0], [1.0]]
DISTANCES = [0.0, 0.5, 0.25]


def phases(**changed) -> Phases:
    return Phases(**{"labels": LABELS, "centers": CENTERS, "distances": DISTANCES, **changed})


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"labels": [0, 2, 0]}, "row 1: an interval's phase is not among the phases"),
        ({"labels": [0, 1, -1]}, "row 2: an interval's phase is not among the phases"),
        ({"labels": [0, 0, 0]}, "a phase has no interval"),
        ({"labels": [0, 0.5, 1]}, "row 1: column labels holds no whole number"),
        ({"labels": [[0, 1, 0]]}, "column labels has 2 dimensions"),
        ({"centers": [0.0, 1.0]}, "the table of centroids has 1 dimensions"),
        ({"centers": [[0.0], [np.nan]]}, "row 1: the table of centroids holds a value that is not finite"),
        ({"distances": [0.0, 0.5]}, "column distances has 2 rows instead of 3"),
        ({"distances": [0.0, -0.5, 0.0]}, "row 1: a value of distances is negative or not a number"),
        ({"distances": [0.0, 0.5, np.nan]}, "row 2: a value of distances is negative or not a number"),
        ({"distances": [np.inf, 0.5, 0.0]}, "row 0: a value of distances is negative or not a number"),
        ({"k": 3}, "3 phases with 2 centroids"),
        ({"k": 1}, "1 phase with 2 centroids"),
        ({"k": -1, "centers": None}, "row 0: an interval's phase is not among the phases"),
        ({"k": 1, "centers": None}, "row 1: an interval's phase is not among the phases"),
        ({"k": 3, "centers": None}, "a phase has no interval"),
        ({"posterior": [[1.0, 0.0]] * 2}, "the posterior has 2 rows instead of 3"),
        ({"posterior": [[1.0, 0.0, 0.0]] * 3}, "a posterior of 3 phases instead of 2"),
        ({"posterior": [[1.0, 0.0], [0.5, 0.5], [0.5, 0.4]]}, "row 2: the posterior .* not sum to 1"),
        ({"posterior": [[1.0, 0.0], [0.75, 0.75], [0.5, 0.5]]}, "row 1: the posterior .* not sum to 1"),
        ({"posterior": [[1.0, 0.0], [1.5, -0.5], [0.5, 0.5]]}, "row 1: the posterior holds a negative"),
        ({"posterior": [[1.0, 0.0], [np.nan, 1.0], [0.5, 0.5]]}, "row 1: the posterior holds a value"),
        ({"undivided": [0.0, 0.5]}, "column undivided has 2 rows instead of 3"),
        ({"undivided": [0.0, 0.5, -0.5]}, "row 2: a value of undivided is negative or not a number"),
        ({"undivided": [0.0, np.nan, 0.5]}, "row 1: a value of undivided is negative or not a number"),
    ],
)
def test_what_breaks_an_invariant_is_refused(changed, message) -> None:
    with pytest.raises(DataError, match=message):
        phases(**changed)


def test_k_is_that_of_the_centres_else_of_the_labels() -> None:
    assert phases().k == phases(k=2).k == phases(centers=None).k == phases(centers=None, k=2).k == 2
    none = Phases([], None, [])
    assert none.k == 0 and len(none) == 0


def test_a_posterior_may_be_off_by_rounding_and_disagree_with_the_labels() -> None:
    third = [1 / 3 + 1e-9, 2 / 3]
    assert phases(posterior=[third] * 3).posterior.tolist() == [third] * 3


def test_arrays_cannot_be_written_to() -> None:
    value = phases(posterior=[[0.5, 0.5]] * 3, undivided=[1.0] * 3)
    for name in ("labels", "centers", "distances", "posterior", "undivided"):
        with pytest.raises(ValueError, match="read-only"):
            getattr(value, name)[0] = 0


def test_shares_are_the_weights_of_the_phases() -> None:
    assert phases().shares(np.array([0.25, 0.5, 0.25])).tolist() == [0.5, 0.5]


def test_shows_itself_in_a_line_and_as_a_table_of_phases() -> None:
    assert repr(phases()) == "<Phases: k=2, intervals=3>"
    shown = phases(model={"method": "simpoint"})
    assert repr(shown) == "<Phases: k=2, intervals=3, method=simpoint>"
    html = shown._repr_html_()
    assert all(f"<td>{cell}</td>" in html for cell in ("0", "1", "2", "0.125", "0.500"))
    assert "method=simpoint" in html and "mean distance" in html


def test_comes_as_a_table_alone_or_beside_its_intervals() -> None:
    alone = phases().frame()
    assert alone.to_dict("list") == {"phase": LABELS, "distance": DISTANCES}
    beside = phases().frame(Intervals.of_thread([10, 10, 4], nominal=10))
    assert beside["start"].tolist() == [0, 10, 20] and beside["kind"].tolist() == ["fixed", "fixed", "tail"]
    assert beside[["phase", "distance"]].equals(alone)
    with pytest.raises(DataError, match="3 rows for 2 intervals"):
        phases().frame(Intervals.of_thread([10, 10]))


def test_a_label_of_a_billion_asks_for_no_such_table() -> None:
    with pytest.raises(DataError, match="a phase has no interval\n  hint: number the phases from 0"):
        Phases([0, 2**31 - 1], None, [0.0, 0.0])
    with pytest.raises(DataError, match="a phase has no interval"):
        Phases([0, 1], None, [0.0, 0.0], k=2**40)


def test_the_transition_is_called_so_and_the_others_by_number() -> None:
    online = phases(model={"method": "online", "transition": 0})
    assert (online.transition, online.names) == (0, ("transition", "1"))
    assert online.titles == ("transition", "phase 1")
    for model in ({}, {"transition": None}, {"transition": 2}, {"transition": True}, {"transition": "0"}):
        assert (phases(model=model).transition, phases(model=model).names) == (None, ("0", "1"))
