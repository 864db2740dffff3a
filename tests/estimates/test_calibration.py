"""What is expected of strata, by what they were found in."""

from __future__ import annotations

import dataclasses
from typing import Any

import numpy as np
import pytest
from tests.estimates.runs import N, metrics, profile
from tests.estimates.samples import metrics_of, points_of, with_spread

from phasemark import signatures
from phasemark.estimates import calibration, choose, estimate, estimate_threads
from phasemark.model import Metrics, Phases, Points, Profile, Reuse, given


def test_strata_of_behaviour_are_expected_to_be_alike() -> None:
    assert calibration.of("code+behaviour") == (0.8, 6.0, None, 2, 0.5, 0.6)
    for other in ("blocks", "loops", "code+events", "code+more", None):
        assert calibration.of(other) == (2.0, 3.0, 1.0, 1, 1.0, 1.5)
    assert calibration.OF_BEHAVIOUR.planned == 6 and calibration.OF_CODE.planned == 1


def test_what_is_added_to_a_balanced_sample_is_random() -> None:
    assert calibration.OF_BEHAVIOUR.of_sample(1) == 0.5 and calibration.OF_BEHAVIOUR.of_sample(0.25) == 0.875
    assert calibration.OF_CODE.of_sample(1) == 1


def known() -> Profile:
    """The run with reuse of memory."""
    counts = np.zeros((N, 15), np.int64)
    counts[:, -1] = np.arange(N) // 2 % 2 * 9
    return dataclasses.replace(profile(), reuse=Reuse(counts, counts, 64, np.arange(N) % 5))


def one_phase() -> Phases:
    return Phases([0] * N, [[0.0]], [1.0] * N)


def test_points_say_what_their_strata_were_found_in() -> None:
    run, found = known(), one_phase()
    chosen = choose(run, found, budget=20)
    assert (chosen.signature, chosen.balanced) == ("code+behaviour", 20)
    code = signatures.project(run)
    given_code = choose(run, found, budget=20, signatures=code)
    assert (given_code.signature, given_code.balanced) == ("blocks", 20)
    rates = signatures.combine(code, signatures.surprise_rates(run))
    assert choose(run, found, budget=20, signatures=rates).signature == "code+more"
    events = signatures.combine(code, signatures.event_rates(run, _with_misses()))
    assert choose(run, found, budget=20, signatures=events).signature == "code+events"
    for options in ({"per_phase": 3}, {"budget": 20, "method": "random"}, {"budget": 20, "strata": "phases"}):
        other = choose(run, found, **options)
        assert (other.signature, other.balanced) == (None, 0)
    alone = choose(run.interval_table, found, budget=20)
    assert (alone.signature, alone.balanced) == (None, 0)


def test_a_budget_is_balanced_as_it_is_drawn() -> None:
    """Shared out among strata by what is expected of behaviour, both times: else a point of five is none."""
    rng = np.random.default_rng(25)
    counts = np.zeros((N, 15), np.int64)
    counts[:, -1] = np.where(rng.random(N) < 0.3, rng.integers(0, 2000, N), rng.integers(0, 9, N))
    run = dataclasses.replace(profile(), reuse=Reuse(counts, counts, 64, rng.integers(0, 5, N)))
    chosen = choose(run, one_phase(), budget=5)
    assert chosen.balanced == len(chosen) == 5


def test_typical_points_say_what_their_phases_were_found_in() -> None:
    run, found = known(), one_phase()
    behaviour = signatures.with_behaviour(signatures.project(run), run)
    for options in ({}, {"early": True}, {"per_phase": 3, "method": "nearest"}):
        chosen = choose(run, found, signatures=behaviour, **options)
        assert (chosen.signature, chosen.balanced) == ("code+behaviour", 0)
        assert choose(run, found, **options).signature is None
    for options in ({"per_phase": 3}, {"method": "random", "budget": 9}, {"budget": 9, "strata": "phases"}):
        assert choose(run, found, signatures=behaviour, **options).signature is None


def test_nearest_points_of_phases_of_behaviour_are_off_by_two_fifths() -> None:
    """0.6 of the spread in place of 1.5; what is measured within a phase is believed where it is more."""
    every = metrics_of([100.0] * 20 + [200.0] * 20)
    points = dataclasses.replace(points_of(every, [0] * 20 + [1] * 20, [3, 30]), method="nearest")
    points = with_spread(points, [0.1, 0.1])
    behaviour = dataclasses.replace(points, signature="code+behaviour")
    errors = [estimate(of, every).standard_error["cpi"] for of in (points, behaviour)]
    assert errors[1] == pytest.approx(errors[0] * 0.6 / 1.5)


