"""The study of models, in small: a real program from input to figures, and what follows of pairs."""

from __future__ import annotations

import importlib.util
import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest
from tests.studies.modules import modules

STUDY = Path(__file__).parents[2] / "studies" / "models"
collector = importlib.util.find_spec("phasemark")
built = any((Path(place) / "_collector").is_dir() for place in collector.submodule_search_locations or [])
needs_collector = pytest.mark.skipif(not built, reason="the collector was not built")

SMALL = ("--scale", "0.05", "--states", "4", "--restarts", "1", "--single", "3")


def study(out: Path, *more: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, STUDY / "study.py", "-o", out, *SMALL, "--only", "gunzip", *more]
    return subprocess.run(
        [str(part) for part in command], capture_output=True, text=True, check=False, cwd=out.parent
    )


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("study") / "out"
    done = study(out, "--seeds", "1")
    assert done.returncode == 0, done.stdout + done.stderr
    return out


@needs_collector
def test_every_combination_is_held_to_the_truth(small: Path) -> None:
    (result,) = json.loads((small / "results.json").read_text())["gunzip"]
    tried = {(row["way"], row["selector"], row["estimator"]) for row in result["rows"]}
    # Of SimPoint, nine selectors and two random ones, but max-posterior; and no epm2.
    assert len(tried) == 3 * 10 * 2 + 18 * 11 * 3
    assert sum("all" in fit["way"] for fit in result["fits"]) == 6
    assert {fit["used"] for fit in result["fits"]} <= {1, 2, 3, 4}
    for row in result["rows"]:
        assert 1 <= row["points"] <= 8
        assert row["off"] >= 0 and row["half_width"]["cpi"] >= 0
    assert [row["points"] for row in result["baseline"]] == list(range(1, 65))
    assert result["loops"] > 0 and len(result["restarts"]) == 6 and len(result["prediction"]) == 2


@needs_collector
def test_tables_and_figures_are_written(small: Path) -> None:
    tables = (small / "tables.md").read_text()
    assert tables.count("## ") == 13 and "| gunzip |" in tables and "nan" not in tables
    figures = {path.name for path in small.glob("*.svg")}
    assert figures == {"models-likelihood.svg", "models-likelihood-error.svg", "models-error.svg"}


@needs_collector
def test_what_is_done_is_kept_and_more_seeds_can_follow(small: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with modules(STUDY, "study", "experiments", "programs") as (again, experiments, programs):
        (gunzip,) = (program for program in programs.PROGRAMS if program.name == "gunzip")
        did = []
        for name in ("whatever_states", "of_states"):
            monkeypatch.setattr(
                experiments, name, lambda *_, did=did, **asked: did.append(asked["seed"]) or {}
            )
        again.study(gunzip, small, 0.05, again.Asked(1, [4], 1, 3))
        assert did == []
        again.study(gunzip, small, 0.05, again.Asked(2, [4], 1, 3))
        assert did == [2, 2]
        again.study(gunzip, small, 0.05, again.Asked(2, [4], 1, 3))
        assert did == [2, 2]


@pytest.fixture
def pairs() -> Iterator[ModuleType]:
    with modules(STUDY, "pairs") as (found,):
        yield found


def row(way: str, points: int, error: float) -> dict[str, object]:
    known = {
        "errors": {"cpi": error},
        "covered": {"cpi": True},
        "half_width": {"cpi": 0.5},
        "off": abs(error),
    }
    return {"way": way, "states": 4, "selector": "a", "estimator": "b", "draw": 0, "points": points, **known}


def results(*errors: tuple[float, float, float]) -> dict[str, list[dict[str, object]]]:
    """Of each program: SimPoint's error with 2 points, that of a mixture, and of a hidden Markov model."""
    return {
        f"p{i}": [
            {
                "baseline": [row("", 1, 9.0), row("", 2, base), row("", 4, 0.0)],
                "rows": [row("mixture full all", 2, one), row("hmm full all", 3, other)],
            }
        ]
        for i, (base, one, other) in enumerate(errors)
    }


def test_a_combination_is_held_against_simpoint_with_as_many_points(pairs: ModuleType) -> None:
    found = pairs.frame(results((0.1, -0.3, 0.05)))
    # None of three points: the one of two is nearest from below.
    assert found["points_base"].tolist() == [2, 2]
    assert np.allclose(found["error_more"], [0.2, -0.05])


def test_what_is_best_where_it_was_chosen_need_not_be_elsewhere(pairs: ModuleType) -> None:
    rows = pairs.frame(results((0.1, 0.0, 0.2), (0.1, 0.0, 0.2), (0.1, 0.9, 0.2)))
    best = pairs.comparisons(rows, "error")
    assert best["way"].tolist() == ["hmm full all", "mixture full all"]
    assert np.allclose(best["mean"], [0.1, 0.2])
    # Without the program that decided it the mixture was best.
    elsewhere = pairs.chosen_elsewhere(rows, "error")
    assert elsewhere["way"].tolist() == ["hmm full all", "hmm full all", "mixture full all"]
    assert np.allclose(elsewhere["more"], [0.1, 0.1, 0.8])
    assert np.isclose(pairs.between(rows, "hmm full all", "mixture full all", "error").mean, -0.1)


def test_holm_and_the_interval_of_a_mean(pairs: ModuleType) -> None:
    assert np.allclose(pairs.holm([0.04, 0.01, 0.03]), [0.06, 0.03, 0.06])
    import pandas as pd

    mean = pairs.Mean.of(pd.Series([1.0, 2.0, 3.0]))
    # t of 2 degrees of freedom: 4.3027; the mean is 2 and its standard error 1 / sqrt(3).
    assert np.isclose(mean.half_width, 4.302653 / np.sqrt(3)) and np.isclose(mean.p, 0.0741799)
    assert (mean.below, mean.above) == (0, 3)
