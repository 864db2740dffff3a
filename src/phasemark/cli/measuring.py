"""From a folder with phases and metrics to their quality, and how it is shown."""

from __future__ import annotations

import dataclasses
import json
import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from phasemark import quality
from phasemark.cli.printing import plural
from phasemark.errors import DataError
from phasemark.model import Intervals, Metrics, Phases, Signatures
from phasemark.progress import Progress
from phasemark.quality.measured import foremost
from phasemark.quality.measured import names as usual_metrics
from phasemark.quality.table import ALL, FULL, Row, columns
from phasemark.store.folder import Folder


@dataclass(frozen=True)
class QualityOptions:
    """What is measured: metrics (none: every ratio), the sample of CIM, its confidence; see quality.cim."""

    metrics: tuple[str, ...] = ()
    n: float = 100
    confidence: float = 0.95
    plan: bool = False


@dataclass(frozen=True)
class Found:
    """The quality of a run's phases.

    Attributes:
        rows: per metric: `full`, `all`, each phase.
        against_k: per metric and k; empty where it was not asked for.
        intervals: that have an instruction.
        source: what measured the metrics.
        options: as asked for.
    """

    rows: list[Row]
    intervals: int
    source: str
    options: QualityOptions
    against_k: tuple[quality.OfK, ...] = ()

    @property
    def metrics(self) -> list[str]:
        """The metrics, in order."""
        return list(dict.fromkeys(row.metric for row in self.rows))

    def row(self, metric: str, phase: str) -> Row:
        """The row of a metric and a phase, FULL or ALL."""
        return next(row for row in self.rows if (row.metric, row.phase) == (metric, phase))

    def phases(self) -> list[Row]:
        """The first metric's rows of phases, the largest first."""
        rows = [row for row in self.rows if row.metric == self.metrics[0] and row.phase not in (FULL, ALL)]
        return sorted(rows, key=lambda row: -row.share)


def measure(folder: Folder, options: QualityOptions | None = None) -> Found:
    """Measure the quality of a run's phases; write quality.csv.

    Args:
        folder: with profile.h5, model.h5 and metrics.csv.
        options: None: the defaults.

    Raises:
        DataError: a file is missing or damaged, or a metric was not measured.
        UsageError: an option makes no sense.
        WorkError: the file cannot be written.
    """
    from phasemark.store import tables

    options = options or QualityOptions()
    intervals, _, phases, metrics = _read(folder)
    wanted = options.metrics or tuple(usual_metrics(metrics))
    try:
        rows = quality.table(
            metrics,
            intervals,
            phases,
            wanted,
            n=options.n,
            confidence=options.confidence,
            plan=options.plan,
        )
    except DataError as error:
        raise error.at(folder.metrics) from error
    folder.discard_from("quality")
    tables.write(folder.quality, _blank(columns(rows)), made_by=_made_by(options, metrics))
    folder.record("quality", dataclasses.asdict(options))
    return Found(rows, int((intervals.length > 0).sum()), metrics.source, options)


def compare_ks(
    folder: Folder,
    found: Found,
    options: QualityOptions,
    progress: Progress | None = None,
) -> Found:
    """Cluster with 1 to 20 phases and measure every metric of `found`; write quality-k.csv.

    Raises:
        DataError, WorkError: as `measure`.
    """
    from phasemark.store import tables

    intervals, signatures, phases, metrics = _read(folder)
    measured = quality.against_k(
        metrics,
        intervals,
        signatures,
        phases,
        found.metrics,
        n=options.n,
        confidence=options.confidence,
        progress=progress,
    )
    names = [field.name for field in dataclasses.fields(quality.OfK)]
    table = {name: tables.blank([getattr(one, name) for one in measured]) for name in names}
    tables.write(folder.quality_k, table, made_by=_made_by(options, metrics))
    return dataclasses.replace(found, against_k=tuple(measured))


def _read(folder: Folder) -> tuple[Intervals, Signatures, Phases, Metrics]:
    from phasemark.store import metrics_csv, phases_store
    from phasemark.workflow.reading import read_intervals

    intervals = read_intervals(folder.path)
    if not folder.model.exists():
        raise DataError("there is no such file", path=folder.model, hint="run `phasemark phases` first")
    if not folder.metrics.exists():
        raise DataError(
            "there is no such file",
            path=folder.metrics,
            hint="run `phasemark simulate --full`, or `phasemark import --metrics`, first",
        )
    signatures, phases = phases_store.read_model(folder.model)
    if len(phases) != len(intervals):
        raise DataError(
            f"has {len(phases)} intervals, the profile {len(intervals)}",
            path=folder.model,
            hint="run `phasemark phases` again",
        )
    return intervals, signatures, phases, metrics_csv.read(folder.metrics)


def _made_by(options: QualityOptions, metrics: Metrics) -> dict[str, object]:
    sample = {"sample": f"{options.n:g}", "confidence": options.confidence, "plan": options.plan}
    return {"command": "quality", "source": metrics.source, **sample}


