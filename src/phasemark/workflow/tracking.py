"""Profile -> online phases, and how well they are foretold, in a run's folder."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from phasemark import online, phases, quality, signatures
from phasemark.errors import DataError
from phasemark.model import Intervals, Metrics, Phases, Signatures
from phasemark.online import Accuracy, Observations, Tracker
from phasemark.phases import adjusted_rand_index
from phasemark.progress import Progress
from phasemark.quality.measured import names as usual_metrics
from phasemark.store import metrics_csv, phases_store
from phasemark.store.folder import Folder
from phasemark.workflow import projecting
from phasemark.workflow.alone import alone
from phasemark.workflow.measured import unmeasured
from phasemark.workflow.phases import PhaseOptions, keep_phases
from phasemark.workflow.quality import QualityOptions, QualityResult
from phasemark.workflow.reading import read
from phasemark.workflow.result import Result

if TYPE_CHECKING:
    import pandas as pd

    from phasemark.store.change import Change


@dataclass(frozen=True)
class TrackOptions:
    """How a run is tracked; of the tracker's sizes and rules see online.Tracker.

    Attributes:
        signature: what of an interval is looked at: `blocks` (or `code`), or `loops`.
        adapt: the metric that thresholds adapt to, as `cpi`; None: they do not.
        predictors: names in online.PREDICTORS; none: all of them.
        replace: make the online phases the run's, in the place of those that are there.
    """

    threshold: float = 0.25
    min_count: int = 8
    counters: int | None = 32
    bits: int | None = 24
    compressed_bits: int | None = 6
    signatures: int | None = 20
    policy: str = "keep"
    headroom: int = 2
    deviation: float = 0.25
    seed: int = phases.DEFAULT_SEED
    signature: str = "blocks"
    adapt: str | None = None
    predictors: tuple[str, ...] = ()
    replace: bool = False

    def __post_init__(self) -> None:
        given: Any = self.predictors
        object.__setattr__(self, "signature", "blocks" if self.signature == "code" else self.signature)
        object.__setattr__(self, "predictors", (given,) if isinstance(given, str) else tuple(given))

    def tracker(self) -> Tracker:
        """One that has seen nothing."""
        return Tracker(**self._parameters())

    def phase_options(self) -> PhaseOptions:
        """How `phasemark phases` finds the same, without a metric."""
        return PhaseOptions(Tracker.name, signature=self.signature, **self._parameters())

    def check(self) -> None:
        """See that the options make sense.

        Raises:
            UsageError: one does not.
        """
        self.tracker().check()
        signatures.check_kind(self.signature)
        for name in self.predictors:
            online.predictor(name)

    def _parameters(self) -> dict[str, Any]:
        return {name: getattr(self, name) for name in Tracker().get_params()}


@dataclass(frozen=True, repr=False)
class TrackResult(Result):
    """The online phases of a run.

    Attributes:
        intervals, signatures: of the run.
        phases: online; `phases.model["transition"]` is the one of what was not seen often enough, or None.
        observations: of each interval, as they came.
        accuracy: of each predictor.
        quality: per metric, of the whole and of each phase; None where intervals were not measured.
        offline: model that found the run's own phases; empty where there are none, or these were online.
        agreement: adjusted Rand index with those, of all intervals; None where there are none.
        settled: the same of the intervals that are not in transition; None where there are none of these.
        replaced: whether the online phases are the run's now.
        notes: what the user should know, one sentence each.
        discarded: what became of files that were made from other phases, one phrase each.
    """

    intervals: Intervals
    signatures: Signatures
    phases: Phases
    observations: Observations
    accuracy: tuple[Accuracy, ...]
    quality: QualityResult | None
    offline: str
    agreement: float | None
    settled: float | None
    replaced: bool
    notes: tuple[str, ...] = ()
    discarded: tuple[str, ...] = ()

    @property
    def transition(self) -> int | None:
        """The transition phase."""
        return self.phases.transition

    def frame(self) -> pd.DataFrame:
        """One row an interval, with its phase and distance, and what it matched: the columns of track.csv."""
        return self.phases.frame(self.intervals).assign(**_more(self.observations))


@alone("track")
def track(
    folder: Folder, options: TrackOptions | None = None, progress: Progress | None = None
) -> TrackResult:
    """Track a run interval by interval; write track.csv and track.h5.

    Where the run has no phases, or online ones, or with `replace`, they become the run's: phases.csv,
    model.h5, and labels where there is one thread.

    Args:
        folder: a run's folder with its profile.h5.
        options: None: the defaults.
        progress: told how many intervals are done, of how many.

    Raises:
        DataError: there is no profile, the metric to adapt to was not measured, or a file is damaged.
        UsageError: an option makes no sense.
        WorkError: a file cannot be written.
    """
    options = options or TrackOptions()
    options.check()
    run = projecting.project(folder, signatures.DEFAULT_DIMS, options.seed, options.signature)
    metrics = _measured(folder, run.intervals)
    tracker = options.tracker().fit(
        signatures.counts(read(folder.path), options.signature),
        _adapted_to(options.adapt, metrics, run.intervals, folder),
        run.signatures.weights,
        progress=progress,
    )
    found = _recorded(tracker.phases_, options)
    lengths = phases.sequences(run.intervals)
    wanted = {name: online.PREDICTORS[name] for name in options.predictors or online.PREDICTORS}
    offline = _offline(folder, run.intervals)
    replaces = options.replace or offline is None
    discarded = _keep(folder, run, found, tracker.observed_, options, replaces=replaces)
    own = None if offline is None or offline.model.get("method") == Tracker.name else offline
    return TrackResult(
        run.intervals,
        run.signatures,
        found,
        tracker.observed_,
        online.accuracy(found.labels, wanted, sequences=lengths),
        None if metrics is None else _quality(metrics, run.intervals, found),
        "" if own is None else str(own.model.get("method", "given")),
        *_agreement(found, own),
        replaces,
        tuple(found.model["notes"]),
        discarded,
    )


def _recorded(found: Phases, options: TrackOptions) -> Phases:
    """The phases, with the metric that was adapted to among what is recorded."""
    if options.adapt is None:
        return found
    note = f"thresholds adapted to {options.adapt}: other steps cannot find these phases again without it"
    model = {**found.model, "adapted_to": options.adapt, "notes": [*found.model["notes"], note]}
    return dataclasses.replace(found, model=model)


def _offline(folder: Folder, intervals: Intervals) -> Phases | None:
    """The run's own phases; None where there are none but online ones.

    Raises:
        DataError: they are of other intervals, or damaged.
    """
    if not folder.model.exists():
        return None
    _, own = phases_store.read_model(folder.model)
    if len(own) != len(intervals):
        raise DataError(
            f"has phases of {len(own):,} intervals, the profile has {len(intervals):,}",
            path=folder.model,
            hint="run `phasemark phases` again",
        )
    return None if own.model.get("method") == Tracker.name else own


def _agreement(found: Phases, own: Phases | None) -> tuple[float | None, float | None]:
    if own is None:
        return None, None
    lasting = found.labels != (-1 if found.transition is None else found.transition)
    settled = adjusted_rand_index(found.labels[lasting], own.labels[lasting]) if lasting.any() else None
    return adjusted_rand_index(found.labels, own.labels), settled


def _measured(folder: Folder, intervals: Intervals) -> Metrics | None:
    """metrics.csv; None where it is not there, or holds the whole run as one."""
    if not folder.metrics.exists():
        return None
    metrics = metrics_csv.read(folder.metrics)
    return metrics if len(metrics) > 1 or len(intervals) == 1 else None


def _adapted_to(
    name: str | None, metrics: Metrics | None, intervals: Intervals, folder: Folder
) -> NDArray[np.float64] | None:
    if name is None:
        return None
    if metrics is None:
        raise unmeasured(folder)
    try:
        values = quality.measured(metrics, intervals, name).values
    except DataError as error:
        raise error.at(folder.metrics) from error
    return np.where(np.isfinite(values), values, np.nan)


def _quality(metrics: Metrics, intervals: Intervals, found: Phases) -> QualityResult:
    rows = quality.table(metrics, intervals, found, usual_metrics(metrics))
    measured = int((intervals.length > 0).sum())
    return QualityResult(rows, measured, metrics.source, QualityOptions(), transition=found.transition)


def _keep(
    folder: Folder,
    run: projecting.Projected,
    found: Phases,
    seen: Observations,
    options: TrackOptions,
    *,
    replaces: bool,
) -> tuple[str, ...]:
    entry = dataclasses.asdict(options)
    del entry["replace"], entry["predictors"]

    def put(new: Change) -> None:
        new.discard_from("track")
        phases_store.write_csv(
            new.track, run.intervals, found, made_by={"command": "track", **entry}, more=_more(seen)
        )
        phases_store.write_model(new.tracked, run.signatures, found)
        new.record("track", {**entry, "found": found.k, "notes": found.model["notes"]})

    if not replaces:
        with folder.change("track") as new:
            put(new)
        return tuple(new.discarded)
    told = options.phase_options().entry()
    if options.adapt is not None:
        told["adapted_to"] = options.adapt
    return keep_phases(folder, run.intervals, run.signatures, found, told, command="track", more=put)


def _more(seen: Observations) -> dict[str, NDArray[Any]]:
    """Columns of track.csv beyond those of phases.csv."""
    return {"matched": seen.distance, "new": seen.new.astype(np.int8)}
