"""Two runs on the page."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.parallel.test_comparing import ROWS, made
from tests.parallel.test_scaling import runs
from tests.report.conftest import Pages
from tests.views.threaded import analysis_of

from phasemark import report
from phasemark.report import data


def test_two_runs_with_equally_many_threads_are_compared_and_do_not_scale() -> None:
    shown = data.collect(analysis_of(*made(ROWS)))
    found = shown["comparison"]
    assert shown["scaling"] is None and found["unit"] == "cycles" and found["whole"] == [725, 935]
    assert found["order"] == [0, 1, 3, 2, 4] and found["cpi"][0][3] is None
    assert found["work"] == pytest.approx([100, 0, -25, 30, 0])
    json.dumps(shown, allow_nan=False)
    for which in ((0,), (0, 2), (0, 0, 0)):
        assert data.collect(analysis_of(*runs(*which)))["comparison"] is None
    assert data.collect(analysis_of(*made(ROWS)[:2]))["comparison"]["cpi"] == []


@pytest.mark.browser
def test_a_table_and_sentences_say_what_differs(pages: Pages, tmp_path: Path) -> None:
    with pages.open(report.write_page(analysis_of(*made(ROWS)), tmp_path / "page.html")) as page:
        rows = page.locator("#comparison tbody tr")
        assert rows.count() == 6 and page.locator("#comparison-said li").count() == 5
        cells = [[cell.strip() for cell in rows.nth(at).locator("td").all_inner_texts()] for at in (0, 1, 3)]
        assert cells[0][:1] == ["all"] and cells[0][2:5] == ["100.0 %", "129.0 %", "+29.0 %"]
        assert cells[1][2:] == ["13.8 %", "27.6 %", "+13.8 %", "+13.8 %", "0", "1", "1"]
        assert cells[2][0] == "3" and cells[2][2] == "\u2013"
        assert not page.locator("#scaling-section").is_visible()
