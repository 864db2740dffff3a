"""Pages are looked at as a reader sees them: code is not prose, headings have anchors."""

from __future__ import annotations

import pytest
from tests.house import markdown

_PAGE = """# A page: its `title`

See [it](other.md#there), [here](#twice) and [the web](https://example.org/).

    [code](is-no-link.md)

## Twice
```
## no heading, [no link](nowhere.md)
```
## Twice
"""


def test_links_are_those_of_the_prose() -> None:
    assert list(markdown.links(_PAGE)) == [("other.md", "there"), ("", "twice")]


def test_headings_have_the_anchors_of_github() -> None:
    assert markdown.anchors(_PAGE) == {"a-page-its-title", "twice", "twice-1"}


@pytest.mark.parametrize(
    ("line", "wide"),
    [
        ("x" * 110, []),
        ("x" * 111, [1]),
        (f"[x]({'x' * 110})", []),
        (f"* {'x' * 109}", [1]),
        (f"| {'x' * 110} |", []),
        (f"```\n{'x' * 111}\n```", []),
        (f"```\n```\n{'x' * 111}", [3]),
        (f"    {'x' * 111}", []),
        (f"* item\n    {'x' * 111}", [2]),
    ],
)
def test_prose_alone_is_measured(line, wide) -> None:
    assert markdown.wide_lines(line) == wide
