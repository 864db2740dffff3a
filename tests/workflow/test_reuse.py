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
        run.find_phases(signature="code+behaviour")
    new = np.arange(60) % 2 * 9
    counts = np.zeros((60, 15), np.int64)
    counts[:, -1] = new
    reuse = Reuse(counts, 0 * counts, 64, np.zeros(60, np.int64))
    profile_h5.write(folder.profile, dataclasses.replace(run.profile, reuse=reuse))
    run = Run(folder.path)
    found = run.find_phases(signature="code+behaviour", k=6)
    assert len(set(zip(found.phases.labels.tolist(), new.tolist(), strict=True))) == 6
    kept, _ = phases_store.read_model(folder.model)
    assert kept.recipe.events.startswith("data_reuse_4K ") and kept.matrix.shape[1] == 33
    assert kept.recipe.events.endswith(" branch_surprises")
    said = (
        "how often it used data after 4K to 16M of other data and code after 4K to 256K of other code, and "
        "how often branches surprised"
    )
    assert recipes.of_signatures(kept.recipe).endswith(f"to 15 dimensions (seed 1); beside it {said}")
    assert folder.entry_of("phases")["signature"] == "code+behaviour"
    assert len(run.pick_points(budget=9).points) == 9
    assert len(run.compare_seeds(seeds=2, signature="code+behaviour", k=6).frame()) == 2
    with pytest.raises(UsageError, match="hmm looks at counts"):
        run.find_phases(model="hmm", signature="code+behaviour")
    with pytest.raises(
        UsageError, match=r"called 'memory'\n.*: blocks, loops, code\+events, code\+behaviour"
    ):
        run.find_phases(signature="memory")


def test_the_default_is_the_best_that_was_recorded(tmp_path: Path) -> None:
    folder = three_phases(tmp_path / "run")
    assert Run(folder.path).find_phases(k=3).signatures.recipe.events == ""
    assert Run(folder.path).compared_by == "blocks"
    assert "signature" not in folder.entry_of("phases")
    counts = np.zeros((60, 15), np.int64)
    counts[:, -1] = np.arange(60) % 2 * 9
    branches = np.arange(60) % 3
    # Of one line in 2^20, no band begins where rates are taken.
    for lines, surprises, expected in (
        (64, None, None),
        (2**20, branches, None),
        (64, branches, "code+behaviour"),
    ):
        reuse = Reuse(counts, counts, lines, surprises)
        profile = dataclasses.replace(Run(folder.path).profile, reuse=reuse)
        profile_h5.write(folder.profile, profile)
        run = Run(folder.path)
        run.find_phases(k=3)
        assert folder.entry_of("phases").get("signature") == expected
        assert run.compared_by == (expected or "blocks")
    assert PhaseOptions.of_entry(folder.entry_of("phases")).signature == "code+behaviour"
    assert PhaseOptions.of_entry({"k": 3}).signature == "blocks" and PhaseOptions().signature is None
    assert len(run.compare_seeds(seeds=2, k=3).frame()) == 2
    assert run.find_phases(k=3, signature="blocks").signatures.matrix.shape[1] == 15
    assert run.find_phases(model="mixture", n_components=[2]).signatures.recipe.events == ""
    assert run.compared_by is None


def test_runs_that_are_joined_and_threads_that_are_merged_keep_it(tmp_path: Path) -> None:
    one = profile_h5.read(of_threads(tmp_path / "run", threads=1).profile)
    one = dataclasses.replace(one, block_table=dataclasses.replace(one.block_table, modules=("/bin/a",)))
    counts = np.arange(8 * 3).reshape(8, 3)
    known = dataclasses.replace(one, reuse=Reuse(counts, 0 * counts, 64, np.arange(8)))
    joined = parallel.join([known, known]).reuse
    assert joined is not None and joined.surprises is not None
    assert joined.surprises.tolist() == [*range(8), *range(8)]
    assert joined.data.tolist() == [*counts.tolist(), *counts.tolist()]
    for other in (one, dataclasses.replace(known, reuse=Reuse(counts, counts, 32))):
        assert parallel.join([known, other]).reuse is None
    made = parallel.merge(known, length=2000).profile
    assert made.reuse is not None and made.reuse.surprises is not None and made.reuse.surprises.sum() == 28
    assert made.reuse.data.sum() == counts.sum()
    assert len(made.reuse) == len(made.interval_table) < 8


def test_a_run_records_it_unless_told(tmp_path: Path) -> None:
    with_it = phasemark.profile(["true"], tmp_path / "with", interval="10k")
    assert with_it.profile.reuse is not None and with_it.profile.reuse.lines == 64
    assert with_it.profile.reuse.surprises is not None and with_it.profile.reuse.surprises.sum() > 100
    assert with_it.folder.entry_of("profile")["memory"] is True
    without = phasemark.profile(["true"], tmp_path / "without", interval="10k", memory=False)
    assert without.profile.reuse is None and without.folder.entry_of("profile")["memory"] is False
    with pytest.raises(UsageError, match="exp-bbv does not record how memory is used"):
        phasemark.profile(["true"], tmp_path / "other", collector="exp-bbv", memory=True)
