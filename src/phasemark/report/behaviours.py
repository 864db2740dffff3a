"""What phases do with memory and branches, for the page: a table, and what tells those of one code apart."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from phasemark.signatures.memory import written
from phasemark.views.analysis import Analysis
from phasemark.views.behaviour import Behaviour, Difference, heading, of_what
from phasemark.views.contrast import Contrast
from phasemark.views.same_code import SameCode, same_code


def table(known: Behaviour) -> dict[str, Any]:
    """What the columns are, and the whole run's values; those of phases are in `phases`."""
    columns = [{"label": heading(name), "title": of_what(name)} for name in known.columns]
    return {"columns": columns, "run": known.run.tolist(), "remembered": written(known.remembered)}


def phases(
    analysis: Analysis, known: Behaviour | None, beside: Sequence[Contrast | None]
) -> list[dict[str, Any] | None]:
    """One a phase: its rates, the larger phase whose code it executes, and how the contrast differs.

    Args:
        analysis: of a run.
        known: what its phases do; None: that was not recorded.
        beside: the phase that stands beside each.
    """
    if known is None:
        return [None] * analysis.phases.k
    alike = same_code(analysis.profile, analysis.phases, known)
    return [
        {
            "rates": [None if math.isnan(rate) else rate for rate in rates],
            "same": same and _same(known, same),
            "beside": contrast and _differences(known, known.differences(phase, contrast.other)),
        }
        for phase, (rates, same, contrast) in enumerate(zip(known.rates.tolist(), alike, beside, strict=True))
    ]


def _same(known: Behaviour, same: SameCode) -> dict[str, Any]:
    differences = _differences(known, same.differences)
    return {"other": same.other, "common": same.common, "differences": differences}


def _differences(known: Behaviour, found: Sequence[Difference]) -> list[list[Any]]:
    """Of each the column, and the rates here and there."""
    return [[known.columns.index(one.column), one.here, one.there] for one in found]
