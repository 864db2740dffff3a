"""NEMU and XiangShan with addresses: `T:pc1:pc2:id:count :pc1:pc2:id:count`.

pc1 and pc2 are the first and last address of the block. Without addresses NEMU writes what gem5 writes.
"""

from __future__ import annotations

from phasemark.formats.vectors import lengths
from phasemark.formats.vectors.dialect import BlockFacts, Dialect, Facts
from phasemark.formats.vectors.scanning import Outline

__all__ = ["DIALECT", "read", "sniff"]


def sniff(vectors: Outline) -> bool:
    """Four fields to an entry."""
    return vectors.layout.fields == 4


def read(vectors: Outline) -> Facts:
    """The blocks' addresses."""
    return Facts(
        interval=lengths.carries_surplus_over(vectors.lengths),
        blocks={block: BlockFacts(function=place, place=place) for block, place in vectors.places.items()},
    )


DIALECT = Dialect(
    name="nemu",
    tool="nemu",
    block_definition="instructions up to a control instruction, by first and last address (gem5)",
    drops_tail=True,
    sniff=sniff,
    read=read,
    numbered="are numbered in the order in which a run comes to them",
)
