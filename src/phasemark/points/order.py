"""A random order of rows, a pure function of the seed."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from phasemark.signatures.hashing import mix64


def shuffled(rows: NDArray[np.int64], seed: int) -> NDArray[np.int64]:
    """The rows in an order that depends on seed and row alone.

    The first n of it are a simple random sample; a larger n keeps them and adds others, so that points
    that were simulated are not lost when more are asked for.
    """
    return np.asarray(rows[np.argsort(random_words(seed, rows), kind="stable")], np.int64)


def uniform(seed: int, key: int = 0) -> float:
    """A number in [0, 1)."""
    return int(random_words(seed, np.array([key + 2**62]))[0]) / 2**64


def random_words(seed: int, keys: NDArray[np.int64]) -> NDArray[np.uint64]:
    """A random word for each key."""
    base = mix64(np.array([seed % 2**64], np.uint64))
    return np.asarray(mix64(base ^ keys.astype(np.uint64)), np.uint64)
