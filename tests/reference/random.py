"""Counter-based random numbers in plain Python: SplitMix64's finaliser over (seed, key)."""

from __future__ import annotations

MASK = 2**64 - 1


def mix64(z: int) -> int:
    z = (z + 0x9E3779B97F4A7C15) & MASK
    z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & MASK
    z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & MASK
    return z ^ (z >> 31)


class Stream:
    """u_0, u_1 ... of (seed, a, b), uniform in [0, 1)."""

    def __init__(self, seed: int, a: int, b: int) -> None:
        self.base = mix64(mix64(mix64(seed & MASK) ^ a) ^ b)
        self.count = 0

    def next(self) -> float:
        word = mix64((self.base + self.count) & MASK)
        self.count += 1
        return (word >> 11) * 2.0**-53
