"""What phases cost with more and more threads."""

from __future__ import annotations

import numpy as np
import pytest
from tests.parallel.threads import cycles_of, intervals_of, phases_of, profile_of

from phasemark import parallel
from phasemark.errors import DataError
from phasemark.model import Phases, Profile

#: Phase 0 is serial, phase 1 is divided by the threads, phase 2 is only there with two threads.
ONE = [(0, 0, 0, 40), (0, 1, 40, 100)]
TWO = [(0, 0, 0, 40), (0, 1, 40, 100), (0, 2, 100, 104), (1, 1, 40, 100)]
THREE = [(0, 0, 0, 40), (0, 1, 40, 100), (1, 1, 40, 100), (2, 1, 40, 100)]
LENGTHS = ([40, 60], [40, 30, 4, 30], [40, 20, 20, 20])


def runs(*which: int) -> tuple[Profile, Phases]:
    rows = [(ONE, TWO, THREE)[at] for at in which]
    parts = [
        intervals_of(one, run=run, lengths=LENGTHS[at])
        for run, (one, at) in enumerate(zip(rows, which, strict=True))
    ]
    return profile_of(parts, clock="instructions of all threads"), phases_of(
        [row[1] for one in rows for row in one]
    )


def test_a_serial_phase_takes_as_long_and_a_parallel_one_its_part() -> None:
    found = parallel.scaling(*runs(0, 1, 2))
    assert found.unit == "instructions" and found.cycles is None
    assert found.runs.tolist() == [0, 1, 2] and found.threads.tolist() == [1, 2, 3]
    assert found.instructions.tolist() == [[40, 60, 0], [40, 60, 4], [40, 60, 0]]
    assert found.elapsed.tolist() == pytest.approx(np.array([[40, 60, 0], [40, 30, 4], [40, 20, 0]]))
    assert found.time.tolist() == pytest.approx([100, 74, 60])
    assert found.speedup[:, :2].tolist() == pytest.approx(np.array([[1, 1], [1, 2], [1, 3]]))
    assert np.isnan(found.speedup[:, 2]).all()
    assert found.efficiency[2, :2].tolist() == pytest.approx([1 / 3, 1])
    assert found.whole_efficiency.tolist() == pytest.approx([1, 100 / 74 / 2, 100 / 60 / 3])
    assert found.shares[2].tolist() == pytest.approx([2 / 3, 1 / 3, 0])
    assert found.lost[2].tolist() == pytest.approx([40 - 40 / 3, 0, 0], abs=1e-9)
    assert found.active[2, :2].tolist() == pytest.approx([1, 3])
    assert found.unmeasured.tolist() == [0, 0, 0]


def test_what_limits_it_scales_worse_than_the_program_and_takes_its_time() -> None:
    found = parallel.scaling(*runs(0, 1, 2))
    assert (found.base, found.widest) == (0, 2)
    assert found.limits() == [0] and found.limits(1) == [0, 2] and found.limits(0) == []
    assert parallel.scaling(*runs(1)).limits() == []


def test_time_is_in_cycles_where_they_were_measured() -> None:
    profile, phases = runs(0, 2)
    found = parallel.scaling(profile, phases, cycles_of(profile, [80, 60, 80, 30, 30, 30]))
    assert found.unit == "cycles" and found.cycles is not None
    assert found.cycles.tolist() == [[80, 60], [80, 90]]
    assert found.elapsed.tolist() == pytest.approx(np.array([[80, 60], [80, 30]]))
    whole = found.frame().query("phase == -1")
    assert whole.cycles.tolist() == [140, 170] and whole.elapsed.tolist() == pytest.approx([140, 110])
    assert list(found.frame().columns) == [
        "run", "threads", "phase", "instructions", "cycles",
        "elapsed", "share", "speedup", "efficiency", "active",
    ]  # fmt: skip


def test_what_was_not_measured_is_said_and_is_no_zero() -> None:
    profile, phases = runs(0, 2)
    found = parallel.scaling(profile, phases, cycles_of(profile, [np.nan, 60, 80, 30, np.nan, 30]))
    assert found.cycles is not None and np.isnan(found.cycles[0, 0]) and found.cycles[1].tolist() == [80, 60]
    assert found.unmeasured.tolist() == pytest.approx([0.4, 0.2])
    assert found.elapsed[1].tolist() == pytest.approx([80, 30])


def test_a_run_counts_as_so_many_threads_as_it_is_told_to() -> None:
    found = parallel.scaling(*runs(0, 2), threads=[1, 2])
    assert found.threads.tolist() == [1, 2] and found.efficiency[1].tolist() == pytest.approx([0.5, 1.5])
    for wrong in ([1], [1, 0], [1, 1.5]):
        with pytest.raises(DataError, match="of threads for 2 runs"):
            parallel.scaling(*runs(0, 2), threads=wrong)  # type: ignore[arg-type]


def test_metrics_without_cycles_are_refused() -> None:
    from dataclasses import replace

    profile, phases = runs(0, 1)
    metrics = replace(cycles_of(profile, [1] * 6), counters={"events": np.ones(6)}, units={})
    with pytest.raises(DataError, match="no cycles were measured"):
        parallel.scaling(profile, phases, metrics)


def test_it_says_what_it_is() -> None:
    assert repr(parallel.scaling(*runs(0, 1, 2))) == "<Scaling: 3 phases in runs of 1, 2, 3 threads>"


def test_a_wait_too_short_to_show_takes_its_time() -> None:
    # Thread 1 has 20 instructions in 30 ticks of cores: 10 of them it waited.
    rows = [(0, 0, 0, 30), (1, 0, 0, 30)]
    found = parallel.scaling(profile_of(intervals_of(rows, lengths=[30, 20])), phases_of([0, 0]))
    assert found.elapsed.tolist() == [[30]] and found.instructions.tolist() == [[50]]


def test_samples_of_a_clock_count_time_in_nanoseconds() -> None:
    from dataclasses import replace

    profile, phases = runs(2)
    for unit, said in (("sampled nanoseconds", "nanoseconds"), ("sampled instructions", "instructions")):
        sampled = replace(profile, provenance=replace(profile.provenance, unit=unit))
        assert parallel.scaling(sampled, phases).unit == said
