"""SimPoint's own frequency vectors, and whatever no other dialect claims: `T:id:count :id:count`.

Ids start from 1. The format says nothing of the tool that wrote it.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from phasemark.formats.vectors.dialect import Dialect, Facts
from phasemark.formats.vectors.scanning import Outline

if TYPE_CHECKING:
    from phasemark.model import Profile

__all__ = ["DIALECT", "read", "sniff", "write"]


def sniff(vectors: Outline) -> bool:
    """Any file of vectors with two fields to an entry."""
    return vectors.layout.fields in (0, 2)


def read(vectors: Outline) -> Facts:
    """Nothing beyond the vectors."""
    return Facts()


def write(profile: Profile, path: Path) -> tuple[Path, ...]:
    """Write `T:id:count :id:count `; gzip when the name ends in .gz; one file a thread.

    Raises:
        WorkError: a file cannot be written.
    """
    from phasemark.formats.vectors.text import write_threads

    return write_threads(profile, path, separator=" ")


DIALECT = Dialect(
    name="simpoint",
    tool="simpoint",
    block_definition="",
    drops_tail=False,
    sniff=sniff,
    read=read,
    write=write,
)
