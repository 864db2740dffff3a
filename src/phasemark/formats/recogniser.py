"""What a file is, by its content: the one table that `import`, `check` and `phasemark.read` share.

A file's name is asked only where content cannot tell: `run.json`, and SimPoint's result files. Which tool's
dialect vectors are written in is told while they are read (`vectors.registry`), as a stream can be read but
once.
"""

from __future__ import annotations

import codecs
import csv
import math
import re
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from phasemark.errors import DataError, PhasemarkError
from phasemark.formats import trace_json
from phasemark.formats.metrics import champsim_json, champsim_text, gem5_dumps, perf_stat, results_csv
from phasemark.formats.perf import sniffing
from phasemark.formats.source import chunks
from phasemark.model.metrics import KEY
from phasemark.reading import LONGEST_LINE, reading_as
from phasemark.store import events_h5, hdf5, hierarchy_h5, phases_store

__all__ = [
    "CHAMPSIM",
    "CHAMPSIM_JSON",
    "CHAMPSIM_TEXT",
    "EVENTS",
    "FUNCTIONS",
    "GEM5_STATS",
    "HIERARCHY",
    "KINDS",
    "LABELS",
    "LOOPPOINT",
    "METRICS",
    "MODEL",
    "MODELS",
    "MODELS_POINTS",
    "PERF_DATA",
    "PERF_SCRIPT",
    "PERF_STAT",
    "PHASES",
    "POINTS",
    "PROFILE",
    "REGIONS",
    "RESULTS",
    "RUN",
    "SIMPOINTS",
    "TRACE",
    "UNKNOWN",
    "VECTORS",
    "WEIGHTS",
    "XIANGSHAN",
    "Kind",
    "Start",
    "clearer",
    "mistaken",
    "named_of_simpoint",
    "recognise",
    "without_kind",
]

#: Of a file's content; the comment at the top, which for many counters is longer, is not counted.
_MOST = 1 << 18


@dataclass(frozen=True)
class Start:
    """How a file begins, unzipped: the first 256 KiB, and as many again after a long comment at the top."""

    path: Path
    content: bytes

    @cached_property
    def heading(self) -> bytes:
        """The first line that is neither blank nor a comment."""
        lines = self.content.removeprefix(codecs.BOM_UTF8).split(b"\n")
        return next((line for line in lines if line.strip() and not line.startswith(b"#")), b"")

    @cached_property
    def columns(self) -> frozenset[str]:
        """The names in the heading, were it that of a table."""
        try:
            fields = next(csv.reader([self.heading.decode("ascii", "replace").strip()]), [])
        except csv.Error:
            return frozenset()
        return frozenset(fields)

    @cached_property
    def pairs(self) -> list[list[bytes]]:
        """The lines that hold two words."""
        return [pair for line in self.content.split(b"\n") if len(pair := line.split()) == 2]

    @cached_property
    def holds_vectors(self) -> bool:
        """Whether a line reads as a vector."""
        return _VECTOR.search(self.content) is not None


@dataclass(frozen=True)
class Kind:
    """A kind of file.

    Attributes:
        name: what it is called.
        holds: what is in it: `vectors`, `metrics`, `points` ...
        sniff: whether a file that starts so is one.
        hint: for who names it where something else is wanted.
    """

    name: str
    holds: str
    sniff: Callable[[Start], bool]
    hint: str


def _is_run(start: Start) -> bool:
    return start.path.name == "run.json" or start.content.startswith(b'{\n  "format": "phasemark-run"')


def _is_hdf5(start: Start) -> bool:
    return start.content.startswith(hdf5.SIGNATURE)


def _is_model(start: Start) -> bool:
    return _is_hdf5(start) and phases_store.FORMAT.encode() in start.content


def _is_hierarchy(start: Start) -> bool:
    return _is_hdf5(start) and hierarchy_h5.FORMAT.encode() in start.content


def _is_events(start: Start) -> bool:
    return _is_hdf5(start) and events_h5.FORMAT.encode() in start.content


def _is_points(start: Start) -> bool:
    return start.columns >= {"interval", "warmup", "weight"}


def _is_phases(start: Start) -> bool:
    return start.columns >= {"phase", "distance"}


def _is_models(start: Start) -> bool:
    return start.columns >= {"model", "representation", "states", "log_likelihood", "held_out"}


def _is_models_points(start: Start) -> bool:
    return start.columns >= {"model", "representation", "states", "estimator", "interval_error"}


def _is_champsim(start: Start) -> bool:
    return start.columns >= {"skip", "warmup", "simulate", "weight"}


def _is_xiangshan(start: Start) -> bool:
    return start.heading.startswith(b"{") and _WORKLOAD.search(start.content) is not None


def _is_looppoint(start: Start) -> bool:
    return start.heading.startswith(b"{") and _MULTIPLIED.search(start.content) is not None


def _is_regions(start: Start) -> bool:
    """With a heading, or one that is a comment, or none."""
    return "simulation-region-start-icount" in start.columns or _REGION.search(start.content) is not None


