"""Points that another tool chose -> the points of a run."""

from __future__ import annotations

import dataclasses
import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from phasemark import phases as phase_models
from phasemark import points as points_of
from phasemark import signatures
from phasemark.collect import interval_length
from phasemark.errors import UsageError
from phasemark.formats import recogniser
from phasemark.formats.points import placing, reading
from phasemark.formats.points.placing import Placed
from phasemark.formats.source import chunks
from phasemark.model import Intervals, Phases, Points
from phasemark.model.options import require_given, require_real, require_whole
from phasemark.model.points import GIVEN, OF_SAMPLE, OPTIONAL, WHOLE_RUN
from phasemark.points.warmup import check_number
from phasemark.store import points_csv
from phasemark.store.folder import Folder
from phasemark.store.steps import REMOVED
from phasemark.workflow import projecting
from phasemark.workflow.alone import alone
from phasemark.workflow.phases import keep_phases, read_phases
from phasemark.workflow.points import PointResult, keep_points
from phasemark.workflow.reading import read_intervals
from phasemark.workflow.result import is_back

#: The command that did it, as run.json and points.csv have it.
COMMAND = "points --from"

#: Columns that tell whether points are those of a table, beside the weight.
_KEY = ("run", "thread", "interval", "phase", "start", "end", "population")

#: What was told, as run.json has it.
_TOLD = ("length", "workload", "warmup", "guard", "warmup_check")

#: What need not be said of files that are there anew.
_REPLACED = tuple(f"{name}{REMOVED}" for name in ("points.csv", "simpoints", "weights"))


@dataclass(frozen=True)
class Telling:
    """What the files of points do not say.

    Attributes:
        interval: instructions per interval, also as text (`10k`, `100M`); a profile must have them, too.
        workload: which of a file that holds several.
        coverage: share of the run that the points stand for.
        warmup: instructions before each point, in place of what the files say.
        guard: so many random intervals beside the points, which tell how far these are off; None: none.
        warmup_check: so many draws of points to be simulated again with a longer warm-up; None: none.
        seed: of both.
    """

    interval: str | int | None = None
    workload: str | None = None
    coverage: float | None = None
    warmup: int | None = None
    guard: int | None = None
    warmup_check: int | None = None
    seed: int = 1

    def check(self) -> None:
        """See that it makes sense.

        Raises:
            UsageError: it does not.
        """
        require_whole(warmup=self.warmup)
        require_real(coverage=self.coverage)
        if self.warmup is not None and self.warmup < 0:
            raise UsageError(f"warm-up is {self.warmup} instructions", hint="it must be 0 or more")
        if self.coverage is not None and not 0 < self.coverage <= 1:
            raise UsageError(f"coverage is {self.coverage}", hint="it must be above 0 and at most 1")
        require_given(seed=self.seed)
        require_whole(seed=self.seed)
        if self.guard is not None:
            points_of.check_guards(self.guard, GIVEN)
        if self.warmup_check is not None:
            check_number(self.warmup_check)

    @property
    def length(self) -> int | None:
        """Instructions per interval; None: not told."""
        if self.interval is None:
            return None
        length = interval_length.parse(str(self.interval))
        if isinstance(length, str):
            raise UsageError("an interval of points has a length", hint="give it, as --interval 100M")
        return length

    def beside(self, points: Points, intervals: Intervals | None, phases: Phases | None) -> Points:
        """The points with guards, and with what is to be checked, as far as that was asked for.

        Raises:
            UsageError: guards of a run whose intervals are not known, or of points that cannot have any.
        """
        if self.guard is not None:
            if intervals is None:
                raise UsageError(
                    "guards are random intervals of a run, and there is no profile",
                    hint="profile the program, or import its vectors, into this folder first",
                )
            warmup = int(points.warmup.max(initial=0))
            points = points_of.add_guards(points, intervals, phases, self.guard, self.seed, warmup=warmup)
        if self.warmup_check is None:
            return points
        return points_of.with_checks(points, self.warmup_check, self.seed)


