"""hierarchy.h5: a hierarchy comes back as it was; what is none, or newer, is refused."""

from __future__ import annotations

from pathlib import Path

import h5py
import numpy as np
import pytest

from phasemark.errors import DataError
from phasemark.model import Hierarchy, Phases
from phasemark.store import hdf5, hierarchy_h5, resealing
from phasemark.store.hierarchy_h5 import StoredHierarchy

PHASES = (
    Phases([0], [[0.5, 1.0]], [0.25], {1: 2.0}, {1: 0.5}, {"method": "simpoint", "notes": ["n"]}),
    Phases([0, 1], None, [0.5, 0.0]),
)


def hierarchy(phases: tuple[Phases, ...] = PHASES) -> Hierarchy:
    """A thread of 9 instructions, whole and in two."""
    return Hierarchy([0] * 3, [0] * 3, [0, 1, 1], [-1, 0, 0], [0, 0, 4], [9, 4, 9], [1, 1, 2], phases=phases)


@pytest.mark.parametrize("phases", [(), PHASES])
def test_everything_comes_back(phases: tuple[Phases, ...], tmp_path: Path) -> None:
    path, made = tmp_path / "hierarchy.h5", StoredHierarchy(hierarchy(phases), {"minimum": 3, "seed": 1})
    assert hierarchy_h5.write(path, made) == hdf5.seal(path)
    back = hierarchy_h5.read(path)
    assert back.made_by == made.made_by and back.hierarchy.depth == 2
    for name in ("run", "thread", "level", "parent", "start", "end", "kind"):
        assert getattr(back.hierarchy, name).tolist() == getattr(made.hierarchy, name).tolist()
    for one, other in zip(made.hierarchy.phases, back.hierarchy.phases, strict=True):
        for name, value in vars(one).items():
            assert np.array_equal(value, getattr(other, name)), name
    content = path.read_bytes()
    hierarchy_h5.write(path, made)
    assert path.read_bytes() == content


def test_what_is_none_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "hierarchy.h5"

    def fill(file: object) -> None:
        file.attrs["format"] = "phasemark-model"  # type: ignore[attr-defined]

    hdf5.write(path, fill)
    with pytest.raises(DataError, match=r"hierarchy\.h5: no hierarchy that this phasemark can read"):
        hierarchy_h5.read(path)


def test_one_that_breaks_an_invariant_is_refused(tmp_path: Path) -> None:
    path, other = tmp_path / "hierarchy.h5", tmp_path / "other.h5"
    hierarchy_h5.write(path, StoredHierarchy(hierarchy(())))
    with h5py.File(path) as file, h5py.File(other, "w") as copy:
        for name in file:
            file.copy(name, copy)
        copy.attrs.update(file.attrs)
        copy["nodes/end"][1] = 5
    with pytest.raises(DataError, match="a node does not start where"):
        resealing.reseal(other)


def test_repair_seals_it_again(tmp_path: Path) -> None:
    path = tmp_path / "hierarchy.h5"
    hierarchy_h5.write(path, StoredHierarchy(hierarchy(), {"seed": 1}))
    content = path.read_bytes()
    path.write_bytes(content[:-51])
    assert resealing.reseal(path) is not None and path.read_bytes() == content
