"""Maps of code compiled at run time, kept beside what was recorded of the processes that wrote them."""

from __future__ import annotations

import contextlib
import shutil
from collections.abc import Iterable
from pathlib import Path

from phasemark.collect.process_tree import Image
from phasemark.symbols import code_map

#: Where programs write them, whatever TMPDIR says.
FOLDER = Path("/tmp")

#: Seconds by which a file system's clock may be behind ours.
_CLOCKS = 0.1


def keep(images: Iterable[Image], raw: Path, since: float) -> None:
    """Copy the maps of processes as they are now; who deletes or rewrites them later does no harm.

    Args:
        images: whose maps; a forked child that wrote none has its parent's.
        raw: the folder of what was recorded.
        since: when the run began, seconds since 1970.
    """
    images = list(images)
    parents = {image.pid: image.parent for image in images if image.origin == "fork"}
    for pid in dict.fromkeys(image.pid for image in images):
        code_map.copy(FOLDER / name(pid), raw / name(pid), since - _CLOCKS)
    for pid, parent in parents.items():
        mine = raw / name(pid)
        if not mine.exists() and (raw / name(parent)).exists():
            with contextlib.suppress(OSError):  # a file system without links, or without space
                _linked(raw / name(parent), mine)


def _linked(path: Path, to: Path) -> None:
    try:
        to.hardlink_to(path)
    except OSError:
        shutil.copyfile(path, to)


def name(pid: int) -> str:
    """What a process calls its map."""
    return f"perf-{pid}.map"
