"""phases.csv and model.h5: what any model finds is read as it was written; old files stay readable."""

from __future__ import annotations

from pathlib import Path

import h5py
import numpy as np
import pandas as pd
import pytest
from tests.model.test_states import LASTING, MACHINE, MIXTURE

from phasemark.errors import DataError
from phasemark.model import Intervals, Phases, Recipe, Signatures, StateMachine
from phasemark.store import hdf5, phases_store

OLD = Path(__file__).parents[1] / "data" / "model-h5" / "format-1.h5"
RECIPE = Recipe("l1", "uniform", 2, 1, "id")
SIGNATURES = Signatures([[0.0, 1.0], [0.5, 0.25], [0.0, 1.0]], [0.25, 0.25, 0.5], RECIPE)
MODEL = {"method": "simpoint", "seed": 7, "notes": ["a note"]}
LABELS = [0, 1, 0]
CENTERS = [[0.0, 1.0], [0.5, 0.25]]
POSTERIOR = [[0.75, 0.25], [0.0, 1.0], [1.0, 0.0]]
UNDIVIDED = [0.25, 0.5, 0.125]

#: What a model may give -> the version of the format it takes.
KINDS = {
    "centres": (Phases(LABELS, CENTERS, [0.0, 0.5, 0.25], {1: -3.5, 2: 8.25}, {1: 0.5}, MODEL), 1),
    "no centres": (Phases(LABELS, None, [0.0, 0.5, 0.25], {2: 1.0}, model=MODEL, undivided=UNDIVIDED), 2),
    "posterior": (Phases(LABELS, CENTERS, [0.0, 0.5, 0.25], posterior=POSTERIOR), 2),
    "whole": (Phases(LABELS, CENTERS, [0.0, 0.5, 0.25], undivided=UNDIVIDED), 2),
    "labels": (Phases(LABELS, None, [0.0, 0.5, 0.25]), 2),
    "states": (Phases(LABELS, None, [0.0, 0.5, 0.25], states=MACHINE), 2),
    "durations": (Phases(LABELS, None, [0.0, 0.5, 0.25], states=LASTING), 2),
    "mixture": (Phases(LABELS, None, [0.0, 0.5, 0.25], states=MIXTURE), 2),
}


def same(value, other) -> bool:
    if isinstance(value, StateMachine):
        return all(same(field, getattr(other, name)) for name, field in vars(value).items())
    return np.array_equal(value, other)


@pytest.mark.parametrize("kind", KINDS)
def test_every_number_is_read_as_it_was_written(kind, tmp_path) -> None:
    phases, version = KINDS[kind]
    phases_store.write_model(tmp_path / "model.h5", SIGNATURES, phases)
    signatures, again = phases_store.read_model(tmp_path / "model.h5")
    for one, other in ((SIGNATURES, signatures), (phases, again)):
        assert vars(one).keys() == vars(other).keys()
        for name, value in vars(one).items():
            assert same(value, getattr(other, name)), name
    with h5py.File(tmp_path / "model.h5") as file:
        assert file.attrs["format_version"] == version
        assert file["phases"].attrs["k"] == 2


def test_equal_phases_give_equal_bytes(tmp_path) -> None:
    for name in ("a.h5", "b.h5"):
        phases_store.write_model(tmp_path / name, SIGNATURES, KINDS["centres"][0])
    assert (tmp_path / "a.h5").read_bytes() == (tmp_path / "b.h5").read_bytes()


def test_a_file_from_before_k_was_stored_is_read() -> None:
    signatures, phases = phases_store.read_model(OLD)
    rows = np.repeat([[0.0, 1.0], [0.5, 0.25], [0.0, 1.0]], 4, axis=0) + np.arange(12)[:, None] / 256
    assert signatures.matrix.tolist() == rows.tolist()
    assert signatures.recipe == RECIPE and signatures.weights.tolist() == [1 / 12] * 12
    assert phases.k == 3 and phases.labels.tolist() == [0] * 4 + [1] * 4 + [2] * 4
    means = rows.reshape(3, 4, 2).mean(axis=1)
    assert np.allclose(phases.centers, means, rtol=1e-12)
    assert np.allclose(phases.distances, np.linalg.norm(rows - means[phases.labels], axis=1), rtol=1e-12)
    assert list(phases.scores) == [1, 2, 3, 4] and max(phases.scores, key=phases.scores.__getitem__) == 3
    assert list(phases.inertia) == [1, 2, 3, 4]
    assert phases.model["method"] == "simpoint" and phases.model["max_k"] == 4
    assert phases.posterior is None and phases.undivided is None


