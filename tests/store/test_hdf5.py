"""HDF5 files are written whole or not at all, and a full disk is an error."""

from __future__ import annotations

import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import h5py
import numpy as np
import pytest
from tests.waiting import LONG

from phasemark.errors import WorkError
from phasemark.store import hdf5

# Stands for a full disk: files may not grow beyond 20 kB. In a process of its own, as the limit stays.
FULL = """
import resource, sys
import numpy as np
from phasemark.errors import WorkError
from phasemark.store import hdf5
resource.setrlimit(resource.RLIMIT_FSIZE, (20_000, 20_000))
try:
    hdf5.write(sys.argv[1], lambda file: [
        file.create_dataset(name, data=np.arange(5000), compression="gzip", shuffle=False)
        for name in "abcdef"
    ])
except WorkError as error:
    print(error)
"""


def fill(file: h5py.File) -> None:
    file["x"] = [1, 2, 3]


def test_what_is_written_is_read_back(tmp_path: Path) -> None:
    seal = hdf5.write(tmp_path / "a.h5", fill)
    assert seal == hdf5.seal(tmp_path / "a.h5")
    with h5py.File(tmp_path / "a.h5", "r") as file:
        assert file["x"][:].tolist() == [1, 2, 3]
    assert [path.name for path in tmp_path.iterdir()] == ["a.h5"]


def test_a_full_disk_leaves_the_earlier_file(tmp_path: Path) -> None:
    path = tmp_path / "a.h5"
    path.write_bytes(b"earlier")
    done = subprocess.run(
        [sys.executable, "-c", FULL, str(path)], capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert "a.h5: cannot be written: File too large" in done.stdout
    assert path.read_bytes() == b"earlier"
    assert [p.name for p in tmp_path.iterdir()] == ["a.h5"]


def test_an_error_while_filling_leaves_the_earlier_file(tmp_path: Path) -> None:
    path = tmp_path / "a.h5"
    path.write_bytes(b"earlier")
    with pytest.raises(KeyError):
        hdf5.write(path, lambda file: file["absent"])
    assert path.read_bytes() == b"earlier"


def test_a_folder_that_is_not_there_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(WorkError, match="cannot be written"):
        hdf5.write(tmp_path / "no" / "a.h5", fill)


def test_a_file_of_ours_has_an_identity_at_once(tmp_path: Path) -> None:
    ours, other, text = tmp_path / "a.h5", tmp_path / "b.h5", tmp_path / "text"
    sealed = hdf5.write(ours, fill)
    h5py.File(other, "w").close()
    text.write_bytes(ours.read_bytes()[-100:])  # ends like one of ours
    assert [hdf5.seal(path) for path in (ours, other, text, tmp_path / "no")] == [sealed, None, None, None]
    found = hdf5.identity(ours)
    assert found is not None and found["seal"] == sealed
    assert hdf5.identity(other) is None and hdf5.identity(text) is None


def test_threads_write_files_of_one_name_at_the_same_time(tmp_path: Path) -> None:
    both = threading.Barrier(2)

    def fill(file: h5py.File) -> None:
        both.wait(timeout=LONG)
        file["numbers"] = np.arange(10)

    folders = [tmp_path / name for name in "ab"]
    for folder in folders:
        folder.mkdir()
    with ThreadPoolExecutor(2) as pool:
        seals = list(pool.map(lambda folder: hdf5.write(folder / "x.h5", fill), folders))
    assert seals[0] == seals[1] == hdf5.seal(tmp_path / "b/x.h5")
