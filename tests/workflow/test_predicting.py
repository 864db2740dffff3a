"""What comes next: probabilities of the model or counted, durations by their definition, and accuracy."""

from __future__ import annotations

import json
import math
from pathlib import Path

import numpy as np
import pytest
from tests.workflow.runs import LENGTH, of_threads, recorded, run, three_phases

from phasemark.errors import DataError, UsageError
from phasemark.model import Intervals
from phasemark.phases.predictors import PREDICTORS, Past
from phasemark.store.folder import Folder
from phasemark.workflow import Run
from phasemark.workflow.predicting import QUANTILES, Outlook


@pytest.fixture
def folder(tmp_path: Path) -> Folder:
    return three_phases(tmp_path / "run")


def test_of_simpoint_moves_are_counted(folder: Folder) -> None:
    told = Run(folder.path).predict()
    assert (told.model, told.by) == ("simpoint", "moves")
    first, second, third = told.outlooks
    # 20 intervals each: 19 of 20 times the phase stays, the last one always.
    assert first.following == pytest.approx((0.95, 0.05, 0)) and first.mean == pytest.approx(20)
    assert second.following == pytest.approx((0, 0.95, 0.05))
    assert third.following == (0, 0, 1) and math.isinf(third.mean) and math.isinf(third.quantiles[0])
    (end,) = told.ends
    assert end.outlook == third
    # The last 12 are the second phase's sequel: SimPoint anew, of which the rest is one phase.
    assert told.accuracy is not None and told.accuracy.intervals == 12
    assert set(told.accuracy.accuracy) == set(PREDICTORS)


def test_of_a_hidden_markov_model_they_are_its_own(folder: Folder) -> None:
    here = Run(folder.path)
    here.find_phases(model="hmm", n_components=3, restarts=3)
    told, states = here.predict(), here.phases.states
    assert told.by == "model" and states is not None and states.transitions is not None
    for one in told.outlooks:
        assert one.following == pytest.approx(tuple(states.transitions[one.phase]))
        assert one.mean == pytest.approx(states.durations()[one.phase])
    posterior = here.phases.posterior
    assert posterior is not None
    assert told.ends[0].outlook.following == pytest.approx(tuple(posterior[-1] @ states.transitions))
    assert told.accuracy is not None and "model" in told.accuracy.accuracy
    assert list(told.frame().columns) == ["phase", "mean", "q10", "q50", "q90", "to_0", "to_1", "to_2"]


def test_durations_that_were_learnt_are_told(folder: Folder) -> None:
    here = Run(folder.path)
    here.find_phases(model="hsmm", n_components=3, restarts=2)
    states = here.phases.states
    assert states is not None and states.leaving is not None
    for one in here.predict(held_out=0).outlooks:
        assert one.mean == pytest.approx(states.durations()[one.phase])
        left = np.cumsum(states.lasting(200)[one.phase, :-1])
        for share, number in zip(QUANTILES, one.quantiles, strict=True):
            if number < 200:
                assert left[int(number) - 1] >= share - 1e-6
                assert number == 1 or left[int(number) - 2] < share


def test_where_durations_were_learnt_the_end_knows_how_long_its_phase_has_lasted(tmp_path: Path) -> None:
    """Rounds of 7 and 3 intervals, cut off after 6 of the 7: one more, then the other phase."""
    work = np.array(([[900, 100]] * 7 + [[100, 900]] * 3) * 12 + [[900, 100]] * 6)
    here = Run(recorded(tmp_path / "run", work, Intervals.of_thread(np.full(len(work), LENGTH))).path)
    here.find_phases(model="hsmm", n_components=2, restarts=2)
    (end,) = here.predict(held_out=0).ends
    assert end.outlook.phase == 0 and end.outlook.following[0] > 0.9
    begun = here.predict(held_out=0).outlooks[0]
    # The last of its 7 comes, then it changes.
    assert (end.outlook.quantiles[1], begun.quantiles[1]) == (2, 7)
    assert end.outlook.mean < begun.mean - 3


@pytest.mark.parametrize("stay", [0.0, 0.3, 0.5, 0.9, 0.999])
def test_quantiles_are_the_least_numbers_by_which_the_phase_has_changed(stay: float) -> None:
    found = Outlook.of(0, np.array([stay, 1 - stay])).quantiles
    for share, number in zip(QUANTILES, found, strict=True):
        slow = 1
        while 1 - stay**slow < share - 1e-12:
            slow += 1
        assert number == slow


def test_each_thread_has_its_end(tmp_path: Path) -> None:
    run_of_threads = of_threads(tmp_path / "run")
    told = Run(run_of_threads.path).predict()
    assert [end.thread for end in told.ends] == [0, 1, 2]
    # A thread's first interval follows none of another's: 3 of 12 times the first phase is left.
    assert told.outlooks[0].following == pytest.approx((0.75, 0.25))
    assert "thread 1 of run 0 ends in phase 1; next: 1 (100.0%)" in run("predict", run_of_threads.path)


def test_the_command_tells_it(folder: Folder) -> None:
    said = run("predict", folder.path)
    assert "the run ends in phase 2; next: 2 (100.0%)" in said
    line = next(line for line in said.splitlines() if line.startswith("    0"))
    assert line.split() == ["0", "20.0", "3", "14", "45", "1", "(100.0%)"]
    assert "no phase changes there: how well changes are foretold is not known" in said
    assert "foretold rightly, of 12 intervals that no fit saw" in said
    told = json.loads(run("predict", folder.path, "--json", "--held-out", "0"))
    assert told["accuracy"] is None and told["phases"][2]["mean"] is None
    assert run("predict", folder.path, "--quiet") == ""


def test_one_interval_foretells_nothing(tmp_path: Path) -> None:
    alone = recorded(tmp_path / "run", np.array([[900, 100]]), Intervals.of_thread(np.array([LENGTH])))
    here = Run(alone.path)
    with pytest.raises(DataError, match="phasemark phases"):
        here.predict()
    here.find_phases()
    told = here.predict()
    assert told.accuracy is None and told.notes == (
        "no thread has two intervals, of which one could be held out",
    )
    assert told.outlooks[0].following == (1.0,)
    with pytest.raises(UsageError, match="share is 1"):
        three_phases(tmp_path / "more")
        Run(tmp_path / "more").predict(held_out=1.0)


def test_a_new_predictor_stands_in_the_table(folder: Folder, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(PREDICTORS, "first", lambda past: np.zeros(len(past.before), np.int64))
    accuracy = Run(folder.path).predict().accuracy
    assert accuracy is not None and accuracy.accuracy["first"] == 0.0


def test_predictors_know_nothing_of_what_they_foretell() -> None:
    """Every guess is the same whatever comes from there on."""
    labels = np.array([0, 1, 0, 1, 2, 1, 0, 2])
    foretold = np.arange(8) >= 4
    for guess in PREDICTORS.values():
        told = guess(Past(labels, foretold, np.arange(8) > 0))
        for row in range(4, 8):
            other = labels.copy()
            other[row:] = 0
            other[0] = labels[0]
            again = guess(Past(np.concatenate([other, [2]]), np.arange(9) >= 4, np.arange(9) > 0))
            assert told[row - 4] == again[row - 4]
