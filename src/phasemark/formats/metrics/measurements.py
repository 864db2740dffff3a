"""Files of metrics, of whatever kind their content says."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from phasemark.errors import DataError, UsageError
from phasemark.formats import recogniser
from phasemark.formats.metrics import champsim_json, champsim_text, gem5_stats, perf_stat, results_csv
from phasemark.formats.metrics.readings import Readings, joined
from phasemark.formats.recogniser import Kind
from phasemark.reading import reading_as

__all__ = ["Options", "read", "read_metrics", "recognise"]


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


_READERS: dict[Kind, Callable[[str | Path, Options], Readings]] = {
    recogniser.GEM5_STATS: lambda path, options: gem5_stats.read(path, options.dump, every=options.every),
    recogniser.PERF_STAT: lambda path, options: perf_stat.read(path, unscaled=options.unscaled),
    recogniser.CHAMPSIM_TEXT: lambda path, options: champsim_text.read(path),
    recogniser.CHAMPSIM_JSON: lambda path, options: champsim_json.read(path),
    recogniser.RESULTS: lambda path, options: results_csv.read(path),
    recogniser.METRICS: lambda path, options: results_csv.read(path),
}


def read(paths: Sequence[str | Path], options: Options | None = None) -> Readings:
    """Read files of metrics as one, in the order they are named.

    Args:
        paths: plain or gzip, of any kind that is known (see docs/import.md).
        options: what the files do not say.

    Raises:
        DataError: a file of no known kind, malformed, or unlike units; names it.
        UsageError: no file, files of several tools, or a dump that is not there.
        WorkError: a file cannot be read.
    """
    if not paths:
        raise UsageError("no file is named", hint="name one or more files of metrics")
    options = options or Options()
    kinds = [recognise(path) for path in paths]
    _require_one_tool(paths, kinds)
    return joined([_read(path, kind, options) for path, kind in zip(paths, kinds, strict=True)])


def _require_one_tool(paths: Sequence[str | Path], kinds: Sequence[Kind]) -> None:
    """What one tool counts is not what another counts: their rows are no rows of one table."""
    alike = {recogniser.METRICS: recogniser.RESULTS, recogniser.CHAMPSIM_JSON: recogniser.CHAMPSIM_TEXT}
    tools = [alike.get(kind, kind) for kind in kinds]
    for path, tool, kind in zip(paths, tools, kinds, strict=True):
        if tool is not tools[0]:
            raise UsageError(
                f"{path} is {kind.name}, {paths[0]} is {kinds[0].name}: they are of unlike tools",
                hint="give the files of one tool",
            )


def _read(path: str | Path, kind: Kind, options: Options) -> Readings:
    with reading_as(path, kind.name, hint="see docs/import.md for what it should look like"):
        readings = _READERS[kind](path, options)
    if not len(readings):
        raise DataError("holds no row of counters", path=path, hint="is it what a failed run left?")
    return readings


def read_metrics(
    paths: Sequence[str | Path], *, dump: int | None = None, every: bool = False, unscaled: bool = False
) -> Readings:
    """Read files of metrics as one, in the order they are named.

    Args:
        paths: gem5's stats.txt, perf stat -x or -j, ChampSim's text or JSON, or CSV with a heading, plain or
            gzip, told by content.
        dump: number of the dump of gem5's stats, from 0; None: the last.
        every: every dump is an interval.
        unscaled: perf was told `--no-scale`.

    Returns:
        Readings: rows of counters, of which it is not known yet which intervals they are; see
        `metrics_of_points`, `metrics_of_intervals` and `metrics_of_run`.

    Raises:
        DataError, UsageError, WorkError: as `read`.
    """
    return read(paths, Options(dump, every, unscaled))


def recognise(path: str | Path) -> Kind:
    """The kind of a file of metrics, by its content.

    Raises:
        DataError: it is of none.
    """
    kind = recogniser.recognise(path, "metrics")
    if kind in _READERS:
        return kind
    if kind is not recogniser.UNKNOWN:
        raise recogniser.mistaken(path, kind, "metrics")
    known = [kind for kind in _READERS if kind is not recogniser.METRICS]
    raise DataError(
        "is no file of metrics that is known",
        path=path,
        hint=f"name one of these: {', '.join(kind.name for kind in known)}; docs/import.md shows each",
    )
