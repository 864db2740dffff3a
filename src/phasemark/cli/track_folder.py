"""phasemark track of a run's folder, without Typer."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from shlex import quote
from typing import TYPE_CHECKING, Any

from phasemark.cli import options, track_options
from phasemark.errors import UsageError, counted

if TYPE_CHECKING:
    from phasemark.workflow import TrackOptions

#: Options that are handed on as they are.
_PLAIN = ("threshold", "min_count", "policy", "headroom", "seed", "signature", "adapt", "replace")


def track(
    words: Sequence[str], values: Mapping[str, Any], given: Collection[str], *, quiet: bool, as_json: bool
) -> None:
    """Track a run.

    Args:
        words: its folder or file.
        values: every option, by name.
        given: names of those that were given.
        quiet, as_json: print nothing; print a summary.
    """
    from phasemark import workflow
    from phasemark.cli.printing import emit, tell_discarded
    from phasemark.cli.printing import track as shown
    from phasemark.cli.progress import progress

    source = _one(words)
    wanted = _options(values, given)
    run = workflow.open(source, values["out"])
    tell_discarded(run.discarded, "this profile")
    with progress("Tracking", quiet=quiet or as_json) as tell:
        result = run.track(wanted, progress=tell)
    tell_discarded(result.discarded, "these phases")
    emit(
        lambda: shown.summary(result),
        lambda: shown.lines(result, values["largest"]),
        quiet=quiet,
        as_json=as_json,
    )
    if not (quiet or as_json):
        print(f"wrote {run.folder.track} and {run.folder.tracked.name}; {_next(result.replaced, run.path)}")


def _one(words: Sequence[str]) -> Path:
    """The folder or file.

    Raises:
        UsageError: there is none, or several.
    """
    if "--live" in words:
        raise UsageError(
            "--live behind a folder",
            hint="phasemark track DIR; a program that runs: phasemark track --live -- PROGRAM ARGUMENTS",
        )
    if len(words) != 1:
        raise UsageError(
            f"{counted(len(words), 'folder')} instead of one",
            hint="phasemark track DIR; a program that runs: phasemark track --live -- PROGRAM ARGUMENTS",
        )
    return Path(words[0])


def _options(values: Mapping[str, Any], given: Collection[str]) -> TrackOptions:
    from phasemark.workflow import TrackOptions

    sizes = track_options.sizes(values)
    if sizes["counters"] is None:  # exact: there is nothing to fill or to leave out
        sizes |= {name: None for name in ("bits", "compressed_bits") if name not in given}
    return TrackOptions(
        **{name: values[name] for name in _PLAIN},
        **sizes,
        deviation=options.share("--deviation", values["deviation"]),
        predictors=track_options.predictors(values["predictor"]),
    )


def _next(replaced: bool, folder: Path) -> str:
    if replaced:
        return f"they are the run's phases; next: phasemark points {quote(str(folder))}"
    return f"the run's phases stay: phasemark track {quote(str(folder))} --replace puts these in their place"
