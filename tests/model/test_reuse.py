"""How long ago memory was used, as a value."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from phasemark.errors import DataError, UsageError
from phasemark.model import Blocks, Counts, Intervals, Profile, Provenance, Reuse

#: Of one line in 2: bands from 0, 128, 256 and 512 bytes on, and new ones.
ONE = Reuse([[5, 4, 3, 2, 1], [0, 0, 0, 0, 7]], [[0, 0, 1, 0, 0], [9, 0, 0, 0, 3]], 2)


def test_bands_begin_at_bytes_of_other_memory() -> None:
    assert ONE.reach.tolist() == [0, 128, 256, 512, 1024] and ONE.bands == 5
    assert Reuse(*np.zeros((2, 1, 15), np.int64), 64).reach[[0, 1, 2, 14]].tolist() == [
        0,
        4096,
        8192,
        32 << 20,
    ]


def test_what_a_cache_lacks() -> None:
    assert ONE.beyond(0).tolist() == [30, 14]
    assert ONE.beyond(1).tolist() == ONE.beyond(128).tolist() == [20, 14]
    assert ONE.beyond(129).tolist() == ONE.beyond(256).tolist() == [12, 14]
    assert ONE.beyond(1 << 40).tolist() == [2, 14]
    assert ONE.beyond(256, "code").tolist() == [2, 6] and ONE.beyond(512, "code").tolist() == [0, 6]
    with pytest.raises(UsageError, match="no reuse of 'stack'"):
        ONE.beyond(1, "stack")


@given(st.lists(st.integers(0, 2), min_size=1, max_size=8))
def test_intervals_are_put_together_by_adding(rows: list[int]) -> None:
    counts = np.arange(len(rows) * 3).reshape(-1, 3)
    summed = Reuse(counts, counts + 1, 4).summed(np.array(rows), 3)
    for made in range(3):
        expected = sum((counts[i] for i, row in enumerate(rows) if row == made), np.zeros(3, int))
        assert summed.data[made].tolist() == expected.tolist()
        assert summed.code[made].tolist() == (expected + rows.count(made)).tolist()
    assert summed.lines == 4


def test_some_intervals_and_how_it_shows() -> None:
    assert ONE.select(np.array([1])).data.tolist() == [[0, 0, 0, 0, 7]]
    assert ONE.select(np.array([1])).code.tolist() == [[9, 0, 0, 0, 3]]
    assert ONE.frame()["data"].loc[0].to_dict() == {0: 10, 128: 8, 256: 6, 512: 4, 1024: 2}
    assert ONE.frame()["code"].loc[1].to_dict() == {0: 18, 128: 0, 256: 0, 512: 0, 1024: 6}
    assert repr(ONE) == "<Reuse: intervals=2, bands=5, lines=2>"
    assert not ONE.data.flags.writeable


@pytest.mark.parametrize(
    ("counts", "lines", "said"),
    [
        ([1, 2], 1, "no table"),
        ([[1]], 1, "no table"),
        ([[1] * 33], 1, "no table"),
        ([[0.5, 1]], 1, "no table"),
        ([[1, -1]], 1, "negative"),
        ([[1, 2**57]], 64, "too large to be true"),
        ([[2**62, 2**62]], 1, "too large to be true"),
        ([[1, 1]], 0, "one line of 0"),
        ([[1, 1]], 2**21, "one line of 2,097,152"),
    ],
)
def test_what_is_none(counts: list[object], lines: int, said: str) -> None:
    with pytest.raises(DataError, match=said):
        Reuse(counts, counts, lines)
    with pytest.raises(DataError):
        Reuse([[1, 1]], counts, lines)


def test_of_several_profiles_what_all_have() -> None:
    both = Reuse.of_all([ONE, ONE.select(np.array([1]))])
    assert both is not None and both.lines == 2
    assert both.data.tolist() == [*ONE.data.tolist(), [0, 0, 0, 0, 7]]
    assert both.code[2].tolist() == [9, 0, 0, 0, 3]
    others = [None, Reuse(ONE.data, ONE.code, 4), Reuse(ONE.data[:, :3], ONE.code[:, :3], 2)]
    assert Reuse.of_all([]) is None and all(Reuse.of_all([ONE, other]) is None for other in others)


def test_what_has_no_interval_has_whatever_bands() -> None:
    none = Reuse(*np.zeros((2, 0, 2), np.int64), 2)
    for parts in ([ONE, none], [none, ONE]):
        both = Reuse.of_all(parts)
        assert both is not None and both.data.tolist() == ONE.data.tolist()
    empty = Reuse.of_all([none, none])
    assert empty is not None and len(empty) == 0


def test_data_and_code_are_of_the_same_intervals() -> None:
    with pytest.raises(DataError, match="other intervals or bands"):
        Reuse(ONE.data, ONE.code[:1], 2)


def test_a_profile_has_it_of_each_interval() -> None:
    blocks = Blocks(("/bin/a",), [0], [0], [1], [4], [1])
    counts, table = Counts([0, 1, 2], [0, 0], [10, 4], 1), Intervals.of_thread(np.array([10, 4]), nominal=10)
    profile = Profile(blocks, table, counts, Provenance("test"), reuse=ONE)
    with pytest.raises(DataError, match="reuse of 1 intervals for 2"):
        dataclasses.replace(profile, reuse=ONE.select(np.array([0])))
