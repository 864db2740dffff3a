"""The icicle as a person meets it, in headless Chromium."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.report.conftest import Pages
from tests.report.test_browser import COLOURS_OF, READ, cpu_time, hover, settled
from tests.views import nested, synthetic

from phasemark import report

pytestmark = pytest.mark.browser

#: Middles of the first, second and third row on a page 1400 wide, CSS pixels.
LEVELS = (12, 36, 60)


@pytest.fixture(scope="module")
def page_of(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return report.write_page(nested.run(), tmp_path_factory.mktemp("icicle") / "page.html")


def at(page: Any, x: float, y: float) -> tuple[float, float]:
    """A place on the canvas: a part of the run, and CSS pixels from the top."""
    box = page.locator("#icicle").bounding_box()
    return (74 + x * (box["width"] - 82)) / box["width"], y / box["height"]


def look(page: Any, x: float, y: float) -> None:
    """Click a cell, and wait until what was zoomed into is drawn."""
    hover(page, "icicle", *at(page, x, y))
    page.mouse.down()
    page.mouse.up()
    page.wait_for_selector("#node:not([hidden])")


def crumbs(page: Any) -> list[str]:
    return [text.partition(" ·")[0] for text in page.locator("#crumbs li").all_inner_texts()]


def test_it_is_not_shown_without_a_hierarchy(pages: Pages, tmp_path: Path) -> None:
    with pages.open(report.write_page(synthetic.run(), tmp_path / "page.html")) as page:
        assert page.locator("#icicle-section").is_hidden()


def test_it_is_drawn_in_the_phases_colours(pages: Pages, page_of: Path) -> None:
    with pages.open(page_of) as page:
        assert page.locator("#icicle-section").is_visible()
        assert "of 180 k to 1.33 M instructions" in page.locator("#summary").inner_text()
        pixels = page.evaluate(COLOURS_OF, "icicle")
        for colour in ("#3c72c3", "#de8d21", "#c34e8d"):
            assert pixels.get(colour, 0) > 300, colour


def test_pointing_tells_length_phase_function_lines_and_metric(pages: Pages, page_of: Path) -> None:
    with pages.open(page_of) as page:
        said = hover(page, "icicle", *at(page, 0.9, LEVELS[0]))
        assert "Level 0 · Holds " in said and " intervals" in said
        assert "185,687,352 instructions, 31.6 % of the run" in said
        assert "instructions 401,052,590 " in said
        assert "Mostly phase 1: " in said and ".c:1" in said
        assert "CPI: 0." in said
        assert "longest_match" in said


def test_a_click_looks_into_a_node_and_escape_goes_back(pages: Pages, page_of: Path) -> None:
    with pages.open(page_of) as page:
        whole = page.evaluate(READ, "icicle")[2]
        look(page, 0.8, LEVELS[1])
        assert crumbs(page) == ["Whole run", "longest_match", "longest_match"]
        assert page.evaluate(READ, "icicle")[2] != whole
        assert page.locator("#reset").is_visible()  # the strip looks at the same
        assert "level 1" in page.locator("#node h3").inner_text()
        assert page.locator("#node .places li").count() > 2
        page.locator("#icicle").press("Escape")
        settled(page)
        assert crumbs(page) == ["Whole run", "longest_match"]
        page.locator("#crumbs button").first.click()
        settled(page)
        assert page.locator("#crumbs").is_hidden() and page.locator("#node").is_hidden()
        assert page.locator("#reset").is_hidden()


def test_the_strip_s_own_zoom_is_followed_without_a_node(pages: Pages, page_of: Path) -> None:
    with pages.open(page_of) as page:
        look(page, 0.8, LEVELS[0])
        page.locator("#strip").press("Home")
        page.locator("#strip").press("+")
        settled(page)
        assert page.locator("#crumbs").is_hidden() and page.locator("#reset").is_visible()


def test_the_keyboard_walks_the_tree(pages: Pages, page_of: Path) -> None:
    with pages.open(page_of) as page:
        icicle = page.locator("#icicle")
        for key in ("ArrowRight", "ArrowRight", "ArrowDown", "ArrowRight"):
            icicle.press(key)
        assert icicle.get_attribute("aria-label").startswith("Level 1, unpack, phase 3, ")
        assert page.locator("#tip").is_visible()
        icicle.press("Enter")
        settled(page)
        assert crumbs(page)[1:] == ["longest_match", "unpack"]
        icicle.press("Home")
        settled(page)
        assert page.locator("#crumbs").is_hidden()


def test_a_level_s_number_shows_its_row_alone_and_its_means(pages: Pages, page_of: Path) -> None:
    with pages.open(page_of) as page:
        whole = page.evaluate(COLOURS_OF, "icicle")["#de8d21"]
        box = page.locator("#icicle").bounding_box()
        page.mouse.click(box["x"] + 60, box["y"] + LEVELS[1])
        settled(page)
        assert page.locator("#icicle-level").input_value() == "1"
        assert page.evaluate(COLOURS_OF, "icicle").get("#de8d21", 0) < 0.9 * whole
        page.select_option("#icicle-level", "-1")
        settled(page)
        assert page.evaluate(COLOURS_OF, "icicle")["#de8d21"] > 0.95 * whole


def test_cells_are_coloured_by_what_is_chosen(pages: Pages, page_of: Path) -> None:
    with pages.open(page_of) as page:
        before, key = page.evaluate(COLOURS_OF, "icicle"), page.locator("#icicle-key").inner_text()
        for mode in ("level", "metric"):
            page.select_option("#icicle-colour", mode)
            settled(page)
            assert page.evaluate(COLOURS_OF, "icicle") != before
            assert page.locator("#icicle-key").inner_text() != key


def test_what_lies_between_levels_and_within_leaves_is_told(pages: Pages, tmp_path: Path) -> None:
    made = nested.run(levels=nested.GRAMMAR)
    with pages.open(report.write_page(made, tmp_path / "page.html")) as page:
        assert "Between levels 0 and 1 · Holds" in hover(page, "icicle", *at(page, 0.9, LEVELS[1]))
        look(page, 0.9, LEVELS[2])
        assert "level 1" in page.locator("#node h3").inner_text()
        assert page.locator("#icicle-level option").count() == 4  # all, 0, 1, 2


def test_threads_each_have_their_own(pages: Pages, tmp_path: Path) -> None:
    made = nested.run(nested.archiver(passes=2), nested.archiver(5, 3))
    with pages.open(report.write_page(made, tmp_path / "page.html")) as page:
        assert page.locator("#icicle-thread").input_value() == "1"
        assert "1 thread" not in hover(page, "icicle", *at(page, 0.3, LEVELS[0]))
        page.select_option("#icicle-thread", "0")
        settled(page)
        assert "of the thread" in hover(page, "icicle", *at(page, 0.99, LEVELS[0]))


@pytest.mark.parametrize(("width", "scheme"), [(800, "light"), (390, "dark")])
def test_it_fits(pages: Pages, page_of: Path, width: int, scheme: str) -> None:
    with pages.open(page_of, width=width, scheme=scheme) as page:
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        look(page, 0.8, LEVELS[1])
        assert page.evaluate("document.documentElement.scrollWidth") <= width


def test_a_hundred_thousand_nodes_stay_small_and_quick(pages: Pages, tmp_path: Path) -> None:
    made = nested.run(nested.archiver(passes=5, blocks=500), longest=30_000_000)
    assert len(made.hierarchy) > 100_000
    small = report.write_page(nested.without(made), tmp_path / "small.html").stat().st_size
    path = report.write_page(made, tmp_path / "page.html")
    assert path.stat().st_size - small < 800_000
    with pages.open(path) as page:
        assert 0 < cpu_time(page) < 4
        assert "gathered" in page.locator("#icicle-lead").inner_text()


def test_what_the_page_derives_is_what_the_hierarchy_says(pages: Pages, page_of: Path) -> None:
    """Ends and parents are not written: the page finds them from the starts."""
    made = nested.run()
    with pages.open(page_of) as page:
        data = json.loads(page.locator("#data").inner_text())
        icicle = page.locator("#icicle")
        for row, keys in (
            (0, ["ArrowRight"]),
            (int(np.flatnonzero(made.hierarchy.level == 1)[0]), ["ArrowDown"]),
        ):
            for key in keys:
                icicle.press(key)
            said = page.locator("#tip").inner_text()
            assert f"{made.hierarchy.end[row] - made.hierarchy.start[row]:,} instructions" in said
    assert data["icicle"]["nodes"] == len(made.hierarchy)


def test_the_matrix_has_cells_as_long_as_they_run(pages: Pages, page_of: Path) -> None:
    with pages.open(page_of) as page:
        assert page.locator("#matrix-lead").inner_text().startswith("Instructions run along both edges")
        box = page.locator("#matrix").bounding_box()
        side = box["width"] - 61
        for at_x, at_y in ((0.5, 0.25), (0.97, 0.1)):
            said = hover(page, "matrix", (53 + at_x * side) / box["width"], (9 + at_y * side) / box["height"])
            found = [
                tuple(int(n.replace(",", "")) for n in pair)
                for pair in re.findall(r"instructions ([\d,]+) . ([\d,]+)", said)
            ]
            for (low, high), part in zip(found, (at_x, at_y), strict=True):
                assert low - 2e6 <= part * 586_739_942 <= high + 2e6
