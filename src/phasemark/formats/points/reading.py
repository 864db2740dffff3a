"""Which formats of points there are, and what files of one of them state."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from phasemark.errors import DataError, UsageError
from phasemark.formats import recogniser
from phasemark.formats.points import champsim, nemu_summary, pinpoints_csv, simpoint_choice
from phasemark.formats.points.chosen import Chosen, ChosenPoint
from phasemark.formats.points.protocol import PointsFormat, Reader
from phasemark.formats.recogniser import Kind
from phasemark.model import Points
from phasemark.store import points_csv

__all__ = ["FORMATS", "format_of", "of_points", "read"]


def read(paths: Sequence[str | Path], workload: str | None = None) -> Chosen:
    """Read the files of one choice, in any format of FORMATS, told by content.

    Args:
        paths: the files, in any order.
        workload: which of a file that holds several; None: the only one.

    Raises:
        DataError: a file is malformed, or holds no points; names file and line or row.
        UsageError: no file, files that do not belong together, or a workload that is not there.
        WorkError: a file cannot be read.
    """
    if not paths:
        raise UsageError("no file of points is named", hint="name one, as --from simpoints --from weights")
    files: dict[Path, Kind] = {}
    for path in map(Path, paths):
        if path in files:
            raise UsageError(f"{path} is named twice", hint="name each file once")
        files[path] = _kind(path)
    of = {path: _of_kind(path, kind) for path, kind in files.items()}
    first = next(iter(of))
    if other := next((path for path in of if of[path] is not of[first]), None):
        raise UsageError(
            f"{first} is of {of[first].name}, {other} of {of[other].name}",
            hint="give the files of one choice",
        )
    chosen = of[first]
    if len(files) > 1 and not chosen.several:
        raise UsageError(f"{len(files)} files of {chosen.name}", hint="give one choice of points")
    if workload is not None and not chosen.workloads:
        raise UsageError(f"{first} knows no workloads", hint="leave out --workload")
    return chosen.read(files, workload)


def of_points(points: Points, path: Path) -> Chosen:
    """Points of a points.csv as if another tool had written them."""
    columns = {
        name: getattr(points, name).tolist()
        for name in ("weight", "interval", "start", "warmup", "run", "thread", "population", "spread")
    }
    lengths, clusters = (points.end - points.start).tolist(), points.phase.tolist()
    return Chosen(
        tuple(
            ChosenPoint(
                path=path,
                row=row,
                length=lengths[row],
                cluster=clusters[row],
                **{name: values[row] for name, values in columns.items()},
            )
            for row in range(len(points))
        ),
        (path,),
        coverage=points.coverage,
        method=points.method,
    )


def _kind(path: Path) -> Kind:
    """What a file is; by its name where its content says nothing, so that its reader tells what is wrong."""
    kind = recogniser.recognise(path)
    return kind if kind is not recogniser.UNKNOWN else recogniser.named_of_simpoint(path) or kind


def format_of(path: Path) -> PointsFormat:
    """The format of a file.

    Raises:
        DataError: it is of none.
        WorkError: it cannot be read.
    """
    return _of_kind(path, _kind(path))


def _of_kind(path: Path, kind: Kind) -> PointsFormat:
    for known in FORMATS:
        if kind in known.kinds:
            return known
    if kind is recogniser.LOOPPOINT:
        raise DataError(
            "says places in the code, and not how many instructions the regions have",
            path=path,
            hint="give LoopPoint's *.global.pinpoints.csv",
        )
    what = "nothing known" if kind is recogniser.UNKNOWN else f"{kind.holds} ({kind.name})"
    raise DataError(
        f"holds {what}, and no points",
        path=path,
        hint=f"points are read from {', '.join(known.name for known in FORMATS)}",
    )


def _ours(path: Path) -> Chosen:
    points = points_csv.read(path)
    if not len(points):
        raise DataError("holds no points", path=path)
    return of_points(points, path)


def _alone(read_file: Callable[[Path], Chosen]) -> Reader:
    return lambda files, workload: read_file(next(iter(files)))


def _champsim(path: Path) -> Chosen:
    chosen = champsim.read(path)
    if not chosen.points:
        raise DataError("holds no points", path=path)
    return chosen


#: Every format.
FORMATS: tuple[PointsFormat, ...] = (
    PointsFormat(
        "SimPoint's simpoints and weights",
        simpoint_choice.KINDS,
        lambda files, workload: simpoint_choice.read(files),
        several=True,
    ),
    PointsFormat("PinPoints' regions", (recogniser.REGIONS,), _alone(pinpoints_csv.read)),
    PointsFormat(
        "XiangShan's points",
        (recogniser.XIANGSHAN,),
        lambda files, workload: nemu_summary.read(next(iter(files)), workload),
        workloads=True,
    ),
    PointsFormat("ChampSim's points", (recogniser.CHAMPSIM,), _alone(_champsim)),
    PointsFormat("phasemark's points.csv", (recogniser.POINTS,), _alone(_ours)),
)
