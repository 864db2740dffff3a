"""A sampled profile finds the phases that an exact one finds."""

from __future__ import annotations

import shutil
from pathlib import Path

import numpy as np
import pytest
from tests.collect.sampling.agreement import _warped, recorded

from phasemark.collect.engines import perf
from phasemark.errors import CollectorError, MissingTool
from phasemark.formats.perf import data


def test_the_path_goes_along_what_is_alike() -> None:
    distance = np.ones((3, 4))
    for i, j in [(0, 0), (0, 1), (1, 2), (2, 3)]:
        distance[i, j] = 0
    assert _warped(distance) == [(0, 0), (0, 1), (1, 2), (2, 3)]


@pytest.mark.slow
def test_both_find_the_same_phases_of_gzip(tmp_path: Path) -> None:
    try:
        perf.probed(data.find())
        perf.hold_file()
    except (CollectorError, MissingTool) as error:
        pytest.skip(str(error))
    if shutil.which("gzip") is None:
        pytest.skip("gzip is not there")
    # On a busy machine samples come late: a recording may be spoilt by that, not three of them.
    medians: list[float] = []
    while len(medians) < 3 and max(medians, default=0.0) < 0.8:
        (folder := tmp_path / str(len(medians))).mkdir()
        medians.append(float(np.median([pair.agreement(3) for pair in recorded(folder, (40, 50, 70))])))
    assert max(medians) >= 0.8, medians
