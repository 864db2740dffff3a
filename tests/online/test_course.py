"""What is known of phases while they come, counted by hand."""

from __future__ import annotations

from dataclasses import dataclass, field

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from phasemark.online import course as module
from phasemark.online.course import Course, Expected, Strip, Tally

SECOND = 10**9


@dataclass
class Interval:
    began: int
    ended: int
    length: int = 10
    codes: dict[str, int] = field(default_factory=dict)


def course(phases: str, predictor: object | None = None) -> tuple[Course[str], list[tuple[int, int | None]]]:
    """Intervals of a second each, one a digit."""
    made: Course[str] = Course(predictor)  # type: ignore[arg-type]
    changes = []
    for at, phase in enumerate(phases):
        interval = Interval(at * SECOND, (at + 1) * SECOND, codes={f"f{phase}": 7, "g": 3})
        if (change := made.take(int(phase), interval)) is not None:
            changes.append((change.phase, change.before))
    return made, changes


def test_changes_are_told_with_what_ended_and_what_is_expected() -> None:
    made, changes = course("0011121")
    assert changes == [(0, None), (1, 0), (2, 1), (1, 2)]
    assert (made.intervals, made.changes, made.run, made.lasted) == (7, 4, 1, 1.0)
    assert made.expected == Expected(2, 1, 1, 3.0), "phase 1 lasted three seconds, then came 2"
    change = made.take(2, Interval(7 * SECOND, 8 * SECOND, codes={"f2": 10}))
    assert change is not None
    assert (change.number, change.at, change.lasted, change.new) == (5, 7 * SECOND, 1.0, False)
    assert change.expected == Expected(1, 1, 1, 1.0)
    assert change.hottest == [("f2", 17 / 20), ("g", 3 / 20)]
    assert made.take(2, Interval(8 * SECOND, 9 * SECOND)) is None


def test_a_transition_is_no_phase_that_is_expected() -> None:
    made, _ = course("1100200110")
    assert made.phases[1].followed == {2: 1} and made.phases[2].followed == {1: 1}
    assert not made.phases[0].followed
    assert made.expected == Expected(2, 1, 1, 2.0), "in transition after phase 1; transitions lasted 2 s"
    assert not course("0011")[0].phases[0].followed
    made, _ = course("1101")
    assert made.expected is None, "it only came back"


def test_phases_have_their_shares_and_runs() -> None:
    made, _ = course("0011121122")
    rows = [(one.number, one.intervals, one.length, one.runs, one.longest) for one in made.ranked()]
    assert rows == [(1, 5, 50, 2, 3.0), (2, 3, 30, 1, 1.0), (0, 2, 20, 1, 2.0)]
    assert made.phases[1].expected() == Expected(2, 2, 2, 2.5)
    assert list(made.latest) == [int(phase) for phase in "0011121122"]


def test_a_predictor_is_asked_before_it_is_told() -> None:
    class Stays:
        phase: int | None = None

        def observe(self, phase: int) -> None:
            self.phase = phase

        def forecast(self) -> int | None:
            return self.phase

    made, _ = course("0011121", Stays())
    assert (made.foretold, made.right, made.forecast) == (6, 3, 1)
    assert course("01")[0].forecast is None


def test_nothing_is_known_before_the_first() -> None:
    made: Course[str] = Course()
    assert (made.phase, made.lasted, made.expected, made.ranked(), list(made.strip)) == (
        None,
        0,
        None,
        [],
        [],
    )


def test_a_clock_that_runs_back_makes_nothing_negative() -> None:
    made: Course[str] = Course()
    made.take(1, Interval(9 * SECOND, 10 * SECOND))
    made.take(1, Interval(2 * SECOND, 3 * SECOND))
    change = made.take(2, Interval(3 * SECOND, 4 * SECOND))
    assert change is not None and change.lasted == 1.0 and made.lasted >= 0


def test_the_heaviest_stay() -> None:
    tally: Tally[int] = Tally()
    for n in range(10_000):
        tally.add({n: 1, -1: 5, -2: 3})
        assert len(tally) <= 4 * module.CODES
    assert tally.heaviest(2) == [(-1, 50_000), (-2, 30_000)]


@given(st.lists(st.integers(0, 3), min_size=1, max_size=300))
@settings(deadline=None)
def test_a_strip_becomes_coarser_and_keeps_all(phases: list[int]) -> None:
    strip = Strip()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "CELLS", 8)
        for phase in phases:
            strip.add(phase)
    cells = list(strip)
    assert len(cells) <= 8 and len(cells) == -(-len(phases) // strip.each)
    for at, cell in enumerate(cells):
        here = phases[at * strip.each : (at + 1) * strip.each]
        assert here.count(cell) == max(map(here.count, here))


def test_nothing_grows(monkeypatch: pytest.MonkeyPatch) -> None:
    for bound in ("PHASES", "FOLLOWED"):
        monkeypatch.setattr(module, bound, 4)
    made: Course[int] = Course()
    for n in range(1000):
        made.take(n, Interval(n, n + 1, codes={}))  # type: ignore[arg-type]
        made.take(5000, Interval(n, n + 1, codes={}))  # type: ignore[arg-type]
    assert len(made.phases) == 4 and 5000 in made.phases and made.forgotten == 997
    assert len(made.phases[5000].followed) == 4 and 999 in made.phases[5000].followed
    assert len(made.latest) == module.CELLS and made.intervals == 2000
