"""Signatures: intervals as points in a space of few dimensions."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from phasemark.model import _show
from phasemark.model._check import Value, column, matrix, put, require_weights
from phasemark.model._frames import beside

if TYPE_CHECKING:
    import pandas as pd

    from phasemark.model.intervals import Intervals


@dataclass(frozen=True)
class Recipe:
    """How the matrix was made, so that it can be made again.

    Attributes:
        normalisation: `l1` (each row divided by its sum) or `none`.
        projection: `uniform` (random linear, entries uniform in [-1, 1]) or `none`.
        dims: number of columns.
        seed: of the projection.
        key: what names a block to the projection: `module+offset` or `id`; `site` where loops, calls and
            returns were counted, not blocks.
        events: the counters whose rates are the last columns; empty of code alone.
    """

    normalisation: str
    projection: str
    dims: int
    seed: int
    key: str
    events: str = ""


@dataclass(frozen=True, eq=False, repr=False)
class Signatures(Value):
    """One row an interval.

    Attributes:
        matrix: n x d doubles; rows in the order of the profile's intervals.
        weights: n doubles that sum to 1: share of the instructions.
        recipe: how the matrix was made.

    Raises:
        DataError: a value that is not finite, or weights that do not sum to 1.
    """

    matrix: NDArray[np.float64]
    weights: NDArray[np.float64]
    recipe: Recipe

    def __post_init__(self) -> None:
        put(self, "matrix", matrix("the signature matrix", self.matrix))
        put(self, "weights", column("weights", self.weights, np.float64, len(self.matrix)))
        require_weights(self.weights, "signatures")

    def __len__(self) -> int:
        return len(self.matrix)

    def __repr__(self) -> str:
        recipe = self.recipe
        facts = {"intervals": len(self), "dims": self.matrix.shape[1], "projection": recipe.projection}
        return _show.line(self, **facts, seed=None if recipe.projection == "none" else recipe.seed)

    def frame(self, intervals: Intervals | None = None) -> pd.DataFrame:
        """A table with columns weight, x0, x1 ..., one row an interval.

        Args:
            intervals: those that have these signatures, whose columns then come first.

        Raises:
            DataError: the number of intervals differs.
        """
        import pandas as pd

        columns = {f"x{dimension}": column for dimension, column in enumerate(self.matrix.T)}
        table = pd.DataFrame({"weight": self.weights, **columns})
        return beside(intervals, table)
