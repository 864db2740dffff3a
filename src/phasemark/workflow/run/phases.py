"""Steps of a run: its phases, by models, seeds and threads, and what comes next."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from phasemark.workflow.arguments import options_of
from phasemark.workflow.run.values import Values

if TYPE_CHECKING:
    from phasemark.phases import Stability
    from phasemark.progress import Progress
    from phasemark.workflow.model_options import ModelOptions
    from phasemark.workflow.models import ModelsResult
    from phasemark.workflow.phases import PhaseOptions, PhaseResult
    from phasemark.workflow.predicting import PredictionResult
    from phasemark.workflow.scaling import ScalingResult
    from phasemark.workflow.tracking import TrackOptions, TrackResult


class PhaseSteps(Values):
    """See Run."""

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
