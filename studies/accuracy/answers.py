"""The answers of all programs, looked up and averaged."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from designs import ALL_BUDGETS
from machines import MACHINES
from needed import fewest

#: program -> what `experiments.everything` says of it.
Results = dict[str, dict[str, Any]]
Way = tuple[str, str]


@dataclass(frozen=True)
class Answers:
    """Of some programs and machines.

    Attributes:
        results: by program.
        machines: which of them.
    """

    results: Results
    machines: Sequence[str] = MACHINES
    _found: dict[tuple[str, str, str, str, int, str], dict[str, Any]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for program, result in self.results.items():
            for row in result["estimates"]:
                key = (
                    program,
                    *(row[name] for name in ("machine", "method", "signature", "budget", "metric")),
                )
                self._found[key] = row

    def on(self, machine: str) -> Answers:
        """On one machine alone."""
        return Answers(self.results, [machine], self._found)

    def cases(self) -> list[tuple[str, str]]:
        """(program, machine), each of which counts once."""
        return [(program, machine) for program in self.results for machine in self.machines]

    def one(self, case: tuple[str, str], way: Way, budget: int, metric: str = "cpi") -> dict[str, Any]:
        """Error and interval of a program on a machine."""
        return self._found[(*case, *way, budget, metric)]

    def each(self, what: str, way: Way, budget: int, metric: str = "cpi") -> list[float]:
        """One number of each case; NaN where there is none."""
        rows = [self._found.get((*case, *way, budget, metric), {}) for case in self.cases()]
        return [row.get(what, math.nan) for row in rows]

    def mean(self, what: str, way: Way, budget: int, metric: str = "cpi") -> float:
        """Over the cases that have it."""
        return _over(np.mean, self.each(what, way, budget, metric))

    def median(self, what: str, way: Way, budget: int, metric: str = "cpi") -> float:
        """Over the cases that have it."""
        return _over(np.median, self.each(what, way, budget, metric))

    def worst(self, way: Way, budget: int) -> tuple[str, str, float]:
        """Program and machine with the largest mean error of CPI, and that."""
        of = dict(zip(self.cases(), self.each("error", way, budget), strict=True))
        case = max(of, key=lambda case: of[case])
        return *case, of[case]

    def needed(self, what: str, way: Way, target: float) -> list[float]:
        """Of each case the fewest points whose error or half-width of CPI is at most the target."""
        curves = zip(*(self.each(what, way, budget) for budget in ALL_BUDGETS), strict=True)
        return [fewest(ALL_BUDGETS, curve, target) for curve in curves]


def _over(statistic: Callable[[Iterable[float]], Any], values: list[float]) -> float:
    known = [value for value in values if not math.isnan(value)]
    return float(statistic(known)) if known else math.nan
