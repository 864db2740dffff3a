"""A model that leaves something else than the protocol says is refused before anything is discarded."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import phasemark
from phasemark import phases
from phasemark.errors import DataError, UsageError
from phasemark.model import Phases
from phasemark.phases import registry

BASE = Path(__file__).parents[1] / "data" / "edge-cases" / "base.bb"


def made(n: int = 8, **model: Any) -> Phases:
    said = {"method": "bad", "notes": [], **model}
    return Phases(np.zeros(n, np.int32), np.zeros((1, 15)), np.zeros(n), model=said)


@pytest.fixture(autouse=True)
def known(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(registry, "MODELS", dict(registry.MODELS))


@pytest.mark.parametrize(
    ("left", "message"),
    [
        (None, "left no phases_"),
        (np.zeros(8), "left no phases_"),
        (made(7), "gave phases to 7 intervals, and there are 8"),
        (made(method="simpoint"), "does not record its name"),
        (made(notes="a note"), "a list of `notes`"),
        (made(extra=np.zeros(2)), "JSON cannot hold"),
    ],
    ids=["nothing", "array", "short", "name", "notes", "json"],
)
def test_what_a_model_leaves_is_checked_before_anything_goes(left, message, tmp_path: Path) -> None:
    class Bad(phases.SimPoint):
        name = "bad"

        def fit(self, *_: Any, **__: Any) -> Bad:
            self.phases_ = left
            return self

    phases.register(Bad)
    run = phasemark.open(BASE, tmp_path)
    run.find_phases(max_k=3)
    run.pick_points()
    before = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    with pytest.raises(DataError, match=message):
        run.find_phases(model="bad")
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == before


def test_a_class_that_is_defined_anew_takes_its_own_place() -> None:
    def define(name: str = "anew") -> type:
        class Anew(phases.SimPoint):
            pass

        Anew.name = name
        return phases.register(Anew)

    first, second = define(), define()
    assert first is not second and type(phases.model("anew")) is second
    with pytest.raises(UsageError, match="a model of phases 'simpoint' already"):
        define("simpoint")