def _counts_nothing(start: Start) -> bool:
    """Whether it is a table of ours that holds no counters, without a column more."""
    ours = _is_points(start) or _is_phases(start) or _is_champsim(start)
    return ours and start.columns <= _OURS


def _is_metrics(start: Start) -> bool:
    return start.columns.issuperset(KEY) and not _counts_nothing(start)


def _is_results(start: Start) -> bool:
    return results_csv.sniff(start.content) and not _counts_nothing(start)


def _is_functions(start: Start) -> bool:
    return _FUNCTION.match(start.heading) is not None


def _is_of_simpoint(start: Start) -> bool:
    """Two numbers to a line."""
    return len(start.heading.split()) == 2 and not start.holds_vectors and any(map(_are_numbers, start.pairs))


def _name_of_simpoint(path: Path) -> str | None:
    """Which of SimPoint's files a name is of; the last word counts."""
    named = [match.lastgroup for match in _NAMES.finditer(path.name)]
    return named[-1] if named else None


def _are_numbers(words: list[bytes]) -> bool:
    try:
        return all(math.isfinite(float(word)) for word in words)
    except ValueError:
        return False


def _simpoint(kind: str, column: int | None = None) -> Callable[[Start], bool]:
    """Whole weights and distances look like ids: there the name must tell."""

    def sniff(start: Start) -> bool:
        if not _is_of_simpoint(start):
            return False
        if named := _name_of_simpoint(start.path):
            return named == kind
        return column is None or any(b"." in pair[column] for pair in start.pairs)

    return sniff


#: The columns of points.csv, of phases.csv and track.csv, and of what is exported to ChampSim.
_OURS = {
    *("run", "thread", "interval", "phase", "start", "end", "warmup", "weight", "population", "spread"),
    *("index", "length", "kind", "distance", "matched", "new", "skip", "simulate"),
}
#: What of SimPoint's a file is, by its name: simpoints.t1, results.simpts, t.weights.
_NAMES = re.compile(r"(?P<simpoints>simpo?i?n?ts)|(?P<weights>weights)|(?P<labels>labels)")
_WORKLOAD = re.compile(rb'"points"\s*:\s*\{')
_MULTIPLIED = re.compile(rb'"simulation"\s*:\s*\{|"multiplier"\s*:')
_REGION = re.compile(rb"^cluster\s+\d+\s+from\s+slice\s+\d+,", re.IGNORECASE | re.MULTILINE)
_FUNCTION = re.compile(rb"F:\d{1,19}:[0-9a-fA-F]+:")
_VECTOR = re.compile(rb"^[ \t]*T(?:[ \t]*:|[ \t\r]*$)", re.MULTILINE)

_OF_A_RUN = "it is of a run: `phasemark {}` takes the run's folder"
_IMPORT = "`phasemark import --metrics` takes it"
_IMPORT_SAMPLES = "`phasemark import` takes it, without --metrics"
_EXPORTED = "`phasemark points DIR --from` takes it"
_RESULT = "`phasemark points DIR --from` takes it; to import, name the vectors that it was found in"

MODEL = Kind("model.h5", "a model", _is_model, _OF_A_RUN.format("points"))
HIERARCHY = Kind("hierarchy.h5", "a hierarchy", _is_hierarchy, _OF_A_RUN.format("phases"))
EVENTS = Kind("events.h5", "a trace of events", _is_events, _OF_A_RUN.format("intervals"))
PROFILE = Kind("profile.h5", "a profile", _is_hdf5, _OF_A_RUN.format("phases"))
RUN = Kind("run.json", "the steps of a run", _is_run, _OF_A_RUN.format("report"))
GEM5_STATS = Kind("gem5's stats.txt", "metrics", lambda start: gem5_dumps.sniff(start.content), _IMPORT)
POINTS = Kind(
    "points.csv",
    "points",
    _is_points,
    f"{_OF_A_RUN.format('simulate')}, and for another run {_EXPORTED}",
)
CHAMPSIM = Kind("champsim.csv", "points for ChampSim", _is_champsim, _EXPORTED)
REGIONS = Kind("PinPoints' regions", "regions", _is_regions, _EXPORTED)
XIANGSHAN = Kind("simpoint_summary.json", "points for XiangShan", _is_xiangshan, _EXPORTED)
LOOPPOINT = Kind(
    "gem5's LoopPoint JSON",
    "places in the code",
    _is_looppoint,
    "LoopPoint's *.global.pinpoints.csv has them, too",
)
TRACE = Kind(
    "a trace of threads",
    "when threads were in which phase",
    lambda start: start.content.lstrip().startswith(trace_json.BEGINNING),
    "it is for ui.perfetto.dev and chrome://tracing",
)
PHASES = Kind("phases.csv", "phases", _is_phases, _OF_A_RUN.format("points"))
MODELS = Kind("models.csv", "models side by side", _is_models, _OF_A_RUN.format("models"))
MODELS_POINTS = Kind(
    "models-points.csv", "what points of models estimate", _is_models_points, _OF_A_RUN.format("models")
)
METRICS = Kind("metrics.csv", "metrics", _is_metrics, _IMPORT)
PERF_STAT = Kind("perf stat -x or -j", "metrics", lambda start: perf_stat.sniff(start.content), _IMPORT)
PERF_DATA = Kind("perf.data", "samples", lambda start: sniffing.is_data(start.content), _IMPORT_SAMPLES)
PERF_SCRIPT = Kind("perf script", "samples", lambda start: sniffing.is_text(start.content), _IMPORT_SAMPLES)
CHAMPSIM_TEXT = Kind(
    "ChampSim's output", "metrics", lambda start: champsim_text.sniff(start.content), _IMPORT
)
CHAMPSIM_JSON = Kind("ChampSim's JSON", "metrics", lambda start: champsim_json.sniff(start.content), _IMPORT)
RESULTS = Kind("CSV with a heading", "metrics", _is_results, _IMPORT)
WEIGHTS = Kind("SimPoint's weights", "weights", _simpoint("weights", 0), _RESULT)
LABELS = Kind("SimPoint's labels", "labels", _simpoint("labels", 1), _RESULT)
SIMPOINTS = Kind("SimPoint's simpoints", "simpoints", _simpoint("simpoints"), _RESULT)
FUNCTIONS = Kind("exp-bbv's pc.out", "functions", _is_functions, "name its bb.out file too")
VECTORS = Kind(
    "T:id:count",
    "vectors",
    lambda start: start.holds_vectors,
    "`phasemark import` takes it, without --metrics",
)

