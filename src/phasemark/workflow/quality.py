"""Phases and metrics -> how homogeneous the phases are, in a run's folder."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from phasemark import quality
from phasemark.errors import DataError, counted
from phasemark.model import Intervals, Metrics, Phases, Signatures
from phasemark.phases import data_for, recorded
from phasemark.progress import Progress
from phasemark.quality.measured import names as usual_metrics
from phasemark.quality.table import ALL, FULL, Row, columns
from phasemark.signatures import counts
from phasemark.store import tables
from phasemark.store.folder import Folder
from phasemark.workflow.alone import alone
from phasemark.workflow.measured import metrics_of
from phasemark.workflow.phases import read_phases
from phasemark.workflow.reading import read, read_intervals
from phasemark.workflow.result import Result

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True)
class QualityOptions:
    """What is measured: metrics (none: every ratio), the sample of CIM, its confidence; see quality.cim."""

    metrics: tuple[str, ...] = ()
    n: float = 100
    confidence: float = 0.95
    plan: bool = False


@dataclass(frozen=True, repr=False)
class QualityResult(Result):
    """The quality of a run's phases.

    Attributes:
        rows: per metric: `full`, `all`, each phase.
        intervals: that have an instruction.
        source: what measured the metrics.
        options: as asked for.
        against_k: per metric and k; empty where it was not asked for.
        discarded: what became of files that were made from earlier results, one phrase each.
        transition: of online phases the one of intervals that are of none, see Phases.
    """

    rows: list[Row]
    intervals: int
    source: str
    options: QualityOptions
    against_k: tuple[quality.OfK, ...] = ()
    discarded: tuple[str, ...] = ()
    transition: int | None = None

    @property
    def metrics(self) -> list[str]:
        """The metrics, in order."""
        return list(dict.fromkeys(row.metric for row in self.rows))

    @property
    def notes(self) -> tuple[str, ...]:
        """What the user should know, one sentence each."""
        alike: dict[str, list[str]] = {}
        for name in self.metrics:
            if share := self.row(name, FULL).missing:
                alike.setdefault(_percent(share), []).append(name)
        notes = [
            f"{', '.join(names)} {'was' if len(names) == 1 else 'were'} not measured for {share} of the "
            "instructions"
            for share, names in alike.items()
        ]
        n = self.options.n
        if n >= self.intervals:
            intervals = counted(self.intervals, "interval")
            notes.append(f"a sample of {n:,g} measures all {intervals}: CIM is 0; take a smaller one with -n")
        return tuple(notes)

    def row(self, metric: str, phase: str) -> Row:
        """The row of a metric and a phase, FULL or ALL."""
        return next(row for row in self.rows if (row.metric, row.phase) == (metric, phase))

    def phases(self) -> list[Row]:
        """The first metric's rows of phases, the largest first."""
        rows = [row for row in self.rows if row.metric == self.metrics[0] and row.phase not in (FULL, ALL)]
        return sorted(rows, key=lambda row: -row.share)

    def frame(self) -> pd.DataFrame:
        """One row a metric and phase, with the columns of quality.csv; `full` and `all` stand for the run."""
        import pandas as pd

        return pd.DataFrame(columns(self.rows))


@alone("quality")
def measure(folder: Folder, options: QualityOptions | None = None) -> QualityResult:
    """Measure the quality of a run's phases; write quality.csv.

    Args:
        folder: with profile.h5, model.h5 and metrics.csv.
        options: None: the defaults.

    Raises:
        DataError: a file is missing or damaged, or a metric was not measured.
        UsageError: an option makes no sense.
        WorkError: the file cannot be written.
    """
    options = options or QualityOptions()
    intervals, _, phases, metrics = _read(folder)
    wanted = options.metrics or tuple(usual_metrics(metrics))
    try:
        rows = quality.table(
            metrics, intervals, phases, wanted, n=options.n, confidence=options.confidence, plan=options.plan
        )
    except DataError as error:
        raise error.at(folder.metrics) from error
    with folder.change("quality") as new:
        new.discard_from("quality")
        tables.write(new.quality, _blank(columns(rows)), made_by=_made_by(options, metrics))
        new.record("quality", dataclasses.asdict(options))
    intervals_with = int((intervals.length > 0).sum())
    return QualityResult(
        rows, intervals_with, metrics.source, options, (), tuple(new.discarded), phases.transition
    )


@alone("quality --against-k")
def compare_ks(folder: Folder, measured: QualityResult, progress: Progress | None = None) -> QualityResult:
    """Cluster with 1 to 20 phases and measure every metric of `measured`; write quality-k.csv.

    Raises:
        DataError, WorkError: as `measure`.
    """
    options = measured.options
    intervals, signatures, phases, metrics = _read(folder)
    model = recorded(phases)
    kind = "loops" if signatures.recipe.key == "site" else "blocks"
    by_k = quality.against_k(
        metrics,
        intervals,
        data_for(model, signatures, lambda: counts(read(folder.path), kind)),
        phases,
        measured.metrics,
        n=options.n,
        confidence=options.confidence,
        progress=progress,
    )
    names = [field.name for field in dataclasses.fields(quality.OfK)]
    table = {name: tables.blank([getattr(one, name) for one in by_k]) for name in names}
    with folder.change("quality") as new:
        tables.write(new.quality_k, table, made_by=_made_by(options, metrics))
    return dataclasses.replace(measured, against_k=tuple(by_k))


def _read(folder: Folder) -> tuple[Intervals, Signatures, Phases, Metrics]:
    intervals = read_intervals(folder.path)
    signatures, phases = read_phases(folder)
    metrics = metrics_of(folder)
    if len(phases) != len(intervals):
        raise DataError(
            f"has {counted(len(phases), 'interval')}, the profile {len(intervals)}",
            path=folder.model,
            hint="run `phasemark phases` again",
        )
    return intervals, signatures, phases, metrics


def _made_by(options: QualityOptions, metrics: Metrics) -> dict[str, object]:
    sample = {"sample": f"{options.n:g}", "confidence": options.confidence, "plan": options.plan}
    return {"command": "quality", "source": metrics.source, **sample}


def _blank(table: dict[str, list[object]]) -> dict[str, list[Any]]:
    return {name: ["" if value is None else value for value in values] for name, values in table.items()}


def _percent(share: float) -> str:
    return f"{share:.2%}" if abs(share) < 0.1 else f"{share:.1%}"
