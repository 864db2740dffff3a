"""How a file numbers its blocks, by which tools that write alike are told apart."""

from __future__ import annotations

import itertools

from phasemark.formats.vectors.scanning import Outline

__all__ = ["by_first_execution", "single_blanks"]


def by_first_execution(vectors: Outline) -> bool:
    """Whether blocks are numbered 1, 2, 3 ... in the order in which intervals first name them."""
    n = len(vectors.blocks)
    if not n or int(vectors.blocks[0]) != 1 or int(vectors.blocks[-1]) != n:
        return False
    return all(earlier <= later for earlier, later in itertools.pairwise(vectors.first.tolist()))


def single_blanks(vectors: Outline) -> bool:
    """Whether every entry is followed by one blank, as C programs write `:%u:%lu `."""
    layout = vectors.layout
    return (
        layout.fields == 2
        and layout.rows_ending_blank == layout.filled_rows
        and layout.rows_with_blank_t == 0
        and layout.narrowest_gap == layout.widest_gap
        and layout.widest_gap <= 1
    )
