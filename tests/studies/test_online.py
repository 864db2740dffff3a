"""The study of online phases, in small: a made run from counts to tables and figures."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from tests.phases.runs import run

STUDY = Path(__file__).parents[2] / "studies" / "online"
_NAMES = ("experiments", "tables", "figures", "subject")


@pytest.fixture(scope="module")
def modules() -> Iterator[dict[str, ModuleType]]:
    """Those of the study, for which other studies have the same names."""
    before = {name: sys.modules.pop(name, None) for name in _NAMES}
    places = [str(STUDY), str(STUDY.parent / "shared")]
    sys.path[:0] = places
    try:
        yield {name: __import__(name) for name in _NAMES}
    finally:
        for name, module in before.items():
            sys.modules.pop(name, None)
            if module is not None:
                sys.modules[name] = module
        for place in places:
            sys.path.remove(place)


@pytest.fixture(scope="module")
def result(modules) -> dict[str, Any]:
    made = run()
    subject = modules["subject"].Subject(made.profile, made.metrics())
    return json.loads(json.dumps(modules["experiments"].everything(subject, 1)))


def test_every_threshold_and_size_is_tried(result, modules) -> None:
    experiments = modules["experiments"]
    assert len(result["homogeneity"]) == 2 * len(experiments.THRESHOLDS)
    assert len(result["sizes"]) == 1 + sum(map(len, experiments.CHANGES.values()))
    phases = [row for row in result["homogeneity"] if (row["min_count"], row["threshold"]) == (1, 0.5)]
    assert phases[0]["k"] == 3 and phases[0]["agreement"] == 1
    assert phases[0]["cov"] == phases[0]["offline"] < phases[0]["stretches"]
    assert {row["phases"] for row in result["beside_hmm"]} == {"hmm", "online"}


def test_tables_and_figures_are_written(result, modules, tmp_path: Path) -> None:
    results = {"one": result, "other": result}
    text = modules["tables"].every(results)
    assert text.count("## ") == 5 and "nan" not in text and "| one |" in text
    assert "| sightings | 1 |" in text and "| unrestricted |  |" in text
    modules["figures"].every(results, tmp_path)
    assert {path.name for path in tmp_path.iterdir()} == {"online-homogeneity.svg", "online-prediction.svg"}
