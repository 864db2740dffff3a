"""Which functions a phase spends its instructions in."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from phasemark.model import Counts, Phases, Profile
from phasemark.parallel import is_of_functions
from phasemark.symbols import annotate
from phasemark.views import names, places, sums
from phasemark.views.hottest import hot_blocks, hottest


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


def hottest_lines(profile: Profile, phases: Phases) -> list[str]:
    """For each phase the line with the most instructions of its hottest function, `path:line`.

    Empty where it is not known: the line of another function would be taken for one of this. Only of the
    hottest blocks lines are looked up. Where runs of several builds were joined by function, there are none:
    blocks are functions then, and have no place.
    """
    if is_of_functions(profile):
        return [""] * phases.k
    groups = np.arange(phases.k)
    of_phases = sums.of_groups(profile.vectors, phases.labels, phases.k)
    named = places.functions(names.with_functions(profile))
    of_phases = _only(of_phases, named.of_block, hottest(of_phases, groups, named, 1).place[:, 0])
    rows = hot_blocks(of_phases, groups, names.HOT_BLOCKS)
    builds = profile.provenance.details.get("build_ids")
    lines = places.lines(annotate(profile.block_table, rows, build_ids=builds))
    found = hottest(of_phases, groups, lines, 1).place[:, 0].tolist()
    return [lines.names[place][0] if place >= 0 else "" for place in found]


def _only(counts: Counts, place: NDArray[np.int64], wanted: NDArray[np.int64]) -> Counts:
    """Of each row the columns of one place."""
    row = np.repeat(np.arange(len(counts)), np.diff(counts.indptr))
    kept = place[counts.indices] == wanted[row]
    ends = np.cumsum(np.bincount(row[kept], minlength=len(counts)))
    indptr = np.concatenate(([0], ends)).astype(np.int64)
    return Counts(indptr, counts.indices[kept], counts.data[kept], counts.columns, counts.keys)


@dataclass(frozen=True)
class Changed:
    """A function in two runs.

    Attributes:
        name: with its module behind it where another module has one of this name.
        before, after: instructions in each run.
    """

    name: str
    before: int
    after: int


def changed(profile: Profile, count: int = 10) -> list[Changed]:
    """The functions whose instructions differ most between the first run of a profile and its second."""
    named = places.functions(names.with_functions(profile))
    run = np.unique(profile.interval_table.run, return_inverse=True)[1].astype(np.int64)
    grouping = sums.Grouping(run, 2, named.of_block, len(named.names))
    table = sums.gathered(profile.vectors, grouping)[0]
    executed = [row.column_sums() for row in (table.select(np.array([0])), table.select(np.array([1])))]
    texts = _texts(named)
    order = np.argsort(-np.abs(executed[1] - executed[0]), kind="stable")[:count].tolist()
    return [
        Changed(texts[at], int(executed[0][at]), int(executed[1][at]))
        for at in order
        if executed[0][at] != executed[1][at]
    ]


def _texts(named: places.Places) -> list[str]:
    """One text a place, each once."""
    often = Counter(name for name, _ in named.names)
    return [f"{name} ({module})" if often[name] > 1 and module else name for name, module in named.names]