def seal(path: Path) -> None:
    path.write_bytes(hdf5.sealed_content(path.read_bytes()))


@pytest.mark.parametrize(
    ("attribute", "value"),
    [("format", "phasemark-profile"), ("format_version", phases_store.FORMAT_VERSION + 1)],
)
def test_a_file_of_another_kind_or_a_newer_phasemark_is_refused(attribute, value, tmp_path) -> None:
    path = tmp_path / "model.h5"
    phases_store.write_model(path, SIGNATURES, KINDS["centres"][0])
    with h5py.File(path) as file, h5py.File(tmp_path / "other.h5", "w") as other:
        for name in file:
            file.copy(name, other)
        other.attrs.update(file.attrs)
        other.attrs[attribute] = value
    seal(tmp_path / "other.h5")
    with pytest.raises(DataError, match=r"other\.h5: no model file .*\n.*phasemark phases"):
        phases_store.read_model(tmp_path / "other.h5")


def test_a_damaged_file_says_which_command_makes_it_again(tmp_path) -> None:
    for name, command in (("model.h5", "phases"), ("track.h5", "track")):
        (tmp_path / name).write_bytes(b"\x89HDF\r\n\x1a\n")
        with pytest.raises(DataError, match=f"run `phasemark {command}` again"):
            phases_store.read_model(tmp_path / name)


def test_phases_that_break_an_invariant_are_refused_with_the_file(tmp_path) -> None:
    path, bad = tmp_path / "model.h5", tmp_path / "bad.h5"
    phases_store.write_model(path, SIGNATURES, KINDS["centres"][0])
    with h5py.File(path) as file, h5py.File(bad, "w") as other:
        for name in file:
            file.copy(name, other)
        other.attrs.update(file.attrs)
        other["phases"].attrs["k"] = 3
    seal(bad)
    with pytest.raises(DataError, match=r"bad\.h5: 3 phases with 2 centroids"):
        phases_store.read_model(bad)


def test_the_table_for_people(tmp_path) -> None:
    intervals, phases = Intervals.of_thread([10, 10, 4], nominal=10), KINDS["no centres"][0]
    phases_store.write_csv(tmp_path / "phases.csv", intervals, phases, made_by={"command": "phases", "k": 2})
    first = (tmp_path / "phases.csv").read_text().splitlines()[0]
    assert first.startswith("#") and "instructions" in first
    table = pd.read_csv(tmp_path / "phases.csv", comment="#")
    assert list(table) == ["run", "thread", "index", "start", "length", "kind", "phase", "distance"]
    assert table["phase"].tolist() == LABELS and table["distance"].tolist() == [0.0, 0.5, 0.25]
    assert table["kind"].tolist() == ["fixed", "fixed", "tail"]
    shown = phases.frame(intervals)
    assert list(shown) == list(table)
    assert all(shown[name].astype(table[name].dtype).equals(table[name]) for name in table)


@pytest.mark.parametrize("change", ["fit", "transitions", "indices"])
def test_damaged_states_are_refused(change, tmp_path) -> None:
    path = tmp_path / "model.h5"
    phases_store.write_model(path, SIGNATURES, KINDS["states"][0])
    with h5py.File(path, "r+") as file:
        states = file["phases/states"]
        value = {"fit": [1.0], "transitions": np.ones((3, 3)), "indices": [0, 9, 1]}[change]
        del states[change]
        states[change] = value
    seal(path)
    with pytest.raises(DataError, match=r"model\.h5"):
        phases_store.read_model(path)
