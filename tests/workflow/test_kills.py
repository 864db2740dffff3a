"""Every step, killed at file operations, and done again: nothing is lost, and no two states are mixed."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from tests.workflow.kills import STEPS, failures

from phasemark.store import changing

#: Killed at every operation; the others at every fifteenth. `python -m tests.workflow.kills` does all.
WHOLE = ("phases", "import --metrics")


@pytest.mark.parametrize("name", STEPS)
def test_a_step_killed_anywhere_and_done_again_loses_nothing(name: str, tmp_path: Path, monkeypatch) -> None:
    monkeypatch.setenv("PHASEMARK_THREADS", "1")
    assert failures(name, tmp_path, 1 if name in WHOLE else 15) == []


def test_a_kill_in_a_careless_step_is_noticed(tmp_path: Path, monkeypatch) -> None:
    """One that renames file by file, and sets aside at last."""

    def careless(folder: Path, new: Path, plan: changing.Plan) -> None:
        for name in plan.place:
            (new / name).replace(folder / name)
        for name in plan.remove:
            (folder / name).unlink()
        for name, aside in plan.aside:
            shutil.move(folder / name, folder / aside)

    monkeypatch.setenv("PHASEMARK_THREADS", "1")
    monkeypatch.setattr(changing, "commit", careless)
    wrong = failures("phases", tmp_path, 3)
    assert wrong and "model.h5 differs" in "".join(wrong)
