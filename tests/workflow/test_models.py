"""Models side by side: rows as their parts say, kept where a comparison is cut short, and bad input."""

from __future__ import annotations

import math
import shutil
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from tests.workflow.runs import LENGTH, full_run, recorded, three_phases
from tests.workflow.runs import run as command

from phasemark import phases, points, quality
from phasemark.checking import check_folder
from phasemark.errors import UsageError
from phasemark.estimates import estimate, interval_error, reconstruct
from phasemark.model import Intervals
from phasemark.phases import MultinomialHMM, MultinomialMixture
from phasemark.store import models_csv
from phasemark.store.folder import Folder
from phasemark.views.verdicts import verdicts
from phasemark.workflow import ModelOptions, ModelsResult, Run, model_fits

#: Small and quick.
OPTIONS = ModelOptions(states=(1, 3), representations=("full", "reweight"), restarts=2)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Folder:
    run = three_phases(tmp_path_factory.mktemp("models") / "run")
    full_run(run)
    return run


@pytest.fixture(scope="module")
def compared(folder: Folder) -> ModelsResult:
    return Run(folder.path).compare_models(OPTIONS)


def test_there_is_a_row_a_fit_and_each_is_in_the_file(folder: Folder, compared: ModelsResult) -> None:
    assert [fit.key[:3] for fit in compared.fits] == [
        *(("simpoint", "projected", k) for k in (1, 3)),
        *(("mixture", seen, k) for seen in ("full", "reweight") for k in (1, 3)),
        *(("hmm", seen, k) for seen in ("full", "reweight") for k in (1, 3)),
    ]
    assert list(map(repr, models_csv.read(folder.models))) == list(map(repr, compared.fits))
    assert list(map(repr, models_csv.read_points(folder.models_points))) == list(
        map(repr, compared.estimates)
    )
    checked = list(check_folder(folder))
    assert not [str(one.error) for one in checked if one.error is not None]
    assert "models.csv, models-points.csv agree" in checked[-1].found
    assert len(compared.frame()) == 10 and compared.frame().seconds.min() > 0
    assert len(compared.estimates_frame()) == len(compared.estimates) == 2 * 3 + 8 * 4 * 2


def test_a_row_says_what_its_parts_say(folder: Folder, compared: ModelsResult) -> None:
    """The same by hand, of the hidden Markov model of 3 states that sees everything."""
    run = Run(folder.path)
    profile, metrics = run.profile, run.metrics
    model = MultinomialHMM(3, restarts=2).fit(profile.vectors)
    fit = next(fit for fit in compared.fits if fit.key == ("hmm", "full", 3, 1))
    likely = phases.likelihood(model.phases_, profile.vectors)
    assert (fit.used, fit.log_likelihood, fit.bic) == (3, likely.of_run, likely.bic)
    assert fit.own == pytest.approx(model.log_likelihood_ / (60 * model.evidence_))
    assert fit.cov == quality.cov(quality.measured(metrics, profile, "cpi"), model).total
    # The last 12 intervals are held out.
    head = profile.vectors.select(np.arange(48))
    seen = MultinomialHMM(3, restarts=2).fit(head)
    assert fit.held_out == phases.held_out_likelihood(
        seen.phases_, head, profile.vectors, seen_sequences=[48], sequences=[60]
    )
    row = next(
        row
        for row in compared.estimates
        if (row.key, row.method, row.estimator) == (fit.key, "max-posterior", "epm2")
    )
    chosen = points.select(profile, model, method="max-posterior")
    of = {"intervals": profile, "phases": model}
    whole = estimate(chosen, metrics, names=["cpi"], estimator="epm2", **of)  # type: ignore[arg-type]
    each = reconstruct(chosen, metrics, profile, model, estimator="epm2")
    assert (row.points, row.share, row.value) == (3, 3 / 60, whole.value["cpi"])
    assert (row.low, row.high) == whole.interval["cpi"]
    assert row.error == row.value / compared.full - 1
    assert row.interval_error == interval_error(metrics.with_instructions().values("cpi"), each) < 0.1


