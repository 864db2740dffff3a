"""Every command has its page, links lead somewhere, and what stands in a page to be pasted works."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from tests.house.repository import ROOT, tracked

from phasemark.cli.app import COMMANDS

_NAMES = [name.rstrip("_").replace("_", "-") for name in COMMANDS]
_BLOCK = re.compile(r"^```(sh|python) test\n(.*?)^```", re.MULTILINE | re.DOTALL)
_TESTED = sorted(page for page in (ROOT / "docs").glob("*.md") if _BLOCK.search(page.read_text()))


@pytest.mark.parametrize("command", _NAMES)
def test_a_command_has_a_page_and_is_listed(command) -> None:
    assert (ROOT / "docs" / f"{command}.md").is_file(), f"write docs/{command}.md"
    assert f"docs/{command}.md" in (ROOT / "README.md").read_text()
    assert f"({command}.md)" in (ROOT / "docs/index.md").read_text()


def test_links_between_pages_lead_somewhere() -> None:
    broken = []
    for page in tracked("*.md"):
        for target in re.findall(r"\]\(([^)#\s]+)[^)]*\)", page.read_text()):
            if "://" not in target and not (page.parent / target).exists():
                broken.append(f"{page.relative_to(ROOT)}: {target}")
    assert not broken


def test_every_page_is_in_the_index() -> None:
    index = (ROOT / "docs/index.md").read_text()
    pages = {page.name for page in tracked("docs/*.md") if page.parent.name == "docs"} - {"index.md"}
    assert not {page for page in pages if f"({page})" not in index}


@pytest.mark.parametrize("page", _TESTED, ids=lambda page: page.stem)
def test_what_stands_in_a_page_works_as_pasted(page, tmp_path) -> None:
    environment = {**os.environ, "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}"}
    for language, text in _BLOCK.findall(page.read_text()):
        command = ["bash", "-e", "-c", text] if language == "sh" else [sys.executable, "-c", text]
        done = subprocess.run(
            command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, f"{text}\n{done.stdout}{done.stderr}"
