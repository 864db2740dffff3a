"""Which functions a phase spends its instructions in."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from phasemark.model import Phases, Profile
from phasemark.symbols import annotate
from phasemark.views.hottest import hot_blocks, hottest
from phasemark.views.places import functions

#: Blocks of each phase whose functions are looked up: looking up takes long, and the rest hardly shows.
_BLOCKS = 60


def hottest_functions(profile: Profile, phases: Phases, count: int = 3) -> list[dict[str, float]]:
    """For each phase its functions with the most instructions: name -> share of the phase, descending."""
    groups = phases.labels.astype(np.int64)
    rows = hot_blocks(profile.vectors, groups, _BLOCKS)
    builds = profile.provenance.details.get("build_ids")
    places = functions(annotate(profile.block_table, rows, build_ids=builds, lines=False))
    looked_up = np.full_like(places.of_block, -1)
    looked_up[rows] = places.of_block[rows]
    hot = hottest(profile.vectors, groups, replace(places, of_block=looked_up), count)
    names = [name for name, _ in places.names]
    return [
        _by_name([(names[place], share) for place, share in zip(row, shares, strict=True) if place >= 0])
        for row, shares in zip(hot.place.tolist(), hot.share.tolist(), strict=True)
    ]


def _by_name(shares: list[tuple[str, float]]) -> dict[str, float]:
    """Functions of one name in several modules, together."""
    total: dict[str, float] = {}
    for name, share in shares:
        total[name] = total.get(name, 0.0) + share
    return dict(sorted(total.items(), key=lambda item: -item[1]))