#: In the order in which they are tried.
KINDS: tuple[Kind, ...] = (
    MODEL,
    HIERARCHY,
    EVENTS,
    PROFILE,
    RUN,
    PERF_DATA,
    PERF_SCRIPT,
    GEM5_STATS,
    CHAMPSIM,
    REGIONS,
    XIANGSHAN,
    LOOPPOINT,
    TRACE,
    POINTS,
    PHASES,
    MODELS,
    MODELS_POINTS,
    METRICS,
    PERF_STAT,
    CHAMPSIM_TEXT,
    CHAMPSIM_JSON,
    RESULTS,
    WEIGHTS,
    LABELS,
    SIMPOINTS,
    FUNCTIONS,
    VECTORS,
)

#: What none of them is; reading it as vectors tells which line is at fault.
UNKNOWN = Kind("unknown", "nothing known", lambda start: True, "")


def recognise(path: str | Path, wanted: str = "") -> Kind:
    """The kind of a file, plain or gzip.

    Args:
        path: a regular file.
        wanted: what it should hold, as `Kind.holds` says; such kinds are tried first. Points with counters
            beside them are metrics to who wants metrics.

    Raises:
        DataError: there is no such file, or it is no regular one, or a gzip stream that is damaged.
        WorkError: it cannot be read.
    """
    with closing(chunks(path)) as pieces:
        start = Start(Path(path), _beginning(pieces))
    kinds = sorted(KINDS, key=lambda kind: kind.holds != wanted)
    with reading_as(path, "a file of a known kind", hint="see that it is whole"):
        return next((kind for kind in kinds if kind.sniff(start)), UNKNOWN)


def _beginning(pieces: Iterator[bytes]) -> bytes:
    """The first piece; where it is one comment, that too to its end, and a piece more."""
    held = next(pieces, b"")[:_MOST]
    if not held.startswith(b"#") or b"\n" in held:
        return held
    for piece in pieces:
        held += piece
        if len(held) > LONGEST_LINE:
            break
        if b"\n" in piece:
            return held + next(pieces, b"")
    return held[:_MOST]


def named_of_simpoint(path: Path) -> Kind | None:
    """Which of SimPoint's files its name says it is, whatever it holds; None: it says nothing."""
    named = _name_of_simpoint(path)
    return next((kind for kind in (WEIGHTS, LABELS, SIMPOINTS) if kind.holds == named), None)


def without_kind(name: str) -> str:
    """The name of one of SimPoint's files without the word that says which of them it is."""
    named = list(_NAMES.finditer(name))
    return name[: named[-1].start()] + name[named[-1].end() :] if named else name


def clearer(error: DataError) -> DataError:
    """The error of reading a file as vectors, said clearer where it holds something else."""
    if error.path is None or not error.path.is_file():
        return error
    try:
        kind = recognise(error.path, "vectors")
    except PhasemarkError:
        return error
    return error if kind in (VECTORS, FUNCTIONS, UNKNOWN) else mistaken(error.path, kind, "vectors")


def mistaken(path: str | Path, kind: Kind, wanted: str) -> DataError:
    """That a file holds something else than what is wanted."""
    return DataError(f"holds {kind.holds} ({kind.name}), not {wanted}", path=path, hint=kind.hint)
