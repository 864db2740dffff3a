"""`phasemark.read`: whatever holds a profile, told apart by content."""

from __future__ import annotations

from pathlib import Path

from phasemark.formats.perf import sniffing
from phasemark.model import Intervals, Profile
from phasemark.store import events_h5, missing, profile_h5
from phasemark.store.events_h5 import StoredTrace
from phasemark.store.folder import Folder
from phasemark.store.names import usable

#: A whole run of which no more was missed was measured: the ends of threads move a little.
NEGLIGIBLE = 0.01

#: A program whose instructions differ by no more, run once more, did the same: threads share their work out
#: anew, and locks are waited for.
ALIKE = 0.1


def read(path: str | Path) -> Profile:
    """Read a profile from a run's folder, a profile.h5, a vector file of another tool, or samples of perf.

    The folder of a run that still goes on, or whose phasemark was killed, gives what was recorded so far
    (`provenance.complete` is then False).

    Args:
        path: folder or file; vector files may be gzipped, and are told apart by content; `-` reads
            vectors from standard input.

    Raises:
        DataError: there is none, it is malformed, or breaks an invariant; names file and line, with a hint.
        WorkError: it cannot be read.
    """
    path = usable(path)
    if path.is_dir():
        if Folder(path).is_unfinished():
            from phasemark.collect.session import rebuild

            return rebuild(path)
        path = Folder(path).profile
        if not path.exists():
            raise missing.no_file(path, missing.RECORD)
    if path.is_file() and profile_h5.is_profile(path):
        return profile_h5.read(path)
    if path.is_file() and sniffing.is_of_perf(path):
        from phasemark.workflow.samples import read_samples  # with names of code, which vectors do without

        return read_samples(path).profile
    from phasemark.formats.vectors import profiles

    return profiles.read([path])


def read_events(folder: str | Path) -> tuple[StoredTrace, ...]:
    """The loops, calls and returns of each thread of a run, read a stretch at a time.

    Raises:
        DataError: none were recorded, or their file is damaged.
        WorkError: as `read`.
    """
    here = Folder(folder)
    if here.is_unfinished():
        from phasemark.collect.session import rebuild_events

        return rebuild_events(here.path).traces
    if not here.events.exists():
        raise missing.no_file(here.events, "profile the run again with --events")
    return events_h5.read(here.events)


def read_intervals(folder: str | Path) -> Intervals:
    """The intervals of a run's folder: those of `read`, in a fraction of the time.

    Raises:
        DataError, WorkError: as `read`; what is wrong with the rest of the profile is not noticed.
    """
    path = Folder(folder).profile
    if path.is_file() and profile_h5.is_profile(path) and not Folder(folder).is_unfinished():
        return profile_h5.read_intervals(path)
    return read(folder).interval_table
