"""What `phasemark profile` prints, to the letter."""

from __future__ import annotations

import pytest
from tests.cli.printing.results import image, recording

from phasemark.cli.printing import recording as shown

LINE = "phasemark: gzip: 4,000 instructions in 4 intervals of 1k, 1 thread, 2 blocks"


def test_a_program_of_one_process(capsys: pytest.CaptureFixture[str]) -> None:
    shown.show(recording())
    assert capsys.readouterr() == ("", LINE + "\n")


def test_processes_and_what_went_wrong(capsys: pytest.CaptureFixture[str]) -> None:
    images = image(2), image(3, "/bin/sh", 20)
    shown.show(recording(*images, status=3, warnings=("one", "two"), failure="no profile"))
    assert capsys.readouterr().err.splitlines() == [
        "phasemark: analysed process 2 of 2, gzip: 99.50% of all instructions",
        "    no.      pid   parent        instructions  program",
        "->    2      102       99               4,000  gzip",
        "      3      103       99                  20  sh",
        LINE,
        "phasemark: warning: one",
        "phasemark: warning: two",
        "phasemark: the program's exit status is 3",
        "phasemark: no profile",
    ]


def test_as_json() -> None:
    images = image(2, threads=4), image(3)
    summary = shown.summary(recording(*images, status=3, warnings=("one",), failure="cut"))
    assert summary.pop("processes") == [one.summary() for one in images]
    assert summary == {
        "folder": "out",
        "program": "gzip",
        "instructions": 4000,
        "intervals": 4,
        "interval": 1000,
        "blocks": 2,
        "threads": 4,
        "status": 3,
        "complete": True,
        "failure": "cut",
        "analysed": 2,
        "warnings": ["one"],
    }
