"""The report as a person meets it, in headless Chromium."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.report.conftest import Pages
from tests.views import comparisons, machines, synthetic
from tests.views.threaded import many

from phasemark import report
from phasemark.model import AnalysedProcess, Metrics
from phasemark.views import Analysis, MetricEstimate
from phasemark.views.forecast import Forecast

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
#: The most opaque pixel of about a colour in a chart, as parts of its width and height.
DENSEST = f"""([id, colour]) => {{
  const [width, height, pixels] = ({READ})(id);
  const of = [1, 3, 5].map(at => parseInt(colour.slice(at, at + 2), 16));
  const near = p => of.every((part, i) => Math.abs(part - ((p >> (8 * i)) & 255)) < 9);
  const at = pixels.reduce((best, p, i) => (near(p) && p >>> 24 > pixels[best] >>> 24 ? i : best), 0);
  return [at % width / width, Math.floor(at / width) / height];
}}"""
#: Leftmost and rightmost pixel of a colour between two heights of a chart.
EXTENT = f"""([id, top, bottom, colour]) => {{
  const [width, height, pixels] = ({READ})(id);
  let [left, right] = [Infinity, -Infinity];
  pixels.forEach((p, i) => {{
    const parts = [p & 255, (p >> 8) & 255, (p >> 16) & 255].map(v => v.toString(16).padStart(2, "0"));
    const y = Math.floor(i / width);
    if (p >>> 24 < 255 || y < top || y > bottom || "#" + parts.join("") !== colour) return;
    [left, right] = [Math.min(left, i % width), Math.max(right, i % width)];
  }});
  return [left, right];
}}"""


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return report.write(synthetic.folder(tmp_path_factory.mktemp("small") / "out"))


@pytest.fixture(scope="module")
def threaded(tmp_path_factory: pytest.TempPathFactory) -> Path:
    run = synthetic.run((0, 1, 2, 3) * 10, threads=4)
    return report.write(synthetic.folder(tmp_path_factory.mktemp("threads") / "out", run))


@pytest.fixture(scope="module")
def of_states(tmp_path_factory: pytest.TempPathFactory) -> Path:
    run = machines.of_pattern([0] * 8 + [1, 0] * 18 + [1, 2, 0] * 3 + [2, 0], unused=1)
    run = replace(run, compared=comparisons.compared())
    return report.write_page(run, tmp_path_factory.mktemp("states") / "page.html")


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


def cells_of(row: Any, which: str = "td") -> list[str]:
    """The text of a row's cells, dashes and minus signs as `-`."""
    plain = {0x2013: "-", 0x2212: "-"}
    return [text.translate(plain) for text in row.locator(which).all_inner_texts()]


def cpu_time(page: Any) -> float:
    """Seconds of the processor, from the page's first byte on: others may be at work on this machine."""
    devtools = page.context.new_cdp_session(page)
    devtools.send("Performance.enable")
    figures = {one["name"]: one["value"] for one in devtools.send("Performance.getMetrics")["metrics"]}
    return float(figures["ProcessTime"])


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
        said = hover(page, "path", *page.evaluate(DENSEST, ["path", "#3c72c3"]))
        assert "Interval" in said
        assert "instructions" in said


def inked(page: Any, chart: str, across: tuple[float, float], down: tuple[float, float]) -> int:
    """Pixels of the colour of ticks in a part of a chart, from its left and top."""
    counted = f"""([id, [left, right], [top, bottom]]) => {{
      const [width, , pixels] = ({READ})(id);
      const within = i => i % width >= left && i % width < right && i / width >= top && i / width < bottom;
      return pixels.reduce((n, p, i) => n + ((p & 0xffffff) === 0x72665d && within(i)), 0);
    }}"""
    return int(page.evaluate(counted, [chart, across, down]))


def test_matrix_and_path_have_axes_with_ticks(pages: Pages, small: Path, threaded: Path) -> None:
    for path in (small, threaded):
        with pages.open(path) as page:
            box = page.locator("#matrix").bounding_box()
            width, height = box["width"], box["height"]
            assert inked(page, "matrix", (0, 44), (0, height)) > 15
            assert inked(page, "matrix", (44, width), (height - 36, height)) > 15
            box = page.locator("#path").bounding_box()
            assert inked(page, "path", (0, box["width"]), (0, box["height"])) > 100


