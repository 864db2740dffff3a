"""Two runs, phase by phase."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.parallel.threads import cycles_of, intervals_of, phases_of, profile_of
from tests.reference import comparing as slow

from phasemark import parallel
from phasemark.errors import DataError
from phasemark.model import Metrics, Phases, Profile

#: Run, phase, instructions, cycles. Phase 0 has twice the work, 1 twice the CPI, 2 is gone, 3 new, 4 alike.
ROWS = [
    (0, 0, 100, 100), (0, 1, 100, 100), (0, 2, 50, 25), (0, 4, 1000, 500),
    (1, 0, 200, 200), (1, 1, 100, 200), (1, 3, 10, 30), (1, 4, 1000, 505),
]  # fmt: skip


def made(rows: list[tuple[int, int, float, float]]) -> tuple[Profile, Phases, Metrics]:
    rows = sorted(rows, key=lambda row: row[0])
    parts = []
    for run in sorted({row[0] for row in rows}):
        own = [row for row in rows if row[0] == run]
        ends = np.cumsum([row[2] for row in own]).astype(int).tolist()
        spans = [(0, phase, end - int(n), end) for (_, phase, n, _), end in zip(own, ends, strict=True)]
        parts.append(intervals_of(spans, run=run))
    profile = profile_of(parts)
    return profile, phases_of([row[1] for row in rows]), cycles_of(profile, [row[3] for row in rows])


def test_two_runs_are_told_apart_by_phase() -> None:
    found = parallel.compare(*made(ROWS))  # type: ignore[arg-type]
    assert found.unit == "cycles" and found.runs.tolist() == [0, 1]
    assert found.intervals.tolist() == [[1, 1, 1, 0, 1], [1, 1, 0, 1, 1]]
    assert found.time.tolist() == [[100, 100, 25, 0, 500], [200, 200, 0, 30, 505]]
    assert found.whole.tolist() == [725, 935]
    assert found.kinds == ("grew", "grew", "gone", "new", "alike")
    assert found.change.tolist() == [100, 100, -25, 30, 5]
    assert found.by_work.tolist() == pytest.approx([100, 0, -25, 30, 0])
    assert found.by_speed.tolist() == pytest.approx([0, 100, 0, 0, 5])
    assert found.order() == [0, 1, 3, 2, 4]
    assert found.cpi[1, :2].tolist() == [1, 2] and np.isnan(found.cpi[1, 2])
    assert found.shares[1].tolist() == pytest.approx([200 / 935, 200 / 935, 0, 30 / 935, 505 / 935])
    whole = found.frame().iloc[0]
    assert (whole.cycles_before, whole.cycles_after, whole.change) == (725, 935, 210)
    assert whole.by_work + whole.by_speed == pytest.approx(210)


def test_the_other_way_round_is_the_opposite() -> None:
    there = parallel.compare(*made(ROWS))  # type: ignore[arg-type]
    back = parallel.compare(*made([(1 - run, *rest) for run, *rest in ROWS]))  # type: ignore[misc]
    for name in ("change", "by_work", "by_speed"):
        assert getattr(back, name).tolist() == pytest.approx((-getattr(there, name)).tolist())
    assert back.kinds == ("shrank", "shrank", "new", "gone", "alike")


def test_without_metrics_instructions_are_compared() -> None:
    profile, phases, _ = made(ROWS)  # type: ignore[arg-type]
    found = parallel.compare(profile, phases)
    assert found.unit == "instructions" and found.cycles is None
    assert found.whole.tolist() == [1250, 1310] and found.by_speed.tolist() == pytest.approx([0] * 5)
    assert "cycles_before" not in found.frame().columns


def test_what_was_not_measured_is_said() -> None:
    rows = [*ROWS[:4], (1, 0, 200, np.nan), *ROWS[5:]]
    found = parallel.compare(*made(rows))  # type: ignore[arg-type]
    assert found.kinds[0] == "unknown" and found.unmeasured.tolist() == pytest.approx([0, 200 / 1310])
    assert found.order()[0] == 1


@given(
    st.lists(
        st.tuples(st.integers(0, 1), st.integers(0, 3), st.integers(1, 10**6), st.integers(1, 10**6)),
        max_size=30,
    )
)
def test_parts_sum_to_the_whole_as_the_plain_sums_say(rows: list[tuple[int, int, int, int]]) -> None:
    rows = [(0, 0, 7, 11), (1, 1, 5, 2), (0, 2, 3, 4), (1, 3, 9, 8), *rows]
    found, plain = parallel.compare(*made(rows)), slow.compare([slow.Row(*row) for row in rows], 4)  # type: ignore[arg-type]
    assert found.instructions.T.tolist() == [list(of.instructions) for of in plain]
    assert found.time.T.tolist() == [list(of.cycles) for of in plain]
    assert found.by_work.tolist() == pytest.approx([of.by_work for of in plain], rel=1e-9, abs=1e-6)
    assert found.by_speed.tolist() == pytest.approx([of.by_speed for of in plain], rel=1e-6, abs=1e-6)
    assert (found.by_work + found.by_speed).sum() == pytest.approx(found.whole[1] - found.whole[0], abs=1e-6)


def test_one_run_or_three_are_refused() -> None:
    for runs in ((0,), (0, 1, 2)):
        with pytest.raises(DataError, match="where two are compared"):
            parallel.compare(*made([(run, 0, 10, 10) for run in runs]))


def test_phases_of_another_profile_are_refused() -> None:
    profile, _, _ = made(ROWS)  # type: ignore[arg-type]
    with pytest.raises(DataError, match="phases of 3 intervals"):
        parallel.compare(profile, phases_of([0, 0, 0]))
