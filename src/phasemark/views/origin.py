"""Origin: where a run's values come from, in words."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from phasemark._version import __version__
from phasemark.model import shares
from phasemark.model.points import GIVEN
from phasemark.views import recipes
from phasemark.views.analysis import Analysis

_MONTHS = (
    *("January", "February", "March", "April", "May", "June", "July"),
    *("August", "September", "October", "November", "December"),
)


def origin(analysis: Analysis) -> list[tuple[str, str]]:
    """(what, value) in the order a reader asks; what is not known is left out."""
    provenance, model = analysis.profile.provenance, analysis.phases.model
    entries = {
        "command": " ".join(provenance.command),
        "process": "" if analysis.process is None else analysis.process.words(),
        "recorded on": date(analysis.began),
        "recorded by": f"{provenance.tool} {provenance.tool_version}".strip(),
        "analysed by": f"phasemark {__version__}",
        "profile made by": f"phasemark {provenance.phasemark}" if provenance.phasemark else "",
        "complete": "yes" if provenance.complete else "no: the run was cut short; this is its beginning",
        "unit": provenance.unit,
        "block": provenance.block_definition,
        "interval": f"{provenance.interval:,} instructions" if provenance.interval else "",
        "signatures": recipes.of_signatures(analysis.signatures.recipe),
        "phases": recipes.of_phases(model, analysis.signatures.recipe)
        or in_words({key: value for key, value in model.items() if key != "notes"}),
        "points": "chosen by another tool" if analysis.points.method == GIVEN else "",
        **_details(dict(provenance.details)),
    }
    return [(what, value) for what, value in entries.items() if value]


def warnings(analysis: Analysis) -> list[str]:
    """What collecting warned of, and what clustering noted."""
    return [*analysis.profile.provenance.warnings, *analysis.phases.model.get("notes", ())]


def date(moment: str) -> str:
    """`2026-01-02T03:04:05+0000` -> `2 January 2026, 03:04 UTC`; what is no such moment, as it is."""
    try:
        at = datetime.strptime(moment, "%Y-%m-%dT%H:%M:%S%z").astimezone(UTC)
    except ValueError:
        return moment
    return f"{at.day} {_MONTHS[at.month - 1]} {at.year}, {at:%H:%M} UTC"


def _details(details: dict[str, Any]) -> dict[str, str]:
    """Those that are known by name, each an entry; the rest as one."""
    engine = (details.pop("engine", None), details.pop("engine_version", None))
    builds, share = details.pop("build_ids", None), details.pop("anonymous_share", None)
    asked = details.pop("interval_asked", None)
    return {
        "engine": " ".join(map(str, filter(None, engine))),
        "program file": _word(details.pop("exe", None)),
        "threads": _word(details.pop("threads", None)),
        "interval asked for": f"{asked:,} instructions" if isinstance(asked, int) else _word(asked),
        "code of no file": f"{shares.written(share)} of the instructions"
        if isinstance(share, float)
        else _word(share),
        "processor the program saw": _word(details.pop("cpu", None)),
        "modules": _modules(builds) if isinstance(builds, dict) else _word(builds),
        "details": in_words(details),
    }


def _modules(builds: dict[str, Any]) -> str:
    """Each with the first digits of its build-id, which tell it from any other."""
    return ", ".join(f"{path} (build {str(build)[:12]})" for path, build in sorted(builds.items()))


def in_words(values: dict[str, Any]) -> str:
    """`name value, other value`, by name; what is None or empty is left out."""
    words = {key: _word(value) for key, value in sorted(values.items())}
    return ", ".join(f"{key.replace('_', ' ')} {word}" for key, word in words.items() if word)


def _word(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list | tuple):
        return " ".join(map(_word, value))
    if isinstance(value, dict):
        return " ".join(f"{key} {word}" for key, word in ((k, _word(v)) for k, v in value.items()) if word)
    if isinstance(value, int) and abs(value) >= 10_000:
        return f"{value:,}"
    return "" if value is None else str(value)
