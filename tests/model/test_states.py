"""StateMachine: what it holds together, and what follows from it."""

from __future__ import annotations

import dataclasses
import math

import numpy as np
import pytest

from phasemark.errors import DataError, UsageError
from phasemark.model import Phases, StateMachine

MACHINE = StateMachine(
    start=[1.0, 0.0, 0.0],
    transitions=[[0.75, 0.25, 0.0], [0.5, 0.5, 0.0], [0.0, 0.0, 1.0]],
    shares=[0.625, 0.375, 0.0],
    indptr=[0, 2, 3, 3],
    indices=[0, 4, 1],
    blocks=[0.25, 0.75, 1.0],
    columns=5,
    log_likelihood=-12.5,
    steps=4,
    converged=True,
    evidence=1000.0,
)
#: State 0 lasts three intervals or four, one half each; state 1 two, or more and more rarely.
LASTING = dataclasses.replace(
    MACHINE, leaving=[[0.0, 0.0, 0.5, 1.0], [0.0, 0.5, 0.5, 0.5], [0.0, 0.0, 0.0, 0.0]]
)
MIXTURE = dataclasses.replace(MACHINE, transitions=None)


def test_what_follows_from_the_transitions() -> None:
    assert len(MACHINE) == 3 and MACHINE.used == 2
    assert MACHINE.durations().tolist() == [4.0, 2.0, math.inf]
    assert MACHINE.after(0).tolist() == [0.75, 0.25, 0.0]
    assert MACHINE.after(0, 2).tolist() == [0.6875, 0.3125, 0.0]
    assert MACHINE.after(1, 0).tolist() == [0.0, 1.0, 0.0]


def test_what_follows_from_durations_that_were_learnt() -> None:
    assert LASTING.durations().tolist() == [3.5, 3.0, math.inf]
    assert LASTING.lasting(5)[0].tolist() == [0.0, 0.0, 0.5, 0.5, 0.0]
    assert LASTING.lasting(3)[1].tolist() == [0.0, 0.5, 0.5], "the last: three or more"
    assert LASTING.lasting(6)[1].tolist() == [0.0, 0.5, 0.25, 0.125, 0.0625, 0.0625]
    assert MACHINE.lasting(3)[0].tolist() == [0.25, 0.1875, 0.5625]
    assert [LASTING.after(0, lasted=n)[1] for n in (1, 2, 3, 4, 9)] == [0, 0, 0.5, 1, 1]
    assert LASTING.after(0, 3).tolist() == [0.5, 0.5, 0.0]
    assert LASTING.after(0, 5).tolist() == [0.25, 0.75, 0.0], "one visit in two goes on"
    assert LASTING.after(2, 7).tolist() == [0.0, 0.0, 1.0]


@pytest.mark.parametrize(
    ("leaving", "message"),
    [
        ([[0.5], [0.5]], "durations"),
        ([[0.5], [1.5], [0.5]], "row 1: a probability to leave a state is none"),
        ([[0.5], [math.nan], [0.5]], "row 1: the table of durations holds a value that is not finite"),
        (np.zeros((3, 0)), "without a column"),
    ],
)
def test_durations_that_are_none_are_refused(leaving, message) -> None:
    with pytest.raises(DataError, match=message):
        dataclasses.replace(MACHINE, leaving=leaving)
    with pytest.raises(DataError, match="of a mixture's states"):
        dataclasses.replace(MIXTURE, leaving=LASTING.leaving)


def test_the_hottest_blocks_come_first() -> None:
    blocks, shares = MACHINE.blocks_of(0)
    assert blocks.tolist() == [4, 0] and shares.tolist() == [0.75, 0.25]
    assert MACHINE.blocks_of(0, most=1)[0].tolist() == [4]
    assert not len(MACHINE.blocks_of(2)[0])


def test_the_table_has_a_row_a_state() -> None:
    table = MACHINE.frame()
    assert list(table) == ["state", "share", "start", "duration", "to_0", "to_1", "to_2"]
    assert table.to_1.tolist() == [0.25, 0.5, 0.0]
    assert list(MIXTURE.frame()) == ["state", "share", "start"]
    assert "<table" in MACHINE._repr_html_() and "states=3" in repr(MACHINE)


def test_a_mixture_knows_no_order() -> None:
    for ask in (MIXTURE.durations, lambda: MIXTURE.after(0)):
        with pytest.raises(UsageError, match="a mixture does not say what follows what"):
            ask()


@pytest.mark.parametrize(
    "ask", [lambda: MACHINE.after(3), lambda: MACHINE.after(0, -1), lambda: MACHINE.blocks_of(-1)]
)
def test_there_are_only_its_states(ask) -> None:
    with pytest.raises(UsageError, match="there are states 0 to 2"):
        ask()


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"start": [0.5, 0.25, 0.0]}, "start do not sum to 1"),
        ({"start": [1.5, -0.5, 0.0]}, "start holds a negative"),
        ({"start": [math.nan, 1.0, 0.0]}, "start holds a negative probability, or no number"),
        ({"shares": [0.5, 0.5]}, "shares has 2 rows instead of 3"),
        ({"transitions": np.eye(2)}, "2 rows instead of 3"),
        ({"transitions": np.full((3, 2), 0.5)}, "transitions to 2 of 3 states"),
        ({"transitions": np.ones((3, 3))}, "transitions do not sum to 1"),
        ({"indptr": [0, 2, 1, 3]}, "row pointers"),
        ({"indptr": [0, 2, 3, 4]}, "row pointers"),
        ({"indices": [0, 5, 1]}, "a block that is not there"),
        ({"blocks": [0.25, math.nan, 1.0]}, "no share"),
    ],
)
def test_what_does_not_hold_together_is_refused(changed, message) -> None:
    with pytest.raises(DataError, match=message):
        dataclasses.replace(MACHINE, **changed)


def test_phases_are_no_more_than_states() -> None:
    with pytest.raises(DataError, match="4 phases of 3 states"):
        Phases(range(4), None, [0.0] * 4, states=MACHINE)
