"""Every criterion keeps the protocol, and finds what is plain to see."""

from __future__ import annotations

import dataclasses
from functools import cache

import numpy as np
import pytest

from phasemark.errors import UsageError
from phasemark.phases import SimPoint, selection
from phasemark.phases.selection import Evidence, bic, explained, silhouette

#: Those whose choice does not change once the bound is well above it.
BOUND_FREE = ("bic-correlated", "calinski-harabasz", "explained", "noise-floor", "silhouette")

CRITERIA = pytest.mark.parametrize("criterion", selection.CRITERIA)


def run(noise: float = 0.02) -> np.ndarray:
    """240 points in 5 dimensions: six stretches of each of four phases in turn."""
    random = np.random.default_rng(3)
    centers = random.uniform(-1, 1, (4, 5))
    labels = np.repeat(np.arange(24) % 4, 10)
    return centers[labels] + random.normal(0, noise, (len(labels), 5))


def evidence(x: np.ndarray, weights: np.ndarray | None = None, max_k: int = 12) -> Evidence:
    return SimPoint(max_k=max_k, restarts=1, keep_data=True).fit(x, sample_weight=weights).evidence_


@cache
def of_run(noise: float = 0.02, scale: float = 1.0, weight: float | None = None, max_k: int = 12) -> Evidence:
    """Evidence of a run, its coordinates scaled, and uneven weights, scaled too."""
    weights = None if weight is None else weight * np.random.default_rng(1).uniform(1, 3, 240)
    return evidence(run(noise) * scale, weights, max_k)


@CRITERIA
def test_finds_clear_phases(criterion) -> None:
    assert selection.choose(criterion, of_run()) == 4


@CRITERIA
def test_takes_a_k_that_was_evaluated(criterion) -> None:
    clear = of_run()
    for ks in ([1], [7], [2, 9], [3, 5, 12]):
        kept = np.isin(clear.ks, ks)
        part = dataclasses.replace(
            clear, ks=clear.ks[kept], errors=clear.errors[kept], scores=clear.scores[kept]
        )
        assert selection.choose(criterion, part) in ks


@CRITERIA
@pytest.mark.parametrize("at", [0.0, 0.3])
def test_identical_points_are_one_phase(criterion, at) -> None:
    assert selection.choose(criterion, evidence(np.full((40, 5), at))) == 1


@CRITERIA
def test_rounding_is_no_phase(criterion) -> None:
    x = 0.3 + np.random.default_rng(1).choice([-1e-9, 0, 1e-9], (60, 5))
    assert selection.choose(criterion, evidence(x)) == 1


@CRITERIA
def test_two_different_points_are_at_most_two_phases(criterion) -> None:
    x = np.repeat([[0.0, 1.0], [1.0, 0.0]], 30, axis=0)
    assert selection.choose(criterion, evidence(x)) == 2


@CRITERIA
def test_the_scale_of_weights_does_not_matter(criterion) -> None:
    one, other = of_run(0.2, weight=1.0), of_run(0.2, weight=1024.0)
    assert selection.choose(criterion, one) == selection.choose(criterion, other)


@CRITERIA
def test_the_scale_of_vectors_does_not_matter(criterion) -> None:
    one, other = of_run(0.2), of_run(0.2, scale=1024.0)
    assert selection.choose(criterion, one) == selection.choose(criterion, other)


@pytest.mark.parametrize("criterion", BOUND_FREE)
@pytest.mark.parametrize("noise", [0.02, 0.1])
def test_a_higher_bound_changes_nothing(criterion, noise) -> None:
    whole = of_run(noise, max_k=30)
    assert {selection.choose(criterion, whole.up_to(bound)) for bound in (10, 20, 30)} == {4}


def test_simpoints_rule_grows_with_the_bound() -> None:
    """What the other criteria are for; if this fails, the tests above show nothing."""
    random = np.random.default_rng(1)
    x = np.cumsum(random.normal(0, 1, (300, 5)), axis=0)
    whole = evidence(x, max_k=40)
    chosen = [selection.choose("bic-threshold", whole.up_to(bound)) for bound in (10, 40)]
    assert chosen[0] < chosen[-1]


def alike(grains: tuple[float, ...]) -> np.ndarray:
    """Three phases, far apart; within each, groups within groups, closer by each of the grains."""
    random = np.random.default_rng(7)
    x = random.uniform(-1, 1, (3, 5))[np.arange(300) % 3]
    for grain in grains:
        x = x + grain * random.uniform(-1, 1, (4, 5))[random.integers(0, 4, 300)]
    return x


def test_differences_too_small_to_matter_make_no_phases() -> None:
    """As of intervals that follow what a program repeats: SimPoint's rule splits those without end."""
    fine = evidence(alike((3e-3, 1e-4, 3e-6)), max_k=30)
    assert selection.choose("bic-threshold", fine) > 10
    assert selection.choose("bic-resolved", fine) == 3
    # Nor do differences between vectors that are all but the same.
    assert selection.choose("bic-resolved", evidence(1 + 1e-3 * run(), max_k=30)) == 1


