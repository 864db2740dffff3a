"""Steps of a run: what is measured of it, and what that says."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from phasemark.errors import UsageError
from phasemark.workflow.arguments import machine_of, options_of, paths_of, words_of
from phasemark.workflow.run.values import Values

if TYPE_CHECKING:
    from phasemark.formats.metrics.measurements import Options as MetricsOptions
    from phasemark.progress import Progress
    from phasemark.simulate.config import TimingConfig
    from phasemark.workflow.estimation import EstimateResult
    from phasemark.workflow.full_check import FullCheckResult
    from phasemark.workflow.importing import MetricsResult
    from phasemark.workflow.quality import QualityOptions, QualityResult
    from phasemark.workflow.run.watching import Watching
    from phasemark.workflow.seeds import OverSeeds
    from phasemark.workflow.simulation import SimulationResult
    from phasemark.workflow.standard_input import StandardInput


class MeasuringSteps(Values):
    """See Run."""

    def simulate(
        self,
        config: str | Path | TimingConfig = "modern",
        *,
        full: bool = False,
        points: str | Path | None = None,
        warmup: int | None = None,
        warmup_check: bool = False,
        command: Sequence[str] = (),
        stdin: int | None = None,
        progress: Watching = None,
    ) -> SimulationResult:
        """Run the program again on the timing model; write point-metrics.csv, or with `full` metrics.csv.

        Args:
            config: of the timing model: `modern`, `paper`, a TOML file, or a TimingConfig.
            full: simulate everything, not only the points.
            points: another table of points of this run.
            warmup: instructions before each point; None: see simulate.of_points.
            warmup_check: simulate those points again whose warm-up is checked, with a longer one; write
                warmup-metrics.csv.
            command: another program than the one that was profiled, or the same with other names of files.
            stdin: file descriptor that the program reads; None: it has no input.
            progress: told how far the run is.

        Raises:
            DataError: there are no points, a file is damaged, or nothing says what to run.
            UsageError: a negative warm-up, or `points` or `warmup` with `full`.
            WorkError: the program cannot be run, nothing was reached, or a file cannot be written.
        """
        from phasemark.workflow.simulation import simulate_all, simulate_checks, simulate_points

        if warmup_check and (full or points is not None or warmup is not None):
            raise UsageError(
                "the check of the warm-up simulates points of points.csv again, for longer than they were",
                hint="leave out --full, --points and --warmup",
            )
        if full and (points is not None or warmup is not None):
            raise UsageError("with --full everything is simulated", hint="leave out --points and --warmup")
        machine, words = machine_of(config), words_of(command)
        if full or warmup_check:
            simulated = simulate_all if full else simulate_checks
            return simulated(self.folder, machine, command=words, stdin=stdin, progress=progress)
        return simulate_points(
            self.folder,
            machine,
            points=None if points is None else Path(points),
            warmup=warmup,
            command=words,
            stdin=stdin,
            progress=progress,
        )

    def estimate(
        self,
        results: Sequence[str | Path] = (),
        *,
        confidence: float = 0.95,
        estimator: str = "weights",
        warmed: Sequence[str | Path] = (),
    ) -> EstimateResult:
        """Estimate the whole run's metrics from its points, with error bars; write estimate.csv.

        Args:
            results: of the points, of any simulator; none: point-metrics.csv, else metrics.csv.
            confidence: of the intervals.
            estimator: weights, epm1 or epm2, see estimates.estimate.
            warmed: results of the points whose warm-up is checked, with the longer one; none: of the folder's
                own points warmup-metrics.csv, where it is there.

        Raises:
            DataError: there are no points or no metrics, or they do not fit together.
            UsageError: a confidence that makes no sense, or an estimator that these phases do not allow.
            WorkError: the file cannot be written.
        """
        from phasemark.workflow.estimation import estimate_run

        return estimate_run(
            self.folder, paths_of(results), confidence, estimator=estimator, warmed=paths_of(warmed)
        )

    def estimate_over_seeds(
        self, seeds: int = 10, *, progress: Progress | None = None, estimator: str = "weights"
    ) -> OverSeeds:
        """Estimates with other seeds of clustering and choice; metrics.csv must cover every interval.

        Args:
            seeds: how many, at least 2.
            progress: told how many seeds are done, of how many.
            estimator: see `estimate`.

        Raises:
            DataError: the full run's metrics are not there.
            UsageError: fewer than 2 seeds.
        """
        from phasemark.workflow.seeds import estimate_over_seeds

        return estimate_over_seeds(self.folder, seeds, progress, estimator)

    def quality(
        self,
        options: QualityOptions | None = None,
        *,
        against_k: bool = False,
        progress: Progress | None = None,
        **parameters: Any,
    ) -> QualityResult:
        """Measure how much metrics vary within the phases; write quality.csv, with `against_k` quality-k.csv.

        Args:
            options: how; or by name, as `metrics=("cpi",), n=50`: see QualityOptions.
            against_k: also cluster with 1 to 20 phases, and compare.
            progress: told how many k are done, of how many.

        Raises:
            DataError: a file is missing or damaged, or a metric was not measured.
            UsageError: an option makes no sense.
            WorkError: a file cannot be written.
        """
        from phasemark.workflow.quality import QualityOptions, compare_ks, measure

        measured = measure(self.folder, options_of(QualityOptions, options, parameters))
        return compare_ks(self.folder, measured, progress) if against_k else measured

    def check(
        self,
        timing: str | Path | TimingConfig | None = None,
        *,
        stdin: StandardInput | None = None,
        progress: Watching = None,
        beginning: Callable[[str], None] | None = None,
    ) -> FullCheckResult:
        """Simulate the points and the whole run, and compare what they say; write estimate.csv.

        Args:
            timing: with which the run was profiled; None: the whole run is simulated, too.
            stdin: what the program reads, each time anew; None: it has no input.
            progress: told how far each run is.
            beginning: told what is simulated before each run: `the points`, `the whole run`.

        Raises:
            PhasemarkError: see `simulate` and `estimate`.
        """
        from phasemark.workflow.full_check import check_in_full

        seconds = 0.0 if self.recording is None else self.recording.cpu_seconds
        seconds += float(self.folder.entry_of("intervals").get("cpu_seconds", 0.0))
        config = None if timing is None else machine_of(timing)
        return check_in_full(
            self.folder, seconds, config, stdin=stdin, progress=progress, beginning=beginning
        )

    def import_metrics(
        self, files: Sequence[str | Path], options: MetricsOptions | None = None, of: str | None = None
    ) -> MetricsResult:
        """Read other tools' metrics of this run; write metrics.csv, or for points point-metrics.csv.

        Args:
            files: of one kind: gem5's stats.txt, perf stat, ChampSim or CSV.
            options: what the files do not say.
            of: `run`, `intervals` or `points`; None: told from the files.

        Raises:
            DataError: a malformed file, or one that does not fit the run.
            UsageError: files that do not fit together, or an option that makes no sense.
            WorkError: a file cannot be read or written.
        """
        from phasemark.workflow.importing import import_metrics

        return import_metrics(self.folder, paths_of(files), options, of)
