"""Equal partitions have equal labels."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from phasemark.phases.numbering import by_appearance


def test_labels_count_up_and_tell_what_they_were() -> None:
    labels, order = by_appearance(np.array([5, 5, 0, 3, 0, 5], np.int32))
    assert labels.tolist() == [0, 0, 1, 2, 1, 0] and labels.dtype == np.int32
    assert order.tolist() == [5, 0, 3]
    assert [part.tolist() for part in by_appearance(np.array([], np.int32))] == [[], []]


@given(st.lists(st.integers(0, 9)))
def test_as_a_dictionary_numbers_them(labels) -> None:
    numbers: dict[int, int] = {}
    expected = [numbers.setdefault(label, len(numbers)) for label in labels]
    new, order = by_appearance(np.array(labels, np.int32))
    assert new.tolist() == expected and order.tolist() == list(numbers)
