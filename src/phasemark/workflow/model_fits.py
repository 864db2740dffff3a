"""One fit of a comparison of models: how well it describes a run, and what points of its phases estimate."""

from __future__ import annotations

import math
from functools import cached_property
from typing import Any

import numpy as np

from phasemark import phases, points, quality, signatures
from phasemark.errors import DataError, UsageError
from phasemark.estimates import estimate, full_value, interval_error, reconstruct
from phasemark.model import Counts, Intervals, Metrics, Phases, Points, Signatures
from phasemark.progress import Progress
from phasemark.store.folder import Folder
from phasemark.store.models_csv import FitRow, Key, PointsRow
from phasemark.workflow import projecting
from phasemark.workflow.estimation import whole_run
from phasemark.workflow.model_options import ModelOptions
from phasemark.workflow.phases import PhaseOptions
from phasemark.workflow.reading import NEGLIGIBLE, read

#: Need the probability of each phase.
OF_POSTERIORS = {"epm2", "max-posterior"}

#: Parts of a fit that its progress is told in.
PARTS = 100


class Subject:
    """The run that models are fitted to, and what was measured of it."""

    def __init__(self, folder: Folder, options: ModelOptions) -> None:
        self.folder, self.options = folder, options
        profile = read(folder.path)
        self.intervals: Intervals = profile.interval_table
        self.counts: Counts = signatures.counts(profile, options.signature)
        self.vectors: Counts = profile.vectors
        self.lengths = phases.sequences(self.intervals)
        self.metrics: Metrics | None = self._measured()
        self.held = self._held_back()
        self.unsettled: list[Key] = []

    def _measured(self) -> Metrics | None:
        metrics = whole_run(self.folder, self.intervals, NEGLIGIBLE)
        if metrics is None:
            return None
        metrics = metrics.with_instructions()
        name = self.options.metric
        if name not in ("ipc", *metrics.ratios()):
            try:
                metrics.values(name)
            except DataError as error:
                raise error.at(self.folder.metrics) from error
            raise UsageError(f"{name} is no ratio", hint=f"take one of {', '.join(metrics.ratios())}")
        return metrics

    def _held_back(self) -> Any:
        if not self.options.held_out or not (self.lengths > 1).any():
            return None
        return phases.held_back(self.lengths, len(self.intervals), self.options.held_out)

    @cached_property
    def values(self) -> quality.Measured | None:
        """The metric by interval."""
        if self.metrics is None:
            return None
        return quality.measured(self.metrics, self.intervals, self.options.metric)

    @cached_property
    def full(self) -> float:
        """The metric of the whole run; NaN where it was not measured."""
        return math.nan if self.metrics is None else full_value(self.metrics, self.options.metric)

    @cached_property
    def cov(self) -> float:
        """Of the metric in the whole run; NaN where it was not measured."""
        if self.values is None:
            return math.nan
        return quality.cov(self.values, np.zeros(len(self.intervals), np.int32)).before

    def fit(self, key: Key, progress: Progress | None = None) -> tuple[FitRow, list[PointsRow]]:
        """A fit, what it says of the run, and what its points estimate.

        Args:
            key: which.
            progress: told how far it has come, of `PARTS`.
        """
        first, second = _halves(progress, both=self.held is not None)
        options = self.options.of_fit(key)
        model = options.estimator()
        run = projecting.project(self.folder, options.signature_dims, options.seed, self.options.signature)
        found = phases.find(model, self.intervals, run.signatures, lambda: self.counts, progress=first)
        likely = phases.likelihood(
            found, self.counts, sequences=self.lengths, tempering=self.options.tempering
        )
        own = math.nan
        if found.states is not None:
            filled = int((self.counts.row_sums() > 0).sum())
            own = found.states.log_likelihood / (found.states.evidence * filled)
            if not found.states.converged:
                self.unsettled.append(key)
        cov = math.nan if self.values is None else quality.cov(self.values, found).total
        held_out = self._held_out(options, run.signatures, second)
        row = FitRow(*key, found.k, likely.of_run, likely.bic, held_out, own, cov)
        return row, self._estimates(key, model, found)

    def _held_out(self, options: PhaseOptions, projected: Signatures, progress: Progress | None) -> float:
        """Of a second fit, to the beginnings of threads: what it says of the rest."""
        if self.held is None:
            return math.nan
        seen = np.flatnonzero(~self.held)
        beginnings, lengths = self.counts.select(seen), phases.lengths_of(~self.held, self.lengths)
        if not len(beginnings.data):
            return math.nan
        model = options.estimator()
        weights = projected.weights[seen]
        X = beginnings if model.input == "counts" else projected.matrix[seen]
        if not weights.any():
            return math.nan
        model.fit(X, sample_weight=weights, sequences=lengths, progress=progress)
        return phases.held_out_likelihood(
            model.phases_,
            beginnings,
            self.counts,
            seen_sequences=lengths,
            sequences=self.lengths,
            tempering=self.options.tempering,
        )

    def estimated_of(self, fit: FitRow) -> set[tuple[str, str]]:
        """The methods and estimators that a fit has estimates by; see `_estimates`."""
        if self.metrics is None:
            return set()
        without = OF_POSTERIORS if math.isnan(fit.own) else set()
        return {
            (method, estimator)
            for method in self.options.methods
            for estimator in self.options.estimators
            if not without & {method, estimator}
        }

    def _estimates(self, key: Key, model: phases.PhaseModel, found: Phases) -> list[PointsRow]:
        if self.metrics is None:
            return []
        rows = []
        for method in self.options.methods:
            if method in OF_POSTERIORS and found.posterior is None:
                continue
            # The fitted model knows what its states execute.
            of = model if self.options.signature == "blocks" else found
            chosen = points.select(self.intervals, of, method=method, vectors=self.vectors)
            for estimator in self.options.estimators:
                if estimator not in OF_POSTERIORS or found.posterior is not None:
                    rows.append(self._estimate(key, found, chosen, method, estimator))
        return rows

    def _estimate(self, key: Key, found: Phases, chosen: Points, method: str, estimator: str) -> PointsRow:
        assert self.metrics is not None and self.values is not None
        name, of = self.options.metric, {"intervals": self.intervals, "phases": found}
        whole = estimate(chosen, self.metrics, names=[name], estimator=estimator, **of)  # type: ignore[arg-type]
        each = reconstruct(
            chosen,
            self.metrics,
            self.intervals,
            found,
            name,
            estimator="epm1" if estimator == "weights" else estimator,
        )
        there = np.isfinite(self.values.values) & np.isfinite(each)
        names = zip(chosen.run.tolist(), chosen.thread.tolist(), chosen.interval.tolist(), strict=True)
        length = dict(zip(names, (chosen.end - chosen.start).tolist(), strict=True))
        low, high = whole.interval[name]
        return PointsRow(
            *key,
            method,
            estimator,
            len(length),
            sum(length.values()) / int(self.intervals.length.sum()),
            whole.value[name],
            low,
            high,
            whole.value[name] / self.full - 1 if self.full else math.nan,
            interval_error(self.values.values[there], each[there]),
        )


def _halves(progress: Progress | None, *, both: bool) -> tuple[Progress | None, Progress | None]:
    """What the fit to all, and then the one to beginnings, tell of themselves."""
    if progress is None:
        return None, None
    whole = PARTS // 2 if both else PARTS

    def part_of(first: int, size: int) -> Progress:
        return lambda done, total: progress(first + size * done // max(total, 1), PARTS)

    return part_of(0, whole), part_of(whole, PARTS - whole)
