"""What a comparison of models comes to, in words: which is best by what, and whether any beats SimPoint."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from phasemark.phases import SimPoint
from phasemark.store.models_csv import FitRow, PointsRow

#: What all others are held against.
BASELINE = SimPoint.name


@dataclass(frozen=True)
class Verdict:
    """The best of all fits by one criterion.

    Attributes:
        criterion: `log_likelihood`, `bic`, `held_out`, `cov` or `interval_error`.
        model, representation, states: the best; of several seeds by their mean.
        how: for the errors of points: method and estimator; else empty.
        value: its value.
        baseline: the best value of SimPoint's; NaN where it is not among the models.
        better: model and representation -> at how many of the numbers of states, of how many, it is better
            than SimPoint.
        how_compared: for the errors of points: method and estimator that `better` goes by, the first; else
            empty.
    """

    criterion: str
    model: str
    representation: str
    states: int
    how: str
    value: float
    baseline: float
    better: dict[str, tuple[int, int]]
    how_compared: str

    @property
    def nothing_better(self) -> bool:
        """Whether SimPoint is among the models, and no other is better than it."""
        return not math.isnan(self.baseline) and self.value == self.baseline


#: Criterion -> whether more is better.
_OF_FITS = {"log_likelihood": True, "bic": True, "held_out": True, "cov": False}

_Row = FitRow | PointsRow


def verdicts(fits: Sequence[FitRow], estimates: Sequence[PointsRow]) -> tuple[Verdict, ...]:
    """One a criterion, of those that are known of any fit."""
    found = [
        _verdict(name, fits, lambda row, name=name: float(getattr(row, name)), more=more)  # type: ignore[misc]
        for name, more in _OF_FITS.items()
    ]
    found.append(
        _verdict("interval_error", estimates, lambda row: float(row.interval_error), more=False)  # type: ignore[union-attr]
    )
    return tuple(one for one in found if one is not None)


def _verdict(
    criterion: str, rows: Sequence[_Row], value: Callable[[_Row], float], *, more: bool
) -> Verdict | None:
    means = _means(rows, value)
    if not means:
        return None
    sign = -1.0 if more else 1.0
    best = min(means, key=lambda key: sign * means[key])
    of_baseline = [sign * mean for key, mean in means.items() if key[0] == BASELINE]
    first = next(iter(means))[3]
    better: dict[str, tuple[int, int]] = {}
    against = {key[2]: mean for key, mean in means.items() if key[0] == BASELINE and key[3] == first}
    for (model, seen, states, how), mean in means.items():
        if model != BASELINE and how == first and states in against:
            name = f"{model} ({seen})"
            won, of = better.get(name, (0, 0))
            better[name] = (won + (sign * mean < sign * against[states]), of + 1)
    baseline = sign * min(of_baseline) if of_baseline else math.nan
    return Verdict(criterion, best[0], best[1], best[2], best[3], means[best], baseline, better, first)


def _means(rows: Sequence[_Row], value: Callable[[_Row], float]) -> dict[tuple[str, str, int, str], float]:
    """Over seeds, of those that are known."""
    values: dict[tuple[str, str, int, str], list[float]] = {}
    for row in rows:
        how = f"{row.method}, {row.estimator}" if isinstance(row, PointsRow) else ""
        if not math.isnan(value(row)):
            values.setdefault((row.model, row.representation, row.states, how), []).append(value(row))
    return {key: float(np.mean(of)) for key, of in values.items()}
