"""Models of phases side by side: how well each describes a run, and what points of its phases estimate."""

from __future__ import annotations

import dataclasses
import math
import time
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from phasemark import phases, points, quality, signatures
from phasemark.errors import DataError, UsageError, counted, shown
from phasemark.estimates import ESTIMATORS, estimate, full_value, interval_error, reconstruct
from phasemark.model import Counts, Intervals, Metrics, Phases, Points, Signatures
from phasemark.model.options import require_given, require_real, require_whole
from phasemark.model.points import WHOLE_RUN
from phasemark.phases.representation import REPRESENTATIONS
from phasemark.progress import Progress
from phasemark.store import models_csv
from phasemark.store.folder import Folder
from phasemark.store.models_csv import FitRow, Key, PointsRow
from phasemark.workflow import projecting
from phasemark.workflow.alone import alone
from phasemark.workflow.estimation import whole_run
from phasemark.workflow.phases import PhaseOptions
from phasemark.workflow.reading import NEGLIGIBLE, read
from phasemark.workflow.result import Result
from phasemark.workflow.verdicts import Verdict, verdicts

if TYPE_CHECKING:
    import pandas as pd

#: What models see that take projected vectors.
PROJECTED = "projected"

#: A model's parameter that says how many phases to find, by its usual names.
_NUMBERS = ("n_components", "k")

#: Need the probability of each phase.
_OF_POSTERIORS = {"epm2", "max-posterior"}


@dataclass(frozen=True)
class ModelOptions:
    """What is compared.

    Attributes:
        models: their names in phases.MODELS.
        states: how many each is asked for.
        representations: that models of counts see: full, reweight, random.
        methods: that choose points, a point a phase, in points.METHODS.
        estimators: epm1, epm2 or weights; see estimates.estimate.
        metric: that phases are to be homogeneous in, and points to estimate.
        tempering: instructions that a mean interval counts for; None: all it has. See phases.MultinomialHMM.
        restarts: of each fit; None: each model's own default.
        seed: of the first fit of each; seeds: how many fits, each with the next seed.
        held_out: share of each thread's intervals that a second fit does not see; 0: no such fit.
        signature: what of an interval is looked at: `blocks` or `loops`.
    """

    models: tuple[str, ...] = ("simpoint", "mixture", "hmm")
    states: tuple[int, ...] = (4, 8, 16, 32, 64)
    representations: tuple[str, ...] = ("full",)
    methods: tuple[str, ...] = ("nearest", "cluster-center", "obs-model-dist-1", "max-posterior")
    estimators: tuple[str, ...] = ("epm1", "epm2")
    metric: str = "cpi"
    tempering: float | None = 1_000.0
    restarts: int | None = None
    seed: int = phases.DEFAULT_SEED
    seeds: int = 1
    held_out: float = 0.2
    signature: str = "blocks"

    def __post_init__(self) -> None:
        for name in ("models", "states", "representations", "methods", "estimators"):
            value = getattr(self, name)
            object.__setattr__(self, name, (value,) if isinstance(value, str | int) else tuple(value))

    def check(self) -> None:
        """See that the options make sense.

        Raises:
            UsageError: one does not.
        """
        require_given(seed=self.seed, seeds=self.seeds, held_out=self.held_out)
        require_whole(seed=self.seed, seeds=self.seeds)
        require_whole(**{f"states[{i}]": number for i, number in enumerate(self.states)})
        require_real(held_out=self.held_out)
        signatures.check_kind(self.signature)
        for name, known in (
            ("models", tuple(phases.MODELS)),
            ("representations", REPRESENTATIONS),
            ("methods", tuple(method for method in points.METHODS if method not in WHOLE_RUN)),
            ("estimators", ESTIMATORS),
        ):
            for value in getattr(self, name):
                if value not in known:
                    raise UsageError(f"{name} holds {shown(value)}", hint=f"there are {', '.join(known)}")
        for name in ("models", "states", "representations", "methods", "estimators"):
            values = getattr(self, name)
            if not values or len(set(values)) < len(values):
                raise UsageError(f"{name} is {shown(values)}", hint="name at least one, and each once")
        for name, value, good, need in (
            ("states", min(self.states), min(self.states) >= 1, "at least 1"),
            ("seeds", self.seeds, self.seeds >= 1, "at least 1"),
            ("held_out", self.held_out, 0 <= self.held_out < 1, "from 0 to 1, as 0.2"),
        ):
            if not good:
                raise UsageError(f"{name} is {shown(value)}", hint=f"it must be {need}")
        for key in self.fits():
            self.of_fit(key).check()

    def fits(self) -> list[Key]:
        """The fits, in the order in which they are made."""
        seeds = range(self.seed, self.seed + self.seeds)
        return [
            (model, representation, states, seed)
            for model in self.models
            for representation in self._seen_by(model)
            for states in self.states
            for seed in seeds
        ]

    def of_fit(self, key: Key) -> PhaseOptions:
        """How one of them finds phases."""
        model, representation, states, seed = key
        known = phases.model(model).get_params()
        number = next((name for name in _NUMBERS if name in known), None)
        if number is None:
            raise UsageError(f"the model {model} cannot be asked for a number of phases", hint="leave it out")
        given: dict[str, Any] = {number: states, "restarts": self.restarts, "tempering": self.tempering}
        given["representation"] = representation
        wanted = {name: value for name, value in given.items() if name in known}
        if self.restarts is None:
            wanted.pop("restarts", None)
        return PhaseOptions(model, seed=seed, signature=self.signature, **wanted)

    def entry(self) -> dict[str, Any]:
        """What every row depends on, as run.json and the comments of tables tell it."""
        told = dataclasses.asdict(self)
        for name in ("models", "states", "representations", "seed", "seeds"):
            del told[name]
        return told

    def _seen_by(self, model: str) -> tuple[str, ...]:
        takes = "representation" in phases.model(model).get_params()
        return self.representations if takes else (PROJECTED,)


