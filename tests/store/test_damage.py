"""A damaged file of ours is told as such, wherever the damage is."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path

import h5py
import numpy as np
import pytest

from phasemark.errors import DataError, PhasemarkError, UsageError, WorkError
from phasemark.model import Blocks, Counts, Intervals, Points, Profile, Provenance
from phasemark.store import hdf5, points_csv, profile_h5, resealing, tables
from phasemark.store.folder import Folder


def profile() -> Profile:
    blocks = Blocks(("a",), np.zeros(9, np.int32), np.arange(9), np.ones(9, np.int64), np.ones(9, np.int64))
    counts = Counts(np.arange(10), np.arange(9), np.full(9, 5), 9)
    return Profile(blocks, Intervals.of_thread(np.full(9, 5)), counts, Provenance("test"))


def points() -> Points:
    one = np.zeros(1, np.int64)
    return Points(one, one, one, one, one, one + 5, one, np.ones(1), coverage=1.0)


def test_every_damaged_byte_of_an_hdf5_file_is_noticed(tmp_path: Path) -> None:
    path = tmp_path / "profile.h5"
    profile_h5.write(path, profile())
    good, chance = path.read_bytes(), random.Random(7)
    for _ in range(300):
        bad = bytearray(good)
        bad[chance.randrange(len(good) - 100)] ^= 1 << chance.randrange(8)
        path.write_bytes(bad)
        with pytest.raises(DataError, match=r"profile\.h5"):
            profile_h5.read(path)


def test_an_hdf5_file_cut_anywhere_is_noticed(tmp_path: Path) -> None:
    path = tmp_path / "profile.h5"
    profile_h5.write(path, profile())
    good = path.read_bytes()
    for size in range(0, len(good) - 100, 97):
        path.write_bytes(good[:size])
        with pytest.raises(DataError, match=r"profile\.h5"):
            profile_h5.read(path)


def test_a_file_that_another_program_rewrote_is_read_by_check_repair_alone(tmp_path: Path) -> None:
    path, copy = tmp_path / "profile.h5", tmp_path / "copy.h5"
    profile_h5.write(path, profile())
    with h5py.File(path) as file, h5py.File(copy, "w") as other:
        for name in file:
            file.copy(name, other)
        other.attrs.update(file.attrs)
    with pytest.raises(DataError, match=r"digest of its content.*\n.*check --repair \S+copy\.h5"):
        profile_h5.read(copy)
    assert resealing.reseal(copy) == tmp_path / "copy.h5~"
    assert copy.read_bytes() == path.read_bytes()
    assert profile_h5.read(copy).instructions == 45
    assert resealing.reseal(copy) is None


@pytest.mark.parametrize(
    "failure", [RuntimeError, KeyError, TypeError, AttributeError, OverflowError, MemoryError]
)
def test_whatever_the_library_raises_is_one_error(failure: type[Exception], tmp_path: Path) -> None:
    path = tmp_path / "a.h5"
    hdf5.write(path, lambda file: None)
    with (
        pytest.raises(DataError, match=r"a\.h5: cannot be read as a thing"),
        hdf5.reading(path, "a thing", hint=""),
    ):
        raise failure("inside")


@pytest.mark.parametrize("failure", [UsageError, WorkError])
def test_what_is_no_damage_is_not_said_of_the_file(failure: type[PhasemarkError], tmp_path: Path) -> None:
    """A UsageError is a ValueError, which of the library would be damage."""
    path = tmp_path / "a.h5"
    hdf5.write(path, lambda file: None)
    with pytest.raises(failure, match=r"^0 threads$"), hdf5.reading(path, "a thing", hint=""):
        raise failure("0 threads")


@pytest.mark.parametrize(
    "change",
    [
        lambda text: text.replace(b"0,5", b"\xff,5"),
        lambda text: text.replace(b"0,5", b'"0,5'),
        lambda text: text.replace(b"0,5", b"0,99999999999999999999999"),
        lambda text: text.replace(b"0,5", b"0\r,5\x00"),
        lambda text: text.replace(b"coverage: 1.0", b"coverage: \xff"),
        lambda text: text + b"x" * 200_000,
    ],
)
def test_bent_tables(change: Callable[[bytes], bytes], tmp_path: Path) -> None:
    path = tmp_path / "points.csv"
    points_csv.write(path, points(), made_by={})
    path.write_bytes(change(path.read_bytes()))
    with pytest.raises(DataError, match=r"points\.csv"):
        points_csv.read(path)


def test_a_folder_is_no_table(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="is a folder"):
        tables.read(tmp_path, {"a": int})


@pytest.mark.parametrize(
    "text", ["[]", '{"steps": []}', '{"steps": {"profile": 3}}', '{"steps": "ab"}', "[" * 100_000, "\xff"]
)
def test_bent_run_json(text: str, tmp_path: Path) -> None:
    (tmp_path / "run.json").write_bytes(text.encode("latin-1"))
    with pytest.raises(DataError, match=r"run\.json"):
        Folder(tmp_path).steps()


def test_names_that_are_no_text_come_back(tmp_path: Path) -> None:
    name = b"/bin/\xff <b>\n".decode("utf-8", "surrogateescape")
    made = profile()
    blocks = Blocks(
        (name,), *(getattr(made.block_table, f) for f in ("module", "offset", "instructions", "size"))
    )
    provenance = Provenance("test", command=(name,))
    profile_h5.write(tmp_path / "profile.h5", Profile(blocks, made.interval_table, made.vectors, provenance))
    read = profile_h5.read(tmp_path / "profile.h5")
    assert read.block_table.modules == (name,)
    assert read.provenance.command == (name,)