def test_counts_of_one_and_a_k_that_was_given(pages: Pages, tmp_path: Path) -> None:
    run = synthetic.run((0,), length=1_000_000)
    run.phases.scores.clear()
    run.phases.scores[1] = 5.0
    with pages.open(report.write_page(run, tmp_path / "page.html")) as page:
        tiles = page.locator("#summary dt").all_inner_texts()
        assert tiles == ["instructions", "interval", "phase", "point", "to simulate"]
        assert "stands for" in page.locator("#summary").inner_text()
        assert page.locator("#scores-lead").inner_text() == "k = 1; no other k was tried."
        assert page.locator("#bic circle").count() == 0


def test_what_is_little_is_not_nothing_and_what_lacks_a_little_is_not_all(
    pages: Pages, tmp_path: Path
) -> None:
    run = synthetic.run((0, 0, 0, 1), length=100_000_000)
    lengths = [99_999_000, 99_999_000, 99_999_000, 3_000]
    t = run.profile.interval_table
    points = replace(run.points, weight=[1 - 1e-5, 1e-5], coverage=0.99997)
    weights = np.array(lengths) / sum(lengths)
    run = replace(run, points=points, signatures=replace(run.signatures, weights=weights))
    assert len(t) == 4
    with pages.open(report.write_page(run, tmp_path / "page.html")) as page:
        assert "stand for > 99.99 % of the run" in page.locator("#summary").inner_text()
        first, second = map(cells_of, page.locator("#points tbody tr").all())
        assert (first[1:3], second[1:3]) == (["> 99.9 %", "1.0000"], ["< 0.1 %", "1\u00d710\u207b\u2075"])


def test_points_stand_on_every_thread_s_band(pages: Pages, threaded: Path) -> None:
    with pages.open(threaded) as page:
        # All points are of thread 0, whose band is the first; white fills a diamond.
        assert page.evaluate(EXTENT, ["strip", 0, 21, "#ffffff"])[0] < 1400
        assert page.evaluate(EXTENT, ["strip", 26, 46, "#ffffff"])[0] == np.inf


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


def test_bands_of_very_many_threads_fit_on_a_screen(pages: Pages, tmp_path: Path) -> None:
    with pages.open(report.write_page(many(600, 10), tmp_path / "page.html")) as page:
        height = page.locator("#strip").bounding_box()["height"]
        assert 720 < height < 1000
        assert page.evaluate(COLOURS_OF, "strip").get("#3c72c3", 0) > 100
        assert 840 < page.locator("#lanes").bounding_box()["height"] < 1000


def test_every_thread_has_its_band(pages: Pages, threaded: Path) -> None:
    with pages.open(threaded) as page:
        assert "thread 0" in hover(page, "strip", 0.5, 0.03)
        assert "thread 2" in hover(page, "strip", 0.5, 0.32)


def test_states_stand_in_a_ring_and_weak_arrows_come_when_asked_for(
    pages: Pages, of_states: Path, small: Path
) -> None:
    with pages.open(of_states) as page:
        section = page.locator("#machine-section")
        assert "Of the model's 4 states 1 is not used." in section.inner_text()
        nodes, arrows = section.locator(".node"), section.locator(".arrow:not(.weak)")
        assert nodes.count() == 3 and arrows.count() == 4
        assert nodes.first.get_attribute("aria-label").startswith("State 0, ")  # where the run begins
        # Pointing at a state shows all that follows it, and makes its phase stand out elsewhere.
        weak = section.locator(".arrow.weak")
        assert weak.count() == 1 and not weak.is_visible()
        section.locator("[data-state='0'] .spot").hover()
        settled(page)
        assert weak.is_visible() and page.locator("article.phase.lit").count() == 1
        assert "entered 23 times" in page.locator("#tip").inner_text()
        # So does the keyboard: one state can be reached by Tab, the arrows lead on, Enter keeps.
        page.mouse.move(0, 0)
        nodes.first.focus()
        page.keyboard.press("ArrowRight")
        page.keyboard.press("Enter")
        settled(page)
        kept = page.evaluate("document.activeElement.dataset.state")
        assert page.locator("#legend button").nth(int(kept)).get_attribute("aria-pressed") == "true"
        page.keyboard.press("Escape")
        page.locator("#machine-arrows").select_option("0.005")
        assert section.locator(".arrow.weak").count() == 0 and arrows.count() == 5
        section.locator("summary").click()
        assert cells_of(section.locator("#states tbody tr").nth(1))[0] == "1"
    with pages.open(small) as page:
        assert page.locator("#machine-section").is_hidden()
        assert page.locator("#models-section").is_hidden()


