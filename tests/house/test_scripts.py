"""Benchmarks and studies, which nobody runs every day, still fit the package."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SCRIPTS = sorted(
    path.relative_to(ROOT)
    for folder in ("benchmarks", "studies")
    for path in (ROOT / folder).rglob("*.py")
    if "__main__" in path.read_text()
)


@pytest.mark.parametrize("script", SCRIPTS, ids=str)
def test_a_script_says_how_it_is_used(script: Path) -> None:
    done = subprocess.run(
        [sys.executable, ROOT / script, "--help"], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("usage:")
