"""The values refuse what breaks their invariants, and name the row."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import h5py
import numpy as np
import pytest

import phasemark
from phasemark.errors import DataError
from phasemark.model import Blocks, Counts, Intervals, Profile, Provenance
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


@pytest.mark.parametrize("largest", [1, 255, 256, 2**16, 2**32, 2**61])
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


def test_only_instructions_sum_to_the_length_of_their_interval() -> None:
    good = small_profile()
    sampled = Counts([0, 1, 3, 3], [0, 0, 2], [2, 1, 1], 3)
    samples = Provenance("test", unit="samples")
    profile = Profile(good.block_table, good.interval_table, sampled, samples)
    assert profile.instructions == 14 and profile.counts.sum() == 4
    with pytest.raises(DataError, match="row 0: the counts of an interval do not sum to its length"):
        Profile(good.block_table, good.interval_table, sampled, good.provenance)
    with pytest.raises(DataError, match="row 1: a stored count is not above 0"):
        Counts([0, 1, 3, 3], [0, 0, 2], [2, 0, 1], 3)


def test_tables_fit_one_another() -> None:
    good = small_profile()
    for unit in ("instructions", "samples"):
        made_by = Provenance("test", unit=unit)
        with pytest.raises(DataError, match="3 vectors for 2 intervals"):
            Profile(good.block_table, Intervals.of_thread(np.array([10, 4])), good.vectors, made_by)
        with pytest.raises(DataError, match="vectors over 4 blocks, but 3 blocks"):
            wide = Counts(good.vectors.indptr, good.vectors.indices, good.vectors.data, 4)
            Profile(good.block_table, good.interval_table, wide, made_by)


def test_when_intervals_began_survives_the_file_and_others_do_not_have_it(tmp_path: Path) -> None:
    good = small_profile()
    profile_h5.write(tmp_path / "plain.h5", good)
    with h5py.File(tmp_path / "plain.h5") as file:
        assert list(file["intervals"]) == ["index", "kind", "length", "run", "start", "thread"]
    assert profile_h5.read(tmp_path / "plain.h5").interval_table.began is None
    timed = replace(good.interval_table, began=[2**40, 2**40, 2**41])
    profile_h5.write(tmp_path / "timed.h5", replace(good, interval_table=timed))
    for again in (
        profile_h5.read(tmp_path / "timed.h5").interval_table,
        profile_h5.read_intervals(tmp_path / "timed.h5"),
    ):
        assert again.began is not None and again.began.tolist() == [2**40, 2**40, 2**41]


def test_a_profile_shows_itself_in_a_line_and_in_a_notebook_as_its_intervals() -> None:
    assert repr(small_profile()) == "<Profile: 14 instructions, 3 intervals, 3 blocks, recorded by test>"
    assert "<table" in small_profile()._repr_html_() and "tail" in small_profile()._repr_html_()
