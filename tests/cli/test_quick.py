"""`phasemark profile` without Typer: what is understood there, Typer understands alike."""

from __future__ import annotations

from typing import Any

import pytest
import typer.main
from hypothesis import given
from hypothesis import strategies as st

from phasemark.cli import profile, profiling, quick
from phasemark.cli.app import application


def by_typer(arguments: list[str], monkeypatch: pytest.MonkeyPatch) -> dict[str, Any] | None:
    """The parameters as Typer has them; None where it refuses the line."""
    asked: dict[str, Any] = {}
    monkeypatch.setattr(
        profiling, "profile", lambda command, **options: asked.update(options, command=command)
    )
    try:
        application("profile")(arguments, standalone_mode=False)
    except Exception:
        return None
    return asked or None


_OPTIONS = st.sampled_from([*quick.VALUES, *quick.FLAGS, "--timing", "--help", "--nonsense", "-x"])
_WORDS = st.sampled_from(
    ["out", "10k", "--", "-", "", "--out=there", "--interval=1M", "-oout", "-qo", "gzip", "a=b"]
)


@given(st.lists(st.one_of(_OPTIONS, _WORDS), max_size=7))
def test_what_is_understood_is_what_typer_makes_of_it(words) -> None:
    arguments = ["profile", *words, *(["--", "gzip", "-9"] if len(words) % 2 else ["gzip", "--", "-q"])]
    found = quick.understood(arguments)
    if found is None:
        return
    with pytest.MonkeyPatch.context() as patch:
        asked = by_typer(arguments, patch)
    assert asked is not None, "Typer refuses it"
    given = {name: value for name, value in asked.items() if name in found}
    assert {name: str(v) if name == "out" else v for name, v in given.items()} == found
    defaults = profiling.profile.__kwdefaults__
    assert {name: value for name, value in asked.items() if name not in found} == {
        name: value for name, value in defaults.items() if name not in found
    }


@pytest.mark.parametrize(
    "line",
    ["profile -o out -- gzip", "profile --interval=10k -q gzip -k file", "profile --json --events -- a -- b"],
)
def test_plain_lines_are_understood(line) -> None:
    assert quick.understood(line.split()) is not None


@pytest.mark.parametrize(
    "line",
    [
        *("profile", "profile --", "profile -o", "profile --help", "profile -o a -o b -- x", "run -- gzip"),
        *("profile --timing modern -- x", "profile -oout x", "profile --out= x", "profile --quiet=1 x"),
    ],
)
def test_what_is_not_plain_is_left_to_typer(line) -> None:
    assert quick.understood(line.split()) is None


def test_the_options_are_those_that_typer_declares() -> None:
    command = typer.main.get_command(application("profile")).commands["profile"]  # type: ignore[attr-defined]
    declared = {
        flag: option
        for option in command.params
        if option.param_type_name == "option" and option.name not in ("help", "timing")
        for flag in option.opts
    }
    assert {flag: option.name for flag, option in declared.items()} == {**quick.VALUES, **quick.FLAGS}
    assert {flag for flag, option in declared.items() if option.is_flag} == set(quick.FLAGS)
    assert profile.profile.__kwdefaults__ == profiling.profile.__kwdefaults__
