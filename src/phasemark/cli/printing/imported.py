"""Other tools' vectors and metrics, as they came into a run's folder."""

from __future__ import annotations

from typing import Any

from phasemark.errors import counted
from phasemark.workflow import MetricsResult, VectorResult
from phasemark.workflow.imported import described


def vector_summary(result: VectorResult) -> dict[str, Any]:
    """The profile in one JSON object."""
    return described(result.profile)


def vector_lines(result: VectorResult) -> list[str]:
    """The profile as text."""
    profile = result.profile
    return [
        f"{profile.provenance.length_in_words(profile.instructions)}, "
        f"{counted(len(profile.interval_table), 'interval')}, "
        f"{counted(len(profile.block_table), 'block')}, recorded by {profile.provenance.tool}",
        *(f"note: {note}" for note in result.notes),
    ]


def metrics_summary(result: MetricsResult) -> dict[str, Any]:
    """The metrics in one JSON object."""
    return {
        "of": result.of,
        "rows": len(result.metrics),
        "file": result.path.name,
        "source": result.metrics.source,
        "counters": list(result.metrics.counters),
        "units": dict(result.metrics.units),
        "ratios": list(result.metrics.with_instructions().ratios()),
        "files": [file.name for file in result.files],
        "notes": list(result.notes),
    }


def metrics_lines(result: MetricsResult) -> list[str]:
    """The metrics as text."""
    ratios = ", ".join(result.metrics.with_instructions().ratios()) or "no ratio that is known"
    of = "the whole run" if result.of == "run" else result.of
    return [
        f"{counted(len(result.metrics), 'row')} of {counted(len(result.metrics.counters), 'counter')} by "
        f"{result.metrics.source}, of {of}: {result.path.name}",
        f"ratios: {ratios}",
        *(f"note: {note}" for note in result.notes),
    ]
