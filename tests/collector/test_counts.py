"""Programs whose every count a person can check against the numbers in their sources."""

from __future__ import annotations

import subprocess
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.collector.harness import collect, labels

Build = Callable[..., Path]

COUNTS = {
    "loops": {
        "_start": 1,
        "outer": 10,
        "inner": 70,
        "after_call": 10,
        "leaf": 10,
        "from_top": 5,
        "middle": 8,
        "middle_done": 1,
        "spin": 20,
        "finish": 1,
    },
    "rep": {
        **dict.fromkeys(["again", "copy", "store", "nothing", "compare", "differ", "scan"], 100),
        "twice": 1,
        "twice_again": 1,
        "finish": 1,
    },
    "straddle": {"loop": 1000, "straddling": 1000, "finish": 1},
    "selfmod_anonymous": {"first": 50, "second": 30, "finish": 1},
    "selfmod_file": {"again": 40, "patched": 80, "patched_at": 80, "patched_end": 40},
    "fault": {
        "again": 25,
        "repaired": 25,
        "skipped": 0,
        "after_skipped": 25,
        "handler": 50,
        "skip": 25,
        "restorer": 50,
        "finish": 1,
    },
}

TOTALS = {
    "loops": 1 + 10 * (1 + 3 * 7 + 1 + 2 + 2) + 1 + 5 + 3 * 8 + 2 * 7 + 3 + 1 + 20 + 3,
    "rep": 1 + 100 * 24 + 5 + 3,
    "straddle": 2 + 5 * 1000 + 3,
    "selfmod_anonymous": 9 + 1 + 1 + 50 * 5 + 3 + 30 * 6 + 3,
    "selfmod_file": 1 + 40 * 6 + 80 * 2 + 40 + 3,
    "fault": 6 + 1 + 25 * 12 + 3 + 25 * 6 + 25 * 5 + 50 * 2,
}

OPTIONS = {
    # Valgrind looks for changes of a file's code only when told,
    "selfmod_file": ("--smc-check=all",),
    # and shows all registers to the handler of a fault only when told.
    "fault": ("--vex-iropt-register-updates=allregs-at-mem-access",),
}


#: QEMU does not say where a block was stopped by a fault.
EVERYWHERE = [("valgrind", name) for name in COUNTS] + [("qemu", name) for name in COUNTS if name != "fault"]


@pytest.mark.parametrize("interval", [1, 7, 64, 1 << 40])
@pytest.mark.parametrize(("engine", "name"), EVERYWHERE)
def test_counts_by_hand(engine: str, name: str, interval: int, program: Build, tmp_path: Path) -> None:
    built = program(f"{name}.S")
    run = collect(tmp_path, built, interval=interval, options=OPTIONS.get(name, ()), engine=engine)
    executions, places = run.root.executions(), labels(built)
    assert run.returncode == 0
    assert run.stderr == ""
    assert {label: executions[places[label]] for label in COUNTS[name]} == COUNTS[name]
    assert run.root.total == TOTALS[name]

    *full, tail = run.root.intervals()
    assert all(i.complete and i.length == interval for i in full)
    assert tail.complete and tail.length == (TOTALS[name] - 1) % interval + 1


def single_stepped(stepper: Path, *program: object) -> Counter[int]:
    done = subprocess.run([stepper, *map(str, program)], capture_output=True, text=True, check=True)
    lines = [line.split() for line in done.stdout.splitlines() if len(line.split()) == 2]
    return Counter({int(address, 16): int(count) for address, count in lines})


@pytest.mark.parametrize("name", [name for name in COUNTS if name != "selfmod_anonymous"])
def test_counts_by_single_stepping(name: str, program: Build, tmp_path: Path) -> None:
    built = program(f"{name}.S")
    run = collect(tmp_path, built, interval=13, options=OPTIONS.get(name, ()))
    assert run.root.executions() == single_stepped(program("step_count.c"), built)


# By fatal.S's argument: how it ends, and what its numbers sum to, up to the fault.
FATAL = {1: (11, 6 + 99 * 6), 2: (8, 8 + 2), 3: (4, 10 + 1), 4: (11, 10 + 1)}


@pytest.mark.parametrize("interval", [1, 4, 1 << 40])
@pytest.mark.parametrize("case", FATAL)
def test_fatal_faults_do_not_count(case: int, interval: int, program: Build, tmp_path: Path) -> None:
    built = program("fatal.S")
    run = collect(tmp_path, built, case, interval=interval)
    assert (-run.returncode, run.root.total) == FATAL[case]
    assert run.root.executions() == single_stepped(program("step_count.c"), built, case)


@pytest.mark.parametrize("interval", [1, 9, 1000])
def test_threads_count_apart(interval: int, engine: str, program: Build, tmp_path: Path) -> None:
    built = program("threads.S")
    root = collect(tmp_path, built, interval=interval, engine=engine).root
    places = labels(built)
    first, second = (root.executions(root.intervals(serial)) for serial in (0, 1))
    assert (first[places["parent_loop"]], first[places["child_loop"]]) == (500, 0)
    assert (second[places["parent_loop"]], second[places["child_loop"]]) == (0, 700)
    assert root.threads[1].creator == 0
    # What a new thread executes first is the instruction after its parent's clone.
    assert root.threads[1].total == 2 + 1 + 700 * 4 + 3


def test_an_interval_ends_where_its_thread_waits_for_another(
    engine: str, program: Build, tmp_path: Path
) -> None:
    built = program("waits.c", "-static", "-no-pie", "-pthread")
    root = collect(tmp_path, built, interval=500_000, engine=engine).root
    order = {(one.thread, one.position): one for one in root.order}
    _, *parts = root.intervals(0)
    waits = [(part, order[0, part.start]) for part in parts]
    part, longest = max(waits, key=lambda wait: wait[1].clock - wait[1].stopped)
    assert part.start % 500_000 != 0
    # It waits until the other one ends, which began when it was made, and never waits.
    worker = root.intervals(1)
    end = root.threads[1].total or 0
    assert order[1, end].clock == longest.clock > 9_000_000
    assert order[1, 0].clock < longest.stopped and order[1, end].clock == order[1, 0].clock + end
    assert len(worker) == -(-end // 500_000)
    last = parts[-1].start + parts[-1].length
    assert order[0, last].clock == last + longest.clock - longest.stopped
