"""What the page says of where phases begin."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.report.conftest import Pages
from tests.views.test_starts import begun, marked

from phasemark import report

pytestmark = pytest.mark.browser


def test_cards_say_with_which_call_or_loop_a_phase_begins(pages: Pages, tmp_path: Path) -> None:
    run = marked([0, 1, -1, 0, -1, -1, 2], [-1, 0, -1, -1, -1, 1, 1])
    with pages.open(report.write_page(run, tmp_path / "page.html")) as page:
        cards = page.locator("article.phase")
        assert cards.nth(0).locator("h3").inner_text().split() == ["Phase", "0", "copy,", "main.c:3"]
        assert cards.locator(".begins").all_inner_texts() == [
            "Begins with the call of copy, main.c:3: "
            "33.3 % of its intervals do, and 10.0 % of all such events begin one.",
            "Begins after read, at main, prog+0x20: "
            "100.0 % of its intervals do, and 100.0 % of all such events begin one.",
        ]
        assert cards.nth(1).locator("h3").inner_text().split() == ["Phase", "1"]
        assert page.locator("#legend button").nth(0).get_attribute("title") == "copy, main.c:3"


def test_without_events_they_say_where(pages: Pages, tmp_path: Path) -> None:
    with pages.open(report.write_page(begun([1, 0, -1, 0, 1, -1, 2]), tmp_path / "page.html")) as page:
        said = page.locator("article.phase").nth(0).locator(".begins").inner_text()
        assert said == "Begins at copy, a.c:7 (66.7 % of its instructions)."
        assert page.locator(".called").count() == 0
