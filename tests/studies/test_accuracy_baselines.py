"""What the study of accuracy compares with, counted by hand: SMARTS, double sampling, points needed."""

from __future__ import annotations

import math
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from tests.studies.modules import modules

STUDY = Path(__file__).parents[2] / "studies" / "accuracy"


@pytest.fixture(scope="module")
def study() -> Iterator[SimpleNamespace]:
    names = ("machines", "needed", "answers", "baselines.sums", "baselines.smarts", "baselines.two_phase")
    with modules(STUDY, *names) as found:
        yield SimpleNamespace(**{module.__name__.split(".")[-1]: module for module in found})


def sums(study: SimpleNamespace, *cycles: float) -> object:
    """Intervals of one instruction each."""
    return study.sums.Sums(np.array(cycles), np.ones(len(cycles)))


def test_smarts_has_the_error_bar_of_a_random_sample(study: SimpleNamespace) -> None:
    run = sums(study, 1, 2, 3, 4, 5, 6, 7, 9)
    trial = study.smarts.trial(run, np.array([1, 3, 5, 7]), 0.95)
    # 2, 4, 6, 9: mean 5.25, deviations 3.25, 1.25, 0.75, 3.75; half of the run was seen.
    error = math.sqrt((3.25**2 + 1.25**2 + 0.75**2 + 3.75**2) / 3 / 4 / 2)
    assert trial.estimate == 5.25 and trial.truth == 37 / 8
    np.testing.assert_allclose(trial.interval, [5.25 - 1.959964 * error, 5.25 + 1.959964 * error], rtol=1e-6)


def test_smarts_needs_as_many_points_as_the_deviation_says(study: SimpleNamespace) -> None:
    # V is 0.5: (1.96 x 0.5 / 0.1)^2 = 96 of very many, and 96 / (1 + 96 / 100) of a hundred.
    off = 0.5 * math.sqrt(99 / 100)
    run = sums(study, *[1 - off, 1 + off] * 50)
    assert study.smarts.needed(run, 0.1, 0.95) == math.ceil(96.036 / 1.96036)


def test_strata_by_the_root_of_the_frequency_part_what_lies_apart(study: SimpleNamespace) -> None:
    values = np.array([1.0] * 90 + [5.0] * 9 + [9.0])
    # Roots of 9.5, 3 and 1: the middles are at 4.7, 11 and 13, and the half of all at 6.7.
    assert np.bincount(study.two_phase.by_root_of_frequency(values, 2)).tolist() == [90, 10]
    spread = np.linspace(0, 1, 400)
    assert np.bincount(study.two_phase.by_root_of_frequency(spread, 4)).tolist() == [100] * 4


def test_a_second_phase_of_everything_is_the_truth(study: SimpleNamespace) -> None:
    random = np.random.default_rng(1)
    cpi = random.random(40)
    sample = study.two_phase.draw(cpi, 40, 1, study.two_phase.ALL)
    trial = study.two_phase.trial(study.sums.Sums(cpi, np.ones(40)), sample, 0.95)
    assert trial.estimate == pytest.approx(cpi.mean()) and trial.half_width == pytest.approx(0, abs=1e-7)


def test_a_first_phase_adds_what_it_did_not_see(study: SimpleNamespace) -> None:
    values = np.array([1.0, 1.0, 3.0, 3.0] * 5)
    # Two strata that do not vary, measured in all; of 20 intervals 10 were in the first phase.
    sample = study.two_phase.Sample(
        np.array([0, 1, 2, 3]), np.array([0, 0, 1, 1]), np.array([5, 5]), every=20
    )
    trial = study.two_phase.trial(study.sums.Sums(values, np.ones(20)), sample, 0.95)
    # Student's t of 2 degrees of freedom times the root of 1 x (1/10 - 1/20).
    assert trial.estimate == 2 and trial.interval[1] - 2 == pytest.approx(4.302653 * math.sqrt(0.05))


@pytest.mark.parametrize("share", [0.5, 1.0])
def test_double_sampling_is_not_biased_and_its_bar_holds(study: SimpleNamespace, share: float) -> None:
    random = np.random.default_rng(2)
    cheap = random.gamma(2, 1, 300)
    dear = cheap + random.normal(0, 0.2, 300)
    run = study.sums.Sums(dear, np.ones(300))
    trials = [
        study.two_phase.trial(run, study.two_phase.draw(cheap, 40, seed, share), 0.95) for seed in range(200)
    ]
    errors = np.array([trial.error for trial in trials])
    assert abs(errors.mean()) < 3 * errors.std() / math.sqrt(200)
    assert np.mean([trial.covered for trial in trials]) > 0.88


def test_points_are_needed_until_a_curve_stays_below(study: SimpleNamespace) -> None:
    fewest = study.needed.fewest
    budgets = (10, 20, 40)
    assert fewest(budgets, (0.01, 0.005, 0.002), 0.02) == 10
    assert fewest(budgets, (0.08, 0.04, 0.02), 0.02) == pytest.approx(40)
    assert fewest(budgets, (0.08, 0.04, 0.01), 0.02) == pytest.approx(20 * math.sqrt(2))
    assert fewest(budgets, (0.01, 0.04, 0.01), 0.02) == pytest.approx(20 * math.sqrt(2))
    assert fewest(budgets, (0.01, 0.01, 0.03), 0.02) == math.inf
    assert fewest(budgets, (math.nan, math.nan, 0.01), 0.02) == 40


def test_no_machine_is_told_of_its_own_events(study: SimpleNamespace) -> None:
    assert set(study.machines.OTHER) == set(study.machines.MACHINES)
    assert all(machine != other for machine, other in study.machines.OTHER.items())


def test_machines_are_grouped_by_what_ran_on_them(study: SimpleNamespace) -> None:
    def profile(*lengths: int) -> SimpleNamespace:
        return SimpleNamespace(instructions=sum(lengths), interval_table=_Sized(np.array(lengths)))

    same, nearly, other = profile(10, 10, 5), profile(10, 10, 6), profile(10, 10, 10, 2)
    groups = study.machines.Runs({"modern": same, "paper": other, "little": nearly}, {}).groups()
    assert groups == [("modern", "little"), ("paper",)]
    groups = study.machines.Runs({"modern": same, "paper": other, "little": other}, {}).groups()
    assert groups == [("modern",), ("paper", "little")]


class _Sized:
    def __init__(self, length: np.ndarray) -> None:
        self.length = length

    def __len__(self) -> int:
        return len(self.length)


def _row(machine: str, budget: int, error: float) -> dict[str, object]:
    named = {"machine": machine, "method": "random", "signature": "-", "budget": budget, "metric": "cpi"}
    return {**named, "error": error}


def test_answers_are_means_over_programs_and_machines(study: SimpleNamespace) -> None:
    results = {
        "a": {"estimates": [_row("modern", 10, 0.1), _row("paper", 10, 0.2), _row("little", 10, 0.3)]},
        "b": {"estimates": [_row("modern", 10, 0.3), _row("paper", 10, 0.6), _row("little", 10, math.nan)]},
    }
    answers, way = study.answers.Answers(results), ("random", "-")
    assert answers.mean("error", way, 10) == pytest.approx(0.3)
    assert answers.on("paper").mean("error", way, 10) == pytest.approx(0.4)
    assert answers.on("modern").worst(way, 10) == ("b", "modern", 0.3)
    assert math.isnan(answers.mean("error", way, 20))
