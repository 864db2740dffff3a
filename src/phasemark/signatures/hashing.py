"""SplitMix64's finaliser over arrays, as in native/core/numbers/random.hpp."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray


def mix64(z: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """Each 64-bit word scrambled; a bijection."""
    with np.errstate(over="ignore"):
        z = z + np.uint64(0x9E3779B97F4A7C15)
        z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
        return z ^ (z >> np.uint64(31))
