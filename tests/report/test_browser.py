"""The report as a person meets it, in headless Chromium."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.report.conftest import Pages
from tests.views import synthetic

from phasemark import report

pytestmark = pytest.mark.browser

READ = """id => {
  const canvas = document.getElementById(id), {width, height} = canvas;
  const copy = Object.assign(document.createElement("canvas"), {width, height});
  const context = copy.getContext("2d", {willReadFrequently: true});
  context.drawImage(canvas, 0, 0);
  return [width, height, new Uint32Array(context.getImageData(0, 0, width, height).data.buffer)];
}"""
#: Opaque pixels of each colour in a chart.
COLOURS_OF = f"""id => {{
  const count = {{}};
  for (const p of ({READ})(id)[2]) {{
    const parts = [p & 255, (p >> 8) & 255, (p >> 16) & 255].map(v => v.toString(16).padStart(2, "0"));
    if (p >>> 24 === 255) count["#" + parts.join("")] = (count["#" + parts.join("")] ?? 0) + 1;
  }}
  return count;
}}"""
#: The most opaque pixel of a chart, as parts of its width and height.
DENSEST = f"""id => {{
  const [width, height, pixels] = ({READ})(id);
  const at = pixels.reduce((best, p, i) => (p >>> 24 > pixels[best] >>> 24 ? i : best), 0);
  return [at % width / width, Math.floor(at / width) / height];
}}"""


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return report.write(synthetic.folder(tmp_path_factory.mktemp("small") / "out"))


@pytest.fixture(scope="module")
def threaded(tmp_path_factory: pytest.TempPathFactory) -> Path:
    run = synthetic.run((0, 1, 2, 3) * 10, threads=4)
    return report.write(synthetic.folder(tmp_path_factory.mktemp("threads") / "out", run))


@pytest.fixture(scope="module")
def long(tmp_path_factory: pytest.TempPathFactory) -> Path:
    rng = np.random.default_rng(4)
    pattern = np.concatenate([np.arange(20), np.repeat(rng.integers(0, 20, 998), 10)]).tolist()
    run = synthetic.run(pattern, blocks=300, metrics=True)
    assert len(run.phases) == 10_000
    return report.write(synthetic.folder(tmp_path_factory.mktemp("long") / "out", run))


@pytest.fixture(scope="module")
def measured(tmp_path_factory: pytest.TempPathFactory) -> Path:
    run = synthetic.run(metrics=True)
    return report.write(synthetic.folder(tmp_path_factory.mktemp("measured") / "out", run))


def hover(page: Any, chart: str, x: float, y: float) -> str:
    """Point at a place of a chart (as parts of its width and height); the tooltip's text."""
    canvas = page.locator(f"#{chart}")
    canvas.scroll_into_view_if_needed()
    box = canvas.bounding_box()
    page.mouse.move(box["x"] + x * box["width"], box["y"] + y * box["height"])
    page.wait_for_selector("#tip:not([hidden])")
    return str(page.locator("#tip").inner_text())


def settled(page: Any) -> None:
    page.evaluate("() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")


def test_every_chart_is_drawn_in_the_phases_colours(pages: Pages, small: Path) -> None:
    with pages.open(small) as page:
        assert page.locator("#legend li").count() == 3
        assert page.locator("article.phase").count() == 3
        assert page.locator("#points tbody tr").count() == 3
        assert page.locator("#bic circle").count() == 8
        assert page.locator("#inertia circle").count() == 8
        assert page.locator("#bic circle.chosen").count() == 1
        assert page.locator("#bic .threshold").count() == 1
        for chart in ("strip", "matrix"):
            pixels = page.evaluate(COLOURS_OF, chart)
            for colour in ("#3c72c3", "#de8d21", "#2a9f7b"):
                assert pixels.get(colour, 0) > 500, (chart, colour)
        assert page.evaluate(COLOURS_OF, "matrix").get("#10141a", 0) > 1000
        assert len(page.evaluate(COLOURS_OF, "path")) > 0


def test_a_phase_says_its_point_s_thread_where_there_are_several(
    pages: Pages, small: Path, threaded: Path
) -> None:
    for path, said in ((small, "Point: interval"), (threaded, "Point: thread ")):
        with pages.open(path) as page:
            assert said in page.locator("article.phase").first.inner_text()


