"""Where results and remarks go."""

from __future__ import annotations

import os

import pytest

from phasemark.cli import printing


def not_asked_for() -> list[str]:
    raise AssertionError


def test_results_go_to_standard_output(capsys: pytest.CaptureFixture[str]) -> None:
    printing.emit(not_asked_for, lambda: ["one", "two"])
    assert capsys.readouterr() == ("one\ntwo\n", "")
    printing.emit(lambda: {"a": [1, None]}, not_asked_for, as_json=True)
    assert capsys.readouterr() == ('{"a": [1, null]}\n', "")
    printing.emit(lambda: {"a": 1}, not_asked_for, quiet=True, as_json=True)
    assert capsys.readouterr() == ('{"a": 1}\n', "")
    printing.emit(not_asked_for, not_asked_for, quiet=True)
    assert capsys.readouterr() == ("", "")


def test_notes_are_wrapped_to_the_terminal(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "20")
    printing.emit(not_asked_for, lambda: ["a table that is wider than it", "note: one two-three four five"])
    printing.show_aside(["note: six seven eight nine ten"])
    assert capsys.readouterr() == (
        "a table that is wider than it\nnote: one two-three\n      four five\n",
        "note: six seven\n      eight nine ten\n",
    )


def test_remarks_go_to_standard_error(capsys: pytest.CaptureFixture[str]) -> None:
    printing.say("a remark")
    printing.show_aside(["one", "two"])
    printing.tell_discarded([], "these points")
    printing.tell_discarded(["a is removed", "b is now b~", "`c` brings it back"], "these points")
    printing.tell_discarded([f"{name} is removed" for name in "abc"], "these metrics")
    assert capsys.readouterr() == (
        "",
        "phasemark: a remark\none\ntwo\n"
        "phasemark: a is removed: it was made before these points\n"
        "phasemark: b is now b~\n"
        "phasemark: `c` brings it back\n"
        "phasemark: a, b and c are removed: they were made before these metrics\n",
    )


def test_remarks_are_wrapped_on_a_terminal_and_elsewhere_one_line(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    sentence = (
        "40% of the instructions ran in functions without names; " * 3 + "https://debuginfod.example/" * 4
    )
    printing.say(sentence.strip())
    assert capsys.readouterr().err.count("\n") == 1
    monkeypatch.setattr("sys.stderr.isatty", lambda: True)
    monkeypatch.setattr("sys.stderr.fileno", lambda: 2)
    monkeypatch.setattr("os.get_terminal_size", lambda _: os.terminal_size((80, 24)))
    printing.say(sentence)
    lines = capsys.readouterr().err.splitlines()
    assert len(lines) == 4 and max(map(len, lines[:-1])) <= 80 and lines[1].startswith("  ")
    assert " ".join(line.strip() for line in lines) == f"phasemark: {sentence}"
