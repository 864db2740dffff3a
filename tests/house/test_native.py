"""The kernels' folders include one another in the direction that their README states."""

from __future__ import annotations

import re
from pathlib import Path

CORE = Path(__file__).parents[2] / "native" / "core"


def levels() -> dict[str, int]:
    """Folders and the line of the drawing they stand in, from the top."""
    drawing = re.findall(r"^ {4}(.+?) {2,}", (CORE / "README.md").read_text(), re.MULTILINE)
    return {folder: level for level, line in enumerate(drawing) for folder in line.split(" | ")}


def test_every_folder_is_drawn() -> None:
    assert sorted(levels()) == sorted(path.name for path in CORE.iterdir() if path.is_dir())


def test_includes_go_downwards() -> None:
    level = levels()
    upwards = [
        f"{path.relative_to(CORE)} includes {include}"
        for path in CORE.rglob("*.[ch]pp")
        for include in re.findall(r'#include "(.+?)"', path.read_text())
        if (folder := include.split("/")[0]) != path.parent.name and level[folder] <= level[path.parent.name]
    ]
    assert upwards == []
