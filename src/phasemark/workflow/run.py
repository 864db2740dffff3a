"""Run: a run's folder, and every step on it. The front door for Python.

A step prints nothing and asks nothing: it reads files of the folder, writes its own, and returns a value with
its notes and with what was discarded. The command line calls the same methods.

One long class on purpose: it is what users read, and complete in an editor, in the order of the steps. A
method is its documentation and one call; whatever a step does stands in its own module.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from phasemark.errors import UsageError
from phasemark.store import cache
from phasemark.store.folder import Folder
from phasemark.workflow.arguments import machine_of, options_of, paths_of, words_of

if TYPE_CHECKING:
    from phasemark.collect import Headway, Recording
    from phasemark.estimates import PointOptions
    from phasemark.formats.metrics.measurements import Options as MetricsOptions
    from phasemark.formats.points.exports import Exported
    from phasemark.intervals import PhaseMarkers
    from phasemark.model import Hierarchy, Intervals, Metrics, Phases, Points, Profile, Signatures
    from phasemark.model.given import MetricsLike, PhasesLike, PointsLike
    from phasemark.phases import Stability
    from phasemark.progress import Progress
    from phasemark.simulate.config import TimingConfig
    from phasemark.store.events_h5 import StoredTrace
    from phasemark.workflow.estimation import EstimateResult
    from phasemark.workflow.full_check import FullCheckResult
    from phasemark.workflow.grammar import GrammarOptions, GrammarResult
    from phasemark.workflow.importing import MetricsResult
    from phasemark.workflow.intervals import IntervalOptions, IntervalsResult
    from phasemark.workflow.model_options import ModelOptions
    from phasemark.workflow.models import ModelsResult
    from phasemark.workflow.phases import PhaseOptions, PhaseResult
    from phasemark.workflow.points import PointResult
    from phasemark.workflow.predicting import PredictionResult
    from phasemark.workflow.quality import QualityOptions, QualityResult
    from phasemark.workflow.scaling import ScalingResult
    from phasemark.workflow.seeds import OverSeeds
    from phasemark.workflow.simulation import SimulationResult
    from phasemark.workflow.standard_input import StandardInput
    from phasemark.workflow.tracking import TrackOptions, TrackResult

    #: Called about twice a second while a program runs.
    Watching = Callable[[Headway], None] | None

_Value = TypeVar("_Value")


class Run:
    """The folder of one run.

        run = phasemark.profile(["gzip", "-k", "file"], out="out/", interval="1M")
        run.find_phases(max_k=30)
        run.pick_points(per_phase=4)
        run.simulate()
        print(run.estimate().summary())
        run.report()

    Values (`profile`, `phases`, `points`, ...) are read when they are asked for, and again when their file
    has changed. A Run holds no file open; it can be pickled.

    Args:
        path: the folder; it need not exist before something is saved in it.
        discarded: what became of files in it when it was opened, one phrase each.
        recording: how its program ran, where that was just now.

    Attributes:
        folder: names of its files.
        discarded, recording: as given.
    """

    def __init__(
        self, path: str | Path, *, discarded: Sequence[str] = (), recording: Recording | None = None
    ) -> None:
        self.folder = Folder(path)
        self.discarded = tuple(discarded)
        self.recording = recording
        self._values: dict[str, tuple[Any, Any]] = {}

    @property
    def path(self) -> Path:
        """The folder."""
        return self.folder.path

    def __repr__(self) -> str:
        names = ("profile", "phases", "points", "metrics", "point_metrics", "estimate", "quality", "report")
        there = [name.replace("_", " ") for name in names if getattr(self.folder, name).exists()]
        return f"<Run {str(self.path)!r}: {', '.join(there) or 'empty'}>"

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "_values": {}}

    # ------------------------------------------------------------ values

    @property
    def profile(self) -> Profile:
        """Which code each interval executed.

        Raises:
            DataError: there is none, or it is damaged.
        """
        from phasemark.workflow.reading import read

        return self._kept("profile", self.folder.profile, lambda: read(self.path))

    @property
    def intervals(self) -> Intervals:
        """The intervals of the profile, in a fraction of the time."""
        from phasemark.workflow.reading import read_intervals

        return self._kept("intervals", self.folder.profile, lambda: read_intervals(self.path))

    @property
    def events(self) -> tuple[StoredTrace, ...]:
        """The loops, calls and returns of each thread, to be read a stretch at a time.

        Raises:
            DataError: they were not recorded, or are damaged.
        """
        from phasemark.workflow.reading import read_events

        return self._kept("events", self.folder.events, lambda: read_events(self.path))

    @property
    def signatures(self) -> Signatures:
        """What the phases were found in.

        Raises:
            DataError: phases were not found yet, or model.h5 is damaged.
        """
        from phasemark.workflow.phases import read_phases

        return self._kept("model", self.folder.model, lambda: read_phases(self.folder))[0]

    @property
    def phases(self) -> Phases:
        """The phases; raises as `signatures`."""
        from phasemark.workflow.phases import read_phases

        return self._kept("model", self.folder.model, lambda: read_phases(self.folder))[1]

    @property
    def points(self) -> Points:
        """The simulation points.

        Raises:
            DataError: none were picked yet, or points.csv is damaged.
        """
        from phasemark.workflow.points import read_points

        return self._kept("points", self.folder.points, lambda: read_points(self.folder))

    @property
    def metrics(self) -> Metrics:
        """What was measured of every interval, or of the run in one.

        Raises:
            DataError: nothing was, or metrics.csv is damaged.
        """
        from phasemark.workflow.measured import metrics_of

        return self._kept("metrics", self.folder.metrics, lambda: metrics_of(self.folder))

    @property
    def point_metrics(self) -> Metrics:
        """What was measured of the points; raises as `metrics`."""
        path, hint = self.folder.point_metrics, "run `phasemark simulate DIR`, or import metrics, first"
        return self._kept("point_metrics", path, lambda: _metrics(path, hint))

    def _kept(self, name: str, path: Path, read_value: Callable[[], _Value]) -> _Value:
        """A value as it was read last, if its file is still the same."""
        stamp = cache.identity(path, settled=False)
        known = self._values.get(name)
        if known is not None and stamp is not None and known[0] == stamp:
            return known[1]  # type: ignore[no-any-return]
        value = self.folder.steady(read_value)
        self._values[name] = (stamp, value)
        return value

    # ------------------------------------------------------------ steps

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

    def find_phases(
        self,
        options: PhaseOptions | None = None,
        *,
        cached: bool = True,
        progress: Progress | None = None,
        **parameters: Any,
    ) -> PhaseResult:
        """Find which intervals behave alike; write phases.csv, model.h5, with one thread labels.

        Args:
            options: how; or by name, as `max_k=30, seed=7`: see PhaseOptions.
            cached: take the projection that was kept of the same profile, and keep it of a large one.
            progress: told how many k are done, of how many.

        Raises:
            DataError: there is no profile, or it is damaged.
            UsageError: an option makes no sense.
            WorkError: a file cannot be written.
        """
        from phasemark.workflow.phases import PhaseOptions, find_phases

        return find_phases(
            self.folder, options_of(PhaseOptions, options, parameters), progress, cached=cached
        )

    def compare_seeds(
        self,
        options: PhaseOptions | None = None,
        *,
        seeds: int = 10,
        progress: Progress | None = None,
        **parameters: Any,
    ) -> Stability:
        """Find phases and points with several seeds and compare them; write stability.csv.

        The run's own phases and points stay as they are. Arguments and errors as `find_phases`, but without
        options those of the run's phases are taken; `seeds`: how many, from the options' seed on.
        """
        from phasemark.workflow import stability
        from phasemark.workflow.phases import PhaseOptions

        if options is None and not parameters:
            options = PhaseOptions.of_entry(self.folder.entry_of("phases"))
        return stability.compare_seeds(
            self.folder, options_of(PhaseOptions, options, parameters), seeds, progress
        )

    def compare_models(
        self,
        options: ModelOptions | None = None,
        *,
        progress: Progress | None = None,
        **parameters: Any,
    ) -> ModelsResult:
        """Fit models of phases side by side; write models.csv, of a measured run models-points.csv too.

        The run's own phases and points stay as they are. Of a comparison that was killed, what is done stays;
        the next one with the same options goes on from there.

        Args:
            options: what is compared; or by name, as `models=("simpoint", "hmm"), states=(4, 8)`: see
                ModelOptions.
            progress: told how many fits are done, of how many.

        Raises:
            DataError: there is no profile, or a file is damaged.
            UsageError: an option makes no sense.
            WorkError: a file cannot be written.
        """
        from phasemark.workflow.model_options import ModelOptions
        from phasemark.workflow.models import compare_models

        return compare_models(self.folder, options_of(ModelOptions, options, parameters), progress)

    def predict(self, *, held_out: float = 0.2) -> PredictionResult:
        """Say which phase comes next, how long phases last, and how well that is foretold; writes nothing.

        Args:
            held_out: share of each thread's intervals to foretell, which a second fit does not see; 0: none.

        Raises:
            DataError: phases were not found yet, or a file is damaged.
            UsageError: a share that is none.
        """
        from phasemark.workflow.predicting import predict

        return predict(self.folder, held_out)

    def track(
        self, options: TrackOptions | None = None, *, progress: Progress | None = None, **parameters: Any
    ) -> TrackResult:
        """Find phases interval by interval, in one pass, and how well they are foretold.

        Writes track.csv and track.h5. Where the run has no phases, or online ones, or with `replace=True`,
        they become the run's: phases.csv, model.h5, with one thread labels.

        Args:
            options: how; or by name, as `threshold=0.5, predictors=("rle-markov",)`: see TrackOptions.
            progress: told how many intervals are done, of how many.

        Raises:
            DataError: there is no profile, the metric to adapt to was not measured, or a file is damaged.
            UsageError: an option makes no sense.
            WorkError: a file cannot be written.
        """
        from phasemark.workflow.tracking import TrackOptions, track

        return track(self.folder, options_of(TrackOptions, options, parameters), progress)

    def scaling(self, *, threads: Sequence[int] | None = None) -> ScalingResult:
        """Say how much time each phase takes with how many threads, and what limits the program.

        Args:
            threads: how many threads each run is to count as; None: all that executed an instruction.

        Raises:
            DataError: phases were not found yet, threads have no common clock, a file is damaged, or
                `threads` do not fit.
        """
        from phasemark.workflow.scaling import scaling

        return scaling(self.folder, threads)

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

        Raises:
            DataError: a malformed file, or points that do not fit the run.
            UsageError: files that do not belong together, or something is to be told.
            WorkError: a file cannot be read or written.
        """
        from phasemark.workflow.given_points import Telling, import_points

        telling = Telling(interval, workload, coverage, warmup)
        return import_points(self.folder, paths_of(files), telling)

    def simulate(
        self,
        config: str | Path | TimingConfig = "modern",
        *,
        full: bool = False,
        points: str | Path | None = None,
        warmup: int | None = None,
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
            command: another program than the one that was profiled, or the same with other names of files.
            stdin: file descriptor that the program reads; None: it has no input.
            progress: told how far the run is.

        Raises:
            DataError: there are no points, a file is damaged, or nothing says what to run.
            UsageError: a negative warm-up, or `points` or `warmup` with `full`.
            WorkError: the program cannot be run, nothing was reached, or a file cannot be written.
        """
        from phasemark.workflow.simulation import simulate_all, simulate_points

        if full and (points is not None or warmup is not None):
            raise UsageError("with --full everything is simulated", hint="leave out --points and --warmup")
        machine, words = machine_of(config), words_of(command)
        if full:
            return simulate_all(self.folder, machine, command=words, stdin=stdin, progress=progress)
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
    ) -> EstimateResult:
        """Estimate the whole run's metrics from its points, with error bars; write estimate.csv.

        Args:
            results: of the points, of any simulator; none: point-metrics.csv, else metrics.csv.
            confidence: of the intervals.
            estimator: weights, epm1 or epm2, see estimates.estimate.

        Raises:
            DataError: there are no points or no metrics, or they do not fit together.
            UsageError: a confidence that makes no sense, or an estimator that these phases do not allow.
            WorkError: the file cannot be written.
        """
        from phasemark.workflow.estimation import estimate_run

        return estimate_run(self.folder, paths_of(results), confidence, estimator=estimator)

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

    def export(self, to: str, out: str | Path | None = None, *, name: str | None = None) -> Exported:
        """Write the points or vectors as another tool reads them.

        Args:
            to: simpoint, gem5, pinpoints, nemu, champsim, looppoint, markers, threads; of vectors: bb,
                exp-bbv.
            out: the folder to write to; None: DIR/TO.
            name: of the workload; None: the folder's.

        Raises:
            UsageError: there is no such target, or its format cannot say what the run holds.
            DataError: what is to be exported was not made yet, or a file is damaged.
            WorkError: a file cannot be written.
        """
        from phasemark.workflow.exporting import export

        return export(self.folder, to, out, name)

    def hottest_functions(self, count: int = 3) -> list[dict[str, float]]:
        """For each phase its functions with the most instructions: name -> share of the phase, descending."""
        from phasemark.views.functions import hottest_functions

        return hottest_functions(self.profile, self.phases, count)

    def missing_names(self) -> tuple[str, ...]:
        """What to do where much of the run is in functions without names, one sentence each."""
        from phasemark.views.names import missing

        return missing(self.profile)

    def phase_markers(self) -> PhaseMarkers | None:
        """The calls and loops with which the intervals of each phase begin; None where they are not known.

        They are of a run in intervals of variable length.

        Raises:
            DataError: phases were not found yet, or a file is damaged.
        """
        from phasemark.intervals import markers_of

        return markers_of(self.profile, self.phases) if self.folder.entry_of("intervals") else None

    def report(self, output: str | Path | None = None) -> Path:
        """Write the page; returns where it is.

        Raises:
            DataError: a file is missing or breaks an invariant; names it and a hint.
            WorkError: the page cannot be written.
        """
        from phasemark.report import write

        return write(self.path, output)

    def plot(
        self,
        kind: str,
        output: str | Path,
        *,
        metrics: Sequence[str] = (),
        size: str | None = None,
        dpi: float = 200,
    ) -> tuple[Path, ...]:
        """Draw a figure as PNG, SVG or PDF; with `all` every one that the run has data for, as x-KIND.svg.

        Args:
            kind: one of `plots.KINDS`, or all.
            output: the file; its ending names the format.
            metrics: those to show, of the kinds that show metrics; none: the foremost.
            size: `1200x400` (dots), `7x2.5in`, `18x6cm`, `180x60mm`; None: what suits each.
            dpi: dots an inch, of PNG and of a size in dots.

        Raises:
            UsageError: there is no such figure, no such kind of file, no metrics in this figure, or no room.
            DataError: the run has not what the figure shows; the hint names the command that makes it.
            WorkError: the file cannot be written.
        """
        from phasemark import plots, views

        output = Path(output)
        view = self.folder.steady(lambda: views.read(self.path, without_points=True))
        if kind != "all":
            plots.write(view, kind, output, metrics=metrics, size=size, dpi=dpi)
            return (output,)
        files = {name: output.with_stem(f"{output.stem}-{name}") for name in plots.possible(view)}
        for name, file in files.items():
            shown = metrics if name in plots.OF_METRICS else ()
            plots.write(view, name, file, metrics=shown, size=size, dpi=dpi)
        return tuple(files.values())

    # ------------------------------------------------------------ values made elsewhere

    def save(
        self,
        *,
        profile: Profile | None = None,
        signatures: Signatures | None = None,
        phases: PhasesLike | None = None,
        points: PointsLike | None = None,
        metrics: MetricsLike | None = None,
        point_metrics: MetricsLike | None = None,
    ) -> tuple[str, ...]:
        """Write values made in Python to the folder, so that every later step finds them there.

        Args:
            profile: makes the folder a run's.
            signatures, phases: go together; phases also as a fitted model.
            points: of the phases that are there then; also as their frame.
            metrics, point_metrics: of all intervals; of the points; also as frames.

        Returns:
            What became of files that were made from others, one phrase each.

        Raises:
            UsageError: phases without signatures or the other way round; or the folder holds the recorded run
                of a program, and another profile would take its place.
            DataError: values that do not fit the run.
            WorkError: a file cannot be written.
        """
        from phasemark.model import given
        from phasemark.workflow import saving

        if (signatures is None) != (phases is None):
            raise UsageError("phases and the signatures they were found in go together", hint="give both")
        discarded: tuple[str, ...] = ()
        with self.folder.create().held("save"):
            if profile is not None:
                discarded += saving.save_profile(self.folder, profile)
            if signatures is not None and phases is not None:
                discarded += saving.save_phases(self.folder, self.intervals, signatures, given.phases(phases))
            if points is not None:
                discarded += saving.save_points(self.folder, self.intervals, given.points(points))
            for value, of_points in ((metrics, False), (point_metrics, True)):
                if value is not None:
                    table = given.metrics(value)
                    discarded += saving.save_metrics(self.folder, self.intervals, table, of_points=of_points)
        return discarded


def _metrics(path: Path, hint: str) -> Metrics:
    from phasemark.store import metrics_csv
    from phasemark.store.missing import no_file

    if not path.exists():
        raise no_file(path, hint)
    return metrics_csv.read(path)
