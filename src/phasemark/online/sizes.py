"""The sizes of a tracker: what may be asked for, and what stands for the compiled core."""

from __future__ import annotations

from typing import Any

import phasemark._core as core
from phasemark.errors import UsageError, shown
from phasemark.model.options import require_given, require_real, require_whole

#: What of a stored signature becomes of a match, in the order of the core's numbers.
POLICIES = ("keep", "replace", "average")

#: Beyond, a counter a key is what is wanted: `counters=None`.
MOST_COUNTERS = 2**14
MOST_BITS = 48

#: The largest L1 distance between two normalised vectors.
FARTHEST = 2.0

_MOST_SIGNATURES = 2**32
_MOST_COUNT = 2**62


def check(given: dict[str, Any]) -> None:
    """See that a tracker can have these parameters.

    Raises:
        UsageError: it cannot; names the one, and what it must be.
    """
    required = ("threshold", "min_count", "headroom", "deviation", "seed")
    require_given(**{name: given[name] for name in required})
    whole = ("min_count", "counters", "bits", "compressed_bits", "signatures", "headroom", "seed")
    require_whole(**{name: given[name] for name in whole})
    require_real(threshold=given["threshold"], deviation=given["deviation"])
    if given["policy"] not in POLICIES:
        raise UsageError(f"policy is {shown(given['policy'])}", hint=f"use one of {', '.join(POLICIES)}")
    for name, good, need in (
        (
            "threshold",
            0 < given["threshold"] <= FARTHEST,
            "above 0, where nothing would be alike, and at most 2, the largest distance there is",
        ),
        (
            "min_count",
            1 <= given["min_count"] <= _MOST_COUNT,
            f"1, where no interval is in transition, to {_MOST_COUNT:,}",
        ),
        ("counters", _within(given["counters"], MOST_COUNTERS), f"1 to {MOST_COUNTERS:,}, or None"),
        ("bits", _within(given["bits"], MOST_BITS), f"1 to {MOST_BITS}, or None"),
        ("compressed_bits", _within(given["compressed_bits"], MOST_BITS), f"1 to {MOST_BITS}, or None"),
        ("headroom", 0 <= given["headroom"] <= MOST_BITS, f"0 to {MOST_BITS}"),
        ("signatures", _within(given["signatures"], _MOST_SIGNATURES), f"1 to {_MOST_SIGNATURES:,}, or None"),
        ("deviation", 0 < given["deviation"] < float("inf"), "above 0 and finite, as 0.25"),
    ):
        if not good:
            raise UsageError(f"{name} is {shown(given[name])}", hint=f"it must be {need}")
    bounded = [name for name in ("bits", "compressed_bits") if given[name] is not None]
    if given["counters"] is None and bounded:
        raise UsageError(
            f"counters is None and {bounded[0]} is {given[bounded[0]]}",
            hint="a counter for each key is exact: bits and compressed_bits are None, too",
        )


def sizes_of(given: dict[str, Any]) -> core.TrackerSizes:
    """The same parameters, as the core takes them."""
    return core.TrackerSizes(
        counters=given["counters"] or 0,
        bits=given["bits"] or 0,
        compressed=given["compressed_bits"] or 0,
        headroom=given["headroom"],
        signatures=given["signatures"] or 0,
        policy=POLICIES.index(given["policy"]),
        min_count=given["min_count"],
        threshold=given["threshold"],
        deviation=given["deviation"],
        seed=given["seed"] % 2**64,
    )


def counting(given: dict[str, Any]) -> tuple[int | None, ...]:
    """Of the parameters, those that say what counters hold."""
    return given["counters"], given["bits"], given["seed"]


def _within(value: int | None, most: int) -> bool:
    return value is None or 1 <= value <= most