def _blank(table: dict[str, list[object]]) -> dict[str, list[object]]:
    return {name: ["" if value is None else value for value in values] for name, values in table.items()}


def show(found: Found, *, largest: int, each: bool, quiet: bool, as_json: bool) -> None:
    """Print the quality: as JSON, as tables (`each`: with one a metric), or not at all."""
    if as_json:
        print(json.dumps(summary(found)))
    elif not quiet:
        print("\n".join(lines(found, largest, each)))


def summary(found: Found) -> dict[str, Any]:
    """Everything in one JSON object; what is not defined is null."""
    out = {
        **dataclasses.asdict(found.options),
        "source": found.source,
        "metrics": {
            name: {row.phase: _plain(row) for row in found.rows if row.metric == name}
            for name in found.metrics
        },
        "notes": notes(found),
    }
    if found.against_k:
        out["against_k"] = [_plain(one) for one in found.against_k]
    return out


def lines(found: Found, largest: int, each: bool) -> list[str]:
    """The metrics in all, the largest phases beside the whole, and where asked for every phase."""
    out = [f"{plural(found.intervals, 'interval')}, measured by {found.source or 'an unnamed source'}", ""]
    out += _grid([_OVERALL, *(_overall(found, name) for name in found.metrics)])
    out += ["", *_grid(_beside(found, foremost(found.metrics), largest))]
    if each:
        for name in found.metrics:
            out += ["", name, *_grid([_EACH, *(_each(row) for row in _of(found, name))])]
    if found.against_k:
        out += ["", *_grid(_by_k(found))]
    return [*out, *(f"note: {note}" for note in notes(found))]


def notes(found: Found) -> list[str]:
    """What a reader must know."""
    out = []
    for name in found.metrics:
        row = found.row(name, FULL)
        if row.missing:
            out.append(f"{name} was not measured for {_percent(row.missing)} of the instructions")
    n = found.options.n
    if n >= found.intervals:
        out.append(
            f"a sample of {n:g} measures all {plural(found.intervals, 'interval')}: CIM is 0; "
            "take a smaller one with -n"
        )
    return out


_OVERALL = ["metric", "mean", "CoV", "within phases", "CIM", "with phases", "less deviation"]
_EACH = ["phase", "share", "intervals", "mean", "CoV", "CIM", "less deviation", "sample"]


def _overall(found: Found, name: str) -> list[str]:
    full, every = found.row(name, FULL), found.row(name, ALL)
    return [
        name,
        _number(full.mean),
        _percent(full.cov),
        _percent(every.cov),
        _percent(full.cim / 100),
        _percent(every.cim / 100),
        _percent(every.deviation_reduction),
    ]


def _beside(found: Found, metrics: Sequence[str], largest: int) -> list[list[str]]:
    """Table 1 of "Discovering and exploiting program phases": mean (deviation / mean) of each metric."""
    phases = found.phases()[:largest]
    out = [["phase", "share", *metrics]]
    for phase, share in [(FULL, 1.0), *((row.phase, row.share) for row in phases)]:
        cells = [found.row(name, phase) for name in metrics]
        out.append([phase, _percent(share), *(f"{_number(c.mean)} ({_percent(c.cov)})" for c in cells)])
    return out


def _of(found: Found, name: str) -> list[Row]:
    phases = [row.phase for row in found.phases()]
    return [found.row(name, phase) for phase in [FULL, ALL, *phases]]


def _each(row: Row) -> list[str]:
    reduction = "" if row.phase == FULL else _percent(row.deviation_reduction)
    return [
        row.phase,
        _percent(row.share),
        f"{row.intervals:,}",
        _number(row.mean),
        _percent(row.cov),
        _percent(row.cim / 100),
        reduction,
        f"{row.sample:.4g}",
    ]


def _by_k(found: Found) -> list[list[str]]:
    names = foremost(found.metrics)
    cells = {(one.metric, one.k): one for one in found.against_k}
    ks = sorted({one.k for one in found.against_k})
    out = [["k", *(f"{name} CoV, CIM" for name in names)]]
    for k in ks:
        of = [cells[name, k] for name in names]
        out.append([str(k), *(f"{_percent(one.cov)}, {_percent(one.cim / 100)}" for one in of)])
    return out


def _grid(cells: list[list[str]]) -> list[str]:
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    return [
        "  ".join(
            f"{text:{'<' if at == 0 else '>'}{width}}"
            for at, (text, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in cells
    ]


def _plain(value: Any) -> dict[str, Any]:
    """A row as JSON can hold it."""
    found = dataclasses.asdict(value)
    return {k: None if isinstance(v, float) and math.isnan(v) else v for k, v in found.items()}


def _number(value: float) -> str:
    return "-" if math.isnan(value) else f"{value:.4g}"


def _percent(share: float) -> str:
    if math.isnan(share):
        return "-"
    return f"{share:.2%}" if abs(share) < 0.1 else f"{share:.1%}"
