"""Steps of a run: its points, and other tools' of them."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from phasemark.workflow.arguments import options_of, paths_of
from phasemark.workflow.run.values import Values

if TYPE_CHECKING:
    from phasemark.estimates import PointOptions
    from phasemark.workflow.points import PointResult


class PointSteps(Values):
    """See Run."""

    def pick_points(self, options: PointOptions | None = None, **parameters: Any) -> PointResult:
        """Pick the intervals to simulate; write points.csv, simpoints, weights and labels.

        Args:
            options: how; or by name, as `per_phase=4, seed=7`: see PointOptions.

        Raises:
            DataError: phases were not found yet, or a file is damaged.
            UsageError: an option makes no sense.
            WorkError: a file cannot be written.
        """
        from phasemark.estimates import PointOptions
        from phasemark.workflow.points import pick_points

        return pick_points(self.folder, options_of(PointOptions, options, parameters))

    def import_points(
        self,
        files: Sequence[str | Path],
        *,
        interval: str | int | None = None,
        workload: str | None = None,
        coverage: float | None = None,
        warmup: int | None = None,
        guard: int | None = None,
        warmup_check: int | None = None,
        seed: int = 1,
    ) -> PointResult:
        """Take the points that another tool chose; write points.csv, simpoints and weights.

        With labels among the files, their clusters become the run's phases, too.

        Args:
            files: of one choice: SimPoint's simpoints and weights, with or without labels; or a CSV of
                PinPoints or LoopPoint, XiangShan's JSON, champsim.csv or points.csv.
            interval: instructions per interval, where there is no profile to tell: 1000000, `100M`.
            workload: which of a file that holds several.
            coverage: share of the run that the points stand for; None: as the files say, else all of it.
            warmup: instructions before each point; None: as the files say.
            guard: so many random intervals beside them, which tell how far they are off.
            warmup_check: so many draws of points to be simulated again with a longer warm-up.
            seed: of both.

        Raises:
            DataError: a malformed file, or points that do not fit the run.
            UsageError: files that do not belong together, or something is to be told.
            WorkError: a file cannot be read or written.
        """
        from phasemark.workflow.given_points import Telling, import_points

        telling = Telling(interval, workload, coverage, warmup, guard, warmup_check, seed)
        return import_points(self.folder, paths_of(files), telling)
