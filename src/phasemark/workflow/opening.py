"""The ways to a Run: a folder or file that is there, a command line, values made in Python."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from shlex import quote
from typing import TYPE_CHECKING, Any

from phasemark.errors import DataError, WorkError
from phasemark.store.folder import Folder
from phasemark.store.missing import no_folder
from phasemark.store.names import usable
from phasemark.workflow import sources
from phasemark.workflow.arguments import machine_of, paths_of
from phasemark.workflow.run import Run

if TYPE_CHECKING:
    from phasemark.model import Profile
    from phasemark.simulate.config import TimingConfig
    from phasemark.workflow.run.watching import Watching


def open(source: str | Path, out: str | Path | None = None, *, cached: bool = True) -> Run:
    """The run in a folder; or a profile.h5 or vector file of another tool, made a run.

    Args:
        source: a run's folder, its profile.h5, or a vector file of another tool.
        out: the folder to write to; None: the run's own folder, for other files FILE.phasemark beside it.
        cached: do not read `source` again where the folder's profile is known to be of it.

    Raises:
        DataError: source is not there or holds no profile, or the folder's run.json is damaged.
        UsageError: `out` holds the recorded run of a program, which would be lost.
        WorkError: the folder cannot be written.
    """
    opened = sources.bring_in(source, out, cached=cached)
    return Run(opened.folder.path, discarded=opened.discarded)


def run_of(source: str | Path, out: str | Path | None = None, *, new: bool = False) -> Run:
    """The run that `open` gives, as it is: nothing is read and nothing brought into its folder.

    Args:
        source, out: as for `open`.
        new: the folder need not be there; `source` is then its name.

    Raises:
        DataError: neither source nor the run's folder is there.
    """
    source = usable(source)
    if new and out is None and not source.exists():
        return Run(source)
    folder = sources.folder_of(source, out)
    if not new and not folder.path.exists():
        if not source.exists() or out is not None:
            raise no_folder(source if out is None else out)
        raise _no_run_of(source, folder.path)
    return Run(folder.path)


def _no_run_of(file: Path, folder: Path) -> DataError:
    """The error: a file that is no run's, and of which no run was made."""
    if Folder(file.parent).holds_result():
        hint = f"name the folder: {quote(str(file.parent))}"
    else:
        hint = f"run `phasemark phases {quote(str(file))}` first, which makes it of a file of vectors"
    return DataError(f"is no folder of a run, and {folder.name} is not beside it", path=file, hint=hint)


def profile(
    command: Sequence[str],
    out: str | Path | None = None,
    *,
    interval: str | int = "auto",
    collector: str = "valgrind",
    process: str | int | None = None,
    timing: str | Path | TimingConfig | None = None,
    events: bool = False,
    memory: bool | None = None,
    smc_check: str | None = None,
    signature: str | None = None,
    keep_raw: bool = False,
    cwd: str | Path | None = None,
    stdin: int | None = None,
    progress: Watching = None,
) -> Run:
    """Run a program unmodified and record what code each interval executed.

    Args:
        command: the program and its arguments; its output is ours.
        out: the folder to write to, where files of an earlier run are replaced; None: PROGRAM.phasemark.
        interval: instructions per interval, also as text (`10k`, `1M`); `auto`: about 1000 intervals.
        collector: `valgrind`; `qemu`; `perf`, which samples; or `exp-bbv` for comparison.
        process: of a program that starts others, the process to analyse: a number, a pid, a name, `one`
            (that with the most instructions) or `all`, together; None: one if it has 80% of them, else all.
        timing: also count cycles and misses in the same run: a configuration as for Run.simulate.
        events: also record loops, calls and returns, from which intervals of variable length are made.
        memory: also record how long ago memory was used, for signatures `code+behaviour`; None: where the
            collector does.
        smc_check: which code is looked at each time it is executed, in case it was rewritten: none, stack,
            all or all-non-file; None: all once a file or mapping of the program is written and executed.
        signature: what samples are a count of: block, loop, function or address; of the collector `perf`.
        keep_raw: leave what the collector wrote in OUT/raw.
        cwd: the folder to start it in; None: ours.
        stdin: file descriptor that the program reads; None: it has no input.
        progress: told how far the run is.

    Returns:
        The run; its `recording` tells the program's exit status, which is no error, and warnings.

    Raises:
        UsageError: no program, or no such interval, collector or configuration.
        MissingTool: the collector is not on this machine.
        CollectorError: the program cannot be run, or nothing was recorded.
        WorkError: `out` cannot be written, or the profile is not what was asked for.
    """
    from phasemark.workflow.recording import record

    recording = record(
        command,
        out,
        interval=interval,
        collector=collector,
        process=process,
        timing=None if timing is None else machine_of(timing),
        events=events,
        memory=memory,
        smc_check=smc_check,
        signature=signature,
        keep_raw=keep_raw,
        cwd=cwd,
        stdin=stdin,
        progress=progress,
    )
    if recording.failure:
        raise WorkError(recording.failure, hint="; ".join(recording.warnings))
    return Run(recording.folder.path, recording=recording)


def save(out: str | Path, profile: Profile, **values: Any) -> Run:
    """Make a folder of a profile made in Python, and of what else there is; see Run.save.

    Raises:
        UsageError, DataError, WorkError: as Run.save.
    """
    run = Run(out)
    run.discarded = run.save(profile=profile, **values)
    return run


def load_vectors(files: Sequence[str | Path], out: str | Path, **options: Any) -> Run:
    """Make a run's folder of other tools' basic block vectors; `options` as for formats' reader.

    Raises:
        DataError, UsageError, WorkError: see importing.import_vectors.
    """
    from phasemark.workflow.importing import import_vectors

    result = import_vectors(paths_of(files), out, **options)
    return Run(result.folder.path, discarded=result.discarded)
