"""How long ago memory was used, in a run's folder: phases by it, and where it is left out."""

from __future__ import annotations

import dataclasses
from pathlib import Path

import numpy as np
import pytest
from tests.workflow.runs import of_threads, three_phases

import phasemark
from phasemark import parallel
from phasemark.errors import DataError, UsageError
from phasemark.model import Reuse
from phasemark.store import phases_store, profile_h5
from phasemark.views import recipes
from phasemark.workflow import PhaseOptions, Run


def test_phases_by_code_and_memory(tmp_path: Path) -> None:
    folder = three_phases(tmp_path / "run")
    run = Run(folder.path)
    with pytest.raises(DataError, match=r"was not recorded.*\n.*--no-memory"):
        run.find_phases(signature="code+memory")
    new = np.arange(60) % 2 * 9
    counts = np.zeros((60, 15), np.int64)
    counts[:, -1] = new
    profile_h5.write(folder.profile, dataclasses.replace(run.profile, reuse=Reuse(counts, 0 * counts, 64)))
    run = Run(folder.path)
    found = run.find_phases(signature="code+memory", k=6)
    assert len(set(zip(found.phases.labels.tolist(), new.tolist(), strict=True))) == 6
    kept, _ = phases_store.read_model(folder.model)
    assert kept.recipe.events.startswith("data_reuse_4K ") and kept.matrix.shape[1] == 32
    said = "how often it used data after 4K to 16M of other data and code after 4K to 256K of other code"
    assert recipes.of_signatures(kept.recipe).endswith(f"to 15 dimensions (seed 1); beside it {said}")
    assert folder.entry_of("phases")["signature"] == "code+memory"
    assert len(run.pick_points(budget=9).points) == 9
    assert len(run.compare_seeds(seeds=2, signature="code+memory", k=6).frame()) == 2
    with pytest.raises(UsageError, match="hmm looks at counts"):
        PhaseOptions("hmm", signature="code+memory").check()


def test_runs_that_are_joined_and_threads_that_are_merged_keep_it(tmp_path: Path) -> None:
    one = profile_h5.read(of_threads(tmp_path / "run", threads=1).profile)
    one = dataclasses.replace(one, block_table=dataclasses.replace(one.block_table, modules=("/bin/a",)))
    counts = np.arange(8 * 3).reshape(8, 3)
    known = dataclasses.replace(one, reuse=Reuse(counts, 0 * counts, 64))
    joined = parallel.join([known, known]).reuse
    assert joined is not None and joined.data.tolist() == [*counts.tolist(), *counts.tolist()]
    for other in (one, dataclasses.replace(known, reuse=Reuse(counts, counts, 32))):
        assert parallel.join([known, other]).reuse is None
    made = parallel.merge(known, length=2000).profile
    assert made.reuse is not None and made.reuse.data.sum() == counts.sum()
    assert len(made.reuse) == len(made.interval_table) < 8


def test_a_run_records_it_unless_told(tmp_path: Path) -> None:
    with_it = phasemark.profile(["true"], tmp_path / "with", interval="10k")
    assert with_it.profile.reuse is not None and with_it.profile.reuse.lines == 64
    assert with_it.folder.entry_of("profile")["memory"] is True
    without = phasemark.profile(["true"], tmp_path / "without", interval="10k", memory=False)
    assert without.profile.reuse is None and without.folder.entry_of("profile")["memory"] is False
    with pytest.raises(UsageError, match="exp-bbv does not record how memory is used"):
        phasemark.profile(["true"], tmp_path / "other", collector="exp-bbv", memory=True)
