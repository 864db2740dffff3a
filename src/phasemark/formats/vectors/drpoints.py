"""DynamoRIO's DrPoints: `T:1:20 :2:30 `, in drpoints.APP.PID.ID.bbv.

Blocks are numbered from 1 as they are first executed; an interval ends with the first block that reaches
N, and the next begins anew at 0 (clients/drpoints/drpoints.cpp). What follows the last whole interval is
not written.
"""

from __future__ import annotations

from phasemark.formats.vectors import lengths, numbering
from phasemark.formats.vectors.dialect import Dialect, Facts
from phasemark.formats.vectors.scanning import Outline

__all__ = ["DIALECT", "read", "sniff"]


def sniff(vectors: Outline) -> bool:
    """Single blanks, ids in order of first execution, every interval N or up to a block longer."""
    return (
        numbering.single_blanks(vectors)
        and lengths.begins_anew(vectors.lengths) is not None
        and numbering.by_first_execution(vectors)
    )


def read(vectors: Outline) -> Facts:
    """The interval length, from the shortest interval."""
    return Facts(interval=lengths.begins_anew(vectors.lengths))


DIALECT = Dialect(
    name="drpoints",
    tool="drpoints",
    block_definition="dynamic basic block of DynamoRIO, tails duplicated",
    drops_tail=True,
    sniff=sniff,
    read=read,
    numbered="are numbered in the order in which a run comes to them",
)
