"""Counts of blocks in fewer dimensions that are still counts: from 0, and with every row's sum.

"Discovering the Runtime Structure of Software with Probabilistic Generative Models", sections 1.2 and 2.2.
"""

from __future__ import annotations

from typing import Literal, get_args

import numpy as np
from numpy.typing import NDArray

import phasemark._core as core
from phasemark.errors import UsageError, shown
from phasemark.model.options import require_whole
from phasemark.phases.evidence import Doubles, Evidence

#: FULLDIM: the blocks themselves. PROJREWEIGHT: each block's counts shared out by its own random weights.
#: PROJRAND: a random projection of which each row is shifted and scaled to be counts again.
Representation = Literal["full", "reweight", "random"]

REPRESENTATIONS: tuple[str, ...] = get_args(Representation)

#: Below so many blocks, so many dimensions; and those of more blocks.
_RULE = ((2_000, 15), (10_000, 50), (20_000, 75))
_MOST = 100

#: Of PROJRAND: a share of a third of the entries is not 0, as often 1 as -1 (Achlioptas, 2003).
_SIGNED = 1 / 6


def dimensions(blocks: int) -> int:
    """How many dimensions the paper projects so many blocks to."""
    return next((dims for below, dims in _RULE if blocks < below), _MOST)


def check(representation: str, dims: int | None) -> None:
    """See that there is such a representation.

    Raises:
        UsageError: there is none, or `dims` makes no sense.
    """
    if representation not in REPRESENTATIONS:
        raise UsageError(
            f"representation is {shown(representation)}", hint=f"use one of {', '.join(REPRESENTATIONS)}"
        )
    require_whole(dims=dims)
    if dims is not None and dims < 1:
        raise UsageError(f"dims is {dims}", hint="it must be at least 1")
    if dims is not None and representation == "full":
        raise UsageError(
            "dims says to how many dimensions to project, and nothing is projected",
            hint="choose representation reweight or random",
        )


def represented(evidence: Evidence, representation: str, dims: int | None, seed: int) -> Evidence:
    """The rows in a representation.

    What a block becomes is a function of the seed and of its number alone.

    Args:
        evidence: n rows over d blocks.
        representation: one of REPRESENTATIONS.
        dims: how many dimensions; None: by the paper's rule for d.
        seed: of the projection; any whole number.
    """
    if representation == "full":
        return evidence
    dims = dimensions(evidence.columns) if dims is None else dims
    numbers = np.arange(evidence.columns, dtype=np.uint64)
    # In (-1, 1), multiples of 2^-20.
    drawn = core.projection_rows(numbers, seed % 2**64, dims) / np.float64(2**20)
    rows = _reweighted(evidence, drawn) if representation == "reweight" else _shifted(evidence, drawn)
    return _dense(rows, evidence.weights)


def _reweighted(evidence: Evidence, drawn: Doubles) -> Doubles:
    """PROJREWEIGHT: entries uniform in (0, 1), each block's scaled to sum 1."""
    uniform = (drawn + 1) / 2
    return evidence.times(uniform / uniform.sum(axis=1, keepdims=True))


def _shifted(evidence: Evidence, drawn: Doubles) -> Doubles:
    """PROJRAND: entries -1, 0 and 1; the least of a row is then 0, and its sum that of the counts."""
    cut = 1 - 2 * _SIGNED
    signs = np.where(np.abs(drawn) > cut, np.sign(drawn), 0.0)
    rows = evidence.times(signs)
    rows -= rows.min(axis=1, keepdims=True)
    sums = rows.sum(axis=1, keepdims=True)
    even = np.full_like(rows, 1 / rows.shape[1])
    # All entries alike say nothing, and are shared out evenly.
    shares: Doubles = np.divide(rows, sums, out=even, where=sums > 0)
    return shares * evidence.sums[:, None]


def _dense(rows: Doubles, weights: Doubles) -> Evidence:
    n, dims = rows.shape
    indices: NDArray[np.int32] = np.tile(np.arange(dims, dtype=np.int32), n)
    return Evidence(np.arange(0, n * dims + 1, dims), indices, rows.ravel(), dims, weights)