def test_models_side_by_side_say_what_is_known_of_a_fit(pages: Pages, of_states: Path) -> None:
    with pages.open(of_states, scheme="dark") as page:
        section = page.locator("#models-section")
        charts = section.locator("svg.compared")
        assert charts.count() == 4 and "Best by BIC: hmm (full) with 4 states" in section.inner_text()
        assert [charts.nth(i).locator(".fit").count() for i in range(4)] == [3, 4, 3, 3]
        # Pointing at a mark tells of its fit, which stands out in every chart and in the table.
        charts.first.locator("[data-fit='1 4']").hover()
        tip = page.locator("#tip").inner_text()
        assert "hmm (full), 4 states, 2 seeds" in tip and "-1.8 to -1.6" in tip and "10.0 % to 20.0 %" in tip
        assert section.locator(".fit.lit").count() == 5 and section.locator("#fits tr.lit").count() == 2
        # The arrows lead from mark to mark, and a model is seen alone once it was clicked.
        charts.first.locator(".fit").first.focus()
        page.keyboard.press("ArrowRight")
        assert page.evaluate("document.activeElement.dataset.fit") == "1 4"
        section.locator("#models-legend button").first.click()
        page.mouse.move(0, 0)
        assert section.locator(".series.dim").count() == 4
        section.locator("summary").nth(1).click()
        section.get_by_role("button", name="likelihood").click()
        assert cells_of(section.locator("#fits tbody tr").first)[:3] == ["hmm", "full", "8"]


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
        taken = cpu_time(page)
    assert 0 < taken < 2


def test_names_are_text_never_markup(pages: Pages, small: Path) -> None:
    with pages.open(small) as page:
        assert "</script><b>main" in page.locator("#phases").inner_text()
        assert page.locator("#phases b b, #detail b b").count() == 0


def test_of_several_processes_the_page_says_which_it_shows(pages: Pages, small: Path, tmp_path: Path) -> None:
    run = replace(synthetic.run(), process=AnalysedProcess(3, 5, "cc1", 0.84))
    said = "3 of 5, cc1: 84.00% of all instructions"
    with pages.open(report.write_page(run, tmp_path / "page.html")) as page:
        assert page.locator("#process").inner_text() == f"Process {said}; all that follows is of it alone."
        assert said in page.locator("#provenance").inner_text()
    with pages.open(small) as page:
        assert page.locator("#process").is_hidden()


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
        table = page.locator("#estimate")
        heads = table.locator("th").all_inner_texts()
        assert heads == [
            "metric",
            "estimate",
            "points",
            "interval",
            "±",
            "full run",
            "error",
            "covered",
            "",
        ]
        first, second = map(cells_of, table.locator("tbody tr").all())
        assert first[:8] == ["cpi", "2", "3 of 3", "1.8 - 2.2", "10.0 %", "2.1", "-4.76 %", "yes"]
        assert second[:8] == ["l1d_mpki", "6", "2 of 3", "not bounded", "-", "", "", ""]
        assert table.locator(".bar").count() == 1
        assert page.locator("#estimate-lead").inner_text().startswith("From 2 to 3 of 3 points, ")
        assert page.locator("#estimate-more").is_hidden()


ESTIMATES = (
    MetricEstimate("epi", 30.0, 29.0, 31.0, 30.0),
    MetricEstimate("l1d_miss_rate", 0.1, 0.05, 0.15, 0.2),
    MetricEstimate("l1d_mpki", 20.0, 19.0, 21.0, 40.0),
    MetricEstimate("cpi", 2.0, 1.99, 2.01, 2.0),
    MetricEstimate("ipc", 0.5, 0.49, 0.51, 0.5),
    MetricEstimate("branch_misprediction_rate", 1e-4, 0.0, np.inf, np.nan),
    MetricEstimate("l2_mpki", 0.0, 0.0, 0.1, 0.0),
)


@pytest.fixture(scope="module")
def estimated(tmp_path_factory: pytest.TempPathFactory) -> Path:
    run = replace(synthetic.run(metrics=True), estimates=ESTIMATES, confidence=0.9)
    return report.write_page(run, tmp_path_factory.mktemp("estimated") / "page.html")


