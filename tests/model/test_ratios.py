"""Ratios: each of the counters that its name says, on the scale that its title says."""

from __future__ import annotations

import numpy as np
import pytest

from phasemark.model import RATIOS, Ratio

#: Counters of one interval, no two alike.
COUNTED = {
    "instructions": 4000.0,
    "cycles": 6000.0,
    "l1i_misses": 3.0,
    "l1i_references": 150.0,
    "l1d_misses": 5.0,
    "l1d_references": 40.0,
    "l2_misses": 7.0,
    "l2_references": 28.0,
    "l3_misses": 11.0,
    "l3_references": 55.0,
    "itlb_misses": 13.0,
    "itlb_references": 130.0,
    "dtlb_misses": 17.0,
    "dtlb_references": 34.0,
    "branches": 760.0,
    "branch_mispredictions": 19.0,
    "energy": 50000.0,
}

#: Name -> its denominator, its value of these counters, its title.
KNOWN = {
    "cpi": ("instructions", 1.5, "CPI"),
    "l1i_miss_rate": ("l1i_references", 0.02, "L1I miss rate"),
    "l1i_mpki": ("instructions", 0.75, "L1I misses per 1000 instructions"),
    "l1d_miss_rate": ("l1d_references", 0.125, "L1D miss rate"),
    "l1d_mpki": ("instructions", 1.25, "L1D misses per 1000 instructions"),
    "l2_miss_rate": ("l2_references", 0.25, "L2 miss rate"),
    "l2_mpki": ("instructions", 1.75, "L2 misses per 1000 instructions"),
    "l3_miss_rate": ("l3_references", 0.2, "L3 miss rate"),
    "l3_mpki": ("instructions", 2.75, "L3 misses per 1000 instructions"),
    "itlb_miss_rate": ("itlb_references", 0.1, "ITLB miss rate"),
    "itlb_mpki": ("instructions", 3.25, "ITLB misses per 1000 instructions"),
    "dtlb_miss_rate": ("dtlb_references", 0.5, "DTLB miss rate"),
    "dtlb_mpki": ("instructions", 4.25, "DTLB misses per 1000 instructions"),
    "branch_misprediction_rate": ("branches", 0.025, "Branch misprediction rate"),
    "branch_mpki": ("instructions", 4.75, "Branch mispredictions per 1000 instructions"),
    "epi": ("instructions", 12.5, "Energy per instruction (pJ)"),
}


def test_the_ratios_are_these_in_this_order() -> None:
    assert [ratio.name for ratio in RATIOS] == list(KNOWN)


@pytest.mark.parametrize("ratio", RATIOS, ids=lambda ratio: ratio.name)
def test_a_ratio_of_known_counters(ratio: Ratio) -> None:
    value = ratio.of(np.array([COUNTED[ratio.numerator]]), np.array([COUNTED[ratio.denominator]]))
    assert (ratio.denominator, value[0], ratio.title) == KNOWN[ratio.name]


def test_what_cannot_be_divided_is_nan() -> None:
    numerator, denominator = np.array([4.0, 0.0, 0.0, np.nan, 1.0, 2.0]), np.array([2.0, 3, 0, 3, np.nan, 0])
    value = Ratio("a", "b", "c").of(numerator, denominator)
    np.testing.assert_array_equal(value, [2.0, 0.0, np.nan, np.nan, np.nan, np.nan])
    np.testing.assert_array_equal(Ratio("a", "b", "c", 1000.0).of(numerator, denominator), 1000 * value)


def test_a_ratio_is_plain_where_nothing_else_is_said() -> None:
    assert Ratio("a", "b", "c") == Ratio("a", "b", "c", 1.0, "")
