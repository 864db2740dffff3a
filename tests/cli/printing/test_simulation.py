"""What `phasemark simulate` prints, to the letter."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest
from tests.cli.printing.results import points, simulation
from tests.cli.printing.test_markers import markers

from phasemark.cli.printing import simulation as shown
from phasemark.simulate.config import load


def test_the_points_one_by_one(capsys: pytest.CaptureFixture[str]) -> None:
    shown.show(simulation(points(), missing=(1,), notes=("a note",), warnings=("a warning",)))
    out, err = capsys.readouterr()
    assert out == ""
    assert err.splitlines() == [
        "phasemark: simulated 2 intervals of 2,000 instructions on a test (modern), with 500 to warm up "
        "(6.2% of the run in all), in 1.3 s of CPU time",
        "phase  weight  interval      CPI  L2 MPKI",
        "    0  0.5000     2,000  missing  missing",
        "    1  0.2500     3,000    2.000    5.000",
        "    2  0.2500         1    2.000    5.000",
        "phasemark: note: a note",
        "phasemark: warning: a warning",
        "phasemark: 1 of 3 intervals missing, since the run did not come to their end: 2",
        "phasemark: wrote out/point-metrics.csv",
    ]


def test_the_heaviest_phase_comes_first_and_what_phases_begin_with_below(
    capsys: pytest.CaptureFixture[str],
) -> None:
    light = dataclasses.replace(points(), weight=np.array([0.2, 0.3, 0.5]))
    shown.show(simulation(light), markers())
    lines = capsys.readouterr().err.splitlines()
    order = [str(phase) for phase in light.phase[::-1]]
    assert [line.split()[0] for line in lines[2:5]] == order
    assert lines[6].startswith("phase  begins with")
    assert [line.split()[0] for line in lines[7:10]] == order
    assert lines[7 + order.index("0")].startswith("    0  loop in sort, sort.cpp:7")


def test_threads_where_there_are_several(capsys: pytest.CaptureFixture[str]) -> None:
    shown.show(simulation(points((0, 0, 12))))
    assert capsys.readouterr().err.splitlines()[1:5] == [
        "phase  weight  interval  thread    CPI  L2 MPKI",
        "    0  0.5000     2,000       0  2.000    5.000",
        "    1  0.2500     3,000      12  2.000    5.000",
        "    2  0.2500         1       0  2.000    5.000",
    ]


def test_every_metric_that_is_shown(capsys: pytest.CaptureFixture[str]) -> None:
    result = simulation(points())
    names = ("branch_mispredictions", "l1i_misses", "l1d_misses", "l2_misses", "l3_misses", "dtlb_misses")
    counters = {name: np.full(3, at + 1.0) for at, name in enumerate(names)}
    metrics = dataclasses.replace(result.metrics, counters={**result.metrics.counters, **counters})
    shown.show(
        dataclasses.replace(result, simulation=dataclasses.replace(result.simulation, metrics=metrics))
    )
    assert capsys.readouterr().err.splitlines()[1:3] == [
        "phase  weight  interval    CPI  L1I MPKI  L1D MPKI  L2 MPKI  L3 MPKI  branch MPKI",
        "    0  0.5000     2,000  2.000     2.000     3.000    4.000    5.000        1.000",
    ]


def test_a_rare_event_does_not_read_as_none(capsys: pytest.CaptureFixture[str]) -> None:
    result = simulation(points())
    counters = {**result.metrics.counters, "l2_misses": np.array([0.0, 3e-4, np.nan])}
    metrics = dataclasses.replace(result.metrics, counters=counters)
    shown.show(
        dataclasses.replace(result, simulation=dataclasses.replace(result.simulation, metrics=metrics))
    )
    assert [line.split()[-1] for line in capsys.readouterr().err.splitlines()[2:5]] == ["3e-04", "-", "0"]


def test_a_whole_run_in_two_lines(capsys: pytest.CaptureFixture[str]) -> None:
    shown.show(simulation(windows=1, profiled=0))
    assert capsys.readouterr().err.splitlines() == [
        "phasemark: simulated 1 interval of 1,000 instructions on a test (modern), with 0 to warm up, "
        "in 1.3 s of CPU time",
        "phasemark: wrote out/metrics.csv",
    ]


def test_at_most_five_of_the_missing_are_named(capsys: pytest.CaptureFixture[str]) -> None:
    shown.warn(simulation(windows=7, missing=(0, 1, 2, 3, 4), status=9))
    shown.warn(simulation(windows=7, missing=(1, 2, 3, 4, 5, 6), thread=3))
    assert capsys.readouterr().err.splitlines() == [
        "phasemark: the program's exit status is 9",
        "phasemark: 5 of 7 intervals missing, since the run did not come to their end: 0, 2, 4, 6, 8",
        "phasemark: 6 of 7 intervals missing, since the run did not come to their end: 2 of thread 3, "
        "4 of thread 3, 6 of thread 3, 8 of thread 3, 10 of thread 3 ...",
    ]


def test_as_json() -> None:
    result = simulation(points(), missing=(1,), notes=("a note",), warnings=("a warning",), status=2)
    assert shown.summary(result) == {
        "file": "out/point-metrics.csv",
        "program": "gzip",
        "configuration": {"name": "modern", "digest": load().digest},
        "intervals": 2,
        "measured": 2000,
        "simulated": 2500,
        "instructions": 4000,
        "totals": {"instructions": 2000.0, "cycles": 4000.0, "l2_misses": 10.0},
        "missing": [{"thread": 0, "index": 2}],
        "status": 2,
        "cpu_seconds": 1.26,
        "notes": ["a note"],
        "warnings": ["a warning"],
    }
