"""How phases of one function differ, counted by hand."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from tests.views import counted, synthetic

from phasemark.model import Phases
from phasemark.views import Analysis, places
from phasemark.views.contrast import Contrast, contrasts


def found(run: Analysis, top: int = 3) -> list[Contrast | None]:
    blocks = run.profile.block_table
    return contrasts(run, places.functions(blocks), places.finest(blocks), top)


def one_function() -> Analysis:
    """Of which the last block's line is not known."""
    run = counted.run()
    blocks = replace(run.profile.block_table, function=("f", "f", "f"))
    return replace(run, profile=replace(run.profile, block_table=blocks))


def test_a_phase_stands_beside_the_most_similar_one_of_its_function() -> None:
    first, second, third = found(one_function())
    assert first is not None and second is not None and third is not None
    assert (first.other, second.other) == (1, 0)
    assert first.distance == second.distance == pytest.approx(2 * 28 / 30)
    assert first.places == [
        ("a.c:7", "f", pytest.approx(28 / 30), 0.0), ("a.c:9", "f", pytest.approx(2 / 30), 1.0),
    ]  # fmt: skip
    assert third.distance == 2 and third.places[0] == ("prog+0x20", "f", 1.0, 0.0)


def test_only_where_they_differ_most_is_named() -> None:
    first = found(one_function(), top=1)[0]
    assert first is not None and len(first.places) == 1


def test_phases_of_functions_of_their_own_stand_alone() -> None:
    assert found(counted.run()) == [None, None, None]


def test_phases_of_equal_code_differ_nowhere() -> None:
    run = synthetic.run((0, 0, 0, 0), blocks=7, length=100_000_000)
    phases = Phases([0, 1, 0, 1], np.zeros((2, 15)), np.zeros(4))
    first = found(replace(run, phases=phases))[0]
    assert first is not None and first.other == 1 and first.distance < 0.01 and first.places == []
