"""Numbers of intervals are grouped by thousands wherever a person reads them, as in every table."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import phasemark

#: A number of an interval, or of how many, put into a message without a format.
_PLAIN = re.compile(r"(?<!-)\bintervals? \{([^{}:]*)\}|\{([^{}:]*)\} intervals?\b")
#: Texts, in which the numbers are grouped already.
_TEXTS = ("gone", "interval_length.written(", "shares.confidence(")


def plain(text: str) -> list[str]:
    found = [one or other for one, other in _PLAIN.findall(text)]
    return [name for name in found if not name.startswith(_TEXTS)]


@pytest.mark.parametrize("text", ["interval {row}", "f'{n} intervals'", "interval {table.index[row]} is"])
def test_a_plain_number_is_found(text: str) -> None:
    assert plain(text)


def test_every_message_groups_the_numbers_of_intervals() -> None:
    root = Path(phasemark.__file__).parent
    files = sorted(root.rglob("*.py"))
    assert len(files) > 200
    found = {str(file.relative_to(root)): names for file in files if (names := plain(file.read_text()))}
    assert not found, f"write {{...:,}} for these: {found}"