@dataclass(frozen=True, repr=False)
class ModelsResult(Result):
    """Models side by side.

    Attributes:
        fits: a row each, in the order of `options.fits()`.
        estimates: what points of their phases estimate; none where the whole run was not measured.
        options: as asked for.
        full: the metric of the whole run; NaN where it was not measured.
        cov: of the metric in the whole run; NaN as before.
        seconds: fit -> how long it took, wall clock; of those alone that were made just now.
        notes: what the user should know, one sentence each.
        discarded: what became of files that were made from others, one phrase each.
    """

    fits: tuple[FitRow, ...]
    estimates: tuple[PointsRow, ...]
    options: ModelOptions
    full: float
    cov: float
    seconds: dict[Key, float]
    notes: tuple[str, ...] = ()
    discarded: tuple[str, ...] = ()

    @property
    def verdicts(self) -> tuple[Verdict, ...]:
        """The best by each criterion, and how the others stand beside SimPoint."""
        return verdicts(self.fits, self.estimates)

    def frame(self) -> pd.DataFrame:
        """One row a fit: the columns of models.csv, then seconds."""
        import pandas as pd

        frame = pd.DataFrame([dataclasses.asdict(fit) for fit in self.fits])
        return frame.assign(seconds=[self.seconds.get(fit.key, math.nan) for fit in self.fits])

    def estimates_frame(self) -> pd.DataFrame:
        """One row an estimate: the columns of models-points.csv."""
        import pandas as pd

        names = [field.name for field in dataclasses.fields(PointsRow)]
        return pd.DataFrame([dataclasses.asdict(row) for row in self.estimates], columns=names)


@alone("models", takes_long=True)
def compare_models(
    folder: Folder, options: ModelOptions | None = None, progress: Progress | None = None
) -> ModelsResult:
    """Fit models of phases to a run and compare them; write models.csv, of a measured run models-points.csv.

    Both are written after each fit: of a comparison that is killed, what is done stays, and the next one
    with the same options goes on from there. The run's own phases and points stay as they are.

    Args:
        folder: a run's folder with its profile.h5.
        options: None: the defaults.
        progress: told how many fits are done, of how many.

    Raises:
        DataError: there is no profile, or a file is damaged.
        UsageError: an option makes no sense.
        WorkError: a file cannot be written.
    """
    options = options or ModelOptions()
    options.check()
    subject = _Subject(folder, options)
    known, estimated = _known(folder, options, subject)
    fits, estimates, seconds = [], [], {}
    wanted = options.fits()
    discarded: tuple[str, ...] = ()
    for done, key in enumerate(wanted):
        if progress:
            progress(done, len(wanted))
        if key in known:
            fits.append(known[key])
            estimates += [row for row in estimated if row.key == key]
        else:
            began = time.perf_counter()
            fit, rows = subject.fit(key)
            seconds[key] = time.perf_counter() - began
            fits.append(fit)
            estimates += rows
        if key not in known or (done + 1 == len(wanted) and known.keys() != set(wanted)):
            # What is known and comes later is not lost if this is killed.
            later = [known[other] for other in wanted[done + 1 :] if other in known]
            of_later = [row for row in estimated if row.key in {fit.key for fit in later}]
            discarded += _keep(folder, options, subject, [*fits, *later], [*estimates, *of_later])
    if progress:
        progress(len(wanted), len(wanted))
    notes = _notes(fits, options, subject)
    return ModelsResult(
        tuple(fits), tuple(estimates), options, subject.full, subject.cov, seconds, notes, discarded
    )


