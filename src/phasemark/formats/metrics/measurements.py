"""Files of metrics, told apart by content."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from phasemark.errors import DataError, UsageError
from phasemark.formats.metrics import gem5_counters, perf_stat, results_csv
from phasemark.formats.metrics.readings import Readings, joined
from phasemark.formats.source import chunks


@dataclass(frozen=True)
class Options:
    """What a file does not say.

    Attributes:
        dump: number of the dump of gem5's stats, from 0; None: the last.
        every: every dump is an interval.
        unscaled: perf was told `--no-scale`.
    """

    dump: int | None = None
    every: bool = False
    unscaled: bool = False


@dataclass(frozen=True)
class Kind:
    """A kind of file: its name, whether a file that starts so is one, and how it is read."""

    name: str
    sniff: Callable[[bytes], bool]
    read: Callable[[str | Path, Options], Readings]


CSV = Kind("CSV with a heading", results_csv.sniff, lambda p, o: results_csv.read(p))

KINDS: tuple[Kind, ...] = (
    Kind("gem5's stats.txt", gem5_counters.sniff, lambda p, o: gem5_counters.read(p, o.dump, every=o.every)),
    Kind("perf stat -I -x,", perf_stat.sniff, lambda p, o: perf_stat.read(p, unscaled=o.unscaled)),
    CSV,
)


def read(paths: Sequence[str | Path], options: Options | None = None) -> Readings:
    """Read files of metrics as one, in the order they are named.

    Raises:
        DataError: a file of no known kind, malformed, or unlike units; names it.
        UsageError: no file, or a dump that is not there.
        WorkError: a file cannot be read.
    """
    if not paths:
        raise UsageError("no file is named", hint="name one or more files of metrics")
    options = options or Options()
    return joined([recognise(path).read(path, options) for path in paths])


def recognise(path: str | Path) -> Kind:
    """The kind of a file, by its content.

    Raises:
        DataError: it is of none.
    """
    start = next(chunks(path), b"")[: 1 << 18]
    for kind in KINDS:
        if kind.sniff(start):
            return kind
    raise DataError(
        "is no file of metrics that is known",
        path=path,
        hint=f"name one of these: {', '.join(kind.name for kind in KINDS)}; docs/import.md shows each",
    )
