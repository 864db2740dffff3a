"""Folders of several runs -> one folder, whose profile has the rows of all of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from phasemark import parallel as threads_of_all
from phasemark.errors import UsageError, counted, shown
from phasemark.model import Metrics, Profile
from phasemark.store import metrics_csv, profile_h5
from phasemark.store.folder import Folder
from phasemark.store.names import usable
from phasemark.views.names import missing as missing_names
from phasemark.workflow.alone import alone
from phasemark.workflow.estimation import whole_run
from phasemark.workflow.reading import NEGLIGIBLE, read
from phasemark.workflow.replaceable import require_not_recorded
from phasemark.workflow.result import Result

if TYPE_CHECKING:
    import pandas as pd

#: Asks for what the runs have in common.
AUTO = "auto"

#: Whether each thread keeps its own intervals, or all of a run are put together.
THREADS = ("separate", "merged")


@dataclass(frozen=True, repr=False)
class JoinResult(Result):
    """Runs that became one.

    Attributes:
        folder: where it is.
        profile: of all; its runs are those of the sources, in order.
        sources: folders or files.
        from_source: of each run, which of `sources` it is of, and the how-manieth run of it.
        metrics: of all intervals; None where not all runs were measured.
        notes: what the user should know, one sentence each.
        discarded: what became of files that were made from another profile, one phrase each.
    """

    folder: Folder
    profile: Profile
    sources: tuple[Path, ...]
    metrics: Metrics | None
    notes: tuple[str, ...] = ()
    discarded: tuple[str, ...] = ()
    from_source: tuple[tuple[int, int], ...] = ()

    def frame(self) -> pd.DataFrame:
        """One row a run: run, source, command, threads, intervals, instructions."""
        import pandas as pd

        return pd.DataFrame(described(self)["runs"])


def parallel(
    sources: Sequence[str | Path],
    out: str | Path,
    *,
    by: str = "block",
    threads: str = "separate",
) -> JoinResult:
    """Join the runs of a program into one folder; write profile.h5, and metrics.csv if all were measured.

    Args:
        sources: folders, or files as `read` reads them: with other numbers of threads, or other inputs. Of
            one that holds several runs, all are joined.
        out: the folder; what it holds of another profile goes.
        by: `block` or `function`, see parallel.join; or `auto`: block where all are of one build.
        threads: `separate`: each keeps its intervals; `merged`: what all threads of a run do in the same
            stretch of time is one interval, see parallel.merge.

    Raises:
        UsageError: no source, one twice, an option that makes no sense, or `out` holds the recorded run of a
            program, which would be lost.
        DataError: a source holds no profile, or they cannot be joined; says which, and why.
        WorkError: the folder cannot be written.
    """
    if threads not in THREADS:
        raise UsageError(f"threads is {shown(threads)}", hint=f"use one of {', '.join(THREADS)}")
    paths = tuple(map(usable, sources))
    if not paths:
        raise UsageError("no run to join", hint="name their folders")
    known: set[Path] = set()
    for path in paths:
        if _profile_of(path) in known:
            raise UsageError(f"{path} is named twice", hint="name each run once")
        known.add(_profile_of(path))
    if known & {Path(out).resolve(), Folder(out).profile.resolve()}:
        raise UsageError(f"{out} is one of the runs", hint="choose another folder with -o")
    return _parallel(Folder(out), paths, by, threads)


@alone("parallel")
def _parallel(folder: Folder, paths: tuple[Path, ...], by: str, threads: str) -> JoinResult:
    require_not_recorded(folder)
    profiles = [read(path) for path in paths]
    by = threads_of_all.common_ground(profiles) if by == AUTO else by
    profile = threads_of_all.join(profiles, by=by, names=[str(path) for path in paths])
    notes = _nameless(paths, profiles, profile)
    metrics, told = _measured(paths, profiles)
    notes += told
    if threads == "merged":
        merged = threads_of_all.merge(profile, metrics)
        profile, metrics = merged.profile, merged.metrics
    entry = {"command": "parallel", "by": by, "threads": threads, "sources": [str(p) for p in paths]}
    with folder.create().change("parallel") as new:
        new.discard_from("profile")
        profile_h5.write(new.profile, profile)
        new.record("profile", {**entry, **_whole(profile), "notes": notes})
        if metrics is not None:
            metrics_csv.write(new.metrics, metrics, made_by={"command": "parallel"})
            new.record("metrics", {"of": "intervals", "rows": len(metrics), "source": metrics.source})
    notes = [*profile.provenance.warnings, *notes]
    origins = tuple(
        (source, run) for source, one in enumerate(profiles) for run in range(threads_of_all.runs_of(one))
    )
    return JoinResult(folder, profile, paths, metrics, tuple(notes), tuple(new.discarded), origins)


def _profile_of(path: Path) -> Path:
    """The file that holds a source's profile: a folder may be named by it, too."""
    return (Folder(path).profile if path.is_dir() else path).resolve()


