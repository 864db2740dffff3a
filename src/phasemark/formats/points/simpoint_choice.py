"""A choice in SimPoint's files: simpoints and weights, with or without labels, a set for each thread.

Which set a file belongs to, its name tells, as phasemark writes it: `simpoints.t1`, with several runs
`simpoints.r0.t1`; after it `.lpt0.99` where small clusters were left out.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from phasemark.errors import UsageError
from phasemark.formats import recogniser
from phasemark.formats.points import simpoint_files
from phasemark.formats.points.chosen import Chosen, ChosenPoint, Labels
from phasemark.formats.recogniser import Kind

__all__ = ["KINDS", "Place", "read", "without_suffix"]

#: What the files of a set are.
KINDS = (recogniser.SIMPOINTS, recogniser.WEIGHTS, recogniser.LABELS)

_SUFFIX = re.compile(
    r"(?:\.r(?P<run>\d{1,9}))?(?:\.t(?P<thread>\d{1,9}))?(?:\.lpt(?P<coverage>[01](?:\.\d{1,17})?))?(?:\.gz)?$"
)


@dataclass(frozen=True)
class Place:
    """Whose a file is, by its name.

    Attributes:
        run, thread: of the program; None: it names no thread.
        coverage: the share that was asked for, where small clusters are left out.
    """

    run: int
    thread: int | None
    coverage: float | None

    @classmethod
    def of(cls, path: Path) -> Place:
        """The place that a name tells."""
        match = _SUFFIX.search(path.name)
        found = match.groupdict() if match else {}
        thread, coverage = found.get("thread"), found.get("coverage")
        return cls(
            int(found.get("run") or 0),
            None if thread is None else int(thread),
            float(coverage) if coverage and 0 < float(coverage) <= 1 else None,
        )


def without_suffix(name: str) -> str:
    """A file's name without what says whose it is."""
    return _SUFFIX.sub("", name, count=1)


def read(files: Mapping[Path, Kind]) -> Chosen:
    """Read simpoints and weights, joined by cluster, and the labels that go with them.

    Args:
        files: each with its kind, one of KINDS.

    Raises:
        DataError: malformed; or a cluster that only one file of a pair has.
        UsageError: a file without its partner, or two files for one place.
    """
    sets = _sets(files)
    pairs = [path for path, kind in files.items() if kind is not recogniser.LABELS]
    coverages = {Place.of(path).coverage for path in pairs}
    if len(coverages) > 1:
        raise UsageError(
            "some of these files leave small clusters out (.lpt), others do not",
            hint="give one choice of them",
        )
    points: list[ChosenPoint] = []
    labels: dict[tuple[int, int], Labels] = {}
    for (run, thread), of in sets.items():
        points += _pair(of, run, thread)
        if recogniser.LABELS in of:
            path = of[recogniser.LABELS]
            labels[run, thread or 0] = Labels(path, simpoint_files.read_labels(path)[0])
    coverage = coverages.pop() if coverages else None
    return Chosen(tuple(points), tuple(files), labels, coverage=coverage, covers_more=coverage is not None)


def _sets(files: Mapping[Path, Kind]) -> dict[tuple[int, int | None], dict[Kind, Path]]:
    sets: dict[tuple[int, int | None], dict[Kind, Path]] = {}
    for path, kind in files.items():
        place = Place.of(path)
        of = sets.setdefault((place.run, place.thread), {})
        if kind in of:
            raise UsageError(
                f"{of[kind]} and {path} both hold {kind.holds}",
                hint="give one of them; files of several threads end in .t0, .t1 ...",
            )
        of[kind] = path
    return sets


def _pair(of: Mapping[Kind, Path], run: int, thread: int | None) -> list[ChosenPoint]:
    """The points of a thread; none where it has labels alone, as a thread without a point does."""
    simpoints, weights = of.get(recogniser.SIMPOINTS), of.get(recogniser.WEIGHTS)
    if simpoints is None and weights is None:
        return []
    if simpoints is None or weights is None:
        there, lacking = (simpoints, "weights") if weights is None else (weights, "simpoints")
        raise UsageError(f"{there} goes with a file of {lacking}", hint=f"give that, too: --from {lacking}")
    intervals, shares = simpoint_files.simpoint_lines(simpoints), simpoint_files.read_weights(weights)
    simpoint_files.require_same_clusters(simpoints, intervals, weights, shares)
    return [
        ChosenPoint(
            weight=shares[cluster],
            path=simpoints,
            line=line,
            interval=interval,
            cluster=cluster,
            run=run,
            thread=thread,
        )
        for cluster, (line, interval) in intervals.items()
    ]
