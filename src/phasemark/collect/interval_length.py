"""Interval lengths as people write them: 10k, 1M, 1.5M, 100000, auto."""

from __future__ import annotations

import re
from decimal import Decimal
from typing import Literal

from phasemark.errors import UsageError, shown

#: Instructions, or `auto`: about 1000 intervals, of at least 10,000 instructions.
IntervalLength = int | Literal["auto"]

_UNITS = {"": 1, "k": 10**3, "m": 10**6, "g": 10**9}
_LARGEST = 10**15


def parse(text: str | int) -> IntervalLength:
    """`text` as a number of instructions; k, M and G are decimal, in either case.

    Raises:
        UsageError: no such length.
    """
    written = str(text).strip().lower()
    if written == "auto":
        return "auto"
    match = re.fullmatch(r"(\d[\d_]*(?:\.\d+)?)\s*([kmg]?)", written)
    length = Decimal(match[1].replace("_", "")) * _UNITS[match[2]] if match else Decimal(0)
    if not 1 <= length <= _LARGEST or length != int(length):
        raise UsageError(
            f"{shown(text)} is no interval length",
            hint="write a whole number of instructions such as 10k, 1M, 1.5M, 100M, or auto",
        )
    return int(length)


def written(length: int) -> str:
    """The shortest form that parse reads back: 10k, 1500k, 1M."""
    for unit, size in (("G", 10**9), ("M", 10**6), ("k", 10**3)):
        if length and length % size == 0:
            return f"{length // size}{unit}"
    return str(length)


def suggested(instructions: int) -> int:
    """A round length that cuts so many instructions into about 1000 intervals.

    At least 10,000, unless that would give fewer than 10 intervals.
    """
    wanted = max(instructions // 1000, 1)
    rounds = (digit * int(10**power) for power in range(16) for digit in (1, 2, 5))
    rounded = next(length for length in rounds if length * 1.5 > wanted)
    return max(rounded, 10_000) if instructions >= 100_000 else rounded
