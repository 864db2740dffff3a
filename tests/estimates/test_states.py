"""EPM1 and EPM2: what was not simulated, from the points of its states."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.reference import selectors as slow

from phasemark.errors import DataError, UsageError
from phasemark.estimates import ESTIMATORS, estimate, interval_error, reconstruct
from phasemark.model import Intervals, Metrics, Phases
from phasemark.points import select


@dataclasses.dataclass(frozen=True)
class Example:
    """A run whose metrics are known."""

    intervals: Intervals
    phases: Phases
    cycles: np.ndarray

    def metrics(self, rows=slice(None)) -> Metrics:
        of, counters = self.intervals, {"cycles": self.cycles.astype(float)}
        key = (of.run, of.thread, of.index, of.start, of.length)
        return Metrics(*(column[rows] for column in key), {n: c[rows] for n, c in counters.items()})


def example(lengths, labels, posterior, cycles) -> Example:
    labels = np.asarray(labels)
    distances = 1 + np.arange(len(labels)) / len(labels)  # the first of a phase is the nearest
    phases = Phases(labels, None, distances, posterior=posterior, undivided=np.full(len(labels), 2.0))
    return Example(Intervals.of_thread(lengths), phases, np.asarray(cycles))


@st.composite
def examples(draw):
    n = draw(st.integers(1, 12))
    labels = np.unique(draw(st.lists(st.integers(0, 3), min_size=n, max_size=n)), return_inverse=True)[1]
    k = int(labels.max()) + 1
    lengths = draw(st.lists(st.integers(1, 9), min_size=n, max_size=n))
    raw = np.array(
        draw(st.lists(st.lists(st.integers(0, 4), min_size=k, max_size=k), min_size=n, max_size=n))
    )
    posterior = (raw + 1e-3) / (raw + 1e-3).sum(axis=1, keepdims=True)
    cycles = draw(st.lists(st.integers(1, 50), min_size=n, max_size=n))
    return example(lengths, labels, posterior, cycles)


@pytest.mark.parametrize("estimator", ["epm1", "epm2"])
@settings(deadline=None, max_examples=40)
@given(run=examples(), each=st.integers(1, 3), method=st.sampled_from(["nearest", "max-posterior"]))
def test_estimates_are_those_of_the_formula(estimator, run, each, method) -> None:
    lengths, k = run.intervals.length.tolist(), run.phases.k
    points = select(run.intervals, run.phases, each, method=method, vectors=np.array(lengths)[:, None])
    membership = np.eye(k)[run.phases.labels] if estimator == "epm1" else run.phases.posterior
    simulated = list(zip(points.phase.tolist(), points.interval.tolist(), strict=True))
    expected = slow.curve(membership.tolist(), lengths, simulated, run.cycles.tolist())
    rows = np.unique(points.interval)
    found = reconstruct(points, run.metrics(rows), run.intervals, run.phases, estimator=estimator)
    assert found == pytest.approx(np.array(expected) / lengths)
    whole = estimate(
        points, run.metrics(rows), estimator=estimator, intervals=run.intervals, phases=run.phases
    )
    assert whole.value["cpi"] == pytest.approx(sum(expected) / sum(lengths))
    assert whole.coverage["cpi"] == pytest.approx(1)


def test_epm1_is_what_the_weights_say() -> None:
    rng = np.random.default_rng(2)
    run = example(rng.integers(5, 20, 30), np.arange(30) % 3, None, rng.integers(10, 50, 30))
    for method in ("nearest", "stratified"):
        points = select(run.intervals, run.phases, 4, method=method)
        one, other = (
            estimate(points, run.metrics(), estimator=e, intervals=run.intervals, phases=run.phases)
            for e in ("weights", "epm1")
        )
        assert one.interval["cpi"] == pytest.approx(other.interval["cpi"])


RUN = example(
    [10, 10, 20, 10, 10],
    [0, 0, 1, 1, 2],
    np.array([[1, 0, 0], [0.75, 0.25, 0], [0, 1, 0], [0.1, 0.9, 0], [0.2, 0, 0.8]]),
    [10, 12, 60, 33, 99],
)
POINTS = select(RUN.intervals, RUN.phases, method="nearest", coverage=0.8)


def test_a_phase_without_a_point_is_not_covered() -> None:
    assert POINTS.interval.tolist() == [0, 2]
    for estimator, covered, last in (("epm1", 50 / 60, np.nan), ("epm2", 52 / 60, np.nan)):
        curve = reconstruct(POINTS, RUN.metrics([0, 2]), RUN.intervals, RUN.phases, estimator=estimator)
        assert np.isnan(curve[4]) and np.isnan(last)
        found = estimate(
            POINTS, RUN.metrics(), estimator=estimator, intervals=RUN.intervals, phases=RUN.phases
        )
        assert found.coverage["cpi"] == pytest.approx(covered)
        assert any("stand for" in note for note in found.notes)
    assert curve[:4].tolist() == pytest.approx([1, 0.75 + 0.25 * 3, 3, 0.1 + 0.9 * 3])


def test_a_point_that_was_not_measured() -> None:
    curve = reconstruct(POINTS, RUN.metrics([0]), RUN.intervals, RUN.phases, estimator="epm2")
    assert curve.tolist() == pytest.approx([1, 1, np.nan, np.nan, np.nan], nan_ok=True)
    found = estimate(POINTS, RUN.metrics([0]), estimator="epm2", intervals=RUN.intervals, phases=RUN.phases)
    assert found.missing["cpi"] == (1,) and found.coverage["cpi"] < 0.5


def test_the_curve_has_errors() -> None:
    points = select(RUN.intervals, RUN.phases, method="nearest")
    truth = RUN.cycles / RUN.intervals.length
    curve = reconstruct(points, RUN.metrics([0, 2, 4]), RUN.intervals, RUN.phases)
    assert interval_error(truth, curve) == pytest.approx((0.2 / 1.2 + 0.3 / 3.3) / 5)
    ipc = reconstruct(points, RUN.metrics([0, 2, 4]), RUN.intervals, RUN.phases, "ipc")
    assert ipc == pytest.approx(1 / curve)


def test_nonsense_is_refused() -> None:
    both = {"intervals": RUN.intervals, "phases": RUN.phases}
    hard = dataclasses.replace(RUN.phases, posterior=None)
    random = select(RUN.intervals, RUN.phases, method="random")
    for wrong, points, said in (
        ({"estimator": "epm3"}, POINTS, "no estimator is called 'epm3'"),
        ({"estimator": "epm1"}, POINTS, "epm1 goes by the phase of each interval"),
        ({"estimator": "epm2", **both, "phases": hard}, POINTS, "epm2 needs the probability"),
        ({"estimator": "epm1", **both}, random, "stand for the whole run"),
    ):
        with pytest.raises(UsageError, match=said):
            estimate(points, RUN.metrics(), **wrong)
    with pytest.raises(UsageError, match="single intervals"):
        reconstruct(POINTS, RUN.metrics(), RUN.intervals, RUN.phases, estimator="weights")
    other = Intervals.of_thread([10, 10, 19, 11, 10])
    with pytest.raises(DataError, match="the point at interval 2 is of other intervals"):
        estimate(POINTS, RUN.metrics(), estimator="epm1", intervals=other, phases=RUN.phases)
    with pytest.raises(DataError, match="phases of 5 intervals, but 1"):
        reconstruct(POINTS, RUN.metrics(), Intervals.of_thread([60]), RUN.phases)
    assert ESTIMATORS[0] == "weights"
