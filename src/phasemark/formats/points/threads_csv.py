"""Points of threads, each with all that a simulator may need to come to it.

The columns of points.csv, which say the thread and its own instructions; `global_warmup`, `global_start` and
`global_end`, instructions of all threads when the thread comes to its warm-up, to the point and to its end;
`sniper`, these as Sniper's script `roi-icount` takes them: instructions to skip, to warm up and to simulate.
Where the profile has markers, the places of start and end in the code follow, as in markers.csv. What is not
known is empty. As points.csv `points --from` reads it.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from phasemark.formats.points import markers_csv
from phasemark.formats.points.looppoint import Code
from phasemark.model import Points, Profile
from phasemark.store import tables

__all__ = ["Moments", "write"]


class Moments(Protocol):
    """Instructions of all threads of each point's run, when the point's thread comes to it; n int64 each."""

    @property
    def warm(self) -> NDArray[np.int64]:
        """Where the warm-up begins."""

    @property
    def start(self) -> NDArray[np.int64]:
        """Where the point begins."""

    @property
    def end(self) -> NDArray[np.int64]:
        """Where it ends."""


def write(
    path: str | Path, points: Points, moments: Moments | None, profile: Profile | None, code: Code | None
) -> None:
    """Write points of any number of threads.

    Args:
        path: the file.
        points: of any method.
        moments: how far all threads are at the points; None: nothing says it.
        profile: that the points are intervals of; None, and one without markers: there are no places.
        code: where its blocks are; None: addresses are left out.

    Raises:
        DataError: the profile has markers, and a point is no interval of it.
        WorkError: the file cannot be written.
    """
    table: dict[str, Any] = {name: getattr(points, name) for name in markers_csv.POINTS}
    if moments is None:
        nothing = [""] * len(points)
        table |= dict.fromkeys(("global_warmup", "global_start", "global_end", "sniper"), nothing)
    else:
        table |= {
            "global_warmup": moments.warm,
            "global_start": moments.start,
            "global_end": moments.end,
            "sniper": [
                f"{warm}:{start - warm}:{max(end - start, 1)}"
                for warm, start, end in zip(
                    moments.warm.tolist(), moments.start.tolist(), moments.end.tolist(), strict=True
                )
            ],
        }
    if profile is not None and profile.markers is not None:
        table |= markers_csv.places(profile, profile.markers, points, code)
    made_by = {"command": "export", "to": "threads", "method": points.method, "unit": "instructions"}
    tables.write(path, table, made_by={**made_by, "coverage": repr(float(points.coverage))})
