"""The hottest places of each group, against the slow twin."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from tests.reference import hottest as slow_hottest
from tests.views.matrices import MATRICES
from tests.views.synthetic import counts_of

from phasemark.views import hottest
from phasemark.views.places import Places


@given(MATRICES, st.data())
@settings(deadline=None)
def test_hottest_places_equal_the_slow_twins(dense, data) -> None:
    n, columns = dense.shape
    groups = data.draw(hnp.arrays(np.int64, n, elements=st.integers(0, 2)))
    of_block = data.draw(hnp.arrays(np.int64, columns, elements=st.integers(-1, 3)))
    places = Places([(str(i), "") for i in range(4)], of_block)
    fast = hottest.hottest(counts_of(dense), groups, places, 2)
    slow = slow_hottest.hottest(dense.tolist(), groups.tolist(), of_block.tolist(), 2)
    found = [
        [(p, s) for p, s in zip(row, shares, strict=True) if p >= 0]
        for row, shares in zip(fast.place.tolist(), fast.share.tolist(), strict=True)
    ]
    assert found == slow
