"""points.csv with where each point begins and ends in the code: for who counts executions there.

After the columns of points.csv, for `start` and for `end`: `_file`, `_offset` in it and `_address` as it was
linked (hexadecimal), `_count`, how often the thread has executed that instruction then, this one included,
and `_total`, the same over all threads. What is not known is empty, as is the end of a thread. As points.csv
`points --from` reads it.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from phasemark.errors import UsageError
from phasemark.formats.points.looppoint import Code
from phasemark.model import Markers, Points, Profile
from phasemark.model._check import require
from phasemark.store import tables

__all__ = ["POINTS", "places", "write"]

POINTS = ("run", "thread", "interval", "phase", "start", "end", "warmup", "weight", "population")


def write(path: str | Path, profile: Profile, points: Points, code: Code | None) -> None:
    """Write points with their markers.

    Args:
        path: the file.
        profile: with markers.
        points: intervals of it.
        code: where its blocks are; None: addresses are left out.

    Raises:
        UsageError: the profile has no markers.
        DataError: a point is no interval of it.
        WorkError: the file cannot be written.
    """
    if profile.markers is None:
        raise UsageError(
            "intervals of fixed length end anywhere in the code, and have no markers",
            hint="make intervals that follow the program first: phasemark intervals; or take points.csv",
        )
    table: dict[str, Any] = {name: getattr(points, name) for name in POINTS}
    table |= places(profile, profile.markers, points, code)
    made_by = {"command": "export", "to": "markers", "method": points.method, "unit": "instructions"}
    tables.write(path, table, made_by={**made_by, "coverage": repr(float(points.coverage))})


def places(profile: Profile, markers: Markers, points: Points, code: Code | None) -> dict[str, list[object]]:
    """Where each point begins and ends in the code, as columns.

    Args:
        profile: whose the markers are.
        markers: of its intervals.
        points: intervals of it.
        code: where its blocks are; None: addresses are left out.

    Raises:
        DataError: a point is no interval of the profile.
    """
    rows = _rows(profile, points)
    follows = np.append(~profile.interval_table.first_of_thread()[1:], False)[rows]
    table = _columns("start", profile, markers, rows, code)
    return table | _columns("end", profile, markers, np.where(follows, rows + 1, -1), code)


def _rows(profile: Profile, points: Points) -> NDArray[np.int64]:
    """The rows of the points' intervals.

    Raises:
        DataError: a point is no interval of the profile.
    """
    table = profile.interval_table
    keys = zip(table.run.tolist(), table.thread.tolist(), table.index.tolist(), strict=True)
    rows = {key: row for row, key in enumerate(keys)}
    wanted = zip(points.run.tolist(), points.thread.tolist(), points.interval.tolist(), strict=True)
    found = np.array([rows.get(key, -1) for key in wanted], np.int64)
    require(found >= 0, "a point is no interval of the profile", "pick points anew: phasemark points")
    return found


def _columns(
    side: str, profile: Profile, markers: Markers, rows: NDArray[np.int64], code: Code | None
) -> dict[str, list[object]]:
    blocks = profile.block_table
    names = ("file", "offset", "address", "count", "total")
    columns: dict[str, list[object]] = {f"{side}_{name}": [] for name in names}
    for row in rows.tolist():
        block = int(markers.block[row]) if row >= 0 else -1
        known = block >= 0
        values = (
            blocks.modules[blocks.module[block]] if known else "",
            hex(int(blocks.offset[block])) if known else "",
            hex(int(code.address[block])) if known and code is not None and code.is_known[block] else "",
            int(markers.count[row]) if known else "",
            int(markers.total[row]) or "" if known else "",
        )
        for column, value in zip(columns.values(), values, strict=True):
            column.append(value)
    return columns
