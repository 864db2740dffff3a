"""The reference in docs/api says what the code says, and is made of docstrings as people write them."""

from __future__ import annotations

import inspect
from dataclasses import dataclass
from pathlib import Path

import pytest
from tests.house import docstrings, reference, signatures

_DOCSTRING = """Take some of them.

See docs/points.md.

    first, *others = them

Args:
    them: those there are, which is said at such length here that the line must be broken in two, whatever
        it takes.
    n, m: how many.

Returns:
    What was taken.

Raises:
    DataError: there are none.
"""


def test_the_pages_are_those_of_the_code() -> None:
    found = {path.name: path.read_text(encoding="utf-8") for path in reference.FOLDER.glob("*.md")}
    wanted = reference.pages()
    stale = sorted(name for name in found.keys() | wanted.keys() if found.get(name) != wanted.get(name))
    assert not stale, "run: python -m tests.house.reference"


def test_a_page_of_a_room_that_is_gone_is_removed(tmp_path) -> None:
    (tmp_path / "attic.md").touch()
    reference.write(tmp_path)
    assert {path.name for path in tmp_path.iterdir()} == set(reference.pages())


def test_sections_become_lists_and_indented_lines_code() -> None:
    links = {"Points": "model.md#points", "DataError": "errors.md#dataerror"}
    text = docstrings.rendered(_DOCSTRING, links, {"them": "Points | None", "Returns": "Points"})
    assert text == (
        "Take some of them.\n\n"
        "See [points.md](../points.md).\n\n"
        "```\nfirst, *others = them\n```\n\n"
        "**Args**\n\n"
        "* `them` ([`Points`](model.md#points)): those there are, which is said at such length here that the"
        " line must\n  be broken in two, whatever it takes.\n"
        "* `n`, `m`: how many.\n\n"
        "**Returns** ([`Points`](model.md#points)): What was taken.\n\n"
        "**Raises**\n\n"
        "* [`DataError`](errors.md#dataerror): there are none.\n"
    )


@dataclass
class _Pair:
    left: int
    right: str = "r"


def _many(a: int, b: Path | None = None, *, long_name: str = "a" * 40, other: float = 0.5) -> _Pair:
    raise NotImplementedError


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (_Pair, '(left: int, right: str = "r")'),
        (lambda *given, flag=int, **more: 0, "(*given, flag = ..., **more)"),
        (
            _many,
            "(\n    a: int,\n    b: Path | None = None,\n    *,\n"
            f'    long_name: str = "{"a" * 40}",\n    other: float = 0.5,\n) -> _Pair',
        ),
    ],
)
def test_a_signature_has_types_and_defaults(value, expected) -> None:
    assert signatures.signature(value)[0] == expected


def test_a_long_table_is_told_by_its_keys() -> None:
    assert signatures.constant("N", {"a": 1}) == "N = {'a': 1}"
    assert signatures.constant("N", {"a": print, "b": 2}) == 'N = {"a": ..., "b": ...}'
    assert signatures.constant("N", (1.5,) * 100) == "N = (...)  # 100 x float"
    assert signatures.constant("N", object()) == "N"


def test_what_a_dataclass_says_of_itself_is_no_docstring() -> None:
    assert docstrings.of(_Pair) == ""
    assert docstrings.of(inspect.getmodule(_Pair)).startswith("The reference in docs/api")
