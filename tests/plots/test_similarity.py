"""The figure of distances."""

from __future__ import annotations

import numpy as np
import pytest
from tests.views import counted, nested, synthetic

from phasemark import plots
from phasemark.plots import similarity
from phasemark.views import distances
from phasemark.views.threads import threads


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


def test_intervals_of_unlike_length_are_drawn_as_long_as_they_are() -> None:
    run = nested.run(nested.archiver(passes=1))
    axes = plots.figure(run, "similarity").axes[0]
    image = axes.images[0]
    total = run.profile.instructions
    assert image.get_extent() == [0, total, total, 0]
    assert axes.get_xlabel() == "instructions"
    colours = np.asarray(plots.figure(run, "similarity").axes[1].images[0].get_array())[0]
    shares = np.bincount(colours, minlength=run.phases.k) / len(colours)
    assert shares == pytest.approx(run.shares, abs=0.03)


def test_threads_of_unlike_lengths_are_named_where_they_lie() -> None:
    run = nested.run(nested.archiver(passes=1), nested.archiver(5, 2))
    axes = plots.figure(run, "similarity").axes[0]
    first, second = (thread.instructions for thread in threads(run.profile))
    assert axes.get_xticks().tolist() == [first / 2, first + second / 2]
