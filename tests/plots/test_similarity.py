"""The figure of distances."""

from __future__ import annotations

import numpy as np
from tests.views import counted, synthetic

from phasemark import plots
from phasemark.plots import similarity
from phasemark.views import distances


def test_every_interval_is_a_row_beside_its_phase() -> None:
    analysis = counted.run()
    matrix, top, left, _ = plots.figure(analysis, "similarity").axes
    image = matrix.images[0]
    far = distances.manhattan(analysis.profile.vectors, np.arange(8))
    np.testing.assert_allclose(image.get_array(), far)
    assert image.get_clim() == (0, 2) and image.get_extent() == [0, 7, 7, 0]
    assert top.images[0].get_array().tolist() == [counted.LABELS]
    assert left.images[0].get_array().tolist() == [[label] for label in counted.LABELS]
    assert top.images[0].get_clim() == (-0.5, 2.5)


def test_a_long_run_has_fewer_rows(monkeypatch) -> None:
    monkeypatch.setattr(similarity, "CELLS", 10)
    matrix = plots.figure(synthetic.run(), "similarity").axes[0]
    assert matrix.images[0].get_array().shape == (10, 10)
    assert matrix.images[0].get_extent() == [0, 40, 40, 0]
