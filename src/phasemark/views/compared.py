"""Compared: models of phases side by side ("Probabilistic generative models", figures 2 and 3)."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from phasemark.store import models_csv, tables
from phasemark.store.models_csv import FitRow, PointsRow

#: Ways to choose points and to estimate from them that are drawn, if they were tried: those of figure 3.
SHOWN = (("cluster-center", "epm1"), ("max-posterior", "epm2"))
#: That of figure 2.
OF_LIKELIHOOD = ("obs-model-dist-1", "epm1")
#: What stands in where a model has no such points, as SimPoint has no posterior.
_ELSE = ("nearest", "epm1")

#: A model and what it saw.
Series = tuple[str, str]


@dataclass(frozen=True)
class Compared:
    """What `phasemark models` found.

    Attributes:
        fits, points: as in models.csv and models-points.csv.
        metric: that the points estimate; empty where that is not known.
    """

    fits: tuple[FitRow, ...]
    points: tuple[PointsRow, ...] = ()
    metric: str = ""

    @property
    def series(self) -> list[Series]:
        """Models and representations, in the order of the file."""
        return list(dict.fromkeys((fit.model, fit.representation) for fit in self.fits))

    def likelihoods(self, series: Series) -> list[tuple[float, float, float, float]]:
        """Of each number of states: states, mean, lowest and highest log likelihood over seeds."""
        mine = [fit for fit in self.fits if (fit.model, fit.representation) == series]
        return _gathered([(fit.states, fit.states, fit.log_likelihood) for fit in mine])

    @property
    def ways(self) -> list[tuple[str, str]]:
        """How points were chosen and used, of what is drawn against points: two at most."""
        tried = list(dict.fromkeys((row.method, row.estimator) for row in self.points))
        return [way for way in SHOWN if way in tried] or tried[:1]

    @property
    def of_likelihood(self) -> tuple[str, str] | None:
        """The way that errors against likelihoods are of."""
        tried = [(row.method, row.estimator) for row in self.points]
        return OF_LIKELIHOOD if OF_LIKELIHOOD in tried else tried[0] if tried else None

    def errors(self, series: Series, way: tuple[str, str]) -> list[tuple[float, float, float, float]]:
        """Of each number of states: mean points; mean, lowest and highest error (`error_of`) over seeds."""
        return _gathered([(row.states, row.points, self.error_of(row)) for row in self._rows(series, way)])

    def states(self, series: Series, way: tuple[str, str]) -> list[int]:
        """The numbers of states that `errors` are of."""
        known = {row.states for row in self._rows(series, way) if math.isfinite(self.error_of(row))}
        return sorted(known)

    def stands_in(self, series: Series, way: tuple[str, str]) -> bool:
        """Whether a model has no points that were chosen and used so: its nearest are drawn instead."""
        rows = self._rows(series, way)
        return bool(rows) and (rows[0].method, rows[0].estimator) != way

    def error_of_fit(self, fit: FitRow) -> float:
        """A fit's error, as `of_likelihood` chooses points; NaN where it is not known."""
        way, series = self.of_likelihood, (fit.model, fit.representation)
        rows = [row for row in self._rows(series, way) if row.key == fit.key] if way else []
        return self.error_of(rows[0]) if rows else math.nan

    def against_likelihood(self, series: Series) -> list[tuple[float, float]]:
        """Log likelihood and error of each fit."""
        way = self.of_likelihood
        rows = {row.key: self.error_of(row) for row in self._rows(series, way)} if way else {}
        return [(fit.log_likelihood, rows[fit.key]) for fit in self.fits if fit.key in rows]

    @property
    def by_interval(self) -> bool:
        """Whether errors are those of single intervals (E_I), else of the whole run (E_R)."""
        return any(math.isfinite(row.interval_error) for row in self.points)

    def error_of(self, row: PointsRow) -> float:
        """A relative error: of single intervals where they were measured, else of the whole run."""
        return row.interval_error if self.by_interval else abs(row.error)

    def _rows(self, series: Series, way: tuple[str, str]) -> list[PointsRow]:
        mine = [row for row in self.points if (row.model, row.representation) == series]
        found = [row for row in mine if (row.method, row.estimator) == way]
        return found or [row for row in mine if (row.method, row.estimator) == _ELSE]


def read(fits: Path, points: Path) -> Compared:
    """A comparison from its two files, of which the second may not be there.

    Raises:
        DataError: malformed; names the file.
    """
    rows = models_csv.read_points(points) if points.exists() else ()
    return Compared(models_csv.read(fits), rows, tables.comment(fits).get("metric", ""))


def _gathered(rows: Sequence[tuple[int, float, float]]) -> list[tuple[float, float, float, float]]:
    """Rows of (states, x, y) by states: means of x and y, lowest and highest y; a y of NaN is left out."""
    known = [row for row in rows if math.isfinite(row[2])]
    found = []
    for states in sorted({row[0] for row in known}):
        xs, ys = (np.array([row[at] for row in known if row[0] == states]) for at in (1, 2))
        found.append((float(xs.mean()), float(ys.mean()), float(ys.min()), float(ys.max())))
    return found
