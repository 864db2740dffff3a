"""Metrics: what a simulator or the hardware counted, interval by interval."""

from __future__ import annotations

import itertools
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from phasemark.errors import DataError, named, shown
from phasemark.model import _show
from phasemark.model._check import Value, column, put, require
from phasemark.model.ratios import RATIOS, Ratio

if TYPE_CHECKING:
    import pandas as pd

#: Of larger counts no square could be told.
_LARGEST = 1e100

#: The key of a row.
KEY = {"run": np.int32, "thread": np.int32, "index": np.int64, "start": np.int64, "length": np.int64}


@dataclass(frozen=True, eq=False, repr=False)
class Metrics(Value):
    """Counters of intervals: of all of a run, or of those that were simulated.

    Rows are ordered by (run, thread, index), each once; they need not tile a thread.

    Attributes:
        run, thread, index: the interval, by its key in the profile: one cut of the run.
        start, length: instructions of the thread, half-open [start, start + length).
        counters: name -> count per row, float64; what was not measured is NaN, never 0.
        units: name -> what the counter counts (`instructions`, `cycles`, `events`, `pJ` ...).
        source: what measured (`timing model modern`, `gem5`, `perf stat` ...).

    Raises:
        DataError: rows out of order, a negative or infinite count, or a counter that ratios are made of in
            another unit than theirs.
    """

    run: NDArray[np.int32]
    thread: NDArray[np.int32]
    index: NDArray[np.int64]
    start: NDArray[np.int64]
    length: NDArray[np.int64]
    counters: Mapping[str, NDArray[np.float64]]
    units: Mapping[str, str] = field(default_factory=dict)
    source: str = ""

    def __post_init__(self) -> None:
        n = len(self.start)
        for name, dtype in KEY.items():
            put(self, name, column(name, getattr(self, name), dtype, n))
        counters = {name: column(name, values, np.float64, n) for name, values in self.counters.items()}
        put(self, "counters", counters)
        put(self, "units", {name: self.units.get(name, default_unit(name)) for name in counters})
        self._check()

    def _check(self) -> None:
        require((self.start >= 0) & (self.length > 0), "a row has no instruction, or starts before the first")
        keys = list(zip(self.run.tolist(), self.thread.tolist(), self.index.tolist(), strict=True))
        later = [before < after for before, after in itertools.pairwise(keys)]
        require(
            np.array([True, *later])[: len(self)],
            "the rows are not ordered by run, thread and index, each once",
            "sort them, and leave out what stands twice",
        )
        for name, values in self.counters.items():
            if name in KEY:
                raise DataError(f"a counter is called {name}", hint="give it another name")
            require_unit(name, self.units[name])
            require(
                np.isnan(values) | ((values >= 0) & np.isfinite(values)), f"{name} is negative or infinite"
            )
            require(~(values > _LARGEST), f"{name} is too large to be true")

    def __len__(self) -> int:
        return len(self.start)

    def with_instructions(self) -> Metrics:
        """The same metrics; where no instructions were counted, the intervals' lengths stand for them."""
        return self if "instructions" in self.counters else self._with_lengths

    @cached_property
    def _with_lengths(self) -> Metrics:
        """Asked for again and again, and to check thousands of counters takes its time."""
        return replace(self, counters={"instructions": self.length.astype(np.float64), **self.counters})

    def ratios(self) -> dict[str, Ratio]:
        """The ratios (CPI, miss rates, MPKI ...) whose numerator and denominator were counted."""
        known = self.counters
        return {r.name: r for r in RATIOS if r.numerator in known and r.denominator in known}

    def values(self, name: str) -> NDArray[np.float64]:
        """A ratio or counter per row, float64; NaN where it was not measured, or its denominator is 0.

        Raises:
            DataError: there is no such ratio or counter.
        """
        if name in self.counters:
            return self.counters[name]
        ratio = self.ratios().get(name)
        if ratio is None:
            known = named([*self.ratios(), *self.counters])
            raise DataError(f"no metric {shown(name)} was measured", hint=f"choose one of: {known}")
        return ratio.of(self.counters[ratio.numerator], self.counters[ratio.denominator])

    def rows(
        self, run: NDArray[np.int32], thread: NDArray[np.int32], index: NDArray[np.int64]
    ) -> NDArray[np.int64]:
        """The row of each interval asked for, int64; -1 where it has none.

        A key means one interval in one cut of the run, and another in another cut: quality.measured.rows_of
        also compares where they lie.
        """
        keys = zip(self.run.tolist(), self.thread.tolist(), self.index.tolist(), strict=True)
        at = {key: row for row, key in enumerate(keys)}
        asked = zip(run.tolist(), thread.tolist(), index.tolist(), strict=True)
        return np.array([at.get(key, -1) for key in asked], np.int64)

    def frame(self) -> pd.DataFrame:
        """A table with columns run, thread, index, start, length, then one per counter."""
        import pandas as pd

        return pd.DataFrame({**{name: getattr(self, name) for name in KEY}, **self.counters})

    def __repr__(self) -> str:
        return _show.line(self, intervals=len(self), counters=len(self.counters), source=self.source or None)

    def _repr_html_(self) -> str:
        return _show.table(self, self.frame())


def default_unit(counter: str) -> str:
    """The unit of a counter by its name: those of time and energy have their own, others are events."""
    return {"instructions": "instructions", "cycles": "cycles", "energy": "pJ"}.get(counter, "events")


def require_unit(counter: str, unit: str) -> None:
    """Counters that ratios are made of come in one unit each; unlike ones would give wrong ratios.

    Raises:
        DataError: it is another.
    """
    wanted = default_unit(counter)
    if counter in _OF_RATIOS and unit != wanted:
        raise DataError(
            f"{counter} are given in {unit[:40]}, not in {wanted}",
            hint=f"convert them, or name them {counter}_{unit[:40]}",
        )


_OF_RATIOS = {name for ratio in RATIOS for name in (ratio.numerator, ratio.denominator)}
