"""gem5's SimPoint probe: `T:1:20 :2:30 `, gzipped.

Blocks are numbered from 1 as they are first executed, ids ascend, and an interval ends with the first
control instruction at or after N; the surplus is carried over to the next (src/cpu/simple/probes/
simpoint.cc). What follows the last whole interval is not written. NEMU's vectors come from the same code.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from phasemark.formats.vectors import lengths, numbering
from phasemark.formats.vectors.dialect import Dialect, Facts
from phasemark.formats.vectors.scanning import Outline

if TYPE_CHECKING:
    from phasemark.model import Profile

__all__ = ["DIALECT", "read", "sniff", "write"]


def sniff(vectors: Outline) -> bool:
    """Single blanks, ascending ids in order of first execution, and a surplus carried over."""
    return (
        numbering.single_blanks(vectors)
        and vectors.layout.rows_not_ascending == 0
        and lengths.carries_surplus_over(vectors.lengths) is not None
        and numbering.by_first_execution(vectors)
    )


def read(vectors: Outline) -> Facts:
    """The interval length, from the ends of the intervals."""
    return Facts(interval=lengths.carries_surplus_over(vectors.lengths))


def write(profile: Profile, path: Path) -> tuple[Path, ...]:
    """Write `simpoint.bb.gz` as gem5 does, one file a thread.

    Raises:
        WorkError: a file cannot be written.
    """
    from phasemark.formats.vectors.text import write_threads

    return write_threads(profile, path, separator=" ")


DIALECT = Dialect(
    name="gem5",
    tool="gem5",
    block_definition="instructions up to a control instruction, by first and last address (gem5)",
    drops_tail=True,
    sniff=sniff,
    read=read,
    write=write,
    numbered="are numbered in the order in which a run comes to them",
)
