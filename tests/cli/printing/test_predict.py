"""What comes next in words: shares add up, and the table of accuracy comes to a sentence."""

from __future__ import annotations

import math

import numpy as np
import pytest

from phasemark.cli.printing import predict
from phasemark.phases import Prediction
from phasemark.workflow.predicting import AtEnd, Outlook, PredictionResult


def said(changes: int, model: float, moves: float = 0.0, of_all: float = 0.95) -> str:
    """The last line, of what was foretold of 100 intervals."""
    accuracy = {"last": 0.9, "moves": of_all, "model": of_all}
    found = Prediction(100, changes, accuracy, {"last": 0.0 * model, "moves": moves, "model": model})
    return predict.lines(PredictionResult("hmm", "model", (), (), found))[-1]


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        (said(0, math.nan), "no phase changes there: how well changes are foretold is not known"),
        (said(3, 0.0), "nothing foretells changes here: only 3 to try it on"),
        (said(40, 0.0), "nothing foretells changes here: none of 40 is foretold"),
        (said(4, 0.5), "the model foretells 2 of 4 changes, staying none; that is too few to tell"),
        (said(16, 0.625, 0.625), "the model foretells 10 of 16 changes, staying none"),
        (said(50, 0.3, 0.62), "`moves` foretells 62% of 50 changes, staying none"),
        (
            said(50, 0.3, of_all=0.5),
            "the model foretells 30% of 50 changes, staying none, but fewer intervals: 50.0%, staying 90.0%",
        ),
    ],
)
def test_the_table_comes_to_a_sentence(line: str, expected: str) -> None:
    assert line == expected


@pytest.mark.parametrize(
    ("following", "expected"),
    [
        ((0.641, 0.154, 0.103, 0.102), "0 (64.1%), 1 (15.4%), 2 (10.3%), others 10.2%"),
        ((0.996, 0.004), "0 (99.6%), others 0.4%"),
        ((1.0, 0.0), "0 (100.0%)"),
    ],
)
def test_what_is_not_named_is_told_as_others(following: tuple[float, ...], expected: str) -> None:
    end = AtEnd(0, 0, Outlook.of(0, np.array(following)))
    lines = predict.lines(PredictionResult("hmm", "model", (end,), (), None))
    assert lines[2] == f"the run ends in phase 0; next: {expected}"
