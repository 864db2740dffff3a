"""Phases by code and events, in a run's folder."""

from __future__ import annotations

import dataclasses
from pathlib import Path

import numpy as np
import pytest
from tests.workflow.runs import three_phases

from phasemark.errors import DataError, UsageError
from phasemark.store import metrics_csv, phases_store
from phasemark.views import recipes
from phasemark.workflow import PhaseOptions, Run


def test_phases_by_code_and_events(tmp_path: Path) -> None:
    folder = three_phases(tmp_path / "run")
    run = Run(folder.path)
    with pytest.raises(DataError, match=r"metrics\.csv.*\n.*simulate .* --full"):
        run.find_phases(signature="code+events")
    metrics = metrics_csv.read(folder["full.csv"])
    misses = 1.0 + np.arange(60) % 2 * 99
    metrics = dataclasses.replace(metrics, counters={**metrics.counters, "l2_misses": misses})
    metrics_csv.write(folder.metrics, metrics, made_by={})
    found = run.find_phases(signature="code+events", k=6)
    labels = found.phases.labels
    assert len(set(zip(labels.tolist(), misses.tolist(), strict=True))) == 6
    kept, _ = phases_store.read_model(folder.model)
    assert kept.recipe.events == "l2_misses" and kept.matrix.shape[1] == kept.recipe.dims == 16
    assert recipes.of_signatures(kept.recipe).endswith(
        "to 15 dimensions (seed 1); beside it the rates of l2_misses"
    )
    assert folder.entry_of("phases")["signature"] == "code+events"
    assert len(run.pick_points(budget=9).points) == 9
    assert len(run.compare_seeds(seeds=2, signature="code+events", k=6).frame()) == 2
    assert run.find_phases(signature="code", k=3).signatures.recipe.events == ""
    assert "signature" not in folder.entry_of("phases")


def test_models_of_counts_have_no_place_for_events() -> None:
    with pytest.raises(UsageError, match="hmm looks at counts"):
        PhaseOptions("hmm", signature="code+events").check()
