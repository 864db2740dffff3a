"""Fixed: the run as it was recorded, in intervals of fixed length, beside its own of other lengths."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from phasemark.model import Intervals, Metrics, Profile, Recipe
from phasemark.signatures import project
from phasemark.views import path


@dataclass(frozen=True, eq=False)
class Fixed:
    """The same run in intervals of fixed length.

    Attributes:
        load: gives the profile; few pictures need it.
        metrics: of its intervals; None where they were not measured.
    """

    load: Callable[[], Profile]
    metrics: Metrics | None = None

    @cached_property
    def profile(self) -> Profile:
        """Intervals of fixed length x blocks."""
        return self.load()


def paths(fixed: Fixed, profile: Profile, recipe: Recipe) -> tuple[path.Path3, path.Path3]:
    """Where the intervals of fixed length lie, and those of the run's own profile, along the same axes.

    Both are projected from their blocks: signatures of loops are known of intervals of variable length alone.
    """
    dims, seed = recipe.dims, recipe.seed
    return path.beside(project(fixed.profile, dims, seed), project(profile, dims, seed))


def labels(table: Intervals, intervals: Intervals, phases: NDArray[np.int32]) -> NDArray[np.int32]:
    """The phase that each interval of a table is in, in its middle.

    Args:
        table: of the same run.
        intervals: whose phases are known.
        phases: of each of these.
    """
    found = np.zeros(len(table), np.int32)
    for run, thread in sorted(set(zip(table.run.tolist(), table.thread.tolist(), strict=True))):
        theirs = np.flatnonzero((intervals.run == run) & (intervals.thread == thread))
        mine = np.flatnonzero((table.run == run) & (table.thread == thread))
        if theirs.size:
            middle = table.start[mine] + table.length[mine] // 2
            at = np.searchsorted(intervals.start[theirs], middle, side="right") - 1
            found[mine] = phases[theirs[np.maximum(at, 0)]]
    return found
