"""The values refuse what breaks their invariants, and name the row."""

from __future__ import annotations

import numpy as np
import pytest

import phasemark
from phasemark.errors import DataError
from phasemark.model import Blocks, Counts, Intervals, Points, Profile, Provenance
from phasemark.store import profile_h5


def small_profile() -> Profile:
    blocks = Blocks(("/bin/a", ""), [0, 0, 1], [0x10, 0x20, 7], [3, 4, 0], [9, 12, 0])
    counts = Counts([0, 2, 3, 3], [0, 2, 1], [6, 4, 4], 3)
    return Profile(blocks, Intervals.of_thread(np.array([10, 4, 0]), nominal=10), counts, Provenance("test"))


def test_frames_have_the_columns_others_rely_on() -> None:
    profile = small_profile()
    assert list(profile.intervals.columns) == ["run", "thread", "index", "start", "length", "kind"]
    assert profile.intervals["start"].tolist() == [0, 10, 14]
    assert profile.intervals["kind"].tolist() == ["fixed", "fixed", "tail"]
    assert profile.counts.toarray().tolist() == [[6, 0, 4], [0, 4, 0], [0, 0, 0]]
    assert profile.blocks["module"].tolist() == ["/bin/a", "/bin/a", ""]


def test_a_row_that_does_not_sum_to_its_length_is_named() -> None:
    good = small_profile()
    with pytest.raises(DataError, match="row 1"):
        Profile(good.block_table, Intervals.of_thread(np.array([10, 5, 0])), good.vectors, good.provenance)


def test_a_gap_between_intervals_is_named() -> None:
    with pytest.raises(DataError, match=r"row 1.*start"):
        Intervals([0, 0], [0, 0], [0, 1], [0, 11], [10, 10], [0, 0])


def test_two_blocks_at_one_place_are_refused() -> None:
    with pytest.raises(DataError, match=r"m\+0x10"):
        Blocks(("m",), [0, 0], [16, 16], [1, 1], [1, 1])


def test_a_warm_up_before_the_start_is_refused() -> None:
    with pytest.raises(DataError, match="warm-up"):
        Points([0], [0], [0], [0], [0], [10], [5], [1.0])


def test_a_profile_survives_the_file_and_equal_profiles_give_equal_bytes(tmp_path) -> None:
    profile = small_profile()
    profile_h5.write(tmp_path / "a.h5", profile)
    profile_h5.write(tmp_path / "b.h5", profile)
    assert (tmp_path / "a.h5").read_bytes() == (tmp_path / "b.h5").read_bytes()
    again = phasemark.read(tmp_path / "a.h5")
    assert again.provenance == profile.provenance
    assert again.blocks.equals(profile.blocks)
    assert again.intervals.equals(profile.intervals)
    assert (again.counts != profile.counts).nnz == 0


def test_a_damaged_profile_is_an_error_that_names_the_file(tmp_path) -> None:
    path = tmp_path / "profile.h5"
    profile_h5.write(path, small_profile())
    path.write_bytes(path.read_bytes()[:700])
    with pytest.raises(DataError, match=r"profile\.h5"):
        phasemark.read(path)


@pytest.mark.parametrize("largest", [1, 255, 256, 2**16, 2**32, 2**62])
def test_counts_of_any_size_survive_the_file(largest, tmp_path) -> None:
    blocks = Blocks(("",), np.zeros(300), np.arange(300), np.zeros(300), np.zeros(300))
    counts = Counts([0, 2, 2, 3], [0, 299, 7], [1, largest, largest], 300)
    profile_h5.write(
        tmp_path / "a.h5", Profile(blocks, Intervals.of_thread(counts.row_sums()), counts, Provenance("test"))
    )
    again = profile_h5.read(tmp_path / "a.h5")
    for name, dtype in {"indptr": np.int64, "indices": np.int32, "data": np.int64}.items():
        column = getattr(again.vectors, name)
        assert column.dtype == dtype and column.tolist() == getattr(counts, name).tolist()
    assert profile_h5.read_intervals(tmp_path / "a.h5").frame().equals(again.intervals)


@pytest.mark.parametrize(
    ("indices", "data", "said"),
    [
        ([0, 3, 1], [1, 1, 1], "row 1.*a count names a block that is not there"),
        ([0, -1, 1], [1, 1, 1], "row 1.*a count names a block that is not there"),
        ([0, 2, 1], [1, 1, 0], "row 2.*a stored count is not above 0"),
        ([2, 2, 1], [1, 1, 1], "row 0.*the blocks of a row are not in ascending order"),
    ],
)
def test_counts_that_are_none_are_refused(indices, data, said) -> None:
    with pytest.raises(DataError, match=said):
        Counts([0, 2, 2, 3], indices, data, 3)


def test_rows_are_summed_whether_empty_or_not() -> None:
    counts = Counts([0, 0, 2, 2, 3, 3], [0, 2, 1], [6, 4, 5], 3)
    assert counts.row_sums().tolist() == [0, 10, 0, 5, 0]
    assert Counts([0, 0], [], [], 3).row_sums().tolist() == [0]
    assert Counts([0], [], [], 3).row_sums().tolist() == []