class _Subject:
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

    def fit(self, key: Key) -> tuple[FitRow, list[PointsRow]]:
        """A fit, what it says of the run, and what its points estimate."""
        options = self.options.of_fit(key)
        model = options.estimator()
        run = projecting.project(self.folder, options.signature_dims, options.seed, options.signature)
        found = phases.find(model, self.intervals, run.signatures, lambda: self.counts)
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
        held_out = self._held_out(options, run.signatures)
        row = FitRow(*key, found.k, likely.of_run, likely.bic, held_out, own, cov)
        return row, self._estimates(key, model, found)

    def _held_out(self, options: PhaseOptions, projected: Signatures) -> float:
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
        model.fit(X, sample_weight=weights, sequences=lengths)
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
        without = _OF_POSTERIORS if math.isnan(fit.own) else set()
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
            if method in _OF_POSTERIORS and found.posterior is None:
                continue
            # The fitted model knows what its states execute.
            of = model if self.options.signature == "blocks" else found
            chosen = points.select(self.intervals, of, method=method, vectors=self.vectors)
            for estimator in self.options.estimators:
                if estimator not in _OF_POSTERIORS or found.posterior is not None:
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


def _known(
    folder: Folder, options: ModelOptions, subject: _Subject
) -> tuple[dict[Key, FitRow], tuple[PointsRow, ...]]:
    """The rows of an earlier comparison with the same options; none where there was none.

    A fit whose estimates are not all there is made again.
    """
    try:
        if not folder.models.exists() or not folder.is_recorded_as("models", options.entry()):
            return {}, ()
        rows = models_csv.read(folder.models)
        there = folder.models_points.exists()
        estimates = models_csv.read_points(folder.models_points) if there else ()
    except DataError:
        return {}, ()
    held: dict[Key, set[tuple[str, str]]] = {}
    for row in estimates:
        held.setdefault(row.key, set()).add((row.method, row.estimator))
    known = {row.key: row for row in rows if held.get(row.key, set()) == subject.estimated_of(row)}
    return known, tuple(row for row in estimates if row.key in known)


def _keep(
    folder: Folder,
    options: ModelOptions,
    subject: _Subject,
    fits: Sequence[FitRow],
    estimates: Sequence[PointsRow],
) -> tuple[str, ...]:
    made_by: dict[str, object] = {"command": "models"}
    for name, value in options.entry().items():
        made_by[name] = " ".join(value) if isinstance(value, tuple) else value
    made_by["unit"] = "nats per instruction of evidence"
    with folder.change("models") as new:
        new.discard_from("models")
        models_csv.write(new.models, fits, made_by={**made_by, "cov": subject.cov})
        if subject.metrics is not None:
            of = {"full": subject.full, "source": subject.metrics.source}
            models_csv.write_points(new.models_points, estimates, made_by={**made_by, **of})
        new.record("models", options.entry())
    return tuple(new.discarded)


def _notes(fits: Sequence[FitRow], options: ModelOptions, subject: _Subject) -> tuple[str, ...]:
    notes = []
    n = len(subject.intervals)
    if max(options.states) > n:
        notes.append(f"the run has {counted(n, 'interval')}: no model finds more phases than these")
    spare = [fit for fit in fits if fit.used < min(fit.states, n)]
    if spare:
        notes.append(f"{len(spare)} of {counted(len(fits), 'fit')} left states unused: see `used`")
    if subject.unsettled:
        notes.append(f"{counted(len(subject.unsettled), 'fit')} had not settled when their steps were over")
    if subject.metrics is None:
        notes.append(
            "the whole run was not measured, so neither CoV nor errors are known: "
            "`phasemark simulate DIR --full` measures it"
        )
    without = {fit.model for fit in fits if math.isnan(fit.own)}
    if without and subject.metrics is not None and _OF_POSTERIORS & {*options.methods, *options.estimators}:
        notes.append(f"{', '.join(sorted(without))} gives no probabilities: no max-posterior, no epm2")
    if options.held_out and subject.held is None:
        notes.append("no thread has two intervals, of which one could be held out")
    return tuple(notes)
