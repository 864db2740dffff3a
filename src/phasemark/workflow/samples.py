"""Samples of perf become a run's folder."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from phasemark.collect.interval_length import IntervalLength
from phasemark.collect.sampling.profile import Sampled, profile_of
from phasemark.errors import DataError, UsageError, named, shown
from phasemark.formats import recogniser
from phasemark.formats.perf import data, sniffing, text
from phasemark.formats.source import STDIN
from phasemark.model import Samples
from phasemark.progress import Progress
from phasemark.store import metrics_csv, profile_h5
from phasemark.store.folder import Folder
from phasemark.workflow.alone import alone
from phasemark.workflow.imported import VectorResult, described
from phasemark.workflow.replaceable import require_not_recorded

#: What `--dialect` calls the text of `perf script`.
DIALECT = "perf"


def are_samples(files: Sequence[str | Path], dialect: str | None = None) -> bool:
    """Whether files hold samples of perf rather than vectors, by their content; or are said to."""
    if dialect is not None:
        return dialect == DIALECT
    return any(str(file) != STDIN and sniffing.is_of_perf(file) for file in files)


def read_samples(
    path: str | Path,
    *,
    interval: IntervalLength | None = None,
    signature: str | None = None,
    event: str | None = None,
    process: str | None = None,
    progress: Progress | None = None,
) -> Sampled:
    """Read samples of perf as a profile of all threads that were sampled.

    Args:
        path: a perf.data, or what `perf script` printed, plain or gzip; `-`: the latter, on standard input.
        interval, signature, event: see collect.sampling.profile_of.
        process: of these alone: a pid, or a program's name as the system knows it; None: of all.
        progress: told how far reading is.

    Raises:
        DataError: it holds no samples of a program, or none that tell how long it ran.
        MissingTool: a perf.data, and perf is not on this machine.
        UsageError: there is no such process, event or signature.
    """
    recorded = data.Recorded()
    if str(path) != STDIN and recogniser.recognise(path) is recogniser.PERF_DATA:
        samples = data.read(path, progress)
        recorded = data.about(Path(path))
        builds = {**recorded.build_ids, **samples.build_ids}
        samples = replace(samples, build_ids=builds)
    else:
        samples = text.read(path, progress)
    samples = _of_process(samples, process)
    since = None if str(path) == STDIN else Path(path).stat().st_mtime
    facts = {name.replace(" ", "_"): fact for name, fact in recorded.facts.items() if name != "cmdline"}
    try:
        return profile_of(
            samples,
            interval,
            signature=signature,
            event=event,
            command=_command(recorded.facts.get("cmdline", "")),
            details={
                "files": [Path(path).name],
                "instructions": None,
                "missing_instructions": None,
                "recording": {**facts, "cmdline": recorded.facts.get("cmdline", "")},
            },
            written=since,
        )
    except DataError as error:
        raise (error.at(path) if error.path is None else error) from error


@alone("import")
def import_samples(
    folder: Folder,
    path: str | Path,
    *,
    interval: IntervalLength | None = None,
    signature: str | None = None,
    event: str | None = None,
    process: str | None = None,
    progress: Progress | None = None,
) -> VectorResult:
    """Read samples of perf into a run's folder: profile.h5, and metrics.csv where more than one event counts.

    Args:
        folder: of the run; what it holds of another profile goes.
        path, interval, signature, event, process, progress: see read_samples.

    Raises:
        DataError, MissingTool, UsageError: see read_samples.
        UsageError: the folder holds the recorded run of a program, which would be lost.
        WorkError: the folder cannot be written.
    """
    require_not_recorded(folder)
    made = read_samples(
        path, interval=interval, signature=signature, event=event, process=process, progress=progress
    )
    with folder.create().change("import") as new:
        new.discard_from("profile")
        profile_h5.write(new.profile, made.profile)
        new.record("profile", {"command": "import", **described(made.profile)})
        if made.metrics is not None:
            metrics_csv.write(new.metrics, made.metrics, made_by={"command": "import", "of": "intervals"})
            entry = {"of": "intervals", "rows": len(made.metrics), "source": made.metrics.source}
            new.record("metrics", {**entry, "files": [Path(path).name], "notes": []})
    return VectorResult(folder, made.profile, (Path(path),), tuple(new.discarded))


def only(files: Sequence[str | Path], **options: Any) -> str | Path:
    """The one file of samples that was named.

    Raises:
        UsageError: several, or an option that vectors alone have.
    """
    if len(files) != 1:
        raise UsageError(
            "samples are read from one file at a time", hint="import each into a folder of its own"
        )
    if wrong := [f"--{name.replace('_', '-')}" for name, value in options.items() if value]:
        raise UsageError(
            f"{named(wrong)} belong to vectors, and this file holds samples", hint="leave it out"
        )
    return files[0]


def _of_process(samples: Samples, wanted: str | None) -> Samples:
    if wanted is None:
        return samples
    fits = [n for n, p in enumerate(samples.processes) if wanted in (str(p.pid), p.name)]
    sampled = np.unique(samples.process[samples.thread])
    chosen = np.intersect1d(fits, sampled)
    if not len(chosen):
        there = [f"{samples.processes[n].name} ({samples.processes[n].pid})" for n in sampled.tolist()]
        raise UsageError(f"no sample is of a process {shown(wanted)}", hint=f"choose of: {named(there)}")
    return samples.of_processes(chosen)


def _command(line: str) -> tuple[str, ...]:
    """The program that perf record was told to run, where its command line has a `--` before it."""
    _, found, program = line.partition(" -- ")
    return tuple(program.split()) if found else ()
