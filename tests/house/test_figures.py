"""The figures that the docs are drawn with."""

from __future__ import annotations

import re

import numpy as np
import pytest
from tests.house import figures


def test_means_are_the_signal_s() -> None:
    t = np.linspace(11, 22, 200_001)
    assert figures.means(11, 275)[1] == pytest.approx(np.sin(2 * np.pi * t / 25).mean(), abs=1e-4)


def test_in_tune_all_intervals_are_alike_and_out_of_tune_it_takes_25() -> None:
    assert figures.means(25, 275) == pytest.approx(np.zeros(11), abs=1e-12)
    jagged = figures.means(11, 550)
    assert len(set(np.round(jagged[:25], 9))) > 12
    assert jagged[:25] == pytest.approx(jagged[25:])


def test_what_is_drawn_says_what_stands_in_the_docs(tmp_path) -> None:
    figures.write(tmp_path)
    drawn, there = ((folder / "dissonance.svg").read_text() for folder in (tmp_path, figures.FOLDER))
    said, known = (re.findall(r"<text[^>]*>([^<]*)", svg) for svg in (drawn, there))
    assert said == known and "in intervals of 11" in said, "run script/docs"
