"""Values that belong together, from a folder or made in Python."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from tests.views import synthetic

from phasemark.errors import DataError
from phasemark.model import Estimate
from phasemark.quality import OfK
from phasemark.views import Analysis, MetricEstimate


def test_values_made_in_python_are_an_analysis() -> None:
    made = synthetic.run((0, 1, 2, 1), metrics=True)
    estimate = Estimate(
        {"cpi": 2.0, "ipc": 0.5},
        {"cpi": 0.1, "ipc": 0.1},
        {"cpi": (1.8, 2.2), "ipc": (0.0, np.inf)},
        {"cpi": 3.0, "ipc": 3.0},
        {"cpi": 1.0, "ipc": 1.0},
        {"cpi": (), "ipc": (4, 5)},
    )
    entries = [OfK("cpi", 1, 0.5, 9.0, 0.0), OfK("cpi", 2, 0.2, 3.0, 0.6), OfK("ipc", 1, 0.4, 8.0, 0.1)]
    analysis = Analysis.of(
        made.profile, made.signatures, made.phases, made.points,
        metrics=made.metrics, estimate=estimate, full={"cpi": 2.1}, against_k=entries, sample=30,
    )  # fmt: skip
    assert analysis.metrics is made.metrics and analysis.sample == 30
    assert analysis.against_k == {
        "cpi": {"k": [1, 2], "cov": [0.5, 0.2], "cim": [9.0, 3.0], "deviation_reduction": [0.0, 0.6]},
        "ipc": {"k": [1], "cov": [0.4], "cim": [8.0], "deviation_reduction": [0.1]},
    }
    cpi, ipc = analysis.estimates
    assert cpi == MetricEstimate("cpi", 2.0, 1.8, 2.2, 2.1, 0)
    assert (ipc.metric, ipc.high, ipc.missing) == ("ipc", np.inf, 2) and np.isnan(ipc.full)


def test_four_values_are_enough() -> None:
    made = synthetic.run()
    analysis = Analysis.of(made.profile, made.signatures, made.phases, made.points)
    assert (analysis.metrics, analysis.against_k, analysis.estimates, analysis.sample) == (None, {}, (), 100)
    assert analysis.measured() == []


@pytest.mark.parametrize("what", ["signatures", "phases"])
def test_values_of_other_intervals_are_refused(what) -> None:
    made, other = synthetic.run((0, 1)), synthetic.run((0, 1, 0))
    with pytest.raises(DataError, match=f"the {what} are of 3 intervals, but the profile has 2"):
        replace(made, **{what: getattr(other, what)})


def test_points_of_other_phases_are_refused() -> None:
    made = synthetic.run((0, 1))
    with pytest.raises(DataError, match="a point stands for phase 1, and the run has 1 phase"):
        replace(synthetic.run((0, 0)), points=made.points)


def test_metrics_of_other_intervals_are_refused() -> None:
    made = synthetic.run((0, 1, 0), metrics=True)
    with pytest.raises(DataError, match="none of the profile's"):
        replace(synthetic.run((0, 1)), metrics=made.metrics)


def test_every_ratio_is_measured_with_its_title() -> None:
    measured = synthetic.run((0, 1), metrics=True).measured()
    assert [one.name for one in measured] == ["cpi", "l1d_miss_rate", "l1d_mpki"]
    assert measured[0].values.tolist() == pytest.approx([1, 2.1])


def test_shares_are_of_the_instructions() -> None:
    # Three intervals of 2 and one of 1: phase 0 has the first two and the short one.
    assert synthetic.run((0, 0, 1, 0), length=2).shares.tolist() == pytest.approx([5 / 7, 2 / 7])


def test_a_run_is_called_after_its_program_or_the_tool() -> None:
    assert synthetic.run().name == "gzip"
    assert synthetic.run(functions=False).name == "a profile by phasemark-valgrind"
