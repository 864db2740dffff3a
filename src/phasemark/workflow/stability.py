"""How much the phases and points of a run hang on the seed."""

from __future__ import annotations

from dataclasses import dataclass

from phasemark import phases, points, signatures
from phasemark.errors import UsageError
from phasemark.model import Metrics, Phases, Profile, Signatures
from phasemark.model.options import require_given, require_whole
from phasemark.progress import Progress
from phasemark.signatures import BESIDE_CODE, CODE_AND_BEHAVIOUR, CODE_AND_EVENTS
from phasemark.store import tables
from phasemark.store.folder import Folder
from phasemark.workflow.alone import alone
from phasemark.workflow.measured import metrics_of
from phasemark.workflow.phases import PhaseOptions
from phasemark.workflow.projecting import BEST, Projected, best_of, with_events
from phasemark.workflow.reading import read


@dataclass(frozen=True)
class Fitted:
    """Phases, and the signatures that they were found in."""

    phases: Phases
    signatures: Signatures


@alone("phases --stability")
def compare_seeds(
    folder: Folder, options: PhaseOptions | None = None, seeds: int = 10, progress: Progress | None = None
) -> phases.Stability:
    """Find the phases and points of a run with several seeds, compare them; write stability.csv.

    Args:
        folder: a run's folder with its profile.h5; its phases and points stay as they are.
        options: None: the defaults; the seeds are those from `options.seed` on.
        seeds: how many, at least 2.
        progress: told how many seeds are done, of how many.

    Raises:
        DataError: there is no profile, or it is damaged.
        UsageError: an option makes no sense.
        WorkError: the file cannot be written.
    """
    require_several(seeds)
    options = options or PhaseOptions()
    options.check()
    profile = read(folder.path)
    kind = options.kind_for(folder)
    options = options.with_signature(best_of(profile) if kind == BEST else kind)
    options = options.suited(folder, profile.interval_table)
    metrics = metrics_of(folder) if options.signature == CODE_AND_EVENTS else None
    outcomes = []
    for seed in range(options.seed, options.seed + seeds):
        outcomes.append(_outcome(profile, options.with_seed(seed), metrics))
        if progress:
            progress(len(outcomes), seeds)
    stability = phases.Stability.of(outcomes)
    made_by = {"command": "phases", **options.entry(), "seeds": seeds}
    with folder.change("phases --stability") as new:
        tables.write(new.stability, stability.table(), made_by=made_by)
        new.record("stability", {**options.entry(), "seeds": seeds})
    return stability


def require_several(seeds: int) -> None:
    """See that there is something to compare.

    Raises:
        UsageError: fewer than 2 seeds.
    """
    require_given(seeds=seeds)
    require_whole(seeds=seeds)
    if seeds < 2:
        raise UsageError(f"seeds is {seeds}", hint="compare at least 2")


def phases_of(profile: Profile, options: PhaseOptions, metrics: Metrics | None = None) -> Fitted:
    """The phases of a profile, as options say, and the signatures that they were found in.

    Args:
        metrics: of its intervals, for signatures with events.
    """
    kind = "blocks" if options.signature in (None, *BESIDE_CODE) else str(options.signature)
    projected = signatures.project(profile, options.signature_dims, options.seed, kind)
    table = profile.interval_table
    if options.signature == CODE_AND_BEHAVIOUR:
        projected = signatures.with_behaviour(projected, profile)
    elif options.signature == CODE_AND_EVENTS and metrics is not None:
        projected = with_events(Projected(table, projected), metrics)
    found = phases.find(
        options.estimator(),
        table,
        projected,
        lambda: signatures.counts(profile, kind),
    )
    return Fitted(found, projected)


def _outcome(profile: Profile, options: PhaseOptions, metrics: Metrics | None) -> phases.Outcome:
    fitted = phases_of(profile, options, metrics).phases
    picked = points.nearest(profile.interval_table, fitted)
    names = zip(picked.run.tolist(), picked.thread.tolist(), picked.interval.tolist(), strict=True)
    return phases.Outcome(options.seed, fitted.labels, frozenset(names))