def _whole(profile: Profile) -> dict[str, Any]:
    told = profile.provenance
    return {
        "instructions": profile.instructions,
        "complete": told.complete,
        "length_unit": told.length_unit,
    }


def described(result: JoinResult) -> dict[str, Any]:
    """What was joined, as values that JSON can hold."""
    table = result.profile.interval_table
    runs = []
    origins = zip(result.from_source, _runs(result.profile), strict=True)
    for number, ((source, run), told) in enumerate(origins):
        own = table.run == number
        runs.append(
            {
                "run": number,
                "source": str(result.sources[source]),
                "source_run": run,
                "command": " ".join(told.get("command", [])),
                "threads": told.get("threads", int((own & table.first_of_thread()).sum())),
                "intervals": int(own.sum()),
                "instructions": int(table.length[own].sum()),
            }
        )
    return {
        "runs": runs,
        "blocks": len(result.profile.block_table),
        "unit": result.profile.provenance.length_unit,
        "measured": result.metrics is not None,
        "notes": list(result.notes),
    }


def _runs(profile: Profile) -> list[dict[str, Any]]:
    provenance = profile.provenance
    alone = [{"command": list(provenance.command)}] * threads_of_all.runs_of(profile)
    return list(provenance.details.get("runs", alone))


def _nameless(paths: Sequence[Path], profiles: Sequence[Profile], joined: Profile) -> list[str]:
    """Of runs that have little code in common: those whose functions have no names, which may be why."""
    firsts = np.cumsum([0, *map(threads_of_all.runs_of, profiles)])[:-1].tolist()
    runs = _runs(joined)
    strange = [runs[first].get("in_common", 1.0) < threads_of_all.IN_COMMON for first in firsts]
    return [
        f"{path}: {said}"
        for path, one, is_strange in zip(paths, profiles, [any(strange), *strange[1:]], strict=True)
        if is_strange
        for said in missing_names(one)
    ]


def _measured(paths: Sequence[Path], profiles: Sequence[Profile]) -> tuple[Metrics | None, list[str]]:
    """The metrics of all runs as one, and why there are none."""
    found = [
        whole_run(Folder(path), profile.interval_table, NEGLIGIBLE) if path.is_dir() else None
        for path, profile in zip(paths, profiles, strict=True)
    ]
    without = [path.name for path, metrics in zip(paths, found, strict=True) if metrics is None]
    if len(without) == len(paths):
        return None, []
    if without:
        return None, [
            f"{counted(len(without), 'run')} of {len(paths)} ({', '.join(without)}) "
            f"{'was' if len(without) == 1 else 'were'} not measured: metrics of none are kept"
        ]
    runs = [threads_of_all.runs_of(profile) for profile in profiles]
    return _joined([metrics for metrics in found if metrics is not None], np.cumsum([0, *runs])[:-1])


def _joined(found: list[Metrics], firsts: NDArray[np.int64]) -> tuple[Metrics, list[str]]:
    """Metrics of all, the runs of each from its number on."""
    names = [n for n in found[0].counters if all(n in metrics.counters for metrics in found)]
    names = [n for n in names if len({metrics.units[n] for metrics in found}) == 1]
    lost = sorted({name for metrics in found for name in metrics.counters} - set(names))
    notes = [f"counters that not all runs have are left out: {', '.join(lost)}"] if lost else []
    sources = list(dict.fromkeys(metrics.source for metrics in found))
    if len(sources) > 1:
        notes.append(f"the runs were not measured by the same: {'; '.join(sources)}")
    thread, index, start, length = (
        np.concatenate([getattr(metrics, key) for metrics in found])
        for key in ("thread", "index", "start", "length")
    )
    run = np.concatenate([metrics.run + first for metrics, first in zip(found, firsts, strict=True)])
    return Metrics(
        run.astype(np.int32),
        thread,
        index,
        start,
        length,
        {name: np.concatenate([metrics.counters[name] for metrics in found]) for name in names},
        {name: found[0].units[name] for name in names},
        "; ".join(sources),
    ), notes
