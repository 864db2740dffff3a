"""The figure of time and instructions against threads."""

from __future__ import annotations

import pytest
from tests.parallel.test_scaling import runs
from tests.parallel.threads import cycles_of
from tests.views.threaded import analysis_of

from phasemark import plots
from phasemark.errors import DataError


def test_a_line_is_a_phase_over_threads() -> None:
    profile, phases = runs(2, 0)  # in another order
    time, faster, work = plots.figure(analysis_of(profile, phases), "scaling").axes
    titles = [axes.get_title(loc="left") for axes in (time, faster, work)]
    assert titles == ["elapsed instructions", "times as fast", "instructions"]
    lines = {line.get_label(): line.get_xydata().tolist() for line in time.lines}
    assert lines["phase 0"] == [pytest.approx([1, 40]), pytest.approx([3, 40])]
    assert lines["phase 1"][1] == pytest.approx([3, 20])
    program = next(line for line in faster.lines if line.get_label() == "program")
    assert program.get_ydata().tolist() == pytest.approx([1, 100 / 60])
    perfect = next(line for line in faster.lines if line.get_label() == "perfect")
    assert perfect.get_ydata().tolist() == [1, 3]
    assert [line.get_ydata().tolist() for line in work.lines] == [[60, 60], [40, 40]]


def test_time_is_in_cycles_where_they_were_measured() -> None:
    profile, phases = runs(0, 2)
    made = analysis_of(profile, phases, cycles_of(profile, [80, 60, 80, 30, 30, 30]))
    assert plots.figure(made, "scaling").axes[0].get_title(loc="left") == "elapsed cycles"


def test_one_number_of_threads_is_refused_with_what_to_do() -> None:
    with pytest.raises(DataError, match="only one number of threads") as caught:
        plots.figure(analysis_of(*runs(2, 2)), "scaling")
    assert "phasemark parallel" in caught.value.hint