def test_estimates_come_in_order_and_what_doubles_them_is_folded_away(pages: Pages, estimated: Path) -> None:
    with pages.open(estimated) as page:
        rows = list(map(cells_of, page.locator("#estimate tbody tr").all()))
        # Branch mispredictions are known per branch alone, so that their rate doubles nothing.
        order = ["cpi", "ipc", "l1d_mpki", "l2_mpki", "epi", "branch_misprediction_rate"]
        assert [row[0] for row in rows] == order
        assert "90 % interval" in page.locator("#estimate th").all_inner_texts()
        assert [row[6] for row in rows] == ["yes", "yes", "no", "yes", "yes", ""]
        assert [row[3] for row in rows] == ["0.5 %", "2.0 %", "5.0 %", "-", "3.3 %", "-"]
        assert [row[5] for row in rows][:4] == ["0.00 %", "0.00 %", "-50.00 %", ""]
        more = page.locator("#estimate-more")
        assert more.locator("table").is_hidden()
        more.locator("summary").click()
        assert more.locator("td").first.inner_text() == "l1d_miss_rate"
        assert more.locator("summary").inner_text().startswith("1 rate of")


def test_each_bar_has_its_own_scale(pages: Pages, estimated: Path) -> None:
    with pages.open(estimated) as page:
        rows = page.locator("#estimate tbody tr").all()
        scales = [row.locator(".scaled .soft").all_inner_texts() for row in rows]
        # Of what the full run has none of there is no percentage.
        assert scales == [["scale ±0.5 %"], ["scale ±2 %"], ["scale ±100 %"], [], ["scale ±5 %"], []]
        for row in (rows[0], rows[1], rows[4]):
            bar, line = (row.locator(part).bounding_box() for part in (".bar i", ".bar"))
            assert bar["width"] > 0.3 * line["width"]


def test_a_bar_far_beyond_its_line_says_only_that(pages: Pages, tmp_path: Path) -> None:
    far = (MetricEstimate("l2_mpki", 0.0, 0.0, 5.0, 1e-5),)
    run = replace(synthetic.run(metrics=True), estimates=far)
    with pages.open(report.write_page(run, tmp_path / "page.html")) as page:
        assert page.locator("#estimate .scaled .soft").all_inner_texts() == ["beyond the scale of ±1,000 %"]


def test_the_forecast_stands_with_the_estimates(pages: Pages, estimated: Path, tmp_path: Path) -> None:
    with pages.open(estimated) as page:
        assert page.locator("#estimate-forecast").is_hidden()
    run = replace(synthetic.run(metrics=True), estimates=ESTIMATES, confidence=0.9)
    run = replace(run, forecast=Forecast(0.0095, 0.95, 0.02))
    with pages.open(report.write_page(run, tmp_path / "page.html")) as page:
        assert page.locator("#estimate-forecast").inner_text() == (
            "CPI's error bar came out at ±0.50 %; the forecast, when the points were picked, was ±0.95 % at "
            "95 %, for an error within ±2.00 %."
        )


def test_on_a_narrow_page_full_run_and_error_are_seen(pages: Pages, estimated: Path) -> None:
    with pages.open(estimated, width=390) as page:
        row = page.locator("#estimate tbody tr").nth(2)
        said = cells_of(row, "td:visible")
        assert said[0] == "l1d_mpki" and "19 - 21" in said[1] and "40" in said[2] and "-50.00 %" in said[2]
        assert said[3] == "no"
        box = row.locator("td:visible").last.bounding_box()
        assert box["x"] + box["width"] <= 390


def test_quality_stands_beside_the_whole_and_against_k(pages: Pages, measured: Path) -> None:
    with pages.open(measured) as page:
        rows = page.locator("#beside tbody tr").all_inner_texts()
        assert rows[0].startswith("whole run") and len(rows) == 1 + 3 + 3
        assert "CPI was not measured for" in page.locator("#quality-lead").inner_text()
        assert page.locator("#cim-k circle").count() == 3
        page.locator("#by-k-metric").select_option("l1d_mpki")
        settled(page)
        assert page.locator("#cov-k circle.chosen").count() == 1


