"""Steps of a run: where its intervals end."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from phasemark.workflow.arguments import machine_of, options_of, words_of
from phasemark.workflow.run.values import Values

if TYPE_CHECKING:
    from phasemark.model import Hierarchy
    from phasemark.progress import Progress
    from phasemark.simulate.config import TimingConfig
    from phasemark.workflow.grammar import GrammarOptions, GrammarResult
    from phasemark.workflow.intervals import IntervalOptions, IntervalsResult
    from phasemark.workflow.run.watching import Watching


class IntervalSteps(Values):
    """See Run."""

    def find_intervals(
        self,
        options: IntervalOptions | None = None,
        *,
        timing: str | Path | TimingConfig | None = None,
        command: Sequence[str] = (),
        stdin: int | None = None,
        progress: Progress | None = None,
        watching: Watching = None,
        **parameters: Any,
    ) -> IntervalsResult:
        """Find intervals of variable length in the run's events, and run the program again, cut at them.

        Writes hierarchy.h5 and profile.h5. The profile with intervals of fixed length is kept as fixed.h5;
        phases, points and metrics of it go, but metrics.csv, which is kept as fixed-metrics.csv.

        Args:
            options: how long they are to be; or by name, as `minimum=10**6, maximum=5 * 10**6`: see
                IntervalOptions.
            timing: also count cycles and misses of each interval in the same run: a configuration as for
                `simulate`.
            command: another program than the one that was profiled, or the same with other names of files.
            stdin: file descriptor that the program reads; None: it has no input.
            progress: told how many levels of the hierarchy are done, of how many so far.
            watching: told how far the run is.

        Raises:
            DataError: the run was not recorded with `events`, or a file is damaged.
            UsageError: an option makes no sense, or the minimum is longer than the program.
            WorkError: the program cannot be run or ended otherwise than before, or a file cannot be written.
        """
        from phasemark.workflow.intervals import IntervalOptions, find_intervals

        return find_intervals(
            self.folder,
            options_of(IntervalOptions, options, parameters),
            timing=None if timing is None else machine_of(timing),
            command=words_of(command),
            stdin=stdin,
            progress=progress,
            watching=watching,
        )

    def find_hierarchy(
        self,
        options: IntervalOptions | None = None,
        *,
        progress: Progress | None = None,
        **parameters: Any,
    ) -> Hierarchy:
        """The hierarchy that `find_intervals` selects from; nothing is run, and nothing written.

        Arguments and errors as `find_intervals`.
        """
        from phasemark.workflow.intervals import IntervalOptions, find_hierarchy

        return find_hierarchy(self.folder, options_of(IntervalOptions, options, parameters), progress)

    def grammars(
        self, options: GrammarOptions | None = None, *, every: int = 10_000, **parameters: Any
    ) -> GrammarResult:
        """What repeats in the run's events, thread by thread; nothing is run, and nothing written.

        Args:
            options: what is told; or by name, as `most=5`: see GrammarOptions.
            every: leave out what recurs more often than once in so many instructions; 0: nothing.

        Raises:
            DataError: the run was not recorded with `events`, or a file is damaged.
            UsageError: an option makes no sense.
        """
        from phasemark.workflow.grammar import GrammarOptions
        from phasemark.workflow.intervals import find_grammars

        return find_grammars(self.folder, every, options_of(GrammarOptions, options, parameters))

    def restore_fixed(self) -> tuple[str, ...]:
        """Go back to the intervals of fixed length, and what was measured of them.

        Returns:
            What became of files that were made from intervals of variable length, one phrase each.

        Raises:
            DataError: the intervals are those that the run was recorded with, or a file is damaged.
            WorkError: a file cannot be written.
        """
        from phasemark.workflow.intervals import restore_fixed

        return restore_fixed(self.folder)
