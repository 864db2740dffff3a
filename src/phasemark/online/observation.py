"""What a tracker says of intervals."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    import pandas as pd


class Observation(NamedTuple):
    """What became of an interval.

    Attributes:
        phase: its phase, from 1, in the order in which phases were found, and never used again for another; 0
            while it belongs to none: the transition phase.
        distance: L1 between normalised signatures, 0 to 2: to the one that was matched; of a new one to the
            nearest there was, 2 where there was none.
        new: whether nothing stored was near enough, so that its signature was stored.
    """

    phase: int
    distance: float
    new: bool


@dataclass(frozen=True, eq=False, repr=False)
class Observations:
    """Observations of n intervals; see Observation.

    Attributes:
        phase: n int64.
        distance: n doubles.
        new: n bools.
    """

    phase: NDArray[np.int64]
    distance: NDArray[np.float64]
    new: NDArray[np.bool_]

    def __len__(self) -> int:
        return len(self.phase)

    def __getitem__(self, row: int) -> Observation:
        return Observation(int(self.phase[row]), float(self.distance[row]), bool(self.new[row]))

    def __repr__(self) -> str:
        phases = len(np.unique(self.phase[self.phase > 0]))
        return f"<Observations: {len(self):,} intervals, {phases:,} phases, {int(self.new.sum()):,} new>"

    def frame(self) -> pd.DataFrame:
        """A table with columns phase, distance and new, one row an interval."""
        import pandas as pd

        return pd.DataFrame({"phase": self.phase, "distance": self.distance, "new": self.new})
