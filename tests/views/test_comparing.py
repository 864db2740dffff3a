"""Two runs in words."""

from __future__ import annotations

import numpy as np
from tests.parallel.test_comparing import ROWS, made

from phasemark import parallel
from phasemark.views.comparing import of_two_alike, reading


def said(rows: list, names: tuple[str, ...] = (), timed: bool = True) -> list[str]:
    profile, phases, metrics = made(rows)
    return reading(parallel.compare(profile, phases, metrics if timed else None), names)


def test_the_whole_comes_first_and_then_what_changed_most_and_why() -> None:
    assert said(ROWS, ("loop", "load", "old", "new", "rest")) == [
        "1.29 times the cycles: 725 before, 935 after; 1.05 times the instructions, CPI 0.58 and 0.714",
        "phase 0 (loop) takes longer: +100 cycles, +13.8% of all before, 2 times as much, because of the "
        "work: 2 times the instructions",
        "phase 1 (load) takes longer: +100 cycles, +13.8% of all before, 2 times as much, at equal work: "
        "CPI 1 before and 2 after",
        "phase 3 (new) is new: 3.2% of the time after",
        "phase 2 (old) is gone: it took 3.4% of the time before",
    ]


def test_phases_are_called_as_they_are_titled() -> None:
    profile, phases, metrics = made(ROWS)
    found = parallel.compare(profile, phases, metrics)
    titles = ("transition", *(f"phase {phase}" for phase in range(1, found.k)))
    assert reading(found, ("loop",), titles)[1].startswith("transition (loop) takes longer")


def test_both_causes_are_told_where_both_count() -> None:
    one = said([(0, 0, 100, 100), (1, 0, 200, 100)])
    assert one[0].startswith("both take equally long")
    same = said([(0, 0, 100, 100), (1, 0, 100, 100)])[0]
    assert same.endswith("; as many instructions, CPI 1 and 1")
    two = said([(0, 0, 100, 100), (1, 0, 200, 400)])[1]
    assert two.endswith("4 times as much, 2 times the instructions, CPI 1 before and 2 after")
    less = said([(0, 0, 200, 200), (1, 0, 100, 100)])[1]
    assert less.startswith("phase 0 takes less: -100 cycles, -50.0% of all before")


def test_further_phases_are_told_together() -> None:
    rows = [(run, phase, 100, 100 * (1 + run)) for run in (0, 1) for phase in range(6)]
    assert said(rows)[-1] == "2 further phases differ: +200 cycles, +33.3% of all before together"


def test_equal_runs_and_what_is_not_known_are_said() -> None:
    alike = [(0, 0, 100, 100), (1, 0, 100, 100)]
    assert said(alike)[-1] == "no phase differs by 1% of the time"
    assert said(alike, timed=False)[-1].startswith("only instructions are compared")
    part = [(0, 0, 100, 100), (0, 0, 100, np.nan), (1, 0, 200, 100)]
    assert said(part)[-1] == "cycles of up to 50.0% of a run's instructions were not measured"


def test_two_runs_are_alike_with_equally_many_threads() -> None:
    assert of_two_alike(made(ROWS)[0])
    assert not of_two_alike(made([(0, 0, 1, 1)])[0])
    assert not of_two_alike(made([(0, 0, 1, 1), (1, 0, 1, 1), (2, 0, 1, 1)])[0])
