"""Files without their digest: read by a process that may be stopped."""

from __future__ import annotations

import sys
from pathlib import Path

import h5py
import pytest
from tests.store.test_damage import profile
from tests.store.test_phases_store import KINDS, SIGNATURES
from tests.store.test_profile_h5 import put
from tests.waiting import LONG

from phasemark.checking import check, repair
from phasemark.errors import DataError
from phasemark.store import phases_store, profile_h5, resealing


def unsealed(path: Path) -> Path:
    content = path.read_bytes()
    path.write_bytes(content[: content.index(b"\nphasemark blake2b ")])
    return path


@pytest.fixture
def path(tmp_path: Path) -> Path:
    profile_h5.write(tmp_path / "profile.h5", profile())
    return unsealed(tmp_path / "profile.h5")


def test_a_model_is_written_anew_too(tmp_path: Path) -> None:
    path = tmp_path / "model.h5"
    phases_store.write_model(path, SIGNATURES, KINDS["no centres"][0])
    whole = path.read_bytes()
    unsealed(path)
    with pytest.raises(DataError, match="check --repair"):
        phases_store.read_model(path)
    (checked,) = repair([path])
    assert checked.error is None and checked.found.endswith("; written anew, as it was: model.h5~")
    assert path.read_bytes() == whole
    assert [again.found for again in repair([path])] == [found.found for found in check([path])]


def test_what_breaks_an_invariant_stays_as_it_is(path: Path) -> None:
    with h5py.File(path, "r+") as file:
        put("counts/data", [6] * 9)(file)
    bent = path.read_bytes()
    (checked,) = repair([path])
    assert "row 0: the counts of an interval do not sum" in str(checked.error)
    assert path.read_bytes() == bent and list(path.parent.iterdir()) == [path]


def test_an_earlier_set_aside_file_stays(path: Path) -> None:
    (path.parent / "profile.h5~").write_text("mine")
    assert resealing.reseal(path) == path.parent / "profile.h5~~"
    assert (path.parent / "profile.h5~").read_text() == "mine"


def test_what_is_known_to_be_damaged_is_not_sealed_again(path: Path) -> None:
    profile_h5.write(path, profile())
    content = bytearray(path.read_bytes())
    content[-200] ^= 1
    path.write_bytes(content)
    with pytest.raises(DataError, match="is damaged: its content"):
        resealing.reseal(path)


@pytest.mark.parametrize(
    ("does", "seconds", "said"),
    [
        ("while True: pass", 2, "HDF5 found no end in 2 s"),
        ("import os; os.abort()", LONG, "HDF5 ended with status -6"),
        ("x = bytearray(64 << 30)", LONG, "cannot be read as a file of phasemark"),
    ],
)
def test_a_library_that_hangs_crashes_or_takes_all_memory_is_stopped(
    does: str, seconds: float, said: str, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An interpreter that does what the library did over damaged files."""
    python = path.parent / "python"
    start = f"exec '{sys.executable}' -c \"import h5py, phasemark.store.resealing as r, sys\n"
    spoilt = f"def spoilt(*a, **b):\n    {does}\nh5py.File = spoilt\nsys.exit(r.main(*sys.argv[3:]))"
    python.write_text(f'#!/bin/sh\n{start}{spoilt}" "$@"\n')
    python.chmod(0o755)
    monkeypatch.setattr(sys, "executable", str(python))
    before = path.read_bytes()
    with pytest.raises(DataError, match=said):
        resealing.reseal(path, seconds=seconds)
    assert path.read_bytes() == before
