"""What row sums tell: the interval length that was asked for, and how the tool cut.

Tools cut at the end of a block, so intervals are longer than asked for by less than a block. Some carry
the surplus over to the next interval, so that interval i starts near i x N; others begin anew. Some leave out
the block in progress: their intervals are shorter than N by less than a block, and start at i x N.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from phasemark import _core

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from phasemark.formats.vectors.scanning import Column

__all__ = [
    "LONGEST_BLOCK",
    "LONGEST_LOOP",
    "begins_anew",
    "carries_surplus_over",
    "just_below",
    "kinds",
    "leaves_out_a_block",
    "nominal",
    "roundest",
    "slack",
]

#: No block is longer: what an interval may exceed the length asked for.
LONGEST_BLOCK = 1000

#: Nor is the block that closes a hot loop longer than this.
LONGEST_LOOP = 100

#: Lengths asked for by people end in so many zeros.
_ROUND = 1000


def nominal(lengths: Column) -> int | None:
    """The interval length asked for, guessed from all intervals but the last.

    Args:
        lengths: instructions of the intervals of a thread, in order.

    Returns:
        The length all have, or the round one that explains them, or else their mean; None where they
        vary by more than cutting at blocks explains.
    """
    body = lengths[:-1] if len(lengths) > 1 else lengths
    n, low, high, *_, total = _core.interval_ends(body, LONGEST_BLOCK)
    if not n or high - low > slack(high):
        return None
    asked = carries_surplus_over(body) or begins_anew(body) or just_below(body)
    return asked or round(low + (total - n * low) / n)


def slack(length: int) -> int:
    """How far an interval of about `length` may be off for having been cut at a block."""
    return max(length // 100, min(length // 10, LONGEST_BLOCK))


def roundest(low: int, high: int) -> int:
    """The number in [low, high] that ends in the most zeros; the largest such."""
    step = 1
    while high // (step * 10) * step * 10 >= low:
        step *= 10
    return high // step * step


def _zeros(number: int) -> int:
    """How many zeros a number above 0 ends in."""
    return len(str(number)) - len(str(number).rstrip("0"))


def kinds(lengths: Column, interval: int | None) -> NDArray[np.int8]:
    """Kind of each interval of a thread: fixed with a tail, or variable where there is no one length."""
    import numpy as np

    from phasemark.model import KINDS

    codes = np.full(len(lengths), KINDS.index("fixed" if interval else "variable"), np.int8)
    if interval and len(lengths) and lengths[-1] < interval - slack(interval):
        codes[-1] = KINDS.index("tail")
    return codes


def carries_surplus_over(lengths: Column) -> int | None:
    """The round N such that interval i ends within a block after (i + 1) x N, some of them shorter than N."""
    n, shortest, _, latest, earliest, _, _ = _core.interval_ends(lengths, LONGEST_BLOCK)
    asked = _asked_for(earliest, latest) if n > 1 else None
    return asked if asked and shortest < asked else None


def begins_anew(lengths: Column) -> int | None:
    """The round N such that every interval is N long or up to a block longer, some of them longer.

    None where a rounder one explains them as just below it.
    """
    n, low, high, *_ = _core.interval_ends(lengths, LONGEST_BLOCK)
    if n < 2:
        return None
    # The smallest surplus is a small one, or one loop's that ends every interval.
    asked = _asked_for(max(high - LONGEST_BLOCK, low - max(high - low, LONGEST_LOOP)), low)
    if not asked or high <= asked:
        return None
    return None if _zeros(just_below(lengths) or 1) > _zeros(asked) else asked


def just_below(lengths: Column) -> int | None:
    """The round N such that every interval is N long or up to a block shorter, some of them shorter.

    Round is what has one or two digits before its zeros. Intervals that are all of one length lack no block.
    """
    n, low, high, *_ = _core.interval_ends(lengths, LONGEST_BLOCK)
    if n < 2 or low == high:
        return None
    asked = _asked_for(high, high + LONGEST_LOOP)
    return asked if asked and len(str(asked).rstrip("0")) <= 2 and low >= asked - _block(asked) else None


def leaves_out_a_block(lengths: Column, interval: int) -> bool:
    """Whether the intervals of a thread for which N was asked are up to a block shorter, and none longer.

    Then interval i starts at i x N. The last may be shorter still.
    """
    body = lengths[:-1] if len(lengths) > 1 else lengths
    n, low, *_ = _core.interval_ends(body, LONGEST_BLOCK)
    longest = _core.interval_ends(lengths, LONGEST_BLOCK)[2]
    return n == len(body) > 0 and interval - _block(interval) <= low < interval and longest <= interval


def _block(length: int) -> int:
    """How far the block in progress may reach where intervals are `length` long."""
    return min(length // 10, LONGEST_BLOCK)


def _asked_for(low: int, high: int) -> int | None:
    if high < max(low, _ROUND):
        return None
    length = roundest(max(low, 1), high)
    return length if length % _ROUND == 0 else None
