"""Every function that reads a file, called on one."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import phasemark
from phasemark.checking import check_file
from phasemark.checking.tables import read_phases
from phasemark.errors import DataError, PhasemarkError
from phasemark.formats.metrics import gem5_stats, measurements
from phasemark.formats.metrics.measurements import Options
from phasemark.formats.points import reading, simpoint_files
from phasemark.formats.recogniser import recognise
from phasemark.formats.vectors import runs, simpoint_tables
from phasemark.reading import Unforeseen
from phasemark.simulate import config
from phasemark.store import (
    estimate_csv,
    events_h5,
    hierarchy_h5,
    metrics_csv,
    models_csv,
    phases_store,
    points_csv,
    profile_h5,
    quality_csv,
)
from phasemark.store.record import read_steps


def _check(path: Path) -> None:
    checked = check_file(path)
    if checked.error is not None:
        raise checked.error


def _read_events(path: Path) -> None:
    for trace in events_h5.read(path):
        list(trace.chunks())


#: By name; each takes a path.
READERS: dict[str, Callable[[Path], object]] = {
    "recognise": recognise,
    "check": _check,
    "phasemark.read": phasemark.read,
    "metrics": lambda path: measurements.read([path]),
    "metrics of every dump": lambda path: measurements.read([path], Options(every=True)),
    "points of other tools": lambda path: reading.read([path]),
    "projected vectors": lambda path: runs.read_projected(path, 3, 1),
    "gem5's instructions": gem5_stats.instructions,
    "points.csv": points_csv.read,
    "metrics.csv": metrics_csv.read,
    "phases.csv": read_phases,
    "estimate.csv": estimate_csv.read,
    "quality.csv": quality_csv.sample,
    "quality-k.csv": quality_csv.read_against_k,
    "models.csv": models_csv.read,
    "models-points.csv": models_csv.read_points,
    "profile.h5": profile_h5.read,
    "intervals of profile.h5": profile_h5.read_intervals,
    "events.h5": _read_events,
    "hierarchy.h5": hierarchy_h5.read,
    "model.h5": phases_store.read_model,
    "run.json": read_steps,
    "simpoints": simpoint_files.read_simpoints,
    "weights": simpoint_files.read_weights,
    "labels": simpoint_files.read_labels,
    "text table": simpoint_tables.read_text_table,
    "binary table": simpoint_tables.read_binary_table,
    "numbers": simpoint_tables.read_numbers,
    "initial labels": simpoint_tables.read_labels,
    "configuration": config.load,
}


def fault(read: Callable[[Path], object], path: Path) -> BaseException | None:
    """What reading raised that it may not; None where it read the file, or refused it in words."""
    try:
        read(path)
    except Unforeseen as error:
        return error.__cause__ or error
    except DataError as error:
        inner = _inner(error)
        if inner is not None:
            return inner
        return (
            None if len(str(error)) < 2000 else AssertionError(f"a message of {len(str(error))} characters")
        )
    except PhasemarkError:
        return None
    except Exception as error:
        return error
    return None


def _inner(error: BaseException) -> BaseException | None:
    """An error that nobody foresaw, anywhere among the causes."""
    seen: list[BaseException] = [error]
    while (cause := seen[-1].__cause__) is not None and cause not in seen:
        if isinstance(cause, Unforeseen):
            return cause.__cause__ or cause
        seen.append(cause)
    return None
