"""The figure of the path."""

from __future__ import annotations

import numpy as np
from matplotlib.collections import Collection
from matplotlib.colors import to_hex
from tests.views import counted, nested

from phasemark import plots
from phasemark.views import path
from phasemark.views.palette import colours


def test_successive_intervals_of_a_thread_are_joined_in_their_phases_colours() -> None:
    analysis = counted.run()
    (axes,) = plots.figure(analysis, "trajectory").axes
    lines, dots, rings = axes.collections
    points = path.trajectory(analysis.signatures).points
    # Seven intervals, and no line from the last of thread 0 to the first of thread 3.
    joined = [(points[i].tolist(), points[i + 1].tolist()) for i in (0, 1, 2, 3, 5)]
    np.testing.assert_allclose(lines._segments3d, joined)
    shade = np.array(colours(3))[counted.LABELS]
    assert [to_hex(c) for c in lines.get_colors()] == shade[[1, 2, 3, 4, 6]].tolist()
    assert [to_hex(c) for c in Collection.get_facecolor(dots)] == shade.tolist()
    assert "100.0% of the variance" in axes.get_title()
    # Intervals 1 and 4 of thread 0, and 1 of thread 3, are the simulation points.
    np.testing.assert_allclose(np.array(rings._offsets3d).T, points[[1, 4, 6]])


def test_intervals_of_fixed_length_stand_beside_those_of_variable_length_along_the_same_axes() -> None:
    run = nested.beside_fixed(nested.run(nested.archiver(passes=1)), 300_000)
    left, right = plots.figure(run, "trajectory").axes
    fixed = run.fixed.profile.interval_table
    assert left.get_title() == f"{len(fixed):,} intervals of fixed length"
    assert right.get_title() == f"{len(run.phases):,} intervals of variable length"
    assert [len(axes.collections[1]._offsets3d[0]) for axes in (left, right)] == [len(fixed), len(run.phases)]
    assert (len(left.collections), len(right.collections)) == (2, 3)  # the points' rings are of the run's own
    for limits in ("get_xlim", "get_ylim", "get_zlim"):
        assert getattr(left, limits)() == getattr(right, limits)()
