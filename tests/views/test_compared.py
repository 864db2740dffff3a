"""What figures of a comparison draw: means over seeds, and errors of points that were chosen alike."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest
from tests.views import comparisons, synthetic

from phasemark.store import models_csv
from phasemark.store.models_csv import FitRow, PointsRow
from phasemark.views import read
from phasemark.views.compared import Compared
from phasemark.views.compared_words import lead, reading, relation

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


def test_a_fit_s_error_and_whether_others_stand_in() -> None:
    shown = comparisons.compared()
    assert [shown.error_of_fit(fit) for fit in shown.fits] == [0.08, 0.2, 0.1, 0.05]
    assert shown.states(HMM, shown.ways[0]) == [4, 8] and shown.states(SIMPOINT, shown.ways[0]) == [4]
    assert shown.stands_in(SIMPOINT, shown.ways[0]) and not shown.stands_in(HMM, shown.ways[0])
    assert math.isnan(replace(shown, points=()).error_of_fit(shown.fits[0]))


def test_it_is_said_what_one_sees() -> None:
    shown = comparisons.compared()
    assert reading(shown) == (
        "Best by BIC: hmm (full) with 4 states: -1.8000; the best of SimPoint -2.1000. Best by error of "
        "single intervals (E_I): hmm (full) with 8 states, obs-model-dist-1, epm1: 5.00%; "
        "the best of SimPoint 8.00%."
    )
    assert "CPI of an interval" in lead(shown) and "Where simpoint has no such points" in lead(shown)
    assert "rrors" not in lead(replace(shown, points=()))


@pytest.mark.parametrize(
    ("errors", "said"),
    [
        (
            (6, 5, 4, 3, 2, 1),
            "The likelier a fit, the smaller its error: rank correlation -1.00 over 6 fits.",
        ),
        ((1, 2, 2, 4, 5, 6), "The likelier a fit, the larger its error: rank correlation +0.99 over 6 fits."),
        (
            (3, 1, 2, 3, 1, 2),  # by hand: -4 / sqrt(17.5 * 16)
            "Likelihood hardly tells which fit has small errors: rank correlation -0.24 over 6 fits.",
        ),
        ((1, 1, 1, 1, 1, 1), ""),
        ((1, 2, 3, 4, 5), ""),
    ],
)
def test_whether_likelihood_tells_errors(errors: tuple[int, ...], said: str) -> None:
    fits = tuple(FitRow("hmm", "full", k, 1, k, k / 10 - 2, -3.0) for k in range(1, len(errors) + 1))
    rows = tuple(
        PointsRow(*fit.key, "nearest", "epm1", 1, 0.1, 1.0, 1.0, 1.0, 0.0, error / 10)
        for fit, error in zip(fits, errors, strict=True)
    )
    assert relation(Compared(fits, rows)) == ([said] if said else [])


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
