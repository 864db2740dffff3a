"""What was recorded of loops, calls and returns -> a trace to be kept, with the names of its sites."""

from __future__ import annotations

import dataclasses
from typing import Any

from phasemark.collect.engines.registry import EVENT_COLLECTORS
from phasemark.collect.process_tree import Image
from phasemark.errors import DataError
from phasemark.model import Profile
from phasemark.store.events_h5 import PackedTrace


def traced(collector: str, image: Image, profile: Profile) -> tuple[PackedTrace | None, list[str], str]:
    """The events of one image.

    Returns:
        The trace; what is missing of it, one sentence each; and, where there is none, why.
    """
    try:
        trace, warnings = EVENT_COLLECTORS[collector].events(image, profile)
    except DataError as error:
        return None, [], f"there is no trace of events: {error.message}"
    from phasemark.symbols import annotate_sites  # loads what only runs with events need

    sites = annotate_sites(trace.sites, build_ids=profile.provenance.details.get("build_ids"))
    return dataclasses.replace(trace, sites=sites), warnings, ""


def entry(trace: PackedTrace) -> dict[str, Any]:
    """What run.json says of a trace."""
    return {
        "threads": len(trace.threads),
        "sites": len(trace.sites),
        "events": int(trace.chunks.events.sum()),
        "bytes": int(trace.chunks.packed.sum()),
    }
