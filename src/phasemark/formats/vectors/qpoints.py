"""qpoints, a QEMU plugin: `T :1:20 :2:30`, a blank after the T.

It writes the 100 hottest blocks of an interval and leaves out the others, whose counts appear later or
never; what follows the last whole interval is not written (bbv.cc).
"""

from __future__ import annotations

from phasemark.formats.vectors.dialect import Dialect, Facts
from phasemark.formats.vectors.scanning import Outline

__all__ = ["DIALECT", "read", "sniff"]

#: The most blocks qpoints writes of an interval.
_HOTTEST = 100


def sniff(vectors: Outline) -> bool:
    """A blank after every T."""
    layout = vectors.layout
    return layout.fields == 2 and layout.rows_with_blank_t == layout.filled_rows


def read(vectors: Outline) -> Facts:
    """That blocks are missing, where an interval has as many as qpoints writes."""
    full = sum(size >= _HOTTEST for size in vectors.sizes.tolist())
    if not full:
        return Facts()
    return Facts(
        warnings=(
            f"{full:,} of {len(vectors):,} intervals name {_HOTTEST} blocks: qpoints writes the {_HOTTEST} "
            "hottest and leaves out the rest",
        )
    )


DIALECT = Dialect(
    name="qpoints",
    tool="qpoints",
    block_definition="translation block of QEMU",
    drops_tail=True,
    sniff=sniff,
    read=read,
)
