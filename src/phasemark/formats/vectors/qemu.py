"""QEMU's contrib plugin bbv: `T:0:20 :7:30 `, a file name.VCPU.bb each virtual processor.

Ids start from 0 and stand in the order of a hash table; they have no addresses. All processors share
them. The surplus is carried over; what follows the last whole interval is not written
(contrib/plugins/bbv.c).
"""

from __future__ import annotations

from phasemark.formats.vectors import lengths
from phasemark.formats.vectors.dialect import Dialect, Facts
from phasemark.formats.vectors.scanning import Outline

__all__ = ["DIALECT", "read", "sniff"]


def sniff(vectors: Outline) -> bool:
    """An id of 0, which no other dialect uses."""
    return vectors.layout.fields == 2 and len(vectors.blocks) > 0 and int(vectors.blocks[0]) == 0


def read(vectors: Outline) -> Facts:
    """The interval length, where the intervals' ends show it."""
    return Facts(interval=lengths.carries_surplus_over(vectors.lengths))


DIALECT = Dialect(
    name="qemu",
    tool="qemu-bbv",
    block_definition="translation block of QEMU",
    drops_tail=True,
    sniff=sniff,
    read=read,
    numbered="are numbered in the order in which a run translates them",
)
