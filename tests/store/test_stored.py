"""HDF5 files that declare what they do not hold, lead elsewhere, or are of other types."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import h5py
import numpy as np
import pytest
from tests.store.test_damage import profile
from tests.store.test_profile_h5 import bend

from phasemark.errors import DataError
from phasemark.store import hdf5, profile_h5, resealing

Change = Callable[[h5py.File], object]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "profile.h5"
    profile_h5.write(path, profile())
    with h5py.File(tmp_path / "other.h5", "w") as other:
        other["x"] = np.full(9, 5)
    return path


def instead(name: str, **made: object) -> Change:
    """Another dataset in place of one."""

    def change(file: h5py.File) -> None:
        del file[name]
        file.create_dataset(name, **made)

    return change


def linked(name: str, link: object) -> Change:
    def change(file: h5py.File) -> None:
        del file[name]
        file[name] = link

    return change


def external(file: h5py.File) -> None:
    del file["counts/data"]
    file.create_dataset("counts/data", (9,), np.int64, external=[("/dev/zero", 0, 72)])


def virtual(file: h5py.File) -> None:
    layout = h5py.VirtualLayout((9,), np.int64)
    layout[:] = h5py.VirtualSource("other.h5", "x", (9,))
    del file["counts/data"]
    file.create_virtual_dataset("counts/data", layout)


def long_names(file: h5py.File) -> None:
    """The length of a string as damage would have it."""
    at = file["modules"].id.get_offset()
    name = file.filename
    file.close()
    with Path(name).open("r+b") as raw:
        raw.seek(at)
        raw.write(b"\xff\xff\xff\xff")


MANY = 300_000_000

CHANGES: dict[str, tuple[Change, str]] = {
    "rows that are not stored": (
        instead("counts/data", shape=(MANY,), dtype=np.int64, chunks=(2**14,), compression="gzip"),
        "/counts/data declares 2,400,000,000 bytes, of which 0 are stored",
    ),
    "rows by default": (instead("counts/data", shape=(MANY,), dtype="i8"), "of which 0 are stored"),
    "a large chunk": (
        instead("counts/data", shape=(9,), maxshape=(None,), dtype="i8", chunks=(MANY,)), "has chunks of",
    ),
    "complex numbers": (
        instead("counts/data", data=np.full(9, 5 + 1j)), "holds complex128, not whole numbers",
    ),
    "real numbers": (instead("blocks/id", data=np.arange(9.0)), "/blocks/id holds float64, not whole"),
    "strings": (instead("blocks/id", data=[b"a"] * 9), "not whole numbers"),
    "numbers for names": (instead("modules", data=[1]), "/modules holds int64, not text"),
    "truth": (instead("blocks/id", data=np.ones(9, bool)), "not whole numbers"),
    "records": (instead("blocks/id", data=np.zeros(9, "i4,i4")), "not whole numbers"),
    "negative ids": (instead("blocks/id", data=np.arange(-1, 8)), "id"),
    "a table of two dimensions": (instead("blocks/id", data=np.ones((3, 3), int)), "not of 1 dimension"),
    "a single number": (instead("blocks/id", data=7), "not of 1 dimension"),
    "nothing": (instead("blocks/id", data=h5py.Empty("i8")), "not of 1 dimension"),
    "another filter": (
        instead("counts/data", data=np.full(9, 5), chunks=(9,), compression="lzf"), "is packed in a way",
    ),
    "an external link": (linked("counts/data", h5py.ExternalLink("other.h5", "x")), "a link to elsewhere"),
    "a link to a device": (linked("counts", h5py.ExternalLink("/dev/zero", "x")), "a link to elsewhere"),
    "a soft link": (linked("counts/data", h5py.SoftLink("/counts/indices")), "a link to elsewhere"),
    "a link to itself": (linked("counts", h5py.SoftLink("/counts")), "is missing|a link to elsewhere"),
    "external storage": (external, "lies in another file"),
    "a virtual dataset": (virtual, "lies in another file"),
    "a group for a dataset": (linked("counts/data", h5py.SoftLink("/blocks")), "a link to elsewhere"),
    "a dataset for a group": (instead("counts", data=[1]), "is no group"),
    "a version that is text": (lambda f: f.attrs.update(format_version="1"), "format_version is no whole"),
    "a version of many": (lambda f: f.attrs.update(format_version=[1, 1]), "no single value"),
    "a format that is a number": (lambda f: f.attrs.update(format=7), "format is no text"),
    "deep JSON": (lambda f: f.attrs.update(provenance="[" * 30_000), "recursion"),
}  # fmt: skip


@pytest.mark.parametrize("what", CHANGES)
def test_it_is_refused_before_it_is_read(what: str, path: Path) -> None:
    change, message = CHANGES[what]
    bend(path, change)
    with pytest.raises(DataError, match=message) as error:
        profile_h5.read(path)
    assert error.value.path == path


def test_a_name_longer_than_the_file(path: Path) -> None:
    with h5py.File(path, "r+") as file:
        long_names(file)
    path.write_bytes(hdf5.sealed_content(path.read_bytes()))
    with pytest.raises(DataError, match="/modules has names that are longer than the file"):
        profile_h5.read(path)


@pytest.mark.parametrize("kind", [">i8", "<u2", "u1", ">u4"])
def test_whole_numbers_of_any_width_and_order(kind: str, path: Path) -> None:
    bend(path, instead("counts/data", data=np.full(9, 5, kind)))
    assert profile_h5.read(path).instructions == 45


@pytest.mark.parametrize("what", ["a pipe", "a device", "a folder", "nothing"])
def test_what_is_no_file_in_its_place(what: str, tmp_path: Path) -> None:
    path = tmp_path / "x.h5"
    {
        "a pipe": lambda: os.mkfifo(path),
        "a device": lambda: path.symlink_to("/dev/zero"),
        "a folder": path.mkdir,
        "nothing": lambda: None,
    }[what]()
    for read in (profile_h5.read, profile_h5.read_intervals, resealing.reseal):
        with pytest.raises(DataError, match=r"no regular file|is a folder|no such file"):
            read(path)
    assert hdf5.seal(path) is None and hdf5.identity(path) is None
