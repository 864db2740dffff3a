"""Which of a program's processes a profile is of, and how it is said."""

from __future__ import annotations

import pytest

from phasemark.errors import DataError
from phasemark.model import AnalysedProcess


def test_a_process_is_named_with_its_share_of_all_instructions() -> None:
    process = AnalysedProcess(3, 5, "cc1", 0.84)
    assert str(process) == "process 3 of 5, cc1: 84.00% of all instructions"
    assert process.words() == "3 of 5, cc1: 84.00% of all instructions"
    assert str(AnalysedProcess(1_200, 2_000, "sh", 0.999999)).endswith(
        "2,000, sh: 99.9999% of all instructions"
    )


@pytest.mark.parametrize(("number", "share"), [(-1, 0.5), (6, 0.5), (3, -0.1), (3, 1.5), (3, float("nan"))])
def test_what_cannot_be_is_refused(number: int, share: float) -> None:
    with pytest.raises(DataError, match=r"no process|of the instructions"):
        AnalysedProcess(number, 5, "cc1", share)


def test_all_of_them_are_said_in_words() -> None:
    every = AnalysedProcess(0, 5, "sh", 1.0)
    assert (str(every), every.words()) == ("all 5 processes", "all 5")
