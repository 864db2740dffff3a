"""Which functions a phase spends its instructions in."""

from __future__ import annotations

from collections import Counter

import numpy as np

from phasemark.model import Phases, Profile
from phasemark.views import names, places, sums
from phasemark.views.hottest import hottest


def hottest_functions(profile: Profile, phases: Phases, count: int = 3) -> list[dict[str, float]]:
    """For each phase its functions with the most instructions: name -> share of the phase, descending.

    Every block is looked up, however little of a phase it is: a thousand cool blocks may be one hot
    function. The same shares are on the report's page. A function that shares its name with one of another
    module has its module behind it.
    """
    named = places.functions(names.with_functions(profile))
    of_phases = sums.of_groups(profile.vectors, phases.labels, phases.k)
    hot = hottest(of_phases, np.arange(phases.k), named, count)
    texts = _texts(named)
    return [
        {texts[place]: share for place, share in zip(row, shares, strict=True) if place >= 0}
        for row, shares in zip(hot.place.tolist(), hot.share.tolist(), strict=True)
    ]


def _texts(named: places.Places) -> list[str]:
    """One text a place, each once."""
    often = Counter(name for name, _ in named.names)
    return [f"{name} ({module})" if often[name] > 1 and module else name for name, module in named.names]
