"""`phasemark simpoint` with the flags that scripts usually give: the same results without NumPy.

Importing NumPy takes longer than clustering a small file.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import fields
from pathlib import Path

from phasemark._core import Classifier
from phasemark.formats.vectors import runs
from phasemark.phases import search
from phasemark.simpoint.flags import Flags
from phasemark.simpoint.telling import Evaluation, examine, tell, tell_written
from phasemark.store.atomic import together, write_text
from phasemark.threads import thread_count

__all__ = ["run", "suits"]

_USUAL = (
    *("loadFVFile", "inputVectorsGzipped", "numFVs", "FVDim", "k", "maxK", "dim", "seedproj", "verbose"),
    *("iters", "numInitSeeds", "bicThreshold", "seedkm"),
    *("saveSimpoints", "saveSimpointWeights", "saveLabels", "noCache"),
)


def suits(flags: Flags) -> bool:
    """Whether no other flags say anything."""
    unusual = (field for field in fields(Flags) if field.name not in _USUAL)
    return (
        flags.loadFVFile is not None
        and flags.dim is not None
        and all(getattr(flags, field.name) == field.default for field in unusual)
    )


def run(flags: Flags) -> None:
    """Do what the flags say, as `full.run` does.

    Raises:
        DataError: the file is malformed.
        UsageError: flags that do not fit the data.
        WorkError: a file cannot be read or written.
    """
    assert flags.loadFVFile is not None and flags.dim is not None
    read = runs.read_projected(flags.loadFVFile, flags.dim, flags.seedproj, cached=not flags.noCache)
    examine(flags, read.warnings, len(read.lengths), read.largest)
    classifier = Classifier(read.matrix, read.lengths)
    evaluations, notes = _fit(flags, classifier)
    chosen = search.choose({k: score for k, score, _ in evaluations}, flags.bicThreshold)
    tell(flags, evaluations, notes, classifier.choose(chosen, thread_count()))
    written = []
    with together():
        for path, text in _files(flags, classifier):
            write_text(path, text)
            written.append(path)
    for path in written:
        tell_written(path)


def _fit(flags: Flags, classifier: Classifier) -> tuple[list[Evaluation], list[str]]:
    n = classifier.n
    searching = flags.k is None
    asked = search.every(min(flags.maxK or 1, search.most_phases(n))) if searching else flags.k
    ks, notes = search.attainable(asked or [], classifier.distinct)
    fits = _evaluate(flags, classifier, search.every(ks[-1]) if searching else ks)
    by_k = {k: (k, score, error * n) for k, score, error in fits}
    if searching:
        ks = list(search.binary(ks[-1], flags.bicThreshold, lambda k: by_k[k][1]))
    return [by_k[k] for k in ks], notes


def _evaluate(flags: Flags, classifier: Classifier, ks: Sequence[int]) -> list[Evaluation]:
    most = search.NO_LIMIT if flags.iters is None else flags.iters
    return classifier.fit(
        list(ks), flags.seedkm % 2**64, search.candidates(flags.numInitSeeds), most, thread_count()
    )


def _files(flags: Flags, classifier: Classifier) -> Iterable[tuple[Path, str]]:
    if flags.saveLabels is not None:
        rows = zip(classifier.labels(), classifier.distances(), strict=True)
        yield flags.saveLabels, "".join(f"{label} {distance:g}\n" for label, distance in rows)
    points = classifier.points()
    if flags.saveSimpoints is not None:
        yield flags.saveSimpoints, "".join(f"{interval} {phase}\n" for interval, phase, _ in points)
    if flags.saveSimpointWeights is not None:
        yield flags.saveSimpointWeights, "".join(f"{weight:g} {phase}\n" for _, phase, weight in points)
