"""What phases do, of a real program that executes one loop over little memory and over much."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

import phasemark

#: Accesses to each of the two stretches of memory, and the lines of the larger one.
ACCESSES, LARGE = 65_536, 16_384


def test_phases_of_one_loop_differ_in_how_much_memory_they_use(
    program: Callable[..., Path], tmp_path: Path
) -> None:
    run = phasemark.profile([str(program("same_code.S"))], tmp_path / "run", interval="10k")
    run.find_phases(k=3)
    found = run.behaviour()
    assert found is not None and found.names == ("0", "1", "2")
    # Of the small stretch one line in 64 is looked at, and is new once. Of the large one all is new once, and
    # comes back after 1M less a line, three times.
    counted = dict(zip(found.columns, found.run * run.profile.instructions / 1000, strict=True))
    assert counted["data_32K"] == counted["data_256K"] == pytest.approx(ACCESSES + 64)
    assert counted["data_2M"] == counted["data_new"] == pytest.approx(LARGE + 64)
    # An access has four instructions. The end of the inner loop surprises, every 262 or so.
    little, new, again = (found.frame().iloc[at] for at in range(3))
    assert little["data_32K"] < 5 and little["surprises"] == pytest.approx(1000 / 262, rel=0.1)
    assert new["data_new"] > 200 and again["data_new"] < 20
    assert again["data_256K"] == pytest.approx(250, rel=0.1) and again["surprises"] < 0.1
    first, *others = np.argsort(-run.phases.shares(run.signatures.weights)).tolist()
    same = run.same_code()
    assert first in (0, 2) and same[first] is None
    for phase in others:
        one = same[phase]
        assert one is not None and one.common > 0.95
        kinds = {difference.column.partition("_")[0] for difference in one.differences}
        assert kinds == ({"data"} if {phase, one.other} == {1, 2} else {"data", "surprises"})
