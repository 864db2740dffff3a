"""How the phases of a run, or of several, scale with the number of threads."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from phasemark import parallel
from phasemark.errors import DataError
from phasemark.model import Metrics, Profile
from phasemark.store import metrics_csv
from phasemark.store.folder import Folder
from phasemark.views import scaling as words
from phasemark.views.functions import hottest_functions
from phasemark.views.machine_names import short
from phasemark.workflow.phases import read_phases
from phasemark.workflow.reading import read
from phasemark.workflow.result import Result

if TYPE_CHECKING:
    import pandas as pd

    from phasemark.parallel import Scaling


@dataclass(frozen=True, repr=False)
class ScalingResult(Result):
    """What each phase costs in each run.

    Attributes:
        scaling: the numbers.
        names: of each phase, its hottest function; empty where that is not known.
        sentences: what they say, one each.
        source: what measured the cycles; empty where time is counted in instructions.
        transition: of online phases the one of intervals that are of none, see Phases.
    """

    scaling: Scaling
    names: tuple[str, ...]
    sentences: tuple[str, ...]
    source: str = ""
    transition: int | None = None

    def frame(self) -> pd.DataFrame:
        """One row a run and phase: see parallel.Scaling.frame."""
        return self.scaling.frame()


def scaling(folder: Folder, threads: Sequence[int] | None = None) -> ScalingResult:
    """Say how the phases of a folder's runs scale; nothing is written.

    Args:
        folder: with profile.h5, model.h5, and, to count time in cycles, metrics.csv.
        threads: how many threads each run is to count as; None: all that executed an instruction.

    Raises:
        DataError: phases were not found yet, threads have no common clock, a file is damaged, or `threads`
            do not fit.
    """
    profile, (_, phases) = read(folder.path), read_phases(folder)
    metrics, notes = cycles_of(folder, profile)
    try:
        found = parallel.scaling(profile, phases, metrics, threads)
    except DataError as error:
        raise error if error.path else error.at(folder.path) from error
    names = tuple(short(next(iter(hot), "")) for hot in hottest_functions(profile, phases, 1))
    source = metrics.source if metrics is not None else ""
    return ScalingResult(
        found, names, (*words.reading(found, names, phases.titles), *notes), source, phases.transition
    )


def cycles_of(folder: Folder, profile: Profile) -> tuple[Metrics | None, tuple[str, ...]]:
    """The metrics of a folder's intervals, if the cycles of all its runs are known, and why they are not.

    Raises:
        DataError: metrics.csv is damaged, or of other intervals.
    """
    if not folder.metrics.exists():
        return None, ()
    metrics = metrics_csv.read(folder.metrics)
    if "cycles" not in metrics.counters or len(metrics) < 2:
        return None, ()
    try:
        whole = parallel.cycles_of_all(metrics, profile.interval_table)
    except DataError as error:
        raise error if error.path else error.at(folder.metrics) from error
    if whole is None:
        return None, ("metrics.csv lacks the cycles of a run, or of more than 1% of it, and was not used",)
    return whole, ()
