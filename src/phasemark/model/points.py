"""Points: the intervals to simulate, in ONE table."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from phasemark.errors import DataError
from phasemark.model._check import column, put, require, require_weights

if TYPE_CHECKING:
    import pandas as pd

_DTYPES = {
    "run": np.int32,
    "thread": np.int32,
    "interval": np.int64,
    "phase": np.int32,
    "start": np.int64,
    "end": np.int64,
    "warmup": np.int64,
    "weight": np.float64,
}


@dataclass(frozen=True, eq=False)
class Points:
    """Simulation points, ordered by run, thread and start.

    Attributes:
        run, thread, interval: the interval, by its key in the profile.
        phase: the phase that the point stands for, int32.
        start, end: instructions of the thread, half-open [start, end).
        warmup: instructions to warm up before start; start - warmup is never below 0.
        weight: share of the covered instructions that the point stands for; they sum to 1.
        coverage: share of all instructions that the chosen phases make up.

    Raises:
        DataError: weights that do not sum to 1, an empty point, a warm-up before instruction 0.
    """

    run: NDArray[np.int32]
    thread: NDArray[np.int32]
    interval: NDArray[np.int64]
    phase: NDArray[np.int32]
    start: NDArray[np.int64]
    end: NDArray[np.int64]
    warmup: NDArray[np.int64]
    weight: NDArray[np.float64]
    coverage: float = 1.0

    def __post_init__(self) -> None:
        n = len(self.start)
        for name, dtype in _DTYPES.items():
            put(self, name, column(name, getattr(self, name), dtype, n))
        require(self.end > self.start, "a point has no instruction")
        require((self.start >= 0) & (self.warmup >= 0), "a point starts or warms up before instruction 0")
        require(
            self.start >= self.warmup, "a warm-up reaches back before instruction 0", "shorten the warm-up"
        )
        require_weights(self.weight, "points")
        if not 0.0 <= self.coverage <= 1.0 + 1e-9:
            raise DataError(f"coverage {self.coverage} is not between 0 and 1")

    def __len__(self) -> int:
        return len(self.start)

    @property
    def instructions(self) -> int:
        """Instructions of all points, warm-up apart."""
        return int(np.sum(self.end - self.start))

    def frame(self) -> pd.DataFrame:
        """A table with columns run, thread, interval, phase, start, end, warmup, weight."""
        import pandas as pd

        return pd.DataFrame({name: getattr(self, name) for name in _DTYPES})
