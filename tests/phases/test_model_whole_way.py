"""From a model that is not SimPoint to what is made of its phases; nothing on the way asks which one."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest
from tests.phases.makers import make
from tests.phases.runs import run
from tests.phases.toys import TOYS, HottestBlock

import phasemark
from phasemark import estimates, phases, points, quality
from phasemark.errors import DataError, UsageError
from phasemark.model import Phases
from phasemark.phases import registry
from phasemark.store import phases_store


@pytest.fixture(autouse=True)
def _with_toys(monkeypatch) -> None:
    monkeypatch.setattr(registry, "MODELS", {**registry.MODELS, **TOYS})


def of(name: str, **parameters) -> Phases:
    seen = run()
    model = phases.model(name, **parameters)
    return phases.find(model, seen.intervals, seen.signatures, lambda: seen.profile.vectors)


@pytest.mark.parametrize("name", TOYS)
def test_from_fit_to_estimate(name, tmp_path) -> None:
    seen = run()
    phases_store.write_model(tmp_path / "model.h5", seen.signatures, of(name))
    _, value = phases_store.read_model(tmp_path / "model.h5")
    assert value.centers is None and value.posterior is not None
    picked = points.select(seen.intervals, value, 2, method="stratified")
    assert len(picked) == 2 * value.k and np.isfinite(picked.spread).all()
    estimate = estimates.estimate(picked, seen.metrics(), names=["cpi"])
    low, high = estimate.interval["cpi"]
    assert low <= 2.03 <= high and np.isfinite(high)
    table = quality.table(seen.metrics(), seen.intervals, value, ["cpi"])
    assert {row.phase for row in table} >= {str(phase) for phase in range(value.k)}


def test_the_hottest_block_tells_the_kinds_of_work_apart() -> None:
    value = of("hottest-block")
    assert value.labels.tolist() == list(run().work)
    assert points.spread_of(value, run().signatures.weights).max() < 0.6
    threads = of("each-thread")
    assert threads.labels.tolist() == [0] * 30 + [1] * 30
    assert points.spread_of(threads, run().signatures.weights) == pytest.approx([1, 1], abs=0.01)


def test_quality_against_k_asks_the_model() -> None:
    seen = run()
    value = of("hottest-block")
    rows = quality.against_k(
        seen.metrics(), seen.intervals, seen.profile.vectors, value, ["cpi"], ks=range(1, 4)
    )
    assert [row.k for row in rows] == [1, 2, 3]
    assert rows[0].cov > rows[1].cov > rows[2].cov


def test_quality_against_k_is_refused_where_k_cannot_be_asked_for() -> None:
    seen = run()
    with pytest.raises(DataError, match="as many phases as threads"):
        quality.against_k(seen.metrics(), seen.intervals, seen.signatures, of("each-thread"), ["cpi"])


def test_quality_against_k_is_refused_where_the_model_is_not_known() -> None:
    seen = run()
    nameless = Phases([0] * 60, [[0.0]], [0.0] * 60)
    with pytest.raises(DataError, match="no model of phases is recorded"):
        quality.against_k(seen.metrics(), seen.intervals, seen.signatures, nameless, ["cpi"])
    given = phases.SimPoint(init=seen.signatures.matrix[:2]).fit(seen.signatures).phases_
    with pytest.raises(DataError, match="init is 'given'"):
        quality.against_k(seen.metrics(), seen.intervals, seen.signatures, given, ["cpi"])


def test_quality_against_k_tells_the_model_where_threads_end(monkeypatch) -> None:
    seen, told = run(), []

    class Listening(HottestBlock):
        name = "listening"

        def phases_by_k(self, ks, X, sample_weight=None, *, sequences=None, progress=None):
            told.append(np.asarray(sequences).tolist())
            return super().phases_by_k(ks, X, sample_weight)

    monkeypatch.setitem(registry.MODELS, Listening.name, Listening)
    quality.against_k(seen.metrics(), seen.intervals, seen.profile.vectors, of("listening"), ["cpi"], ks=[2])
    assert told == [[30, 30]]


def test_what_is_recorded_must_make_the_phases_again() -> None:
    seen = run()
    given = phases.SimPoint(init=seen.signatures.matrix[:2]).fit(seen.signatures).phases_
    with pytest.raises(DataError, match="what is recorded of the model does not make the phases again"):
        phases.recorded(given)


@pytest.mark.parametrize("kind", [0, 1, 2])
def test_a_model_of_counts_gets_the_weights_of_the_signatures(kind) -> None:
    seen = run()
    weights = np.array([float(work == kind) for work in seen.work])
    weighed = dataclasses.replace(seen.signatures, weights=weights / weights.sum())
    model = HottestBlock(k=1)
    phases.find(model, seen.intervals, weighed, lambda: seen.profile.vectors)
    assert model.blocks_.tolist() == [2 * kind]


@pytest.mark.parametrize("name", [*registry.MODELS, *TOYS])
def test_stability_compares_seeds_of_any_model(name) -> None:
    seen = run()
    outcomes = []
    for seed in (1, 2, 3):
        model = phases.reseeded(make(name), seed)
        value = phases.find(model, seen.intervals, seen.signatures, lambda: seen.profile.vectors)
        picked = points.nearest(seen.intervals, value)
        outcomes.append(phases.Outcome(seed, value.labels, frozenset(picked.interval.tolist())))
    stability = phases.Stability.of(outcomes)
    assert stability.k.tolist() == [value.k] * 3
    assert stability.frame()["seed"].tolist() == [1, 2, 3]
    assert stability.frame()["agreement"].min() > 0.9


@pytest.mark.parametrize("name", [*registry.MODELS, *TOYS])
def test_every_step_of_a_run_takes_any_model(name, tmp_path) -> None:
    seen = run()
    steps = phasemark.save(tmp_path / "run", seen.profile, metrics=seen.metrics())
    found = steps.find_phases(model=name)
    assert found.phases.model["method"] == name and steps.phases.k == found.phases.k
    assert steps.find_phases(model=name).discarded == ()
    steps.pick_points(per_phase=2)
    estimate = steps.estimate().estimate
    assert estimate.value["cpi"] == pytest.approx(2.03, abs=0.5)
    assert np.isfinite(estimate.interval["cpi"]).all()
    assert steps.quality().rows
    assert len(steps.compare_seeds(model=name, seeds=2).k) == 2
    assert steps.report().stat().st_size > 10_000


def test_a_model_that_takes_counts_says_so_where_there_are_none() -> None:
    seen = run()
    with pytest.raises(UsageError, match="hottest-block takes counts"):
        phases.find(HottestBlock(), seen.intervals, seen.signatures)


def test_parameters_are_checked_before_data_are_read() -> None:
    seen = run()
    with pytest.raises(UsageError, match="k is 0"):
        phases.find(HottestBlock(k=0), seen.intervals, seen.signatures, lambda: pytest.fail("read"))


def test_an_unknown_model_names_the_known_ones() -> None:
    with pytest.raises(
        UsageError, match=r"model of phases 'best'\n.*simpoint, mixture, hmm, hsmm, .*each-thread"
    ):
        phases.model("best")


def test_a_model_of_another_program_is_registered_once(monkeypatch) -> None:
    monkeypatch.setattr(registry, "MODELS", dict(registry.MODELS))
    mine = type("Mine", (HottestBlock,), {"name": "mine"})
    assert phases.register(mine) is phases.register(mine) is mine
    assert isinstance(phases.model("mine", k=2), mine)
    with pytest.raises(UsageError, match="a model of phases 'mine' already"):
        phases.register(type("Other", (HottestBlock,), {"name": "mine"}))