def test_strip_and_metrics_end_at_the_same_place_and_the_last_diamond_is_whole(
    pages: Pages, tmp_path: Path
) -> None:
    run = synthetic.run((*[0] * 399, 1), metrics=True)
    with pages.open(report.write_page(run, tmp_path / "page.html")) as page:
        strip, metrics = (page.evaluate(EXTENT, [chart, 0, 9, "#3c72c3"]) for chart in ("strip", "metrics"))
        assert strip[0] == metrics[0] and abs(strip[1] - metrics[1]) <= 1
        # The second phase is the last interval alone; its diamond stands in the second lane.
        filled = page.evaluate(EXTENT, ["strip", 44, 80, "#ffffff"])
        assert filled[1] >= strip[1] + 2


def test_cards_and_points_say_cpi_and_misses(pages: Pages, measured: Path) -> None:
    with pages.open(measured) as page:
        card = page.locator("article.phase").nth(1)
        assert card.locator(".measures dt").all_inner_texts() == ["CPI", "L1D MPKI"]
        cpi, misses = card.locator(".measures dd").all_inner_texts()
        assert 2 <= float(cpi) <= 2.1 and misses == "10"
        assert page.locator("#points th").all_inner_texts()[-2:] == ["CPI", "L1D MPKI"]
        assert page.locator("#points tbody tr").nth(1).locator("td").all_inner_texts()[-2:] == ["2.1", "10"]


def without_phase(run: Analysis, phase: int, **changes: object) -> Analysis:
    """The run without the points of a phase."""
    kept, points = run.points.phase != phase, run.points
    columns = {name: value[kept] for name, value in vars(points).items() if isinstance(value, np.ndarray)}
    columns["weight"] = columns["weight"] / columns["weight"].sum()
    return replace(run, points=replace(points, **(columns | changes)))


def test_a_phase_without_a_point_says_why(pages: Pages, tmp_path: Path) -> None:
    for changes, said in (
        ({"strata": np.array([0, 0])}, "No point of its own: its intervals are in strata that have points."),
        ({"method": "random"}, "No point of its own: points were chosen from the whole run."),
        ({"coverage": 0.9}, "No point: outside the coverage."),
        ({"method": "given"}, "No point."),
    ):
        shown = report.write_page(without_phase(synthetic.run(), 1, **changes), tmp_path / "page.html")
        with pages.open(shown) as page:
            words = page.locator("article.phase header + p").all_inner_texts()
            assert words[1].endswith(f"intervals. {said}") and "No point" not in words[0] + words[2]


def test_weights_of_strata_are_said_to_be_theirs(pages: Pages, small: Path, tmp_path: Path) -> None:
    with pages.open(small) as page:
        assert page.locator("#points-note").is_hidden()
    drawn = replace(synthetic.run().points, strata=np.array([0, 0, 1]))
    shown = report.write_page(replace(synthetic.run(), points=drawn), tmp_path / "page.html")
    with pages.open(shown) as page:
        said = "Weights are those of strata, which may cross phases."
        assert page.locator("#points-note").inner_text() == said


def test_a_card_says_lines_with_their_text_and_how_much_is_known(pages: Pages, tmp_path: Path) -> None:
    source, module = tmp_path / "deflate.c", tmp_path / "gzip"
    source.write_text("\n" * 100 + "  longest = match(<b>here</b>);\n" * 99)
    module.write_bytes(b"")
    run = synthetic.run()
    blocks = run.profile.block_table
    files = tuple(str(source) if file == "deflate.c" else "" for file in blocks.file or ())
    blocks = replace(blocks, modules=(str(module), f"{tmp_path}/./gzip"), file=files)
    run = replace(run, profile=replace(run.profile, block_table=blocks))
    with pages.open(report.write_page(run, tmp_path / "page.html")) as page:
        card = page.locator("article.phase").first
        assert re.search(r"Lines \(known for \d+\.\d %\)", card.locator("h4").nth(1).text_content())
        line = card.locator(".places").nth(1).locator("li").first
        assert line.locator(".name").inner_text().startswith("deflate.c:1")
        assert line.locator("code").all_inner_texts() == ["longest = match(<b>here</b>);"]


