"""What changes with the seed."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from phasemark.phases import Outcome, Stability, adjusted_rand_index

LABELS = st.lists(st.integers(0, 4), min_size=1, max_size=40)


@settings(deadline=None)
@given(data=st.data(), a=LABELS)
def test_the_index_is_scikit_learns(data, a) -> None:
    from sklearn.metrics import adjusted_rand_score

    b = data.draw(st.lists(st.integers(0, 4), min_size=len(a), max_size=len(a)))
    assert adjusted_rand_index(a, b) == pytest.approx(adjusted_rand_score(a, b))


@settings(deadline=None)
@given(a=LABELS, names=st.permutations(range(5)))
def test_names_of_phases_do_not_matter(a, names) -> None:
    assert adjusted_rand_index(a, [names[label] for label in a]) == 1.0


def test_pairs_of_many_intervals_do_not_overflow() -> None:
    labels = np.repeat(np.arange(2, dtype=np.int32), 200_000)
    assert adjusted_rand_index(labels, labels) == 1.0
    other = np.tile(np.arange(2, dtype=np.int32), 200_000)
    assert adjusted_rand_index(labels, other) == pytest.approx(0, abs=1e-5)


def test_each_seed_is_compared_with_the_others() -> None:
    same = np.array([0, 0, 1, 1, 2, 2], np.int32)
    other = np.array([0, 0, 1, 1, 1, 1], np.int32)
    stability = Stability.of(
        [
            Outcome(1, same, frozenset("abc")),
            Outcome(2, same, frozenset("abd")),
            Outcome(3, other, frozenset("a")),
        ]
    )
    index = adjusted_rand_index(same, other)
    assert 0 < index < 1
    table = stability.table()
    assert table["seed"] == [1, 2, 3] and table["k"] == [3, 3, 2] and table["points"] == [3, 3, 1]
    assert table["agreement"] == pytest.approx([(1 + index) / 2, (1 + index) / 2, index])
    assert table["lowest_agreement"] == pytest.approx([index] * 3)
    assert table["shared_points"] == pytest.approx([(1 / 2 + 1 / 3) / 2, (1 / 2 + 1 / 3) / 2, 1 / 3])
