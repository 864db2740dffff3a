"""What every simulator holds to."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from phasemark.collect.engines.valgrind import tool_folder
from phasemark.errors import CollectorError, MissingTool, ProgramNotFound, WorkError
from phasemark.simulate import Plan, Program, Simulator, TimingModel
from phasemark.simulate.config import PRESETS, load

try:
    tool_folder()
except MissingTool as missing:
    pytest.skip(str(missing), allow_module_level=True)

LOOP = "i=0; while [ $i -lt 3000 ]; do i=$((i+1)); done"
SIMULATORS = {"timing model": TimingModel(load("modern"))}


@pytest.fixture(params=SIMULATORS)
def simulator(request: pytest.FixtureRequest) -> Simulator:
    return SIMULATORS[request.param]


def plan(*windows: tuple[int, int, int, int, int]) -> Plan:
    """Windows of (thread, index, warm, start, end)."""
    return Plan(*(np.array(column, np.int64) for column in zip(*windows, strict=True)))


SOME = plan((0, 1, 5_000, 10_000, 20_000), (0, 3, 20_000, 30_000, 40_000))


def shell(script: str, **more: object) -> Program:
    return Program(("sh", "-c", script), **more)  # type: ignore[arg-type]


def test_every_window_is_measured(simulator: Simulator) -> None:
    done = simulator.simulate(shell(LOOP), SOME)
    metrics = done.metrics
    assert metrics.index.tolist() == [1, 3] and metrics.start.tolist() == [10_000, 30_000]
    assert metrics.counters["instructions"].tolist() == [10_000, 10_000]
    assert (metrics.counters["cycles"] > 10_000 / 16).all()
    assert all(np.isfinite(values).all() for values in metrics.counters.values())
    assert metrics.units["cycles"] == "cycles" and metrics.units["energy"] == "pJ"
    assert metrics.source == simulator.source
    assert not len(done.missing) and done.status == 0 and done.cpu_seconds > 0
    assert done.analysed.instructions > 100_000 and done.analysed.program == "sh"


def test_the_same_program_gives_the_same_counts(simulator: Simulator) -> None:
    first, second = (simulator.simulate(shell(LOOP), SOME).metrics for _ in range(2))
    assert all((first.counters[name] == second.counters[name]).all() for name in first.counters)


def test_windows_that_are_not_reached_are_missing(simulator: Simulator) -> None:
    beyond = plan((0, 1, 0, 0, 10_000), (0, 10**6, 10**10, 10**10, 10**10 + 5), (7, 0, 0, 0, 5))
    done = simulator.simulate(shell(LOOP), beyond)
    assert done.metrics.index.tolist() == [1] and done.missing.tolist() == [1, 2]


def test_a_window_that_the_end_cuts_is_missing(simulator: Simulator) -> None:
    total = simulator.simulate(shell(LOOP), SOME).analysed.instructions
    done = simulator.simulate(shell(LOOP), plan((0, 0, 0, 0, 3 * total)))
    assert not len(done.metrics) and done.missing.tolist() == [0]


def test_a_program_that_is_killed_leaves_what_was_measured(simulator: Simulator) -> None:
    more = plan((0, 1, 5_000, 10_000, 20_000), (0, 10**6, 10**10, 10**10, 10**10 + 5))
    done = simulator.simulate(shell(f"{LOOP}; kill -TERM $$"), more)
    assert done.status == 128 + 15
    assert done.metrics.index.tolist() == [1] and done.missing.tolist() == [1]


def test_the_exit_status_is_the_programs(simulator: Simulator) -> None:
    assert simulator.simulate(shell(f"{LOOP}; exit 7"), SOME).status == 7


def test_the_program_runs_in_its_folder(simulator: Simulator, tmp_path: Path) -> None:
    before = Path.cwd()
    simulator.simulate(shell(f"{LOOP}; : > here", cwd=tmp_path), SOME)
    assert (tmp_path / "here").exists() and Path.cwd() == before
    with pytest.raises(WorkError, match="gone: there is no such folder to start the program in"):
        simulator.simulate(shell(LOOP, cwd=tmp_path / "gone"), SOME)


def test_threads_are_simulated_in_one_pass(simulator: Simulator, two_threads: str) -> None:
    both = plan((0, 2, 0, 2_000, 3_000), (1, 4, 3_000, 4_000, 5_000))
    done = simulator.simulate(Program((two_threads,)), both)
    assert done.metrics.thread.tolist() == [0, 1] and done.metrics.index.tolist() == [2, 4]
    assert done.analysed.threads == 2


def test_a_process_is_chosen_as_a_profile_chooses_it(simulator: Simulator) -> None:
    script = "seq 200000 | tail -n 1 >/dev/null"
    start = plan((0, 0, 0, 0, 10_000))
    assert simulator.simulate(shell(script), start).analysed.program == "seq"
    assert simulator.simulate(shell(script, process="tail"), start).analysed.program == "tail"
    with pytest.raises(CollectorError, match="no-such"):
        simulator.simulate(shell(script, process="no-such"), start)


def test_a_program_that_is_not_there_is_named(simulator: Simulator) -> None:
    with pytest.raises(ProgramNotFound, match="no-such-program"):
        simulator.simulate(Program(("no-such-program",)), SOME)


def test_counters_of_structures_that_are_not_there_are_missing() -> None:
    measured = {name: TimingModel(load(name)).simulate(shell(LOOP), SOME).metrics for name in PRESETS}
    assert [name for name, metrics in measured.items() if "l3_misses" in metrics.counters] == ["modern"]
    assert len({metrics.counters["energy"][0] for metrics in measured.values()}) == len(PRESETS)
    assert [metrics.source for metrics in measured.values()] == [f"timing model {name}" for name in PRESETS]
