"""A run's metrics.csv, and what is said where it is not there."""

from __future__ import annotations

from shlex import quote

from phasemark.errors import DataError
from phasemark.model import Metrics
from phasemark.store import metrics_csv
from phasemark.store.folder import Folder
from phasemark.store.missing import no_file

_ALONE = "run `phasemark simulate DIR --full`, or `phasemark import --metrics FILE -o DIR`, first"


def metrics_of(folder: Folder) -> Metrics:
    """What was measured of the run's intervals, or of the run in one.

    Raises:
        DataError: nothing was, or the file is damaged.
    """
    if not folder.metrics.exists():
        raise unmeasured(folder)
    return metrics_csv.read(folder.metrics)


def unmeasured(folder: Folder) -> DataError:
    """The error: nothing was measured; runs that were joined are measured each in its own folder."""
    return no_file(folder.metrics, how_to_measure(folder))


def how_to_measure(folder: Folder) -> str:
    """What measures the intervals of a run, or of runs that were joined; `DIR` stands for the folder."""
    sources = folder.entry_of("profile").get("sources") if folder.profile.exists() else None
    if not isinstance(sources, list):
        return _ALONE
    runs = " ".join(quote(str(source)) for source in sources[:3]) + " ..." * (len(sources) > 3)
    return (
        "measure each of the runs that were joined, as with `phasemark simulate RUN --full`, and join them "
        f"again: phasemark parallel {runs} -o DIR"
    )
