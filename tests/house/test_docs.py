"""Every command has its page, links lead somewhere, and what stands in a page to be pasted works."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.house import markdown, rooms
from tests.house.repository import ROOT, tracked
from tests.pasted import Pages

from phasemark.cli.app import COMMANDS
from phasemark.collect.engines import perf
from phasemark.errors import CollectorError, MissingTool
from phasemark.formats.perf import data

_NAMES = [name.rstrip("_").replace("_", "-") for name in COMMANDS]
_BLOCK = re.compile(r"^```(sh|python) test( perf)?\n(.*?)^```", re.MULTILINE | re.DOTALL)
_PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
_TESTED = [page for page in _PAGES if _BLOCK.search(page.read_text(encoding="utf-8"))]


@pytest.mark.parametrize("command", _NAMES)
def test_a_command_has_a_page_and_is_listed(command) -> None:
    assert (ROOT / "docs" / f"{command}.md").is_file(), f"write docs/{command}.md"
    assert f"docs/{command}.md" in (ROOT / "README.md").read_text()
    assert f"({command}.md)" in (ROOT / "docs/index.md").read_text()


def test_links_between_pages_lead_somewhere() -> None:
    texts = {page: page.read_text(encoding="utf-8") for page in tracked("*.md")}
    anchors = {page: markdown.anchors(text) for page, text in texts.items()}
    broken = []
    for page, text in texts.items():
        for target, anchor in markdown.links(text):
            path = (page.parent / target).resolve() if target else page
            if not path.exists() or (anchor and anchor not in anchors.get(path, {anchor})):
                broken.append(f"{page.relative_to(ROOT)}: {target}#{anchor}")
    assert not broken


def test_every_page_is_in_the_index() -> None:
    index = (ROOT / "docs/index.md").read_text()
    pages = {page.name for page in tracked("docs/*.md") if page.parent.name == "docs"} - {"index.md"}
    assert not {page for page in pages if f"({page})" not in index}


def test_places_in_the_code_are_there() -> None:
    pages = [ROOT / name for name in ("docs/architecture.md", "docs/glossary.md", "CONTRIBUTING.md")]
    named = {name for page in pages for name in markdown.places(page.read_text(encoding="utf-8"))}
    assert named
    assert not sorted(name for name in named if not (ROOT / name).exists())


def test_each_decision_has_a_number_of_its_own_and_says_it() -> None:
    numbers = [page.name[:4] for page in tracked("docs/adr/*.md")]
    assert sorted(set(numbers)) == sorted(numbers)
    titles = {
        page.name: page.read_text(encoding="utf-8").split("\n", 1)[0] for page in tracked("docs/adr/*.md")
    }
    assert not {name for name, title in titles.items() if not title.startswith(f"# {int(name[:4])}. ")}


def test_prose_is_wrapped() -> None:
    wide = [
        f"{page.relative_to(ROOT)}:{number}"
        for page in tracked("*.md")
        for number in markdown.wide_lines(page.read_text(encoding="utf-8"))
    ]
    assert not wide, f"break these lines before column {markdown.WIDTH + 1}"


def test_the_rooms_of_the_architecture_are_those_of_the_contract() -> None:
    text = rooms.PAGE.read_text(encoding="utf-8")
    assert rooms.table() in text, "run: python -m tests.house.rooms"


@pytest.fixture(scope="module")
def pages(tmp_path_factory) -> Iterator[Pages]:
    with Pages(tmp_path_factory.mktemp("pages")).served() as serving:
        yield serving


@pytest.mark.parametrize("page", _TESTED, ids=lambda page: str(page.relative_to(ROOT)))
def test_what_stands_in_a_page_works_as_pasted(page: Path, pages: Pages, tmp_path: Path) -> None:
    environment = {**os.environ, "PHASEMARK_CACHE": str(tmp_path / "cache")}
    for language, needs, text in _BLOCK.findall(page.read_text(encoding="utf-8")):
        if needs and not _perf_samples():
            continue
        status, said = pages.run(language, text, tmp_path, environment)
        assert status == 0, f"{text}\n{said}"


def _perf_samples() -> bool:
    try:
        perf.probed(data.find())
    except (CollectorError, MissingTool):
        return False
    return True
