"""The one choice of points, for the command, for Python and for the study."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest
from tests.estimates.runs import N, metrics, profile

from phasemark import estimates, phases, points, signatures
from phasemark.errors import UsageError
from phasemark.estimates import PointOptions, choose, planning, telling
from phasemark.model import Metrics, Phases, Points


def fitted() -> phases.SimPoint:
    return phases.SimPoint(k=3).fit(signatures.project(profile(), dims=3))


def same(one: Points, other: Points) -> bool:
    return one.frame().equals(other.frame()) and (one.method, one.coverage) == (other.method, other.coverage)


def test_the_shortest_way_in_python_has_the_error_bar_of_the_command() -> None:
    """SimPoint, nearest, estimate: the spread that the error bar needs comes along."""
    model = fitted()
    nearest = points.nearest(profile(), model)
    chosen = choose(profile().interval_table, model.phases_, PointOptions()).points
    assert same(nearest, chosen) and np.isfinite(nearest.spread).all()
    short, long = (estimates.estimate(each, metrics()) for each in (nearest, chosen))
    assert short.interval == long.interval and short.value == long.value
    low, high = short.interval["cpi"]
    assert low < estimates.full_value(metrics(), "cpi") < high
    blind = dataclasses.replace(nearest, spread=np.full(3, np.nan))
    wide = estimates.estimate(blind, metrics()).interval["cpi"]
    assert high - low < (wide[1] - wide[0]) / 3


def test_profiles_models_and_frames_are_as_good() -> None:
    model, run = fitted(), profile()
    for options in (None, PointOptions(per_phase=4), PointOptions(budget=9), PointOptions(early=True)):
        chosen = choose(run, model, options, metrics().frame()).points
        places = signatures.project(run)
        found = choose(run.interval_table, model.phases_, options, metrics(), signatures=places)
        plain = found.points
        assert same(chosen, plain) and same(found, plain)
        assert same(choose(run.intervals, model, options, metrics(), signatures=places), plain)
    assert estimates.estimate(plain.frame(), metrics().frame()) == estimates.estimate(plain, metrics())
    assert estimates.estimate(plain, metrics(), names="cpi") == estimates.estimate(
        plain, metrics(), names=["cpi"]
    )
    assert estimates.full_value(metrics().frame(), "cpi") == estimates.full_value(metrics(), "cpi")


def test_how_many_by_which_method() -> None:
    run, found = profile(), fitted().phases_
    for options, n, method in (
        (PointOptions(), 3, "nearest"),
        (PointOptions(per_phase=1), 3, "nearest"),
        (PointOptions(per_phase=2), 6, "stratified"),
        (PointOptions(per_phase=10**6), N, "stratified"),
        (PointOptions(budget=13), 13, "stratified"),
        (PointOptions(budget=10**6), N, "stratified"),
        (PointOptions(budget=13, method="random"), 13, "random"),
        (PointOptions(budget=N + 1, method="systematic"), N, "systematic"),
        (PointOptions(per_phase=2, method="nearest"), 6, "nearest"),
        (PointOptions(early=True), 3, "nearest"),
    ):
        chosen = choose(run, found, options)
        assert len(chosen.points) == n and chosen.points.method == method
    assert choose(run, found, PointOptions(warmup=50)).points.warmup.max() == 50
    assert choose(run, found, PointOptions(warmup=50, early=True)).points.warmup.max() == 50


def test_a_coverage_leaves_the_smallest_phase_out() -> None:
    run, found = profile(), fitted().phases_
    for options in (PointOptions(coverage=0.6), PointOptions(coverage=0.6, budget=8)):
        chosen = choose(run, found, options).points
        assert set(chosen.phase.tolist()) == {0, 1} and chosen.coverage == pytest.approx(2 / 3)
    assert len(chosen) == 8
    early = choose(run, found, PointOptions(coverage=0.6, early=True)).points
    assert early.coverage == pytest.approx(2 / 3)


def test_seeds_choose_other_points_of_random_methods() -> None:
    run, found = profile(), fitted().phases_
    chosen = [choose(run, found, PointOptions(per_phase=2, seed=seed)).points for seed in (1, 1, 2)]
    assert same(chosen[0], chosen[1]) and not same(chosen[0], chosen[2])


def test_a_target_error_is_met_from_the_proxy_then_from_a_pilot() -> None:
    run, found = profile(), fitted().phases_
    by_proxy = choose(run, found, PointOptions(target_error=0.03, use_pilot=False))
    assert by_proxy.details["expected_error"] <= 0.03
    first = choose(run, found, target_error=0.03)
    assert first.details["deviations"] == "proxy" and len(first) == 39
    assert np.bincount(first.strata)[:-1].max() == 2
    assert "a proxy from the distances" in first.notes[0]
    assert first.notes[1].startswith("CPI is expected within +-") and "% (95%), and its " in first.notes[1]
    assert f"forecast at +-{first.details['expected_half_width']:.2%}; " in first.notes[1]
    second = choose(run, found, PointOptions(target_error=0.03), metrics(), first.points)
    assert second.details["deviations"] == "pilot" and "from 60 intervals measured so far" in second.notes[0]
    kept = set(first.points.interval.tolist())
    assert kept <= set(second.points.interval.tolist())
    more = len(second.points) - len(first.points)
    assert sum(second.details["more"].values()) == more
    assert second.notes[2].startswith(
        f"{len(first.points)} points measured before are kept, whatever the target; "
    )
    assert second.notes[3] == "no more points are needed than were measured before" or second.notes[
        3
    ].startswith(f"{more} more points are needed, in ")
    third = choose(run, found, PointOptions(target_error=0.03), metrics(), second.points)
    assert same(third.points, second.points) and third.details["more"] == {}
    assert third.notes[3] == "no more points are needed than were measured before"
    surer = choose(run, found, PointOptions(target_error=0.03, use_pilot=False, confidence=0.99))
    assert surer.details["expected_half_width"] > by_proxy.details["expected_half_width"]


def test_only_points_that_were_measured_are_kept() -> None:
    """A plan that was too large shrinks again; nothing of it was simulated."""
    run, found = profile(), fitted().phases_
    small = choose(run, found, PointOptions(target_error=0.1)).points
    wild = dataclasses.replace(
        metrics(), counters={"cycles": metrics().length * (1 + 3 * (np.arange(len(metrics())) % 7))}
    )
    large = choose(run, found, PointOptions(target_error=0.04), wild, small).points
    assert len(large) > len(small)
    again = choose(run, found, PointOptions(target_error=0.1), None, large)
    assert same(again.points, small) and again.details["kept"] == 0
    rows = small.interval
    keys = (getattr(metrics(), name)[rows] for name in ("run", "thread", "index", "start", "length"))
    pilot = Metrics(*keys, {"cycles": metrics().counters["cycles"][rows]})
    kept = choose(run, found, PointOptions(target_error=0.5), pilot, large)
    assert set(kept.points.interval.tolist()) == set(rows.tolist())
    assert kept.details["kept"] == len(small) and "--no-pilot (use_pilot=False) starts anew" in kept.notes[2]
    assert kept.notes[1].endswith(
        "the real one is what `phasemark estimate` says once these points are measured"
    )
    anew = choose(run, found, PointOptions(target_error=0.1, use_pilot=False), pilot, large)
    assert anew.details["kept"] == 0


def test_what_is_needed_is_told_in_good_grammar() -> None:
    assert telling.more({3: 1}, least=False) == "1 more point is needed, in 1 stratum"
    assert telling.more({3: 1000, 4: 1}, least=True) == (
        "1,001 more points are needed, in 2 strata "
        "(a stratum has two at least, since of one no deviation is known)"
    )
    assert telling.kept(1).startswith("1 point measured before is kept")


def test_a_stratum_gets_two_points_at_least_and_that_is_said() -> None:
    run, found = profile(), fitted().phases_
    first = choose(run, found, PointOptions(budget=4))
    found_more = choose(run, found, PointOptions(target_error=0.9), metrics(), first)
    assert set(np.bincount(found_more.stratum).tolist()) == {1, 2}  # 1 of the cold start
    assert found_more.details["kept"] == 0  # a budget's strata are others
    assert found_more.notes[2].endswith("(a stratum has two at least, since of one no deviation is known)")


def test_only_a_target_asks_for_the_same_command_again() -> None:
    run, found = profile(), fitted().phases_
    for options, again in ((PointOptions(budget=9), False), (PointOptions(target_error=0.05), True)):
        note = choose(run, found, options).notes[0]
        assert (
            note.endswith("then give the same command again") == again and "nothing was measured yet" in note
        )


def test_a_budget_beyond_the_run_is_said_to_be_capped() -> None:
    run, found = profile(), fitted().phases_
    for method in (None, "random"):
        notes = choose(run, found, PointOptions(budget=4000, method=method)).notes
        assert (
            "the budget of 4,000 is more than there are: all 60 intervals to choose from are points" in notes
        )
        assert not any("budget" in note for note in choose(run, found, PointOptions(budget=N)).notes)


def test_a_budget_goes_where_phases_vary() -> None:
    """Where phases are left out, they are the strata; else two points are in each of many."""
    run, found = profile(), fitted().phases_
    chosen = choose(run, found, PointOptions(budget=12, coverage=0.99), metrics()).points
    counts = np.bincount(chosen.phase)
    assert same(chosen, choose(run, found, PointOptions(budget=12, strata="phases"), metrics()).points)
    population = points.Population.of(run, found)
    expected = planning.from_pilot(
        points.spread_of(found, run), found.labels, run.interval_table.length, np.arange(N), metrics()
    )
    assert counts.tolist() == planning.for_budget(12, population.sizes, expected.deviations).tolist()
    # A CPI of 4 deviates most.
    assert counts[2] == counts.max() > counts[0] and chosen.strata is None


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"per_phase": 2, "budget": 9}, "per_phase and budget each say how many"),
        ({"budget": 0}, "budget is 0"),
        ({"per_phase": 0}, "per_phase is 0"),
        ({"target_error": -0.1}, r"target_error is -0\.1"),
        ({"target_error": 2}, r"target_error is 2\n  hint: it must be above 0 and below 1, as 0\.02 for 2%"),
        ({"target_error": 1}, "target_error is 1"),
        ({"confidence": 95}, "confidence is 95"),
        ({"coverage": 95}, r"coverage is 95\n.*as 0\.95"),
        ({"coverage": 0}, "coverage is 0"),
        ({"warmup": -1}, "warm-up is -1"),
        ({"method": "best"}, "no method is called 'best'"),
        ({"method": "random", "coverage": 0.9}, r"knows no phases.*\n  hint: leave coverage at 1"),
        ({"early": True, "per_phase": 2}, "early takes one near interval"),
        ({"early": True, "method": "stratified"}, "early takes one near interval"),
        ({"target_error": 0.1, "method": "random"}, "samples phases at random, not by method random"),
        ({"budgets": 2}, "no option is called budgets"),
        ({"budget": 2, "strata": "phases"}, "2 intervals cannot stand for 3 phases"),
        ({"budget": 9, "strata": "none"}, "there are no strata called 'none'"),
    ],
)
def test_options_that_make_no_sense_are_refused(options, message) -> None:
    with pytest.raises(UsageError, match=message) as raised:
        choose(profile(), fitted(), **options)
    assert "--" not in str(raised.value)


def test_a_choice_is_shown_in_one_line_and_as_a_table() -> None:
    chosen = choose(profile(), fitted())
    assert repr(chosen) == "<Choice: 3 points, method nearest>"
    assert chosen.frame().equals(chosen.points.frame())


def test_early_takes_an_earlier_interval_that_is_near_enough() -> None:
    found = Phases([0, 0, 0], [[0.0]], [0.5, 0.13, 0.1])
    chosen = {early: choose([10] * 3, found, PointOptions(early=early)).points for early in (False, True)}
    assert chosen[False].interval.tolist() == [2] and chosen[True].interval.tolist() == [1]