@alone("points --from")
def import_points(folder: Folder, files: Sequence[Path], telling: Telling | None = None) -> PointResult:
    """Make the points of another tool's files the points of a run; write points.csv, simpoints, weights.

    With labels among the files, their clusters become the phases of the run, too.

    Args:
        folder: a run's; without a profile in it, points are where the files or the interval's length say.
        files: of one choice, see formats.points.reading.
        telling: what the files do not say.

    Raises:
        DataError: a malformed file, or points that do not fit the run.
        UsageError: files that do not belong together, or something is to be told.
        WorkError: a file cannot be read or written.
    """
    telling = telling or Telling()
    telling.check()
    chosen = reading.read(files, telling.workload)
    told: dict[str, Any] = {"coverage": telling.coverage, "warmup": telling.warmup, "length": telling.length}
    step = _Step(folder, _origin(files, telling, chosen.instructions), tuple(map(Path, files)), telling)
    if not folder.profile.exists() and not folder.is_unfinished():
        placed = placing.alone(chosen, **told)
        return step.kept(placed.points, placed.notes)
    intervals = read_intervals(folder.path)
    placed = placing.on_intervals(chosen, intervals, **told)
    if placed.clusters is not None:
        return step.with_labels(placed, placed.clusters, intervals)
    if not folder.model.exists():
        return step.kept(placed.points, placed.notes, intervals)
    phases = read_phases(folder)[1]
    held = points_of.of_phases(placed.points, placed.rows, intervals, phases)
    notes = placed.notes
    if not held.chosen_from and held.points.method not in WHOLE_RUN:
        notes += (
            "the points were chosen from other phases than this folder's: the column phase says in which of "
            "these each lies, the weights are as given",
        )
    return step.kept(held.points, notes, intervals, phases)


@dataclass(frozen=True)
class _Step:
    """The folder, and where its points are from, as run.json has it."""

    folder: Folder
    origin: dict[str, Any]
    files: tuple[Path, ...]
    telling: Telling

    def with_labels(self, placed: Placed, clusters: NDArray[np.int64], intervals: Intervals) -> PointResult:
        """Make the clusters the run's phases, and keep the points."""
        run = projecting.project(self.folder, signatures.DEFAULT_DIMS, phase_models.DEFAULT_SEED)
        phases = phase_models.of_labels(clusters, run.signatures)
        held = points_of.of_phases(placed.points, placed.rows, intervals, phases, told=True)
        sizes = np.bincount(phases.labels, minlength=phases.k)
        notes = placed.notes
        if not points_of.are_shares(
            placed.points, held.points.phase, phases.shares(run.signatures.weights), sizes
        ):
            notes += (
                "the weights are not the shares of the clusters that the labels tell: they are as given",
            )
        discarded = keep_phases(self.folder, intervals, run.signatures, phases, self.origin)
        result = self.kept(held.points, notes, intervals, phases)
        gone = [phrase for phrase in discarded if phrase not in _REPLACED]
        return dataclasses.replace(result, discarded=(*gone, *result.discarded))

    def kept(
        self,
        points: Points,
        notes: tuple[str, ...],
        intervals: Intervals | None = None,
        phases: Phases | None = None,
    ) -> PointResult:
        """Write the points; what there was of others goes."""
        points = self.telling.beside(self._as_written(points), intervals, phases)
        made_by = {"command": COMMAND, "files": " ".join(self.origin["files"])}
        entry = {
            **self.origin,
            "found": len(points),
            "coverage": points.coverage,
            "covered": points.coverage,
            "notes": list(notes),
        }
        back = self._back(points)
        discarded = keep_points(
            self.folder.create(), intervals, phases, points, entry=entry, made_by={**made_by}, back=back
        )
        return PointResult(intervals, phases, points, (*notes, *map(is_back, back)), discarded)

    def _as_written(self, points: Points) -> Points:
        """The points with what our own table says beyond those of others: strata, guards, checks and more."""
        path = self.files[0]
        if len(self.files) > 1 or recogniser.recognise(path) is not recogniser.POINTS:
            return points
        written = points_csv.read(path)
        same = written.method == points.method and all(
            np.array_equal(getattr(written, name), getattr(points, name)) for name in _KEY
        )
        # Those of the points were scaled to sum to 1, which in doubles they do not quite.
        if not same or not np.allclose(written.weight, points.weight, rtol=1e-9, atol=0):
            return points
        more = {name: getattr(written, name) for name in ("weight", *OPTIONAL, *OF_SAMPLE)}
        return dataclasses.replace(points, **more)

    def _back(self, points: Points) -> tuple[Path, ...]:
        """The file, if it was set aside in this folder, and these are its points."""
        first = self.files[0]
        is_ours = self.folder.name_before(first) == self.folder.points.name
        return (first,) if is_ours and points_csv.holds(first, points) else ()


def _origin(files: Sequence[Path], telling: Telling, instructions: int | None) -> dict[str, Any]:
    told = {name: getattr(telling, name) for name in _TOLD}
    told["seed"] = telling.seed if telling.guard or telling.warmup_check else None
    told["instructions"] = instructions
    return {
        "command": COMMAND,
        "files": [file.name for file in files],
        "sha256": [_digest(file) for file in files],
        **{name: value for name, value in told.items() if value is not None},
    }


def _digest(path: Path) -> str:
    """Of a file's content, unzipped."""
    digest = hashlib.sha256()
    for chunk in chunks(path):
        digest.update(chunk)
    return digest.hexdigest()
