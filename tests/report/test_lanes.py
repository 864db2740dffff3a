"""Threads side by side on the page: what it is given, and what a person sees."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from tests.parallel.test_scaling import runs
from tests.parallel.threads import cycles_of, run_of
from tests.report.conftest import Pages
from tests.report.test_browser import COLOURS_OF, hover, settled
from tests.report.test_data import unpack
from tests.views import synthetic
from tests.views.threaded import analysis_of, many

from phasemark import report
from phasemark.report import data, lanes
from phasemark.views import Analysis


def joint() -> Analysis:
    profile, phases = runs(0, 2)
    return analysis_of(profile, phases, cycles_of(profile, [80, 60, 80, 30, 30, 30]))


def test_lanes_are_stretches_from_the_beginning_of_each_run() -> None:
    made = data.collect(joint())
    found = made["lanes"]
    assert found["runs"] == [
        {"title": "run 0: 1 thread", "first": 0, "last": 1, "length": 100},
        {"title": "run 1: 3 threads", "first": 1, "last": 4, "length": 100},
    ]
    assert found["first"] == [0, 2, 4, 6, 8]
    assert unpack(found["start"]).tolist() == [0, 40] * 4
    assert unpack(found["phase"]).tolist() == [0, 1, 0, 1, -1, 1, -1, 1]
    assert unpack(found["began"]).tolist() == [0, 40, 0, 40, 40, 40]
    said = made["scaling"]
    assert said["sentences"][0].startswith("from 1 thread to 3") and said["threads"] == [1, 3]
    assert said["speedup"][1] == pytest.approx([1, 2]) and said["unit"] == "cycles"
    json.dumps(made, allow_nan=False)


def test_a_row_of_several_intervals_began_with_the_first(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(data, "ROWS", 4)
    rows = [
        (thread, 0, 5 * thread + 10 * at, 5 * thread + 10 * (at + 1)) for thread in (0, 1) for at in range(4)
    ]
    found = data.collect(analysis_of(*run_of(rows)))["lanes"]
    assert unpack(found["began"]).tolist() == [0, 20, 5, 25]


def test_of_one_thread_or_without_a_clock_there_is_nothing() -> None:
    for run in (synthetic.run(), synthetic.run(threads=3), analysis_of(*runs(0))):
        made = data.collect(run)
        assert made["lanes"] is None and made["scaling"] is None


def test_a_long_run_has_so_many_stretches_at_most(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lanes, "CELLS", 300)
    monkeypatch.setattr(lanes, "LEAST", 10)
    found = data.collect(many(6, 200))["lanes"]
    assert found["first"][-1] == len(unpack(found["start"])) <= 300
    assert len(unpack(found["began"])) == 1200


@pytest.mark.browser
def test_lanes_are_drawn_zoomed_and_pointed_at(pages: Pages, tmp_path: Path) -> None:
    with pages.open(report.write_page(joint(), tmp_path / "page.html")) as page:
        assert page.locator("#lanes-section").is_visible()
        pixels: dict[str, int] = page.evaluate(COLOURS_OF, "lanes")
        first, second = pixels["#3c72c3"], pixels["#de8d21"]
        assert second / first == pytest.approx(4 * 60 / (2 * 40), rel=0.1)
        height = page.locator("#lanes").bounding_box()["height"]
        at = lambda y: y / height  # noqa: E731
        assert "Interval 0, run 0" in hover(page, "lanes", 0.2, at(30))
        assert "phase 1" in hover(page, "lanes", 0.7, at(100))
        assert "run 1, thread 2 is idle" in hover(page, "lanes", 0.2, at(height - 60))

        box = page.locator("#lanes").bounding_box()
        page.mouse.move(box["x"] + 0.6 * box["width"], box["y"] + 30)
        page.mouse.down()
        page.mouse.move(box["x"] + 0.8 * box["width"], box["y"] + 30)
        page.mouse.up()
        settled(page)
        assert page.locator("#lanes-reset").is_visible()
        assert "#3c72c3" not in page.evaluate(COLOURS_OF, "lanes")
        page.locator("#lanes-reset").click()
        settled(page)
        assert page.evaluate(COLOURS_OF, "lanes")["#3c72c3"] > 0.9 * first

        page.locator("#lanes").focus()
        for key in ("ArrowRight", "ArrowDown", "Enter"):
            page.keyboard.press(key)
        settled(page)
        assert page.locator("#lanes").get_attribute("aria-label") == "run 1, thread 0: phase 0"
        assert "run 1, thread 0" in page.locator("#detail").inner_text()

        page.select_option("#lanes-colour", "cpi")
        settled(page)
        assert "#de8d21" not in page.evaluate(COLOURS_OF, "lanes")
        assert page.locator("#lanes-key").inner_text().startswith("CPI: blue below, orange above the mean")
        page.select_option("#lanes-colour", "")
        settled(page)
        assert "#de8d21" in page.evaluate(COLOURS_OF, "lanes")

        rows = page.locator("#scaling tbody tr")
        assert rows.count() == 3 and page.locator("#scaling-said li").count() == 2
        cells: list[Any] = rows.nth(1).locator("td").all_inner_texts()
        assert cells[0].strip() == "0" and cells[2:] == ["80", "1", "80", "1", "1", "33.3 %"]


@pytest.mark.browser
def test_64_lanes_are_told_apart(pages: Pages, tmp_path: Path) -> None:
    with pages.open(report.write_page(many(64, 50, measured=True), tmp_path / "page.html")) as page:
        box = page.locator("#lanes").bounding_box()
        assert 64 * 7 <= box["height"] < 700
        told = {
            hover(page, "lanes", 0.5, (6 + 9 * lane + 2) / box["height"]).split("\n")[0]
            for lane in (0, 31, 63)
        }
        assert len(told) == 3 and any("thread 63" in one for one in told)


@pytest.mark.browser
def test_without_a_clock_both_parts_are_hidden(pages: Pages, tmp_path: Path) -> None:
    with pages.open(report.write_page(synthetic.run(threads=2), tmp_path / "page.html")) as page:
        assert not page.locator("#lanes-section").is_visible()
        assert not page.locator("#scaling-section").is_visible()