def test_what_is_known_is_kept_and_what_was_cut_short_goes_on(folder: Folder, compared: ModelsResult) -> None:
    content = folder.models.read_bytes(), folder.models_points.read_bytes()

    class Killed(Exception):
        pass

    def kill(done: int, total: int) -> None:
        if done == 400:
            raise Killed

    folder.models.unlink()
    with pytest.raises(Killed):
        Run(folder.path).compare_models(OPTIONS, progress=kill)
    assert len(models_csv.read(folder.models)) == 4
    again = Run(folder.path).compare_models(OPTIONS)
    assert len(again.seconds) == 6 and list(map(repr, again.fits)) == list(map(repr, compared.fits))
    assert (folder.models.read_bytes(), folder.models_points.read_bytes()) == content
    assert not Run(folder.path).compare_models(OPTIONS).seconds
    # Estimates that are gone, from a file without a checksum, are made again.
    lines = content[1].decode().replace("checksum", "was").splitlines(keepends=True)
    folder.models_points.write_text("".join(line for line in lines if not line.startswith("hmm,full,3")))
    assert len(Run(folder.path).compare_models(OPTIONS).seconds) == 1
    assert (folder.models.read_bytes(), folder.models_points.read_bytes()) == content
    # A number that was changed is not gone on from, and said to have been changed.
    folder.models.write_text(content[0].decode().replace(",3,1,3,", ",3,1,2,", 1))
    mended = Run(folder.path).compare_models(OPTIONS)
    assert len(mended.seconds) == 10 and mended.notes[0].startswith("models.csv was changed or damaged")
    assert folder.models.read_bytes() == content[0]
    # Other options are another comparison.
    other = Run(folder.path).compare_models(models="simpoint", states=3, restarts=1, held_out=0)
    assert len(other.seconds) == 1 and math.isnan(other.fits[0].held_out)


def test_a_comparison_made_anew_leaves_no_page_of_the_one_before(tmp_path: Path) -> None:
    run = Run(three_phases(tmp_path / "run").path)
    some = ModelOptions(models=("simpoint",), states=(2,), restarts=1)
    run.compare_models(some)
    run.folder.report.write_text("")
    assert not run.compare_models(some).discarded and run.folder.report.exists()  # nothing new
    assert run.compare_models(replace(some, seed=3)).discarded == ("report.html is removed",)


def test_it_says_which_is_best_and_where_none_beats_simpoint(compared: ModelsResult) -> None:
    by = {one.criterion: one for one in compared.verdicts}
    assert list(by) == ["log_likelihood", "bic", "held_out", "cov", "interval_error"]
    assert by["bic"].states == 3 and by["cov"].states == 3
    best = min(compared.estimates, key=lambda row: row.interval_error)
    assert by["interval_error"].value == best.interval_error
    alone = verdicts([fit for fit in compared.fits if fit.model == "simpoint"], [])
    assert all(one.nothing_better and not one.better for one in alone)
    without = verdicts([fit for fit in compared.fits if fit.model == "hmm"], [])
    assert not any(one.nothing_better for one in without) and math.isnan(without[0].baseline)


def test_the_command_tells_it_in_words(tmp_path: Path) -> None:
    run = three_phases(tmp_path / "run")
    words = ("models", run.path, "--models", "simpoint,hmm", "--states", "1,3", "--restarts", 2)
    said = command(*words)
    assert "neither CoV nor errors are known" in said and "error of cpi" not in said
    assert not run.models_points.exists()
    full_run(run)
    said = command(*words, "--select", "nearest", "--seeds", 2, "--estimator", "epm1")
    assert "best by error of single intervals (E_I): " in said
    assert "better than SimPoint of as many states, by nearest, epm1: hmm (full) " in said
    assert command(*words, "--quiet") == ""


