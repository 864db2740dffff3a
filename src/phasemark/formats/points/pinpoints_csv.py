"""PinPoints' region files: one line a point.

    comment,thread-id,region-id,simulation-region-start-icount,simulation-region-end-icount,region-weight
    # Region = 1 Slice = 88 Icount = 308000214 Length = 3500002 Weight = 0.5432
    cluster 0 from slice 88,0,1,308000214,311500216,0.543210

Regions are numbered from 1, by start within a thread. Lines with `#` are comments, and so may the heading be.
Of the tools that write it, some mean an exclusive end and others an inclusive one, some start a region one
instruction late: one instruction is nothing beside a region.

LoopPoint's `*.global.pinpoints.csv` is the same with places in the code in place of instruction counts:

    cluster 0 from slice 5,global,1,<pc>,<image>,<offset>,<count>,<pc>,<image>,<offset>,<count>,<relative>,
        <region-length>,<region-weight>,<region-multiplier>,simulation      (one line)

Lines that begin with `Warmup for regionid 1` say where the warm-up of a region begins.
"""

from __future__ import annotations

import csv
import dataclasses
import re
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

from phasemark.errors import DataError, UsageError
from phasemark.formats.points.chosen import POINTS, Chosen, ChosenPoint
from phasemark.formats.points.fields import number, stated_coverage, whole
from phasemark.formats.source import lines, text_lines
from phasemark.model import Points
from phasemark.store.atomic import write_text

__all__ = ["read", "write"]

_HEADER = (
    "comment,thread-id,region-id,simulation-region-start-icount,simulation-region-end-icount,region-weight"
)

#: Fields of a line with instruction counts; one tool adds how many instructions it stands for.
_WITH_COUNTS = (6, 7)

#: Fields of a line at least, where it says places in the code.
_WITH_PLACES = 15

_CLUSTER = re.compile(r"cluster\s+(\d+)\s+from\s+slice\s+(\d+)", re.IGNORECASE)
_COVERAGE = re.compile(rb"# Coverage = ([0-9.eE+-]{1,40})")
_WARMUP = re.compile(r"warmup\s+for\s+regionid\s+(\d+)", re.IGNORECASE)


def read(path: Path) -> Chosen:
    """Read a region file, with instruction counts or with places in the code.

    Raises:
        DataError: malformed; names file and line.
    """
    points: dict[int, ChosenPoint] = {}
    warmups: dict[int, int] = {}
    for line, fields in _rows(path):
        if warmup := _WARMUP.match(fields[0]):
            if len(fields) in _WITH_COUNTS:
                warmups[whole(warmup[1], path, line)] = whole(fields[3], path, line)
            continue
        region = whole(fields[2], path, line)
        if region in points:
            raise DataError(f"region {region} is there twice", path=path, line=line, hint="keep one of them")
        points[region] = _point(fields, path, line)
    if not points:
        raise DataError("holds no region", path=path, hint=f"a line reads `{_HEADER}`")
    warmed = tuple(_warmed(point, warmups.get(at)) for at, point in points.items())
    return Chosen(warmed, (path,), coverage=_coverage(path))


def _coverage(path: Path) -> float | None:
    """The share of the run that the points stand for, which phasemark writes in a comment."""
    with closing(lines(path, POINTS)) as numbered:
        for line, text in numbered:
            if match := _COVERAGE.fullmatch(text.strip()):
                return stated_coverage(match[1].decode("ascii"), path, line)
    return None


def _rows(path: Path) -> Iterator[tuple[int, list[str]]]:
    for line, text in text_lines(path, POINTS):
        try:
            fields = [field.strip() for field in next(csv.reader([text], strict=True))]
        except csv.Error as error:
            raise DataError(f"no line of a table ({error})", path=path, line=line) from error
        if fields[0] == "comment":
            continue
        known = len(fields) in _WITH_COUNTS or len(fields) >= _WITH_PLACES
        if not known and not _WARMUP.match(fields[0]):
            raise DataError(
                f"{len(fields)} fields, and a region has 6", path=path, line=line, hint=f"write `{_HEADER}`"
            )
        yield line, fields


def _point(fields: list[str], path: Path, line: int) -> ChosenPoint:
    named = _CLUSTER.match(fields[0])
    cluster, slice_ = (whole(part, path, line) for part in named.groups()) if named else (None, None)
    thread = 0 if fields[1] == "global" else whole(fields[1], path, line)
    if len(fields) >= _WITH_PLACES:
        weight, start, length = number(fields[13], path, line), None, whole(fields[12], path, line)
    else:
        weight = number(fields[5], path, line)
        start, end = (whole(field, path, line) for field in fields[3:5])
        length = end - start
    if length <= 0:
        raise DataError("there is no instruction in it", path=path, line=line)
    return ChosenPoint(
        weight=weight,
        path=path,
        line=line,
        interval=slice_,
        start=start,
        length=length,
        cluster=cluster,
        thread=thread,
    )


def _warmed(point: ChosenPoint, begins: int | None) -> ChosenPoint:
    if begins is None or point.start is None:
        return point
    if begins > point.start:
        raise point.error("its warm-up begins after it", "the start of a warm-up lies before the region's")
    return dataclasses.replace(point, warmup=point.start - begins)


def write(path: str | Path, points: Points) -> None:
    """Write a region file; warm-up is not part of a region.

    Where the points stand for less than the run, a comment says for how much.

    Raises:
        UsageError: points of several runs, which the file cannot say.
        WorkError: the file cannot be written.
    """
    if len(points) and points.run.min() != points.run.max():
        raise UsageError(
            "a PinPoints file holds one run, and these points are of several", hint="take points.csv"
        )
    covered = [f"# Coverage = {float(points.coverage)!r}"] if points.coverage < 1 else []
    text = ["# Regions chosen by phasemark", *covered, _HEADER]
    for row in range(len(points)):
        start, end, slice_ = int(points.start[row]), int(points.end[row]), int(points.interval[row])
        weight, region = float(points.weight[row]), row + 1
        text.append(
            f"# Region = {region} Slice = {slice_} Icount = {start} Length = {end - start} "
            f"Weight = {weight:.6f}"
        )
        text.append(
            f"cluster {points.phase[row]} from slice {slice_},{points.thread[row]},{region},{start},{end},"
            f"{weight:.6f}"
        )
    write_text(path, "\n".join(text) + "\n")
