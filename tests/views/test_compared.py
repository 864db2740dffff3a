"""What figures of a comparison draw: means over seeds, and errors of points that were chosen alike."""

from __future__ import annotations

from dataclasses import replace

import pytest
from tests.views import comparisons, synthetic

from phasemark.store import models_csv
from phasemark.views import read

HMM, SIMPOINT = ("hmm", "full"), ("simpoint", "projected")


def test_likelihoods_are_means_over_seeds_with_their_range() -> None:
    shown = comparisons.compared()
    assert shown.series == [SIMPOINT, HMM]
    assert shown.likelihoods(HMM) == [(4, pytest.approx(-1.7), -1.8, -1.6), (8, -1.5, -1.5, -1.5)]


def test_errors_are_of_points_that_were_chosen_alike_or_of_the_nearest() -> None:
    shown = comparisons.compared()
    assert shown.ways == [("cluster-center", "epm1"), ("max-posterior", "epm2")]
    # Points of two seeds: 4 and 3.
    assert shown.errors(HMM, shown.ways[1]) == [(3.5, pytest.approx(0.15), 0.1, 0.2), (6, 0.05, 0.05, 0.05)]
    assert shown.errors(SIMPOINT, shown.ways[1]) == [(4, 0.08, 0.08, 0.08)]
    assert shown.against_likelihood(HMM) == [(-1.8, 0.2), (-1.6, 0.1), (-1.5, 0.05)]


def test_where_intervals_were_not_measured_errors_are_of_the_run() -> None:
    shown = comparisons.compared(by_interval=False)
    assert not shown.by_interval and shown.errors(SIMPOINT, ("nearest", "epm1")) == [(4, 0.01, 0.01, 0.01)]
    bare = replace(shown, points=())
    assert (bare.ways, bare.of_likelihood, bare.against_likelihood(HMM)) == ([], None, [])


def test_a_comparison_is_read_with_the_run(tmp_path) -> None:
    folder, shown = synthetic.folder(tmp_path / "out"), comparisons.compared()
    assert read(folder).compared is None
    models_csv.write(folder / "models.csv", shown.fits, made_by={"metric": "cpi"})
    assert repr(read(folder).compared) == repr(replace(shown, points=()))
    models_csv.write_points(folder / "models-points.csv", shown.points)
    assert repr(read(folder).compared) == repr(shown)  # what is not known is NaN, which equals nothing
