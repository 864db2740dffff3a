"""From a profile to phases, in a run's folder."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import pytest
from tests.phases.toys import TOYS

import phasemark
from phasemark.collect import session
from phasemark.errors import DataError, UsageError
from phasemark.phases import SimPoint, registry
from phasemark.store import phases_store, tables
from phasemark.workflow import PhaseOptions, Run

BASE = Path(__file__).parents[1] / "data" / "edge-cases" / "base.bb"

#: What `phasemark phases` offers, as run.json has it.
USUAL = {
    "max_k": 30,
    "k": None,
    "search": "all",
    "restarts": 5,
    "threshold": 0.9,
    "dims": 15,
    "seed": 1,
    "init": "incremental",
    "sample_size": 100_000,
    "select": "bic-threshold",
}


@pytest.fixture(autouse=True)
def models(monkeypatch: pytest.MonkeyPatch) -> None:
    """One more than there is, of other parameters."""
    monkeypatch.setattr(registry, "MODELS", {**registry.MODELS, **TOYS})


@pytest.fixture
def run(tmp_path: Path) -> Run:
    return phasemark.open(BASE, tmp_path)


def test_an_entry_tells_every_option_of_the_command_in_its_order() -> None:
    assert list(PhaseOptions().entry().items()) == list(USUAL.items())
    given = PhaseOptions(max_k=7, dims=3, seed=9, search=5).entry()
    assert given == {**USUAL, "max_k": 7, "dims": 3, "seed": 9, "search": 5}
    assert list(given) == list(USUAL)


def test_an_entry_tells_of_other_parameters_only_those_given() -> None:
    other = next(name for name in SimPoint().get_params() if name not in {*SimPoint().options, "seed"})
    value = SimPoint().get_params()[other]
    assert PhaseOptions(**{other: value}).entry() == {**USUAL, other: value}
    assert other not in PhaseOptions().entry()


def test_an_entry_names_another_model() -> None:
    entry = PhaseOptions("hottest-block", k=4, seed=3).entry()
    assert list(entry.items()) == [("model", "hottest-block"), ("k", 4), ("dims", 15), ("seed", 3)]


@pytest.mark.parametrize(
    "options", [PhaseOptions(max_k=7, dims=3, seed=9), PhaseOptions("hottest-block", k=4)]
)
def test_an_entry_is_read_back(options: PhaseOptions) -> None:
    entry = json.loads(json.dumps(options.entry()))
    again = PhaseOptions.of_entry({**entry, "found": 3, "notes": [], "phasemark": "1"})
    assert (again.model, again.dims, again.seed) == (options.model, options.dims, options.seed)
    assert again.entry() == options.entry()


def test_what_an_entry_does_not_tell_has_its_default() -> None:
    assert PhaseOptions.of_entry({}) == PhaseOptions()
    assert PhaseOptions.of_entry({"dims": 4}) == PhaseOptions(dims=4, signature="blocks")
    with pytest.raises(UsageError, match="no model of phases 'best'"):
        PhaseOptions.of_entry({"model": "best"})


def test_another_seed_and_nothing_else() -> None:
    options = PhaseOptions("hottest-block", dims=4, seed=2, k=9)
    assert options.with_seed(8) == PhaseOptions("hottest-block", dims=4, seed=8, k=9)
    assert PhaseOptions(max_k=9).with_seed(8).estimator().get_params()["seed"] == 8


def test_the_seed_of_the_options_is_the_model_s() -> None:
    assert PhaseOptions(seed=6).estimator().get_params()["seed"] == 6
    assert PhaseOptions().estimator().get_params()["seed"] == 1


@pytest.mark.parametrize(
    ("options", "message"),
    [({"dims": 0}, "0 dimensions"), ({"max_k": 0}, "max_k is 0"), ({"best": 1}, "no parameter 'best'")],
)
def test_options_are_checked_before_anything_runs(options: dict, message: str) -> None:
    with pytest.raises(UsageError, match=message):
        PhaseOptions(**options).check()
    PhaseOptions().check()


def test_what_suits_intervals_of_variable_length_unless_told_otherwise(run: Run) -> None:
    n, folder = len(run.intervals), run.folder
    assert PhaseOptions(k=3).suited(folder, run.intervals).entry() == {**USUAL, "k": 3}
    with folder.change("intervals") as new:
        new.record("intervals", {})
    suited = {**USUAL, "max_k": math.isqrt(n), "select": "bic-resolved"}
    assert PhaseOptions(k=3).suited(folder, run.intervals).entry() == {**suited, "k": 3}
    run.find_phases()
    assert folder.entry_of("phases").items() >= suited.items()
    asked = {"max_k": 30, "select": "bic-threshold"}
    assert PhaseOptions(**asked).suited(folder, run.intervals).entry() == USUAL
    other = PhaseOptions("hottest-block")
    assert other.suited(folder, run.intervals).entry() == other.entry()


def test_what_run_json_and_the_table_tell(run: Run) -> None:
    found = run.find_phases(max_k=4)
    entry = run.folder.entry_of("phases")
    entry.pop("phasemark")
    assert entry == {**USUAL, "max_k": 4, "found": 3, "notes": list(found.notes)}
    comment = tables.comment(run.folder.phases)
    assert (comment["command"], comment["max_k"], comment["seed"]) == ("phases", "4", "1")


def test_notes_are_those_of_the_model(run: Run) -> None:
    found = run.find_phases(k=1)
    assert found.notes == tuple(found.phases.model["notes"]) == tuple(run.folder.entry_of("phases")["notes"])


@pytest.mark.parametrize(
    ("entry", "note"),
    [
        ({"complete": True, "state": "done"}, None),
        ({"complete": False, "state": "done"}, "the recording was cut short: "),
        ({"state": "running"}, "the recording is unfinished: "),
    ],
)
def test_phases_of_a_recording_without_an_end_say_so(
    entry: dict[str, Any], note: str | None, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    profile = run.profile
    monkeypatch.setattr(session, "rebuild", lambda _: profile)
    run.folder.raw.mkdir()
    run.folder.record("profile", entry)
    found = run.find_phases(k=2)
    assert [n for n in found.notes if n.startswith("the recording")] == [n for n in found.notes if note]
    assert not note or found.notes[-1].startswith(note)
    assert found.phases.model["notes"] == run.folder.entry_of("phases")["notes"] == list(found.notes)


def test_labels_are_of_one_thread(tmp_path: Path) -> None:
    one, two = (
        phasemark.open(BASE, tmp_path / "1"),
        phasemark.workflow.load_vectors([BASE, BASE], tmp_path / "2", as_runs=True, same_ids=True),
    )
    for run in (one, two):
        run.find_phases(k=2)
    assert one.folder["labels"].exists() and not two.folder["labels"].exists()
    assert two.intervals.first_of_thread().sum() == 2


def test_progress_is_told(run: Run) -> None:
    told: list[tuple[int, int]] = []
    run.find_phases(max_k=3, progress=lambda done, total: told.append((done, total)))
    assert told[-1] == (3, 3)


def test_other_phases_by_the_same_options_are_other_phases(run: Run) -> None:
    """Of an older program, say: what run.json tells is the same, and the labels or distances are not."""
    run.find_phases(k=2)
    signatures, phases = phases_store.read_model(run.folder.model)
    for change in ("labels", "distances"):
        values = {**vars(phases), change: vars(phases)[change][::-1].copy()}
        phases_store.write_model(run.folder.model, signatures, type(phases)(**values))
        run.folder.points.touch()
        assert "points.csv is removed" in run.find_phases(k=2).discarded
        run.folder.points.touch()
        assert run.find_phases(k=2).discarded == ()
    run.folder.model.write_text("damaged")
    assert "points.csv is removed" in run.find_phases(k=2).discarded


def test_what_is_not_there_names_the_file_and_the_step(run: Run) -> None:
    with pytest.raises(
        DataError, match=r"model\.h5: there is no .*\n  hint: run `phasemark phases .*` first"
    ):
        _ = run.phases
