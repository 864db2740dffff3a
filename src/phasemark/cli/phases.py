"""phasemark phases: which intervals behave alike."""

from __future__ import annotations

from pathlib import Path
from shlex import quote
from typing import TYPE_CHECKING, Annotated, Any

import typer

from phasemark.cli import options

if TYPE_CHECKING:
    from phasemark.workflow import PhaseOptions, Run

_Dims = Annotated[
    int | None,
    typer.Option(
        parser=options.count,
        metavar="N",
        help="Dimensions to project to.  [default: 15; other models 15 to 100, by the blocks]",
    ),
]
_SampleSize = Annotated[
    int,
    typer.Option(parser=options.count, metavar="N", help="Cluster a sample of so many intervals; 0: all."),
]
_States = Annotated[
    Any,
    typer.Option(
        parser=options.states,
        metavar="N[,N...]",
        help="Of other models: so many states; of several, one by --select.  [default: 1,2,4,8,16]",
    ),
]
_Representation = Annotated[
    str,
    typer.Option(
        help="Of other models: what they see of the counts: full, reweight or random (projections)."
    ),
]
_Tempering = Annotated[
    Any,
    typer.Option(
        parser=options.tempering,
        metavar="N|all",
        help="Of other models: independent instructions that a mean interval counts for.  [default: 1000]",
    ),
]
_Longest = Annotated[
    int | None,
    typer.Option(
        parser=options.count,
        metavar="N",
        help="Of hsmm: durations from so many intervals on are not told apart.  [default: 128]",
    ),
]
_MinCount = Annotated[
    int | None,
    typer.Option(
        parser=options.count,
        metavar="N",
        help="Of online: sightings that make a signature a phase.  [default: 8]",
    ),
]
_Stability = Annotated[
    bool, typer.Option("--stability", help="Only compare what several seeds give; write stability.csv.")
]
_Seeds = Annotated[
    int,
    typer.Option(parser=options.count, metavar="N", help="With --stability: how many, from --seed on."),
]


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("phases")(phases)


def phases(
    context: typer.Context,
    source: options.AnySource,
    *,
    out: Annotated[
        Path | None,
        typer.Option("-o", "--out", help="Folder to write to [the run's own, or FILE.phasemark]."),
    ] = None,
    model: Annotated[
        str, typer.Option(help="simpoint, mixture, hmm, hsmm (hidden Markov, semi-Markov) or online.")
    ] = "simpoint",
    max_k: options.MaxK = None,
    k: options.K = None,
    search: options.Search = "all",
    restarts: options.Restarts = None,
    threshold: options.Threshold = "90%",
    dims: _Dims = None,
    seed: options.Seed = 1,
    signature: options.Compared = None,
    init: Annotated[str, typer.Option(help="incremental, kmeans++, furthest or sample.")] = "incremental",
    sample_size: _SampleSize = 100_000,
    select: options.Select = None,
    states: _States = None,
    representation: _Representation = "full",
    tempering: _Tempering = None,
    longest: _Longest = None,
    min_count: _MinCount = None,
    stability: _Stability = False,
    seeds: _Seeds = 10,
    no_cache: Annotated[
        bool, typer.Option("--no-cache", help="Read and project anew what is known; keep nothing.")
    ] = False,
    quiet: options.Quiet = False,
    as_json: options.Json = False,
) -> None:
    """Find the phases of a run: which intervals behave alike.

    Writes phases.csv, model.h5, and labels where the run has one thread. Then go on with
    `phasemark points`.
    """
    from phasemark import workflow
    from phasemark.cli.printing import tell_discarded

    parameters = {
        "max_k": max_k,
        "k": k,
        "search": options.search(search),
        "restarts": restarts,
        "threshold": options.share("--threshold", threshold),
        "init": init,
        "sample_size": sample_size or None,
        "select": select,
        "states": states,
        "representation": representation,
        "tempering": tempering,
        "min_count": min_count,
        "longest": longest,
    }
    given = {name: value for name, value in parameters.items() if options.is_given(context, name)}
    wanted = workflow.PhaseOptions(
        model, dims=dims, seed=seed, signature=signature, **_of_model(model, given)
    )
    run = workflow.open(source, out, cached=not no_cache)
    tell_discarded(run.discarded, "this profile")
    if stability:
        _compare_seeds(run, wanted, seeds, quiet=quiet, as_json=as_json)
    else:
        _find(run, wanted, cached=not no_cache, quiet=quiet, as_json=as_json)


def _compare_seeds(run: Run, wanted: PhaseOptions, seeds: int, *, quiet: bool, as_json: bool) -> None:
    from phasemark.cli.printing import emit
    from phasemark.cli.printing import stability as shown
    from phasemark.cli.progress import progress

    with progress("Comparing seeds", quiet=quiet or as_json) as tell:
        over_seeds = run.compare_seeds(wanted, seeds=seeds, progress=tell)
    emit(lambda: shown.summary(over_seeds), lambda: shown.lines(over_seeds), quiet=quiet, as_json=as_json)


def _find(run: Run, wanted: PhaseOptions, *, cached: bool, quiet: bool, as_json: bool) -> None:
    from phasemark import points
    from phasemark.cli.printing import behaviour, emit, tell_discarded
    from phasemark.cli.printing import points as shown
    from phasemark.cli.progress import progress

    with progress("Clustering", quiet=quiet or as_json) as tell:
        result = run.find_phases(wanted, progress=tell, cached=cached)
    tell_discarded(result.discarded, "these phases")
    picked = points.nearest(result.intervals, result.phases)
    summary = shown.summary(
        result.intervals,
        result.phases,
        picked,
        process=run.folder.analysed,
        begins=run.phase_markers(),
        unit=run.folder.length_unit,
        compared_by=run.compared_by,
        behaviour=None if quiet and not as_json else behaviour.summary(run),
    )
    emit(lambda: summary, lambda: shown.lines(summary, picked=False), quiet=quiet, as_json=as_json)
    if not (quiet or as_json):
        folder = run.folder
        print(
            f"wrote {folder.phases} and {folder.model.name}; next: phasemark points {quote(str(folder.path))}"
        )


def _of_model(model: str, given: dict[str, Any]) -> dict[str, Any]:
    """Options as the model calls them.

    Raises:
        UsageError: there is no such model, or it has no such option.
    """
    from phasemark import phases as models
    from phasemark.errors import UsageError
    from phasemark.views.recipes import CALLED

    known = {CALLED.get(name, name): name for name in models.model(model).options}
    for name in given:
        if name not in known:
            flags = [_flag(other) for other in known]
            raise UsageError(
                f"{_flag(name)} is no option of the model {model}", hint=f"it has {', '.join(flags)}"
            )
    return {known[name]: value for name, value in given.items()}


def _flag(name: str) -> str:
    return f"--{name.replace('_', '-')}"
