"""Small matrices of counts, made up by Hypothesis."""

from __future__ import annotations

import numpy as np
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

MATRICES = hnp.arrays(
    np.int64, hnp.array_shapes(min_dims=2, max_dims=2, max_side=9), elements=st.integers(0, 6)
)
