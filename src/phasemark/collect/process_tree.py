"""The process images of a run: which there were, and which one is analysed."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from phasemark.errors import in_a_line


@dataclass(frozen=True)
class Image:
    """One program in one process, from start, fork or exec to its end.

    Attributes:
        number: 1, 2, 3 ... in the order in which they began: a process, then its children as it forked them,
            whichever of them came to run first.
        pid, parent: the system's ids of the process and of the one that started it.
        origin: `start`, `fork` or `exec`.
        program: name of the program, without folder.
        command: the program with its arguments.
        instructions: of all threads, as far as recorded.
        threads: how many threads executed something.
        ended: whether its end was seen; a later image of the same process counts.
        files: what its collector wrote of it.
        cut: whether its collector had to stop before its end, as on a full disk.
        stopped: whether its collector had to end it.
        parts: the images that this one stands for, where it is all of a run; its number is 0 then.
    """

    number: int
    pid: int
    parent: int
    origin: str
    command: tuple[str, ...]
    instructions: int
    threads: int
    ended: bool
    files: tuple[Path, ...]
    cut: bool = False
    stopped: bool = False
    parts: tuple[Image, ...] = ()

    @property
    def program(self) -> str:
        """Name of the program, without folder."""
        return Path(self.command[0]).name if self.command else "?"

    @property
    def running(self) -> bool:
        """Whether the process has not ended although nobody waits for it any more."""
        return not self.ended and _alive(self.pid)

    def summary(self) -> dict[str, Any]:
        """What run.json says of it."""
        return {
            "number": self.number,
            "pid": self.pid,
            "parent": self.parent,
            "origin": self.origin,
            "program": self.program,
            "command": list(self.command),
            "instructions": self.instructions,
            "threads": self.threads,
            "ended": self.ended,
        }


def processes(images: Sequence[Image]) -> int:
    """How many processes they are of: what a process executes is another image of it."""
    return max(1, sum(image.origin != "exec" for image in images))


#: Asks for all images together, or for the one with the most instructions.
ALL, ONE = "all", "one"

#: With a smaller share of a run's instructions one image does not stand for it.
MOST = 0.8


def together(images: Sequence[Image]) -> Image:
    """One image that stands for all, in the order of their numbers; a single one is itself."""
    parts = tuple(sorted(images, key=lambda image: image.number))
    if len(parts) == 1:
        return parts[0]
    return Image(
        number=0,
        pid=parts[0].pid,
        parent=parts[0].parent,
        origin=parts[0].origin,
        command=parts[0].command,
        instructions=sum(part.instructions for part in parts),
        threads=sum(part.threads for part in parts),
        ended=all(part.ended for part in parts),
        files=tuple(file for part in parts for file in part.files),
        cut=any(part.cut for part in parts),
        stopped=any(part.stopped for part in parts),
        parts=parts,
    )


def largest(images: Sequence[Image]) -> Image:
    """The image with the most instructions; of equal ones the first."""
    return max(images, key=lambda image: (image.instructions, -image.number))


def chosen(images: Sequence[Image], wanted: str | None, *, joins: bool = False) -> Image | None:
    """The image to analyse.

    Args:
        images: those of the run, at least one.
        wanted: an image's number, a pid, or a program's name; where several fit (one name, or one pid
            after exec) the one with the most instructions. `all`: all of them together. `one`: the one with
            the most of all. None: that one, or all where it has less than 80% of the instructions.
        joins: whether images can be put together, where nothing is wanted.

    Returns:
        None if no image is meant by `wanted`.
    """
    if wanted is None:
        one = largest(images)
        share = one.instructions / max(1, sum(image.instructions for image in images))
        return together(images) if joins and share < MOST else one
    for fits in (
        [image for image in images if wanted == str(image.number)],
        [image for image in images if wanted == str(image.pid)],
        [image for image in images if wanted in (image.program, *image.command[:1])],
    ):
        if fits:
            return largest(fits)
    return {ALL: together, ONE: largest}[wanted](images) if wanted in (ALL, ONE) else None


def listing(images: Sequence[Image], analysed: Image | None = None, most: int = 12) -> str:
    """A table for people, one line an image; the one analysed is marked.

    Args:
        images: of a run.
        analysed: which of them is.
        most: lines of images. Of more, those with most instructions and the one analysed are shown, and a
            line says how many are not.
    """
    kept = sorted(images, key=lambda image: (image is not analysed, -image.instructions, image.number))[:most]
    shown = {image.number for image in (images if len(images) <= most + 1 else kept)}
    lines = [f"   {'no.':>4} {'pid':>8} {'parent':>8}  {'instructions':>18}  program"]
    for image in (image for image in images if image.number in shown):
        mark = "->" if analysed is not None and image.number == analysed.number else "  "
        line = f"{mark} {image.number:>4} {image.pid:>8} {image.parent:>8}  {image.instructions:>18,}"
        lines.append(f"{line}  {in_a_line(image.program)}{' (forked)' if image.origin == 'fork' else ''}")
    if others := [image.instructions for image in images if image.number not in shown]:
        share = sum(others) / max(1, sum(image.instructions for image in images))
        lines.append(f"   and {len(others):,} more, {share:.1%} of all instructions; run.json lists them all")
    return "\n".join(lines)


def _alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True
