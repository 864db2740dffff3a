"""A key names an interval of one cut of the run: what was measured of another cut is refused."""

from __future__ import annotations

import numpy as np
import pytest

from phasemark.errors import DataError
from phasemark.estimates.estimate import estimate
from phasemark.model import Hierarchy, Intervals, Metrics, Points
from phasemark.quality.measured import measured, rows_of

#: Thread 0 is [0, 20) and [20, 30), the first of it [0, 5) and [5, 20); thread 1 is [0, 7).
TREE = Hierarchy(
    [0] * 5, [0, 0, 0, 0, 1], [0, 0, 1, 1, 0], [-1, -1, 0, 0, -1], [0, 20, 0, 5, 0], [20, 30, 5, 20, 7]
)
COARSE, FINE = TREE.levels


def metrics(cut: Intervals, rows: list[int]) -> Metrics:
    key = {name: getattr(cut, name)[rows] for name in ("run", "thread", "index", "start", "length")}
    return Metrics(**key, counters={"cycles": 2.0 * cut.length[rows]})


@pytest.mark.parametrize(
    ("cut", "rows"), [(FINE, [0, 1, 2, 3]), (FINE, [1, 3]), (COARSE, [0, 2]), (COARSE, [])]
)
def test_rows_of_a_cut_are_found_whatever_their_lengths(cut: Intervals, rows: list[int]) -> None:
    found = np.full(len(cut), -1)
    found[rows] = np.arange(len(rows))
    assert rows_of(metrics(cut, rows), cut).tolist() == found.tolist()
    if rows:
        cpi = measured(metrics(cut, rows), cut, "cpi")
        assert cpi.values[rows].tolist() == [2.0] * len(rows)
        assert cpi.weights.tolist() == np.where(found >= 0, cut.length, 0).tolist()


@pytest.mark.parametrize(("rows", "row"), [([0, 1], 0), ([1], 0), ([2], 0)])
def test_rows_of_another_cut_are_refused(rows: list[int], row: int) -> None:
    """Interval 0 begins alike and is shorter, 1 lies elsewhere, 2 the coarse cut has not."""
    with pytest.raises(DataError, match=f"row {row}: .*none of the profile's"):
        rows_of(metrics(FINE, rows), COARSE)


def test_points_of_a_cut_are_estimated_with_metrics_of_that_cut_alone() -> None:
    at = [1, 3]
    points = Points(
        run=FINE.run[at],
        thread=FINE.thread[at],
        interval=FINE.index[at],
        phase=[0, 1],
        start=FINE.start[at],
        end=(FINE.start + FINE.length)[at],
        warmup=[0, 0],
        weight=[0.75, 0.25],
    )
    assert estimate(points, metrics(FINE, at), names="cpi").value["cpi"] == pytest.approx(2.0)
    with pytest.raises(DataError, match="interval 1 starts at 20"):
        estimate(points, metrics(COARSE, [1]), names="cpi")
