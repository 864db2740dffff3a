"""Sources: the text of source lines, where their files are there and are those that were compiled."""

from __future__ import annotations

import stat
from pathlib import Path

from phasemark.model import Blocks

#: A larger file is no source that a person wrote.
_LARGEST = 8 << 20
#: Characters of a line that are shown.
_WIDTH = 160


class Sources:
    """Looks up lines of the files that a run's blocks come from; reads each file once, and never fails.

    A file that was changed after the module was built is left out: its lines are other ones by now. So is one
    without an absolute path, which would be looked for in whatever folder this runs in.
    """

    def __init__(self, blocks: Blocks) -> None:
        self._built = _built(blocks)
        self._lines: dict[str, list[str]] = {}

    def line(self, name: str) -> str:
        """The text of `path:line`; empty where it is not known."""
        path, _, number = name.rpartition(":")
        if path not in self._lines:
            self._lines[path] = _read(path, self._built.get(path))
        lines, at = self._lines[path], int(number) if number.isdecimal() and len(number) < 9 else 0
        return _shown(lines[at - 1]) if 0 < at <= len(lines) else ""


def _built(blocks: Blocks) -> dict[str, float]:
    """File -> when the oldest module that was made from it was written; what has no absolute path is left
    out."""
    made: dict[str, float] = {}
    when = [_written(module) for module in blocks.modules]
    for file, module in dict.fromkeys(zip(blocks.file or (), blocks.module.tolist(), strict=False)):
        written = when[module]
        if written is not None and Path(file).is_absolute():
            made[file] = min(made.get(file, written), written)
    return made


def _written(path: str) -> float | None:
    try:
        return Path(path).stat().st_mtime if Path(path).is_absolute() else None
    except (OSError, ValueError):
        return None


def _read(path: str, built: float | None) -> list[str]:
    if built is None:
        return []
    try:
        found = Path(path).stat()
        if not stat.S_ISREG(found.st_mode) or found.st_size > _LARGEST or found.st_mtime > built:
            return []
        return Path(path).read_text(encoding="utf-8", errors="replace").split("\n")
    except (OSError, ValueError):
        return []


def _shown(line: str) -> str:
    text = " ".join("".join(c if c.isprintable() else " " for c in line).split())
    return text if len(text) <= _WIDTH else f"{text[: _WIDTH - 1]}…"
