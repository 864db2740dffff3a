"""Two runs of a program -> what differs, phase by phase."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from phasemark import parallel
from phasemark.errors import DataError, UsageError, counted, shown
from phasemark.model import Intervals, Profile
from phasemark.progress import Progress
from phasemark.store.folder import Folder
from phasemark.store.steps import REMOVED
from phasemark.views import comparing as words
from phasemark.views.functions import Changed, changed, hottest_functions, hottest_lines
from phasemark.views.machine_names import short
from phasemark.workflow import joining
from phasemark.workflow.phases import PhaseOptions, find_phases, read_phases
from phasemark.workflow.reading import read, read_intervals
from phasemark.workflow.result import Result
from phasemark.workflow.scaling import cycles_of

if TYPE_CHECKING:
    import pandas as pd

    from phasemark.parallel import Comparison

#: What tells that code of one run is code of the other; auto: block, where both are one build.
BY = (joining.AUTO, *parallel.BY)

#: A run of fewer intervals says little of its phases.
FEW = 20


@dataclass(frozen=True, repr=False)
class ComparisonResult(Result):
    """Two runs beside one another.

    Attributes:
        comparison: the numbers.
        names: of each phase, its hottest function; empty where that is not known.
        lines: of each phase, the hottest source line of its hottest function, `file.c:12`; empty where that
            is not known, as where runs of two builds have functions alone in common.
        functions: those whose instructions differ most.
        sentences: what the numbers say, one each.
        sources: the two folders; one, of runs that were joined before.
        by: what told code of one run from that of the other: `block` or `function`.
        source: what measured the cycles; empty where instructions are compared.
        notes: what the user should know, one sentence each.
        folder: with both runs joined and their phases; None where it was not kept.
        discarded: what became of files in it that were made from another profile, one phrase each.
        transition: of online phases the one of intervals that are of none, see Phases.
    """

    comparison: Comparison
    names: tuple[str, ...]
    lines: tuple[str, ...]
    functions: tuple[Changed, ...]
    sentences: tuple[str, ...]
    sources: tuple[Path, ...]
    by: str
    source: str = ""
    notes: tuple[str, ...] = ()
    folder: Folder | None = None
    discarded: tuple[str, ...] = ()
    transition: int | None = None

    def frame(self) -> pd.DataFrame:
        """One row a phase: see parallel.Comparison.frame."""
        return self.comparison.frame()


def compare(
    before: str | Path,
    after: str | Path | None = None,
    out: str | Path | None = None,
    *,
    by: str = "auto",
    options: PhaseOptions | None = None,
    progress: Progress | None = None,
) -> ComparisonResult:
    """Find phases over two runs of a program, of two inputs or two builds, and say what differs.

    Args:
        before, after: folders, or files as `read` reads them; without `after`, `before` is a folder of two
            runs that were joined, with phases.
        out: the folder to keep the joined runs and their phases in; None: they are not kept.
        by: `block`, `function` (see parallel.join), or `auto`: block where both are one build.
        options: how phases are found; None: the defaults.
        progress: told how far the search for phases is.

    Raises:
        UsageError: an option makes no sense, or `out` holds the recorded run of a program.
        DataError: a source holds no profile, or both cannot be joined; says which, and why.
        WorkError: a folder cannot be written.
    """
    if by not in BY:
        raise UsageError(f"by is {shown(by)}", hint=f"use one of {', '.join(BY)}")
    if after is None:
        return _joined_before(Folder(before), out, by, options)
    (options or PhaseOptions()).check()
    with _folder(out) as folder:
        joined = _join((before, after), folder, by)
        found = find_phases(folder, options, progress)
        return _result(
            folder,
            joined.sources,
            notes=(*joined.notes, *found.notes),
            kept=out is not None,
            # Phases are there again.
            discarded=tuple(said for said in joined.discarded if not _is_there_again(said, folder)),
        )


def _joined_before(
    folder: Folder, out: str | Path | None, by: str, options: PhaseOptions | None
) -> ComparisonResult:
    if out is not None or by != "auto" or options is not None:
        raise UsageError(
            "one folder is compared as it is: how it was joined and its phases found stays",
            hint="name two folders, or leave out -o and the options",
        )
    profile = read(folder.path)
    _require_runs(profile.interval_table, 2, folder.path)
    return _result(folder, (folder.path,), notes=profile.provenance.warnings, kept=True)


@contextmanager
def _folder(out: str | Path | None) -> Iterator[Folder]:
    """The folder that is told; else one that goes again."""
    if out is not None:
        yield Folder(out)
        return
    with tempfile.TemporaryDirectory(prefix="phasemark-compare-") as path:
        yield Folder(path)


def _join(sources: tuple[str | Path, str | Path], folder: Folder, by: str) -> joining.JoinResult:
    for source in sources:
        _require_runs(read_intervals(source), 1, Path(source))
    return joining.parallel(sources, folder.path, by=by)


def _require_runs(intervals: Intervals, wanted: int, path: Path) -> None:
    """See that intervals are of as many runs as are compared.

    Raises:
        DataError: it is not.
    """
    if (runs := int(intervals.run.max(initial=-1)) + 1) != wanted:
        raise DataError(
            f"holds {counted(runs, 'run')}, where two are compared",
            path=path,
            hint="name two folders of one run each, phasemark compare BEFORE AFTER, or one of two",
        )


def _result(
    folder: Folder,
    sources: tuple[Path, ...],
    *,
    notes: tuple[str, ...],
    kept: bool,
    discarded: tuple[str, ...] = (),
) -> ComparisonResult:
    profile, (_, phases) = read(folder.path), read_phases(folder)
    metrics, lacking = cycles_of(folder, profile)
    try:
        found = parallel.compare(profile, phases, metrics)
    except DataError as error:
        raise error if error.path else error.at(folder.path) from error
    names = tuple(short(next(iter(hot), "")) for hot in hottest_functions(profile, phases, 1))
    lines = tuple(map(short, hottest_lines(profile, phases)))
    called = [", ".join(filter(None, pair)) for pair in zip(names, lines, strict=True)]
    return ComparisonResult(
        found,
        names,
        lines,
        tuple(changed(profile)),
        tuple(words.reading(found, called, phases.titles)),
        sources,
        _by(profile),
        metrics.source if metrics is not None else "",
        tuple(dict.fromkeys([*notes, *lacking, *_of_lengths(profile)])),
        folder if kept else None,
        discarded,
        phases.transition,
    )


def _is_there_again(said: str, folder: Folder) -> bool:
    """Whether what was said to be removed was made anew."""
    return said.endswith(REMOVED) and folder[said.removesuffix(REMOVED)].exists()


def _by(profile: Profile) -> str:
    return str(profile.provenance.details.get("joined_by", "block"))


def _of_lengths(profile: Profile) -> list[str]:
    """Where one run has next to no intervals, its phases are a blur."""
    table = profile.interval_table
    few = int(np.bincount(table.run - table.run.min()).min())
    if few >= FEW:
        return []
    return [f"one run has only {counted(few, 'interval')}: shorter ones (--interval) tell phases apart"]
