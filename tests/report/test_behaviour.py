"""What the page says of memory and branches, and of phases of the same code."""

from __future__ import annotations

import base64
import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from scipy.spatial.distance import pdist
from tests.report.conftest import Pages
from tests.report.test_browser import hover
from tests.views import behaving, synthetic

from phasemark import report
from phasemark.report import data
from phasemark.views import Analysis


@pytest.fixture(scope="module")
def run() -> Analysis:
    return behaving.alike()


@pytest.fixture(scope="module")
def behaves(run: Analysis, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return report.write_page(run, tmp_path_factory.mktemp("behaves") / "page.html")


def test_the_page_is_given_rates_and_differences(run: Analysis) -> None:
    made = json.loads(json.dumps(data.collect(run), allow_nan=False))
    labels = [column["label"] for column in made["behaviour"]["columns"]]
    at = labels.index("data 256K")
    does = [phase["does"] for phase in made["phases"]]
    assert [one["rates"][at] for one in does] == pytest.approx([6.4, 25.6, 6.4])
    assert made["behaviour"]["run"][at] == pytest.approx(64 * 1150 / 5500)
    assert made["behaviour"]["remembered"] == "32M" and made["beside_code"] == "memory and branches"
    assert does[0]["same"] is None and does[1]["same"]["other"] == 0
    assert does[1]["same"]["differences"] == [[at, pytest.approx(25.6), pytest.approx(6.4)]]
    # Phases with the same hottest function stand beside one another, whichever is the larger.
    other = made["phases"][0]["beside"]["other"]
    assert does[0]["beside"] == ([[at, pytest.approx(6.4), pytest.approx(25.6)]] if other == 1 else [])


def test_the_matrix_holds_distances_in_what_phases_were_found_in(run: Analysis) -> None:
    found = data.collect(run)["matrix"]["found"]
    far = pdist(run.signatures.matrix)
    assert found["most"] == pytest.approx(np.quantile(far, 0.95))
    packed = np.frombuffer(base64.b64decode(found["distance"]["data"]), np.uint8)
    assert packed.tolist() == np.rint(np.minimum(far / found["most"], 1) * 255).tolist()
    # Of intervals that are all alike, none is far.
    alike = replace(run.signatures, matrix=np.zeros((6, 3)))
    found = data.collect(replace(run, signatures=alike))["matrix"]["found"]
    assert found["most"] == 1 and not any(base64.b64decode(found["distance"]["data"]))


def test_a_run_without_it_is_shown_as_it_was() -> None:
    made = data.collect(synthetic.run())
    assert made["behaviour"] is None and made["beside_code"] == "" and made["matrix"]["found"] is None
    assert [phase["does"] for phase in made["phases"]] == [None] * 3


@pytest.mark.browser
def test_a_table_says_what_each_phase_does_beside_the_whole_run(pages: Pages, behaves: Path) -> None:
    with pages.open(behaves) as page:
        table = page.locator("#behaviour")
        heads = [text.lower() for text in table.locator("th").all_inner_texts()]
        # What never happens has no column.
        assert heads == ["phase", "share", "data 32k", "data 256k", "surprises", "same code as"]
        rows = [row.locator("td").all_inner_texts() for row in table.locator("tbody tr").all()]
        assert rows[0] == ["whole run", "100.0 %", "13.38", "13.38", "5.00", ""]
        assert rows[1] == ["0", "54.5 %", "6.40", "6.40", "5.00", ""]
        assert rows[2][:5] == ["1", "36.4 %", "25.60", "25.60", "5.00"]
        assert rows[2][5].startswith("0 (99.") and rows[2][5].endswith(
            "%): data 256K 4.0 \N{MULTIPLICATION SIGN}"
        )
        assert table.locator("td.more").all_inner_texts() == ["25.60", "25.60"]
        assert table.locator("td.less").all_inner_texts() == ["6.40", "6.40"] * 2
        # A heading sorts phases, and the whole run keeps its place.
        table.locator("th button").nth(3).click()
        assert [row.locator("td").first.inner_text() for row in table.locator("tbody tr").all()][:2] == [
            "whole run",
            "1",
        ]
        table.locator("tbody tr").nth(1).hover()
        assert page.locator("article.phase.lit h3").inner_text().strip() == "Phase 1"


@pytest.mark.browser
def test_rates_are_drawn_over_the_run(run: Analysis, pages: Pages, behaves: Path, tmp_path: Path) -> None:
    with pages.open(behaves) as page:
        assert page.locator("#metrics-title").inner_text() == "Memory and branches over the run"
        said = hover(page, "metrics", 0.25, 0.5)
        assert "Interval 1 " in said and "phase 1" in said
        assert "Accesses to data after 32K of other data per 1000 instructions\n25.6" in said
        assert "Branches that nothing foretold per 1000 instructions\n5" in said
        assert page.locator("#all-metrics").is_hidden() and page.locator("#quality-section").is_hidden()
    # Beside metrics they come last, and are shown from the beginning.
    measured = report.write_page(synthetic.measured(run), tmp_path / "page.html")
    with pages.open(measured) as page:
        assert page.locator("#metrics-title").inner_text() == "Metrics over the run"
        assert "The last ones, of memory and branches, are of no machine." in (
            page.locator("#metrics-lead").inner_text()
        )
        titles = [line for line in hover(page, "metrics", 0.25, 0.5).split("\n") if " per 1000 " in line]
        assert titles[-1] == "Branches that nothing foretold per 1000 instructions" and len(titles) > 2


@pytest.mark.browser
def test_cards_say_it_in_numbers_and_in_a_sentence(pages: Pages, behaves: Path) -> None:
    with pages.open(behaves) as page:
        card = page.locator("article.phase").nth(1)
        assert card.locator(".measures dt").all_inner_texts() == ["data 32K", "data 256K", "surprises"]
        assert card.locator(".measures dd").all_inner_texts() == ["25.60", "25.60", "5.00"]
        said = card.inner_text()
        assert "Executes the code of phase 0 (99." in said
        assert (
            "in common), but has 4.0 times the accesses to data after 256K of other data (25.60, there 6.40)."
            in said
        )
        assert "Executes the code" not in page.locator("article.phase").first.inner_text()
        (differs,) = [t for t in card.locator("table.beside").all() if "per 1,000" in t.inner_text()]
        assert differs.locator("tbody td").all_inner_texts() == ["data 256K", "25.60", "6.40"]


@pytest.mark.browser
def test_the_matrix_says_what_it_compares_and_can_compare_code_alone(pages: Pages, behaves: Path) -> None:
    with pages.open(behaves) as page:
        lead = page.locator("#matrix-lead")
        assert "in what phases were found in: code, memory and branches; dark" in lead.inner_text()
        assert page.locator("#matrix-near").inner_text() == "0 alike"
        assert page.locator("#path-title").inner_text() == "Path through code, memory and branches"
        # Of intervals 0 and 1: 0.16 less 0.08, the roots of their rates, where the code is the same.
        box = page.locator("#matrix").bounding_box()
        side = box["width"] - 61
        place = (53 + 0.25 * side) / box["width"], (9 + 0.08 * side) / box["height"]
        assert hover(page, "matrix", *place).startswith("Distance 0.080\n")
        page.locator("#matrix-by").select_option("code")
        assert "how far apart the code of two intervals is; dark" in lead.inner_text()
        assert "were told apart by memory and branches as well" in lead.inner_text()
        assert page.locator("#matrix-far").inner_text() == "2 nothing in common"
        assert page.locator("#matrix").get_attribute("aria-label").startswith("Manhattan distance")
        assert hover(page, "matrix", *place).startswith("Distance 0.00\n")


@pytest.mark.browser
@pytest.mark.parametrize("width", [380, 1400])
def test_it_fits(pages: Pages, behaves: Path, width: int) -> None:
    with pages.open(behaves, width=width) as page:
        assert page.evaluate("document.documentElement.scrollWidth") <= width


@pytest.mark.browser
def test_without_it_nothing_is_said_of_it(pages: Pages, tmp_path: Path) -> None:
    with pages.open(report.write_page(synthetic.run(), tmp_path / "page.html")) as page:
        assert page.locator("#behaviour-section").is_hidden() and page.locator("#matrix-choice").is_hidden()
        assert "above the diagonal: how far apart the code of two" in (
            page.locator("#matrix-lead").inner_text().lower()
        )
        assert page.locator("#path-title").inner_text() == "Path through the code"
        assert page.locator(".measures").count() == 0
