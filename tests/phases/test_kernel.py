"""The compiled k-means and its twin in plain Python give the same numbers to the last bit."""

from __future__ import annotations

import signal
import time

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.reference import kmeans as twin

from phasemark import _core

FLOOR = 1e-12
# Few different coordinates: ties, duplicates and empty clusters come up all the time.
coordinates = st.sampled_from([0.0, 1.0, 1.5, -2.0, 0.1, 1e-3])
clouds = st.integers(1, 4).flatmap(
    lambda d: st.lists(st.tuples(*[coordinates] * d, st.integers(1, 5)), min_size=1, max_size=12)
)


def split(cloud) -> tuple[np.ndarray, np.ndarray]:
    table = np.array(cloud, np.float64)
    return np.ascontiguousarray(table[:, :-1]), table[:, -1] / table[:, -1].sum()


INITS = ["incremental", "kmeans++", "furthest", "sample"]


def fit_both(x, w, k, *, seed=3, restarts=3, max_iter=100, init="kmeans++", search_size=2048):
    n = float(len(x))
    fast = _core.kmeans(x, w, [k], seed, restarts, max_iter, init, n, FLOOR, 2, search_size=search_size)[0]
    options = {"seed": seed, "restarts": restarts, "max_iter": max_iter, "init": init, "floor": FLOOR}
    options["search_size"] = search_size
    slow = twin.kmeans(x.tolist(), w.tolist(), k, **options)
    return fast, slow


@settings(deadline=None, max_examples=100)
@given(
    cloud=clouds,
    seed=st.integers(0, 2**64 - 1),
    init=st.sampled_from(INITS),
    max_iter=st.integers(1, 5) | st.just(100),
    data=st.data(),
)
def test_equals_the_twin(cloud, seed, init, max_iter, data) -> None:
    x, w = split(cloud)
    search_size = data.draw(st.sampled_from([3, 2048]))
    k = data.draw(st.integers(1, len(np.unique(x, axis=0))))
    fast, slow = fit_both(x, w, k, seed=seed, max_iter=max_iter, init=init, search_size=search_size)
    assert fast["centers"].tolist() == slow.centers
    assert fast["error"] == slow.error
    assert fast["score"] == slow.score
    labels, _ = _core.assign(x, fast["centers"], 1)
    assert labels.tolist() == slow.labels
    assert len(set(slow.labels)) == k


@pytest.mark.parametrize("init", INITS)
def test_equals_the_twin_on_clouds(init) -> None:
    random = np.random.default_rng(5)
    x = np.concatenate([random.normal(c, 0.3, (40, 5)) for c in range(4)])
    w = random.random(160)
    w /= w.sum()
    for k in (1, 2, 5, 9, 11):
        fast, slow = fit_both(x, w, k, init=init)
        assert fast["centers"].tolist() == slow.centers


def test_equals_the_twin_where_the_search_takes_more_points() -> None:
    x = np.random.default_rng(6).random((150, 3))
    w = np.full(150, 1 / 150)
    for k in (32, 33):
        fast, slow = fit_both(x, w, k, init="incremental", restarts=1, search_size=50)
        assert fast["centers"].tolist() == slow.centers


@settings(deadline=None)
@given(cloud=clouds, seed=st.integers(0, 100))
def test_the_error_of_the_twin_never_rises(cloud, seed) -> None:
    x, w = split(cloud)
    k = min(3, len(np.unique(x, axis=0)))
    fit = twin.kmeans(
        x.tolist(), w.tolist(), k, seed=seed, restarts=1, max_iter=100, init="sample", floor=FLOOR
    )
    assert all(b <= a * (1 + 1e-12) + 1e-30 for a, b in zip(fit.errors, fit.errors[1:], strict=False))


def test_more_clusters_than_places_end() -> None:
    x = np.array([[0.0], [0.0], [1.0]])
    fit = _core.kmeans(x, np.full(3, 1 / 3), [3], 1, 5, 100, "sample", 3.0, FLOOR, 1)[0]
    assert fit["error"] == 0


def test_progress_is_told_and_an_error_in_it_stops_the_work() -> None:
    x = np.random.default_rng(0).random((50, 2))
    w = np.full(50, 0.02)
    said: list[int] = []
    _core.kmeans(x, w, [1, 2, 3], 1, 2, 100, "kmeans++", 50.0, FLOOR, 1, said.append)
    assert said == [1, 2, 3]

    def fail(done: int) -> None:
        raise KeyError(done)

    with pytest.raises(KeyError):
        _core.kmeans(x, w, [1, 2, 3], 1, 2, 100, "kmeans++", 50.0, FLOOR, 2, fail)


@pytest.mark.parametrize("init", ["incremental", "sample"])
def test_a_signal_is_seen_before_a_long_run_ends(init) -> None:
    x = np.random.default_rng(0).random((150_000, 15))
    w = np.full(len(x), 1 / len(x))

    def interrupt(_signal: int, _frame: object) -> None:
        raise TimeoutError

    usual = signal.signal(signal.SIGPROF, interrupt)
    try:
        began = time.process_time()
        signal.setitimer(signal.ITIMER_PROF, 0.5)
        with pytest.raises(TimeoutError):
            _core.kmeans(x, w, [40], 1, 1, 10_000, init, float(len(x)), FLOOR, 1)
        assert time.process_time() - began < 2.0
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, usual)