def test_hovering_the_strip_says_interval_instructions_and_functions(pages: Pages, small: Path) -> None:
    with pages.open(small) as page:
        said = hover(page, "strip", 0.5, 0.1)
        assert "Interval 18 · phase 1" in said or "Interval 19" in said
        assert "instructions 1" in said
        assert any(name in said for name in synthetic.FUNCTIONS)


def test_hovering_the_matrix_says_both_intervals_and_their_distance(pages: Pages, small: Path) -> None:
    with pages.open(small) as page:
        said = hover(page, "matrix", 0.9, 0.3)
        assert "Distance" in said
        assert said.count("Interval") == 2
        assert said.count("instructions") == 2


def test_hovering_the_path_says_the_interval(pages: Pages, small: Path) -> None:
    with pages.open(small) as page:
        said = hover(page, "path", *page.evaluate(DENSEST, "path"))
        assert "Interval" in said
        assert "instructions" in said


def test_hovering_a_phase_makes_it_stand_out_in_strip_and_matrix(pages: Pages, small: Path) -> None:
    with pages.open(small) as page:
        before = {chart: page.evaluate(COLOURS_OF, chart) for chart in ("strip", "matrix")}
        page.locator("#points tbody tr").nth(1).hover()
        settled(page)
        for chart in ("strip", "matrix"):
            now = page.evaluate(COLOURS_OF, chart)
            assert now.get("#3c72c3", 0) < 0.2 * before[chart]["#3c72c3"], chart
            assert now["#de8d21"] > 0.9 * before[chart]["#de8d21"], chart
        assert page.locator("article.phase.lit").count() == 1


def test_clicking_the_strip_shows_the_interval_s_functions(pages: Pages, small: Path) -> None:
    with pages.open(small) as page:
        hover(page, "strip", 0.5, 0.1)
        page.mouse.down()
        page.mouse.up()
        settled(page)
        detail = page.locator("#detail")
        assert detail.is_visible()
        assert detail.locator(".places li").count() == 5
        detail.get_by_role("button", name="Close").click()
        settled(page)
        assert detail.is_hidden()


def test_dragging_the_strip_looks_closer_and_escape_shows_all(pages: Pages, small: Path) -> None:
    with pages.open(small) as page:
        whole = page.evaluate(COLOURS_OF, "strip")
        hover(page, "strip", 0.4, 0.6)
        page.mouse.down()
        hover(page, "strip", 0.5, 0.6)
        page.mouse.up()
        settled(page)
        assert page.locator("#reset").is_visible()
        assert page.evaluate(COLOURS_OF, "strip") != whole
        page.locator("#strip").press("Escape")
        settled(page)
        assert page.locator("#reset").is_hidden()


def test_the_keyboard_moves_and_picks(pages: Pages, small: Path) -> None:
    with pages.open(small) as page:
        strip = page.locator("#strip")
        strip.focus()
        for key in ("Home", "ArrowRight", "ArrowRight", "Enter"):
            strip.press(key)
            settled(page)
        assert "Interval 2 · phase 0" in page.locator("#detail").inner_text()
        for key in ("ArrowLeft", "ArrowUp", "+"):
            page.locator("#path").press(key)


def test_dragging_turns_the_path(pages: Pages, small: Path) -> None:
    with pages.open(small) as page:
        page.locator("#path").scroll_into_view_if_needed()
        before = page.evaluate("document.getElementById('path').toDataURL()")
        box = page.locator("#path").bounding_box()
        page.mouse.move(box["x"] + 100, box["y"] + 100)
        page.mouse.down()
        page.mouse.move(box["x"] + 200, box["y"] + 150)
        page.mouse.up()
        settled(page)
        assert page.evaluate("document.getElementById('path').toDataURL()") != before


def test_every_thread_has_its_band(pages: Pages, threaded: Path) -> None:
    with pages.open(threaded) as page:
        assert "thread 0" in hover(page, "strip", 0.5, 0.03)
        assert "thread 2" in hover(page, "strip", 0.5, 0.32)


@pytest.mark.parametrize("width", [1400, 400, 320])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_nothing_is_wider_than_the_window(pages: Pages, small: Path, width: int, scheme: str) -> None:
    with pages.open(small, width=width, scheme=scheme) as page:
        assert page.evaluate("document.documentElement.scrollWidth") <= width


