"""Neyman allocation: how many intervals to measure in each phase."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.reference import quality as twin

from phasemark.errors import DataError, UsageError
from phasemark.points import neyman, neyman_whole

phases = st.lists(
    st.tuples(st.integers(0, 60), st.one_of(st.just(0.0), st.floats(1e-3, 1e3))), min_size=1, max_size=8
).filter(lambda found: any(size for size, _ in found))


def test_golden_of_the_paper() -> None:
    """10,000 x .60 against 20,000 x .03: ten to one."""
    assert neyman(100, [10_000, 20_000], [0.60, 0.03]) == pytest.approx([1000 / 11, 100 / 11])
    assert neyman_whole(100, [10_000, 20_000], [0.60, 0.03]).tolist() == [91, 9]


def test_excess_goes_to_the_others() -> None:
    """20 of 24 for a phase of 5; of the 19 left, 3 to 1, 14.25 for one of 6; the last gets the 13."""
    assert neyman(24, [5, 6, 100], [4, 3 / 6 * 1, 1 / 100]).tolist() == pytest.approx([5, 6, 13])
    assert neyman(8, [4, 10], [0, 3]).tolist() == [0, 8]
    assert neyman(12, [4, 10], [0, 3]).tolist() == pytest.approx([2, 10])
    assert neyman(100, [4, 10], [0, 3]).tolist() == [4, 10]
    assert neyman(7, [4, 10], [0, 0]).tolist() == pytest.approx([2, 5])


def test_whole_numbers_leave_no_phase_out() -> None:
    assert neyman_whole(6, [100, 100, 0, 100], [1, 1e-6, 5, 0]).tolist() == [4, 1, 0, 1]
    assert neyman_whole(3, [9, 9], [1, 1]).tolist() == [2, 1]
    assert neyman_whole(2, [1, 50], [7, 0]).tolist() == [1, 1]


@settings(deadline=None, max_examples=150)
@given(phases, st.floats(0.1, 300))
def test_equals_the_twin(found, n) -> None:
    sizes, deviations = zip(*found, strict=True)
    mine = neyman(n, sizes, deviations)
    assert mine == pytest.approx(twin.neyman(n, sizes, deviations), rel=1e-9, abs=1e-9)
    assert mine.sum() == pytest.approx(min(n, sum(sizes)))


@settings(deadline=None, max_examples=150)
@given(phases, st.integers(1, 300))
def test_whole_plans_hold_their_bounds(found, n) -> None:
    sizes, deviations = map(np.array, zip(*found, strict=True))
    if n < (sizes > 0).sum():
        with pytest.raises(UsageError, match="cannot stand for"):
            neyman_whole(n, sizes, deviations)
        return
    plan = neyman_whole(n, sizes, deviations)
    assert plan.sum() == min(n, sizes.sum())
    assert (plan >= np.minimum(sizes, 1)).all() and (plan <= sizes).all()


@settings(deadline=None, max_examples=60)
@given(st.lists(st.tuples(st.integers(2, 8), st.floats(0.1, 10)), min_size=2, max_size=3), st.data())
def test_no_other_division_has_a_smaller_error(found, data) -> None:
    sizes, deviations = map(np.array, zip(*found, strict=True))
    n = data.draw(st.floats(0.5, float(sizes.sum()) - 0.5))
    other = neyman(n, sizes, [data.draw(st.floats(0.1, 10)) for _ in found])

    def squared(plan):
        return float((sizes * (sizes - plan) * deviations**2 / plan).sum())

    assert squared(neyman(n, sizes, deviations)) <= squared(other) * (1 + 1e-9)


def test_extremes_of_magnitude() -> None:
    assert neyman(10, [100, 100], [1e300, 1e-300]).tolist() == [10, 0]
    assert neyman(10, [100, 100], [1e-320, 1e-320]) == pytest.approx([5, 5])
    # What is smaller beside the other phase is rounding, and gets nothing.
    assert neyman(10, [1000, 1000], [1, 1e-17]).tolist() == [10, 0]


@pytest.mark.parametrize("n", [0, -1, float("nan")])
def test_a_sample_of_nothing_is_refused(n) -> None:
    with pytest.raises(UsageError, match="at least 1"):
        neyman(n, [1], [1])


@pytest.mark.parametrize(
    ("sizes", "deviations", "message"),
    [
        ([1, 2], [1], "2 sizes of phases and 1 deviations"),
        ([[1], [2]], [[1], [2]], "2 sizes of phases and 2 deviations"),
        ([-1], [1], "the size of a phase is negative"),
        ([3, -1, 4], [1, 1, 1], "the size of a phase is negative"),
        ([1, 1], [1, np.nan], "the deviation of a phase is negative or not a number"),
        ([1, 1], [-0.5, 1], "the deviation of a phase is negative"),
        ([np.inf], [1], "the size of a phase"),
    ],
)
def test_bad_phases_are_refused(sizes, deviations, message) -> None:
    for allocate in (neyman, neyman_whole):
        with pytest.raises(DataError, match=message):
            allocate(1, sizes, deviations)