def test_differences_that_matter_are_weighed_as_simpoint_does() -> None:
    coarse = evidence(run(0.25), max_k=30)
    assert selection.choose("bic-resolved", coarse) == selection.choose("bic-threshold", coarse)


def test_the_score_of_a_variance_below_the_resolution_is_the_likelihood_under_it() -> None:
    """The paper's density, point by point, with a variance that is fitted from the resolution on."""
    made = evidence(alike((3e-3,)), max_k=8)
    x, n, d = made.observations.x, len(made.observations), made.dims
    floor = max(0.05**2 * made.whole_error, 0.02**2 * float(np.square(x).sum(axis=1).mean())) / d
    scores = {}
    for k, error in zip(made.ks.tolist(), made.errors.tolist(), strict=True):
        labels, squared = made.nearest(k)
        variance = max(error / d, floor)
        weight = np.bincount(labels, minlength=k) / n
        density = np.log(weight[labels]) - d / 2 * np.log(2 * np.pi * variance) - squared / 2 / variance
        scores[k] = density.sum() - (k - 1 + k * d + 1) / 2 * np.log(n)
    low, high = min(scores.values()), max(scores.values())
    for part in (0.1, 0.3, 0.5, 0.7, 0.9, 0.99, 1.0):
        taken = bic.resolved(dataclasses.replace(made, threshold=part))
        assert taken == min(k for k, score in scores.items() if score >= low + part * (high - low) - 1e-9)


def test_one_cloud_is_one_phase_to_those_that_can_tell() -> None:
    cloud = evidence(np.random.default_rng(2).normal(0, 1, (400, 15)))
    for criterion in ("bic-correlated", "calinski-harabasz", "noise-floor", "silhouette"):
        assert selection.choose(criterion, cloud) == 1, criterion


def test_slow_drift_is_no_noise() -> None:
    """Successive differences do not see it, so that it has to be explained by phases."""
    line = np.linspace(0, 1, 500)[:, None] + np.random.default_rng(1).normal(0, 0.001, (500, 1))
    assert (
        selection.choose("noise-floor", evidence(line)) == selection.choose("explained", evidence(line)) == 5
    )


def test_changes_of_phase_are_no_noise() -> None:
    random = np.random.default_rng(3)
    labels = np.repeat(np.arange(120) % 4, 2)
    x = random.uniform(-1, 1, (4, 5))[labels] + random.normal(0, 0.02, (240, 5))
    assert selection.choose("noise-floor", evidence(x)) == 4


def test_noise_is_not_explained_by_phases() -> None:
    noisy = of_run(0.25)
    assert selection.choose("noise-floor", noisy) == 4
    assert selection.choose("explained", noisy) == 12


def test_calinski_harabasz_is_scikit_learns() -> None:
    from sklearn.metrics import calinski_harabasz_score

    x, made = run(0.2), of_run(0.2)
    scores = {k: calinski_harabasz_score(x, made.nearest(k)[0]) for k in made.ks.tolist() if k > 1}
    assert explained.calinski_harabasz(made) == max(scores, key=lambda k: scores[k])


def test_silhouette_of_points_a_person_can_count() -> None:
    x = np.array([[0.0], [0.0], [1.0], [8.0], [10.0], [10.0]])
    made = SimPoint(k=[1, 2], keep_data=True).fit(x).evidence_
    centers = np.array([1 / 3, 28 / 3])
    distances = np.abs(x - centers)
    width = np.mean(1 - distances.min(axis=1) / distances.max(axis=1))
    assert silhouette.width(made, 2) == pytest.approx(width)


@pytest.mark.parametrize("correlation", [0.0, 0.5, 0.9])
def test_autocorrelation_time_of_a_known_process(correlation) -> None:
    random = np.random.default_rng(1)
    x = np.zeros((20_000, 3))
    for step in range(1, len(x)):
        x[step] = correlation * x[step - 1] + random.normal(0, 1, 3)
    expected = (1 + correlation) / (1 - correlation)
    assert bic.autocorrelation_time(x) == pytest.approx(expected, rel=0.15)


def test_autocorrelation_time_of_a_constant_is_1() -> None:
    assert bic.autocorrelation_time(np.full((9, 2), 0.5)) == 1.0


def test_correlated_bic_uses_the_score_of_effective_n_alike() -> None:
    weights = np.random.default_rng(1).uniform(1, 9, 240)
    models = [SimPoint(max_k=9, effective_n=on, keep_data=True) for on in (False, True)]
    plain, kish = (model.fit(run(0.3), sample_weight=weights).evidence_ for model in models)
    assert bic.correlated(plain) == bic.correlated(kish)


def test_the_model_takes_what_the_criterion_says() -> None:
    x = run(0.25)
    for criterion in selection.CRITERIA:
        model = SimPoint(max_k=12, restarts=1, select=criterion, keep_data=True).fit(x)
        assert model.chosen_k_ == selection.choose(criterion, model.evidence_)
        assert model.phases_.model["select"] == criterion
    with pytest.raises(UsageError, match="select is 'best'"):
        SimPoint(select="best").fit(x)
