"""Normalisation and random projection in plain Python, with whole numbers (algorithms: SimPoint, step 2)."""

from __future__ import annotations

from collections.abc import Mapping

from tests.reference.random import MASK, mix64

BITS = 20


def entry(seed: int, key: int, j: int) -> int:
    """Entry (key, j) of the projection matrix, times 2^20: an odd number."""
    word = mix64((mix64(mix64(seed & MASK) ^ mix64(key)) + j) & MASK)
    return 2 * (word >> (64 - BITS)) + 1 - 2**BITS


def project(row: Mapping[int, int], seed: int, dims: int) -> list[float]:
    """A row of counts (key -> instructions): divided by its sum, projected."""
    total = sum(row.values())
    if not total:
        return [0.0] * dims
    sums = [sum(count * entry(seed, key, j) for key, count in row.items()) for j in range(dims)]
    return [float(s) / (float(total) * 2**BITS) for s in sums]