def _with_misses() -> Any:
    return dataclasses.replace(
        metrics(), counters={**metrics().counters, "l1d_misses": np.arange(N) % 7 * 1.0}, units={}
    )


def test_of_a_target_error_only_the_pilot_is_balanced() -> None:
    run, found = known(), one_phase()
    wild = dataclasses.replace(
        metrics(), counters={"cycles": metrics().length * (1 + 3 * (np.arange(N) % 7))}
    )
    pilot = choose(run, found, target_error=0.02)
    assert pilot.balanced == len(pilot)
    more = choose(run, found, target_error=0.02, pilot=wild, before=pilot.points)
    assert len(more) > len(pilot) == more.balanced
    assert pilot.notes[1].startswith("CPI's error bar is forecast at +-")
    assert more.details["expected_error"] == more.details["expected_half_width"] <= 0.02


@pytest.mark.parametrize("seed", [1, 2, 3, 4])
def test_what_was_measured_and_is_enough_asks_for_no_more(seed: int) -> None:
    """Though a plan from scratch would put points elsewhere."""
    run, found = known(), one_phase()
    cycles = metrics().length * (1 + np.random.default_rng(seed).exponential(size=N))
    wild = dataclasses.replace(metrics(), counters={"cycles": cycles})
    pilot = choose(run, found, target_error=0.05, seed=seed)
    there = choose(run, found, target_error=0.05, seed=seed, pilot=_only(wild, pilot), before=pilot.points)
    by = {"pilot": _only(wild, there), "before": there.points, "seed": seed}
    bar = choose(run, found, target_error=0.9, **by).details["expected_half_width"]
    assert choose(run, found, target_error=bar * 1.001, **by).details["more"] == {}
    assert choose(run, found, target_error=bar * 0.999, **by).details["more"] != {}


def _only(every: Metrics, points: Points) -> Metrics:
    """What was measured at some points."""
    rows = every.rows(points.run, points.thread, points.interval)
    keys = (getattr(every, name)[rows] for name in ("run", "thread", "index", "start", "length"))
    return Metrics(*keys, {name: counter[rows] for name, counter in every.counters.items()})


def measured(**told: Any) -> tuple[Points, Any]:
    every = metrics_of([100.0, 110, 120, 130, 200, 210, 220, 230] * 9)
    rows = [*range(0, 28, 3), *range(29, 71, 4)]
    points = with_spread(points_of(every, [0, 0, 0, 0, 1, 1, 1, 1] * 9, rows), [0.2, 0.2])
    return dataclasses.replace(points, strata=points.phase, **told), every


def width(points: Points, every: Any) -> float:
    low, high = estimate(points, every).interval["cpi"]
    return high - low


def test_error_bars_go_by_it() -> None:
    of_code, every = measured()
    said, _ = measured(signature="blocks", balanced=21)
    random, _ = measured(signature="code+behaviour")
    balanced, _ = measured(signature="code+behaviour", balanced=21)
    assert width(said, every) == width(of_code, every) > width(random, every) > width(balanced, every)
    assert width(balanced, every) == pytest.approx(np.sqrt(0.5) * width(random, every), rel=0.02)
    assert estimate(balanced, every).value == estimate(of_code, every).value


def test_a_balanced_sample_that_lost_a_point_is_none() -> None:
    balanced, every = measured(signature="code+behaviour", balanced=21)
    random, _ = measured(signature="code+behaviour")
    cycles = every.counters["cycles"].copy()
    cycles[9] = np.nan
    fewer = dataclasses.replace(every, counters={"cycles": cycles})
    assert width(balanced, fewer) == width(random, fewer) > width(balanced, every)


def test_where_weights_are_of_phases_strata_say_nothing() -> None:
    """epm1 and estimates of threads go by phases: the sample is not balanced for what it stands for there."""
    run, found = known(), one_phase()
    chosen = choose(run, found, budget=20).points
    random = dataclasses.replace(chosen, balanced=0)
    by = {"intervals": run, "phases": found}
    one, other = (estimate(of, metrics(), estimator="epm1", **by) for of in (chosen, random))
    assert one.interval == other.interval
    bare = dataclasses.replace(random, signature=None)
    threads = [estimate_threads(of, metrics(), run, found) for of in (chosen, bare)]
    assert [t.estimate.interval for t in threads[0]] == [t.estimate.interval for t in threads[1]]


def test_a_table_of_points_keeps_it() -> None:
    chosen = choose(known(), one_phase(), budget=20).points
    back = given.points(chosen.frame())
    assert (back.signature, back.balanced) == ("code+behaviour", 20)
    assert "signature" not in choose(known(), one_phase(), per_phase=2).points.frame().attrs
