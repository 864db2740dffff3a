"""The repository, as the house tests look at it."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


def tracked(*patterns: str) -> list[Path]:
    """The files under version control that match, or skip where there is no git."""
    try:
        said = subprocess.run(
            ["git", "-C", ROOT, "ls-files", "-z", *patterns], capture_output=True, text=True, check=True
        ).stdout
    except (OSError, subprocess.CalledProcessError) as error:
        pytest.skip(f"no git repository here ({error})")
    return [path for name in said.split("\0") if name and (path := ROOT / name).is_file()]
