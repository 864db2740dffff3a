"""Guards: random intervals beside typical ones, drawn from strata by distance, cold starts for certain."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from phasemark.errors import DataError, UsageError
from phasemark.model import Intervals, Phases, Points
from phasemark.points import add_guards, nearest, select, with_checks
from phasemark.points.guards import by_distance
from phasemark.store import points_csv

LENGTH = 1000


def run(n: int, k: int = 3, seed: int = 0) -> tuple[Intervals, Phases]:
    rng = np.random.default_rng(seed)
    labels = np.arange(n) % k
    return Intervals.of_thread([LENGTH] * n), Phases(labels, np.arange(k)[:, None] * 9.0, rng.random(n))


def test_strata_by_distance_by_hand() -> None:
    """Mean distance 2: sizes 2, 2, 3, 9 sum to 16; two strata of 8 each part before the farthest."""
    assert by_distance(np.array([0.0, 7.0, 1.0, 0.0]), np.ones(4), 2).tolist() == [0, 1, 0, 0]
    # Twice the weight of the nearest ones does not reach the half of it either.
    assert by_distance(np.zeros(4), np.ones(4), 2).tolist() == [0, 0, 1, 1]
    assert by_distance(np.array([3.0, 1.0]), np.ones(2), 9).tolist() == [0, 0]  # one stratum has two


def test_guards_stand_beside_points_and_weigh_nothing() -> None:
    intervals, phases = run(60)
    points = nearest(intervals, phases)
    chosen = add_guards(points, intervals, phases, 10, warmup=500)
    guard = chosen.is_guard
    assert len(chosen) == 13 and guard.sum() == 10
    assert chosen.without_guards().frame().equals(points.frame())
    assert not chosen.weight[guard].any() and chosen.weight.sum() == pytest.approx(1)
    assert chosen.guard is not None and chosen.guard.sum() == pytest.approx(57 / 60)
    assert not set(chosen.interval[guard]) & set(points.interval)
    assert chosen.phase.tolist() == phases.labels[chosen.interval].tolist()
    assert (np.diff(chosen.start) > 0).all()
    assert chosen.warmup[guard].tolist() == np.minimum(chosen.start[guard], 500).tolist()
    cold = chosen.interval == 0
    assert chosen.guard[cold].tolist() == pytest.approx([1 / 60]) and chosen.population[cold].tolist() == [1]
    # Points have the number of their phase, guards numbers of their own.
    assert chosen.stratum[~guard].tolist() == points.phase.tolist()
    counts = np.bincount(chosen.stratum[guard] - 3)
    assert counts.tolist() == [1, 3, 2, 2, 2] or sorted(counts.tolist()) == [1, 2, 2, 2, 3]


@settings(deadline=None, max_examples=30)
@given(n=st.integers(2, 60), k=st.integers(1, 5), guards=st.integers(2, 70), seed=st.integers(0, 5))
def test_shares_are_those_of_the_strata(n: int, k: int, guards: int, seed: int) -> None:
    """Whatever the run: as many guards as there are intervals left, each once, for all that are no points."""
    k = min(n, k)
    intervals, phases = run(n, k, seed)
    points = nearest(intervals, phases)
    chosen = add_guards(points, intervals, phases, guards, seed)
    if n == len(points):
        assert chosen.guard is None
        return
    guard = chosen.is_guard
    assert guard.sum() == min(guards, n - len(points))
    assert len(set(chosen.interval.tolist())) == len(chosen)
    assert chosen.guard is not None and chosen.guard.sum() == pytest.approx(1 - len(points) / n)
    for stratum in set(chosen.stratum[guard].tolist()):
        own = chosen.stratum == stratum
        share = chosen.population[own][0] / n
        assert chosen.guard[own].sum() == pytest.approx(share) and own.sum() <= chosen.population[own][0]
    again = add_guards(points, intervals, phases, guards, seed)
    assert again.interval.tolist() == chosen.interval.tolist()


def test_other_guards_take_the_place_of_those_that_were_there() -> None:
    """As in a table that is taken as the points of a run: what is checked stays checked."""
    intervals, phases = run(60)
    plain = nearest(intervals, phases, warmup=500)
    points = with_checks(plain, 4)
    anew = add_guards(add_guards(points, intervals, phases, 10), intervals, phases, 6, seed=2)
    assert anew.frame().equals(add_guards(points, intervals, phases, 6, seed=2).frame())
    assert anew.is_guard.sum() == 6 and anew.guard is not None and anew.guard.sum() == pytest.approx(57 / 60)
    assert anew.check is not None and not anew.check[anew.is_guard].any()
    assert anew.check[~anew.is_guard].tolist() == points.check.tolist()


def test_tails_are_no_guards_where_they_are_not_wanted() -> None:
    intervals = Intervals.of_thread([LENGTH] * 9 + [300], nominal=LENGTH)
    phases = Phases([0] * 10, [[0.0]], [0.1] * 10)
    points = nearest(intervals, phases, tail_points=False)
    chosen = add_guards(points, intervals, phases, 9, tail_points=False)
    assert 9 not in chosen.interval and chosen.is_guard.sum() == 8
    assert chosen.guard is not None and chosen.guard.sum() == pytest.approx(8300 / 9300)
    assert 9 in add_guards(points, intervals, phases, 9).interval


def test_cold_starts_of_many_threads_are_a_stratum() -> None:
    each = [Intervals.of_thread([LENGTH] * 5, thread=thread) for thread in range(12)]
    columns = ("run", "thread", "index", "start", "length", "kind")
    table = Intervals(**{name: np.concatenate([getattr(one, name) for one in each]) for name in columns})
    distances = np.tile([0.2, 0.3, 0.1, 0.2, 0.4], 12)
    phases = Phases([0] * 60, [[0.0]], distances)
    for n, cold in ((20, 2), (12, 0)):  # an eighth of 12 is less than two guards: not apart
        chosen = add_guards(nearest(table, phases), table, phases, n)
        own = chosen.is_guard & (chosen.population == 12)
        assert own.sum() >= cold and (cold == 0 or set(chosen.interval[own]) == {0})


@pytest.mark.parametrize(
    ("n", "method"), [(1, "nearest"), (4, "stratified"), (4, "max-posterior"), (4, "start")]
)
def test_what_cannot_be_guarded_is_refused(n: int, method: str) -> None:
    intervals, phases = run(12)
    taken = "nearest" if method.startswith("max") else method
    points = select(intervals, phases, 1, method=taken)
    columns = {name: getattr(points, name) for name in points.frame()}
    with pytest.raises(UsageError, match="guard"):
        add_guards(Points(**columns, method=method), intervals, phases, n)


def test_bad_columns_are_refused() -> None:
    one = np.ones(2, np.int64)
    base = {
        "run": one,
        "thread": one,
        "interval": [1, 2],
        "phase": one,
        "start": one,
        "end": one + 5,
        "warmup": one,
    }
    good = {**base, "weight": [1.0, 0.0], "strata": [1, 2], "guard": [0.0, 0.5]}
    assert Points(**good).is_guard.tolist() == [False, True]
    with pytest.raises(DataError, match="weighs something"):
        Points(**{**good, "weight": [0.5, 0.5]})
    with pytest.raises(DataError, match="no strata"):
        Points(**{**good, "strata": None})
    with pytest.raises(DataError, match="negative share"):
        Points(**{**good, "guard": [0.0, -0.5]})
    with pytest.raises(DataError, match="more than all"):
        Points(**{**good, "guard": [0.0, 1.5]})


def test_the_table_holds_guards(tmp_path: Path) -> None:
    intervals, phases = run(30)
    chosen = add_guards(nearest(intervals, phases), intervals, phases, 6)
    points_csv.write(tmp_path / "points.csv", chosen)
    again = points_csv.read(tmp_path / "points.csv")
    assert again.frame().equals(chosen.frame())
    text = (tmp_path / "points.csv").read_text().splitlines()
    assert text[1].endswith("weight,population,spread,strata,guard")
