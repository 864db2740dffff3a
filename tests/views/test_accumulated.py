"""Code added up over the run, against plain loops."""

from __future__ import annotations

import numpy as np
import pytest
from tests.views import nested, synthetic

from phasemark.views.accumulated import accumulated
from phasemark.views.path import principal
from phasemark.views.threads import threads


def test_it_is_straight_where_the_code_stays_the_same_and_as_long_as_it_runs() -> None:
    run = synthetic.run((0, 0, 0, 1, 1))
    run.signatures.matrix.setflags(write=True)
    run.signatures.matrix[:] = np.array([[1.0, 0], [1, 0], [1, 0], [0, 1], [0, 1]]) @ np.ones((2, 15))[:2]
    run.signatures.matrix[3:, 7:] = -3
    (thread,) = threads(run.profile)
    steps = np.diff(accumulated(run, thread).from_start, axis=0)
    long = np.linalg.norm(steps, axis=1)
    assert long[:3] == pytest.approx(1e6 * np.sqrt(15)) and long[3] == pytest.approx(2 * long[4])
    assert steps[0] == pytest.approx(steps[2]) and steps[3] == pytest.approx(2 * steps[4])
    assert abs(steps[0] @ steps[3]) < 0.99 * long[0] * long[3]


def test_a_window_is_the_mean_over_the_instructions_in_it() -> None:
    run = nested.run(nested.archiver(passes=1), longest=4_000_000)
    (thread,) = threads(run.profile)
    shown = accumulated(run, thread, 0.05)
    table, matrix = run.profile.interval_table, run.signatures.matrix
    means = np.zeros_like(matrix)
    for row in range(len(table)):
        middle = table.start[row] + table.length[row] / 2
        low, high = max(0, middle - shown.reach), min(thread.instructions, middle + shown.reach)
        for other in range(len(table)):
            begin, end = table.start[other], table.start[other] + table.length[other]
            means[row] += max(0, min(high, end) - max(low, begin)) / (high - low) * matrix[other]
    mean, axes, _ = principal(means, table.length / table.length.sum())
    assert shown.window == pytest.approx((means - mean) @ axes[:, :2], abs=1e-9)