def test_cards_of_one_function_say_where_they_differ(pages: Pages, tmp_path: Path) -> None:
    run = synthetic.run()
    blocks = replace(run.profile.block_table, function=("main",) * 40)
    run = replace(run, profile=replace(run.profile, block_table=blocks))
    with pages.open(report.write_page(run, tmp_path / "page.html")) as page:
        for phase, card in enumerate(page.locator("article.phase").all()):
            heads = card.locator(".beside th").all_inner_texts()
            other = int(heads[2])
            assert int(heads[1]) == phase != other
            assert f"Beside phase {other}" in card.locator("h4").last.text_content()
            assert card.locator(".beside tbody tr").count() == 3
    with pages.open(report.write_page(synthetic.run((0, 0)), tmp_path / "page.html")) as page:
        assert page.locator(".beside").count() == 0


def test_points_say_what_was_simulated_of_them_alone(pages: Pages, tmp_path: Path) -> None:
    run = synthetic.run(metrics=True)
    t, points = run.profile.interval_table, run.points
    rows = points.interval[:2]
    counters = {"cycles": 7.0 * t.length[rows]}
    alone = Metrics(t.run[rows], t.thread[rows], rows, t.start[rows], t.length[rows], counters, source="gem5")
    shown = report.write_page(replace(run, metrics=None, point_metrics=alone), tmp_path / "page.html")
    with pages.open(shown) as page:
        cells = [cells_of(row)[-1] for row in page.locator("#points tbody tr").all()]
        assert cells == ["7", "7", "-"]
        assert "measured by gem5" in page.locator("#points-lead").inner_text()
        assert page.locator(".measures dd").all_inner_texts() == ["7", "7"]


def test_a_heading_sorts_its_table_by_mouse_and_keyboard(pages: Pages, estimated: Path) -> None:
    with pages.open(estimated) as page:
        for table, head, pinned in (
            ("#points", "weight", 0),
            ("#estimate", "error", 0),
            ("#beside", "cpi", 4),
        ):
            heading = page.locator(f"{table} th").filter(has_text=re.compile(f"^{head}$"))
            assert heading.get_attribute("aria-sort") == "none"
            assert page.locator(f"{table} th[aria-sort]").count() == page.locator(f"{table} th .sort").count()
            column = page.locator(f"{table} th").all_inner_texts().index(head)
            before = keys(page, table, column)
            heading.locator("button").click()
            assert heading.get_attribute("aria-sort") == "descending"
            falling = keys(page, table, column)
            assert falling == sorted(falling, reverse=True)
            heading.locator("button").press("Enter")
            assert heading.get_attribute("aria-sort") == "ascending"
            rising = keys(page, table, column)
            assert rising == falling[::-1] and sorted(before) == rising
            assert page.locator(f"{table} tbody tr.full").count() == pinned
        assert page.locator("#beside tbody tr").first.inner_text().startswith("whole run")
        assert page.locator("#beside tbody tr").last.inner_text().startswith("less deviation")


def test_what_is_not_known_is_sorted_last(pages: Pages, estimated: Path) -> None:
    with pages.open(estimated) as page:
        button = page.locator("#estimate th button").filter(has_text="covered")
        for _ in range(2):
            button.click()
            assert (
                page.locator("#estimate tbody tr").last.inner_text().startswith("branch_misprediction_rate")
            )


def keys(page: Any, table: str, column: int) -> list[float]:
    """What the rows of a table are sorted by, where it is known."""
    cells = page.locator(f"{table} tbody tr:not(.full) td:nth-child({column + 1})").all()
    found = [cell.get_attribute("data-key") for cell in cells]
    return [float(key) for key in found if key]


@pytest.mark.parametrize("width", [360, 1400])
def test_metrics_are_no_wider_than_the_window(pages: Pages, measured: Path, width: int) -> None:
    with pages.open(measured, width=width) as page:
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_the_transition_of_online_phases_is_called_so(pages: Pages, tmp_path: Path) -> None:
    path = report.write_page(
        synthetic.tracked(synthetic.run((0, 1, 2), metrics=True)), tmp_path / "page.html"
    )
    with pages.open(path) as page:
        assert "· transition" in hover(page, "strip", 0.1, 0.05)
        assert page.locator("#legend button").all_inner_texts()[0].startswith("transition")
        headings = [text.strip() for text in page.locator("#phases h3").all_inner_texts()]
        assert headings == ["Transition", "Phase 1", "Phase 2"]
        for table in ("points", "beside"):
            first = [cells_of(row)[0] for row in page.locator(f"#{table} tbody tr").all()]
            assert "transition" in first and "0" not in first