@pytest.mark.parametrize(
    ("wrong", "why"),
    [
        ({"models": ("kmeans",)}, "models holds 'kmeans'"),
        ({"states": (0,)}, "states is 0"),
        ({"states": (4, 4)}, "states is"),
        ({"states": ()}, "states is"),
        ({"representations": ("pca",)}, "representations holds 'pca'"),
        ({"methods": ("random", "start")}, "methods holds 'random'"),
        ({"estimators": ("epm3",)}, "estimators holds 'epm3'"),
        ({"seeds": 0}, "seeds is 0"),
        ({"held_out": 1.0}, "held_out is 1"),
        ({"tempering": 0.0}, "tempering is 0"),
        ({"restarts": 0}, "restarts is 0"),
        ({"signature": "words"}, "words"),
    ],
)
def test_options_that_make_no_sense_are_refused(folder: Folder, wrong: dict[str, object], why: str) -> None:
    with pytest.raises(UsageError, match=why):
        Run(folder.path).compare_models(**wrong)  # type: ignore[arg-type]


def test_a_metric_that_was_not_measured_is_refused(folder: Folder) -> None:
    with pytest.raises(ValueError, match="no metric 'dpi' was measured"):
        Run(folder.path).compare_models(metric="dpi")
    with pytest.raises(UsageError, match="cycles is no ratio"):
        Run(folder.path).compare_models(metric="cycles")


@pytest.mark.parametrize(
    ("rows", "lengths"),
    [
        ([[900, 100, 0]], [LENGTH]),  # one interval, more states than intervals, a block never executed
        ([[900, 100], [0, 0], [100, 900]], [LENGTH, 0, LENGTH]),  # nothing is executed
        ([[2**54, 1], [1, 2**54]], [2**54 + 1, 2**54 + 1]),  # more than doubles count
        ([[500, 500]] * 3, [LENGTH] * 3),  # all alike
    ],
)
def test_strange_runs_are_compared_as_any(tmp_path: Path, rows: list[list[int]], lengths: list[int]) -> None:
    run = recorded(tmp_path / "run", np.array(rows), Intervals.of_thread(np.array(lengths)))
    result = Run(run.path).compare_models(states=(1, 4), restarts=1)
    assert len(result.fits) == 6
    for fit in result.fits:
        assert fit.used <= len(rows) and math.isfinite(fit.log_likelihood) and math.isfinite(fit.bic)
        assert math.isfinite(fit.held_out) == (len(rows) > 1), fit
    assert any("no model finds more phases" in note for note in result.notes)
    assert not [str(one.error) for one in check_folder(run) if one.error is not None]


def test_every_model_of_the_registry_can_be_compared(folder: Folder) -> None:
    run = Run(folder.path)
    models = set(phases.MODELS) - {"online"}
    result = run.compare_models(models=tuple(models), states=2, restarts=1, methods="nearest")
    assert {fit.model for fit in result.fits} == models
    with pytest.raises(UsageError, match="online cannot be asked for a number of phases"):
        run.compare_models(models="online")
    mixture = next(fit for fit in result.fits if fit.model == MultinomialMixture.name)
    assert mixture.used == 2


def test_it_is_told_how_far_each_fit_has_come(folder: Folder, tmp_path: Path) -> None:
    """Two fits, each to all and then to what is not held out; between, as the models tell it themselves."""
    told: list[tuple[int, int]] = []
    run = Run(shutil.copytree(folder.path, tmp_path / "run"))
    options = {"models": ("simpoint", "hmm"), "states": 3, "restarts": 4}
    run.compare_models(progress=lambda *done_of: told.append(done_of), **options)
    done = [part for part, _ in told]
    assert done == sorted(done) and {total for _, total in told} == {200} and done[-1] == 200
    assert {0, 50, 100, 150, 200} <= set(done)


def test_a_fit_to_all_is_the_first_half_of_one() -> None:
    told: list[tuple[int, int]] = []
    first, second = model_fits._halves(lambda *done_of: told.append(done_of), both=True)
    assert first is not None and second is not None
    first(1, 4), second(1, 2)
    assert told == [(12, 100), (75, 100)]
    assert model_fits._halves(None, both=True) == (None, None)
