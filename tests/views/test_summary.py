"""A run in numbers, and how a notebook shows it."""

from __future__ import annotations

from dataclasses import replace

from tests.views import counted

from phasemark.model import AnalysedProcess, Provenance
from phasemark.views.summary import Summary


def test_a_run_in_numbers() -> None:
    assert counted.run().summary == Summary(93, 7, 10, 3, 3, 3, 1.0, 43)


def test_numbers_in_words() -> None:
    assert Summary(40_000, 4_000, 10, 1_000, 3, 2, 0.905, 20).words() == [
        ("instructions", "40,000"),
        ("intervals", "4,000, of 10 instructions"),
        ("phases", "3, over 1,000 blocks"),
        ("points", "2, which stand for 90.50% of the run"),
        ("to simulate", "20 instructions, 0.05%"),
    ]
    made = replace(counted.run(), process=AnalysedProcess(3, 5, "cc1", 0.84))
    assert made.summary.words()[0] == ("process", "3 of 5, cc1: 84.00% of all instructions")
    assert dict(Summary(0, 0, None, 0, 0, 0, 0.0, 0).words())["intervals"] == "0"


def test_a_notebook_shows_the_numbers_and_a_terminal_one_line() -> None:
    made = counted.run()
    assert repr(made) == "<Analysis: prog, 7 intervals, 3 phases, 3 points>"
    shown = made._repr_html_()
    assert "<th>instructions</th><td>93</td>" in shown and "<caption>prog</caption>" in shown


def test_a_program_s_name_cannot_break_out_of_the_notebook() -> None:
    made = counted.run()
    named = replace(made.profile, provenance=Provenance("hand", command=("<script>",)))
    assert "<caption>&lt;script&gt;</caption>" in replace(made, profile=named)._repr_html_()
