"""Origin: where a run's values come from, in words."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from phasemark._version import __version__
from phasemark.views.analysis import Analysis


def origin(analysis: Analysis) -> list[tuple[str, str]]:
    """(what, value) in the order a reader asks; what is not known is left out."""
    provenance, model = analysis.profile.provenance, analysis.phases.model
    entries = {
        "command": " ".join(provenance.command),
        "recorded by": f"{provenance.tool} {provenance.tool_version}".strip(),
        "analysed by": f"phasemark {__version__}",
        "profile made by": f"phasemark {provenance.phasemark}" if provenance.phasemark else "",
        "complete": "yes" if provenance.complete else "no: the run was cut short; this is its beginning",
        "unit": provenance.unit,
        "block": provenance.block_definition,
        "interval": f"{provenance.interval:,} instructions" if provenance.interval else "",
        "signatures": in_words(asdict(analysis.signatures.recipe)),
        "phases": in_words({key: value for key, value in model.items() if key != "notes"}),
        "details": in_words(provenance.details),
    }
    return [(what, value) for what, value in entries.items() if value]


def warnings(analysis: Analysis) -> list[str]:
    """What collecting warned of, and what clustering noted."""
    return [*analysis.profile.provenance.warnings, *analysis.phases.model.get("notes", ())]


def in_words(values: dict[str, Any]) -> str:
    """`name value, other value`, by name; what is None or empty is left out."""
    words = {key: _word(value) for key, value in sorted(values.items())}
    return ", ".join(f"{key.replace('_', ' ')} {word}" for key, word in words.items() if word)


def _word(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list | tuple):
        return " ".join(map(_word, value))
    return "" if value is None else str(value)
