"""The figure of two runs, phase by phase."""

from __future__ import annotations

import pytest
from tests.parallel.test_comparing import ROWS, made
from tests.views.threaded import analysis_of

from phasemark import plots
from phasemark.errors import DataError
from phasemark.plots import comparison


def test_a_pale_and_a_full_bar_a_phase_those_that_changed_most_first() -> None:
    (axes,) = plots.figure(analysis_of(*made(ROWS)), "comparison").axes
    before, after = (bars.datavalues.tolist() for bars in axes.containers)
    assert before == pytest.approx([100 * x / 725 for x in (100, 100, 0, 25, 500)])
    assert after == pytest.approx([100 * x / 725 for x in (200, 200, 30, 0, 505)])
    assert [label.get_text() for label in axes.get_yticklabels()] == ["0", "1", "3", "2", "4"]
    assert [text.get_text() for text in axes.texts][:2] == ["+13.8", "+13.8"]
    assert axes.get_xlabel().startswith("cycles, % of all before")


def test_phases_that_hardly_changed_are_one_bar(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(comparison, "SHOWN", 3)
    (axes,) = plots.figure(analysis_of(*made(ROWS)), "comparison").axes
    assert [label.get_text() for label in axes.get_yticklabels()] == ["0", "1", "3", "others"]
    assert axes.containers[1].datavalues[-1] == pytest.approx(100 * 505 / 725)


def test_phases_that_take_next_to_nothing_are_no_bars() -> None:
    rows = [(0, 0, 100, 990), (0, 1, 5, 5), (1, 0, 100, 990), (1, 2, 8, 8)]
    (axes,) = plots.figure(analysis_of(*made(rows)), "comparison").axes
    assert [label.get_text() for label in axes.get_yticklabels()] == ["0", "others"]
    assert [text.get_text() for text in axes.texts] == ["+0.0", "+0.3"]


def test_it_is_of_two_runs() -> None:
    two, one = (
        analysis_of(*made(ROWS)),
        analysis_of(*made([row for row in ROWS if row[0] == 0 and row[1] < 3])),
    )
    assert "comparison" in plots.possible(two) and "comparison" not in plots.possible(one)
    with pytest.raises(DataError, match="1 run, where two are compared") as caught:
        plots.figure(one, "comparison")
    assert "phasemark compare" in caught.value.hint
