"""The figure of the code executed so far."""

from __future__ import annotations

import numpy as np
from matplotlib.colors import to_hex
from tests.views import counted, synthetic

from phasemark import plots
from phasemark.views.palette import colours


def test_a_line_from_the_start_and_one_over_a_window() -> None:
    left, right = plots.figure(synthetic.run((0, 1, 2)), "accumulated").axes
    assert [len(axes.collections[0].get_segments()) for axes in (left, right)] == [3, 2]
    assert [to_hex(c) for c in left.collections[0].get_colors()] == colours(3)
    assert left.get_title(loc="left") == "from the start"
    assert right.get_title(loc="left") == "25 k instructions before and after"
    assert left.lines[0].get_xydata().tolist() == [[0, 0]]


def test_of_several_threads_the_longest() -> None:
    left, _ = plots.figure(counted.run(), "accumulated").axes
    assert left.get_title(loc="left") == "from the start of thread 3"
    first, second = np.array(left.collections[0].get_segments())
    assert (first[1] == second[0]).all()
