"""Models of phases side by side: how well each describes a run, and what points of its phases estimate."""

from __future__ import annotations

import dataclasses
import math
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from phasemark.errors import DataError, counted
from phasemark.progress import Progress
from phasemark.store import models_csv
from phasemark.store.folder import Folder
from phasemark.store.models_csv import FitRow, Key, PointsRow
from phasemark.views.verdicts import Verdict, verdicts
from phasemark.workflow.alone import alone
from phasemark.workflow.measured import how_to_measure
from phasemark.workflow.model_fits import OF_POSTERIORS, PARTS, Subject
from phasemark.workflow.model_options import ModelOptions
from phasemark.workflow.result import Result

if TYPE_CHECKING:
    import pandas as pd


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
        progress: told how many hundredths of fits are done, of how many.

    Raises:
        DataError: there is no profile, or a file is damaged.
        UsageError: an option makes no sense.
        WorkError: a file cannot be written.
    """
    options = options or ModelOptions()
    options.check()
    subject = Subject(folder, options)
    known, estimated, lost = _known(folder, options, subject)
    fits, estimates, seconds = [], [], {}
    wanted = options.fits()
    discarded: tuple[str, ...] = ()
    for done, key in enumerate(wanted):
        told = progress and _of_fit(progress, done, len(wanted))
        if told:
            told(0, PARTS)
        if key in known:
            fits.append(known[key])
            estimates += [row for row in estimated if row.key == key]
        else:
            began = time.perf_counter()
            fit, rows = subject.fit(key, told)
            seconds[key] = time.perf_counter() - began
            fits.append(fit)
            estimates += rows
        if key not in known or (done + 1 == len(wanted) and known.keys() != set(wanted)):
            # What is known and comes later is not lost if this is killed.
            later = [known[other] for other in wanted[done + 1 :] if other in known]
            of_later = [row for row in estimated if row.key in {fit.key for fit in later}]
            discarded += _keep(folder, options, subject, [*fits, *later], [*estimates, *of_later])
    if progress:
        progress(PARTS * len(wanted), PARTS * len(wanted))
    notes = (*lost, *_notes(folder, fits, options, subject))
    return ModelsResult(
        tuple(fits), tuple(estimates), options, subject.full, subject.cov, seconds, notes, discarded
    )


def _known(
    folder: Folder, options: ModelOptions, subject: Subject
) -> tuple[dict[Key, FitRow], tuple[PointsRow, ...], tuple[str, ...]]:
    """The rows of an earlier comparison with the same options; none where there was none.

    A fit whose estimates are not all there is made again; all are where a file is damaged, with a note of it.
    """
    if not folder.models.exists() or not folder.is_recorded_as("models", options.entry()):
        return {}, (), ()
    try:
        rows = models_csv.read(folder.models)
        there = folder.models_points.exists()
        estimates = models_csv.read_points(folder.models_points) if there else ()
    except DataError as error:
        what = Path(error.path or folder.models).name
        return {}, (), (f"{what} was changed or damaged, so all fits were made again: {error.reason}",)
    held: dict[Key, set[tuple[str, str]]] = {}
    for row in estimates:
        held.setdefault(row.key, set()).add((row.method, row.estimator))
    known = {row.key: row for row in rows if held.get(row.key, set()) == subject.estimated_of(row)}
    return known, tuple(row for row in estimates if row.key in known), ()


def _keep(
    folder: Folder,
    options: ModelOptions,
    subject: Subject,
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


def _of_fit(progress: Progress, done: int, fits: int) -> Progress:
    """Of a fit, as a part of all; it is done when it is kept."""
    return lambda part, _: progress(PARTS * done + min(part, PARTS - 1), PARTS * fits)


def _notes(
    folder: Folder, fits: Sequence[FitRow], options: ModelOptions, subject: Subject
) -> tuple[str, ...]:
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
            f"the whole run was not measured, so neither CoV nor errors are known: {how_to_measure(folder)}"
        )
    without = {fit.model for fit in fits if math.isnan(fit.own)}
    if without and subject.metrics is not None and OF_POSTERIORS & {*options.methods, *options.estimators}:
        notes.append(f"{', '.join(sorted(without))} gives no probabilities: no max-posterior, no epm2")
    if options.held_out and subject.held is None:
        notes.append("no thread has two intervals, of which one could be held out")
    return tuple(notes)
