"""Headless Chromium for the tests marked `browser`: skipped where it is missing, but not where CI=true."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from tests.waiting import LONG

_QUIET = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)


class Pages:
    """Opens files in fresh pages, and notes whatever a page complains of or asks the network for."""

    def __init__(self, browser: Any) -> None:
        self._browser = browser
        self.complaints: list[str] = []

    @contextmanager
    def open(self, path: Path, width: int = 1400, height: int = 900, scheme: str = "light") -> Iterator[Any]:
        page = self._browser.new_page(viewport={"width": width, "height": height}, color_scheme=scheme)
        page.on("console", lambda message: self.complaints.append(f"{message.type}: {message.text}"))
        page.on("pageerror", lambda error: self.complaints.append(str(error)))
        page.on("request", self._requested)
        page.set_default_timeout(1000 * LONG)
        page.goto(path.resolve().as_uri())
        page.wait_for_function("document.documentElement.dataset.drawn")
        yield page
        page.close()
        assert self.complaints == []

    def _requested(self, request: Any) -> None:
        if not request.is_navigation_request() and not request.url.startswith("data:"):
            self.complaints.append(f"asks for {request.url}")


@pytest.fixture(scope="session")
def chromium() -> Iterator[Any]:
    found = shutil.which("chromium")
    if found is None:
        message = "no chromium here; `apt-get install chromium` brings it"
        pytest.fail(message) if os.environ.get("CI") == "true" else pytest.skip(message)
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=found, args=list(_QUIET))
        yield browser
        browser.close()


@pytest.fixture
def pages(chromium: Any) -> Pages:
    return Pages(chromium)
