"""SimPoint, the estimator: conventions, determinism, properties, odd input."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from phasemark.errors import DataError, UsageError
from phasemark.model import Recipe, Signatures
from phasemark.phases import SimPoint, clustering


def cloud(n: int = 300, phases: int = 4, d: int = 6, seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    random = np.random.default_rng(seed)
    truth = np.sort(random.integers(0, phases, n))
    centers = random.uniform(-1, 1, (phases, d))
    return centers[truth] + random.normal(0, 0.02, (n, d)), truth


def same_partition(a, b) -> bool:
    pairs = set(zip(np.asarray(a).tolist(), np.asarray(b).tolist(), strict=True))
    return len(pairs) == len(set(a.tolist())) == len(set(b.tolist()))


def test_finds_clear_phases() -> None:
    x, truth = cloud()
    model = SimPoint(max_k=10).fit(x)
    assert model.k_ == 4
    assert same_partition(model.labels_, truth)
    assert list(model.scores_) == list(model.inertia_) == list(range(1, 11))
    assert model.cluster_centers_.shape == (4, 6)
    assert model.predict(x).tolist() == model.labels_.tolist()
    distances = np.linalg.norm(x - model.cluster_centers_[model.labels_], axis=1)
    assert np.allclose(model.distances_, distances)
    assert model.inertia_[4] == pytest.approx(np.square(distances).sum())


def test_labels_count_up_in_order_of_appearance() -> None:
    x, _ = cloud()
    labels = SimPoint(k=4).fit(x[np.random.default_rng(1).permutation(len(x))]).labels_
    _, first = np.unique(labels, return_index=True)
    assert (np.diff(first) > 0).all()


def test_takes_signatures_with_their_weights() -> None:
    x, _ = cloud()
    weights = np.random.default_rng(1).random(len(x))
    weights /= weights.sum()
    made = Signatures(x, weights, Recipe("l1", "uniform", 6, 1, "id"))
    from_signatures, from_arrays = SimPoint(k=3).fit(made), SimPoint(k=3).fit(x, sample_weight=weights)
    assert from_signatures.cluster_centers_.tobytes() == from_arrays.cluster_centers_.tobytes()


@pytest.mark.parametrize("search", ["all", "binary", 3])
@pytest.mark.parametrize("init", ["incremental", "kmeans++", "furthest", "sample"])
def test_same_seed_same_bytes_whatever_the_threads(monkeypatch, search, init) -> None:
    x, _ = cloud(120)
    results = []
    for threads in ("1", "2", "5"):
        monkeypatch.setenv("PHASEMARK_THREADS", threads)
        model = SimPoint(max_k=12, search=search, init=init, seed=7).fit(x)
        results.append(
            (model.labels_.tobytes(), model.cluster_centers_.tobytes(), model.scores_, model.inertia_)
        )
    assert results[0] == results[1] == results[2]


def test_a_k_does_not_depend_on_the_other_k() -> None:
    x, _ = cloud()
    every = SimPoint(max_k=9, keep_data=True).fit(x)
    for k in (2, 5, 9):
        alone = SimPoint(k=k).fit(x)
        assert alone.scores_[k] == every.scores_[k]
        assert alone.labels_.tolist() == every.phases_of(k).labels.tolist()


def test_searches_evaluate_what_they_say() -> None:
    x, _ = cloud()
    assert list(SimPoint(max_k=10, search=4).fit(x).scores_) == [1, 5, 9]
    assert list(SimPoint(max_k=10, search="binary").fit(x).scores_)[:3] == [1, 10, 5]
    assert list(SimPoint(k=[7, 3]).fit(x).scores_) == [7, 3]
    assert list(SimPoint(k=6).fit(x).scores_) == [6]


@settings(deadline=None, max_examples=20)
@given(seed=st.integers(0, 1000))
def test_permuting_rows_permutes_labels(seed) -> None:
    x, _ = cloud(80, 3)
    order = np.random.default_rng(seed).permutation(len(x))
    one, other = SimPoint(k=3).fit(x), SimPoint(k=3).fit(x[order])
    assert same_partition(one.labels_[order], other.labels_)


@settings(deadline=None, max_examples=20)
@given(factor=st.floats(1e-9, 1e9))
def test_scaling_weights_changes_nothing(factor) -> None:
    x, _ = cloud(80, 3)
    weights = np.random.default_rng(2).random(len(x))
    one, other = (
        SimPoint(max_k=6).fit(x, sample_weight=weights),
        SimPoint(max_k=6).fit(x, sample_weight=weights * factor),
    )
    assert one.labels_.tolist() == other.labels_.tolist()
    assert np.allclose(one.cluster_centers_, other.cluster_centers_, rtol=1e-12)


def test_a_row_twice_with_half_the_weight_is_the_same_centres() -> None:
    x, _ = cloud(60, 3)
    weights = np.random.default_rng(3).random(len(x))
    once, twice = (
        SimPoint(k=3).fit(x, sample_weight=weights),
        SimPoint(k=3).fit(np.repeat(x, 2, axis=0), sample_weight=np.repeat(weights, 2)),
    )
    assert np.allclose(once.cluster_centers_, twice.cluster_centers_)


def test_rows_of_weight_zero_have_a_label_but_no_influence() -> None:
    x, _ = cloud(100, 3)
    far = np.vstack([np.full((1, 6), 50.0), x, np.full((1, 6), -50.0)])
    with_zeros = SimPoint(max_k=8).fit(far, sample_weight=np.r_[0.0, np.ones(100), 0.0])
    without = SimPoint(max_k=8).fit(x)
    assert with_zeros.scores_ == pytest.approx(without.scores_)
    assert same_partition(with_zeros.labels_[1:-1], without.labels_)
    assert len(with_zeros.labels_) == 102


def test_weights_shift_the_centre() -> None:
    model = SimPoint(k=1).fit([[0.0], [1.0]], sample_weight=[3, 1])
    assert model.cluster_centers_ == pytest.approx(0.25, rel=1e-11)
    assert model.inertia_[1] == pytest.approx(2 * (0.75 * 0.0625 + 0.25 * 0.5625))


def test_effective_n_equals_n_for_equal_weights_and_is_less_otherwise() -> None:
    x, _ = cloud(100)
    assert SimPoint(k=2, effective_n=True).fit(x).scores_[2] == pytest.approx(SimPoint(k=2).fit(x).scores_[2])
    weights = np.r_[np.ones(50), np.full(50, 100.0)]
    n = weights.sum() ** 2 / np.square(weights).sum()
    with_n, plain = (
        SimPoint(k=1, effective_n=on).fit(x, sample_weight=weights).scores_[1] for on in (True, False)
    )
    p = 1 + 6
    assert with_n == pytest.approx((plain + p / 2 * np.log(100)) / 100 * n - p / 2 * np.log(n))


@pytest.mark.parametrize("n", [1, 2, 3, 10])
def test_equal_intervals_are_one_phase_with_a_finite_score(n) -> None:
    model = SimPoint().fit(np.full((n, 15), 0.3))
    assert model.k_ == 1
    assert np.isfinite(list(model.scores_.values())).all()
    assert model.distances_.tolist() == [0.0] * n


def test_points_at_the_origin_have_a_finite_score() -> None:
    assert np.isfinite(SimPoint().fit(np.zeros((4, 2))).scores_[1])


@pytest.mark.parametrize("init", ["incremental", "kmeans++", "furthest", "sample"])
def test_more_phases_than_different_points_stop_there_and_say_so(init) -> None:
    x = np.repeat([[0.0, 1.0], [0.5, 0.5], [1.0, 0.0]], 40, axis=0)
    searched = SimPoint(init=init).fit(x)
    assert list(searched.scores_) == [1, 2, 3] and searched.k_ == 3
    asked = SimPoint(k=7, init=init).fit(x)
    assert asked.k_ == 3 and "only 3 different vectors" in asked.notes_[0]
    assert len(set(asked.labels_.tolist())) == 3


def test_initial_centres_can_be_given() -> None:
    x, truth = cloud(80, 3)
    start = np.stack([x[truth == p].mean(axis=0) for p in range(3)])
    model = SimPoint(init=start).fit(x)
    assert model.k_ == 3 and same_partition(model.labels_, truth)
    assert model.clusterings_[3].initial_centers.tolist() == start.tolist()
    with pytest.raises(DataError, match="5 dimensions, points of 6"):
        SimPoint(init=start[:, :5]).fit(x)


def test_a_sample_labels_all_and_recomputes_the_centres() -> None:
    x, truth = cloud(3000)
    weights = np.random.default_rng(4).random(3000)
    model = SimPoint(max_k=8, sample_size=300).fit(x, sample_weight=weights)
    assert model.k_ == 4 and same_partition(model.labels_, truth)
    for phase in range(4):
        mine = model.labels_ == phase
        mean = np.average(x[mine], axis=0, weights=weights[mine])
        assert np.allclose(model.cluster_centers_[phase], mean)
    assert "a sample of 300 of 3,000" in model.notes_[0]


@pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf, 1e200])
def test_a_value_that_is_no_number_names_its_row(value) -> None:
    x, _ = cloud(20)
    x[13, 2] = value
    with pytest.raises(DataError, match="row 13"):
        SimPoint().fit(x)


@pytest.mark.parametrize("value", [-1.0, np.nan, np.inf])
def test_a_bad_weight_names_its_row(value) -> None:
    x, _ = cloud(20)
    weights = np.ones(20)
    weights[4] = value
    with pytest.raises(DataError, match="row 4"):
        SimPoint().fit(x, sample_weight=weights)


@pytest.mark.parametrize(
    ("x", "weights"), [(np.empty((0, 3)), None), ([1.0, 2.0], None), ([[1.0]], [0.0]), ([[1.0]], [1.0, 2.0])]
)
def test_shapes_that_make_no_sense_are_refused(x, weights) -> None:
    with pytest.raises(DataError):
        SimPoint().fit(x, sample_weight=weights)


@pytest.mark.parametrize(
    "parameters",
    [
        {"max_k": 0},
        {"k": 0},
        {"k": []},
        {"search": "some"},
        {"search": 0},
        {"restarts": 0},
        {"threshold": 1.5},
        {"init": "best"},
        {"max_iter": 0},
        {"sample_size": 0},
        {"sample_weighting": "none"},
    ],
)
def test_parameters_that_make_no_sense_are_named(parameters) -> None:
    with pytest.raises(UsageError, match=next(iter(parameters))):
        SimPoint(**parameters).fit([[1.0], [2.0]])


def test_follows_scikit_learns_conventions() -> None:
    from sklearn.base import clone

    model = SimPoint(max_k=5, seed=3)
    copy = clone(model)
    assert copy is not model and copy.get_params() == model.get_params()
    assert model.set_params(max_k=7) is model and model.max_k == 7
    with pytest.raises(UsageError, match="no parameter 'colour'"):
        model.set_params(colour=1)
    assert repr(SimPoint(seed=3)) == "SimPoint(seed=3)"


@pytest.mark.parametrize("seed", range(3))
def test_the_error_is_as_low_as_scikit_learns(seed) -> None:
    from sklearn.cluster import KMeans

    x, _ = cloud(1500, 8, 15, seed)
    x += np.random.default_rng(seed).normal(0, 0.1, x.shape)
    weights = np.random.default_rng(seed).random(len(x))
    model = SimPoint(k=[2, 5, 9, 20]).fit(x, sample_weight=weights)
    for k, inertia in model.inertia_.items():
        oracle = KMeans(k, n_init=5, random_state=seed).fit(x, sample_weight=weights)
        assert inertia <= 1.05 * oracle.inertia_ / weights.sum() * len(x)


def test_few_intervals_with_nearly_all_weight_do_not_hide_the_others() -> None:
    random = np.random.default_rng(4)
    centers = random.random((60, 15))
    x = centers[random.integers(0, 60, 6000)] + random.normal(0, 0.01, (6000, 15))
    weights = np.where(np.arange(6000) < 5, 1e6, 1.0)
    error = {}
    for init in ("incremental", "kmeans++"):
        model = SimPoint(k=40, init=init, seed=1).fit(x, sample_weight=weights)
        error[init] = float(np.average(model.distances_**2, weights=weights))
    assert error["incremental"] < 1.1 * error["kmeans++"]


@pytest.mark.parametrize("k", [10**6, [2, 130]])
def test_as_many_phases_as_there_are_points_are_not_searched(k, monkeypatch) -> None:
    """What `incremental` comes to by all smaller k, at once: for 1,550 points in place of minutes."""
    random = np.random.default_rng(1)
    x = np.repeat(random.random((130, 3)), 2, axis=0)
    random.shuffle(x)
    weights = random.random(len(x))
    found = [SimPoint(k=k, seed=5).fit(x, sample_weight=weights)]
    monkeypatch.setattr(clustering, "_EACH_ALONE", 10**9)
    found.append(SimPoint(k=k, seed=5).fit(x, sample_weight=weights))
    assert list(found[0].scores_) == list(found[1].scores_)
    for quick, slow in zip(*(list(model.clusterings_.values()) for model in found), strict=True):
        assert (quick.inertia, quick.score) == (slow.inertia, pytest.approx(slow.score, rel=1e-12))
    assert 130 in found[0].clusterings_ and found[0].inertia_[130] == 0
    slow = SimPoint(k=10**6).fit(x)
    monkeypatch.undo()
    quick = SimPoint(k=10**6).fit(x)
    for name in ("labels_", "cluster_centers_", "distances_"):
        assert getattr(quick, name).tobytes() == getattr(slow, name).tobytes()
    assert "at most 130 phases were tried" in quick.notes_[0]