def test_a_dark_page_prints_on_white(pages: Pages, small: Path) -> None:
    with pages.open(small, scheme="dark") as page:
        assert "#ffffff" not in page.evaluate(COLOURS_OF, "matrix")
        page.emulate_media(media="print")
        settled(page)
        assert page.evaluate(COLOURS_OF, "matrix")["#ffffff"] > 1000


def test_every_chart_and_control_has_a_name(pages: Pages, small: Path) -> None:
    with pages.open(small) as page:
        for chart in ("strip", "matrix", "path"):
            assert page.locator(f"#{chart}").get_attribute("aria-label")
        for button in page.locator("button").all():
            assert button.get_attribute("aria-label") or button.text_content()


def test_ten_thousand_intervals_open_in_under_two_seconds(pages: Pages, long: Path) -> None:
    assert long.stat().st_size < 2_000_000
    with pages.open(long) as page:
        devtools = page.context.new_cdp_session(page)
        devtools.send("Performance.enable")
        figures = {one["name"]: one["value"] for one in devtools.send("Performance.getMetrics")["metrics"]}
    # Of the processor, from the page's first byte on: others may be at work on this machine.
    assert 0 < figures["ProcessTime"] < 2


def test_names_are_text_never_markup(pages: Pages, small: Path) -> None:
    with pages.open(small) as page:
        assert "</script><b>main" in page.locator("#phases").inner_text()
        assert page.locator("#phases b b, #detail b b").count() == 0


def test_without_metrics_their_parts_are_not_shown(pages: Pages, small: Path) -> None:
    with pages.open(small) as page:
        for part in ("metrics", "estimate", "quality"):
            assert page.locator(f"#{part}-section").is_hidden()


def test_metrics_are_drawn_over_the_run(pages: Pages, measured: Path) -> None:
    with pages.open(measured) as page:
        assert page.locator("#metrics-section").is_visible()
        seen = page.evaluate(COLOURS_OF, "metrics")
        assert {colour for colour in ("#3c72c3", "#de8d21", "#2a9f7b") if seen.get(colour, 0) > 20}
        assert "CPI" in hover(page, "metrics", 0.5, 0.5) and "phase" in hover(page, "metrics", 0.5, 0.5)
        # The fourth of 40 intervals was not measured.
        assert "not measured" in hover(page, "metrics", 0.06 + 0.94 * 3.5 / 39.5, 0.5)
        assert pages.complaints == []


def test_metrics_follow_the_view_and_the_lit_phase(pages: Pages, measured: Path) -> None:
    with pages.open(measured) as page:
        before = page.evaluate(READ, "metrics")[2]
        page.locator("#strip").focus()
        page.keyboard.press("ArrowRight")
        page.keyboard.press("+")
        settled(page)
        assert page.evaluate(READ, "metrics")[2] != before


def test_the_keyboard_reads_metrics(pages: Pages, measured: Path) -> None:
    with pages.open(measured) as page:
        page.locator("#metrics").focus()
        page.keyboard.press("ArrowRight")
        settled(page)
        label = page.locator("#metrics").get_attribute("aria-label")
        assert "Interval 0: CPI 1, L1D miss rate 0" in label


def test_estimates_stand_beside_the_full_run(pages: Pages, measured: Path) -> None:
    with pages.open(measured) as page:
        first, second = page.locator("#estimate tbody tr").all_inner_texts()
        words = first.split()
        assert [words[i] for i in (0, 1, 2, 4, 5)] == ["cpi", "2", "1.8", "2.2", "2.1"] and "4.76" in first
        assert "not bounded" in second
        assert page.locator("#estimate .bar").count() == 2


def test_quality_stands_beside_the_whole_and_against_k(pages: Pages, measured: Path) -> None:
    with pages.open(measured) as page:
        rows = page.locator("#beside tbody tr").all_inner_texts()
        assert rows[0].startswith("whole run") and len(rows) == 1 + 3 + 3
        assert "CPI was not measured for" in page.locator("#quality-lead").inner_text()
        assert page.locator("#cim-k circle").count() == 3
        page.locator("#by-k-metric").select_option("l1d_mpki")
        settled(page)
        assert page.locator("#cov-k circle.chosen").count() == 1


@pytest.mark.parametrize("width", [360, 1400])
def test_metrics_are_no_wider_than_the_window(pages: Pages, measured: Path, width: int) -> None:
    with pages.open(measured, width=width) as page:
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
